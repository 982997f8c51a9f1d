"""The experiments on explanations: models are trained, their explanations audited, ours printed beside the paper.

run.py calls run() for every file that has a `kind`. What they share: [[model]] names a model and the
options of `glassrank train` that make it; [[audit]] the options of `glassrank audit`. Models and audits
are kept in the work folder, so that experiments on the same audit run it once.
"""
import gzip
import hashlib
import io
import json
import math
import statistics
import subprocess

import figures

NUMBERS = ("least", "lower quartile", "median", "upper quartile", "largest")


def digest(*parts):
    return hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()[:16]


class Lab:
    """Models and audits of one experiment."""

    def __init__(self, runner, row):
        self.runner = runner
        self.row = row
        self.dataset = runner.datasets[row["dataset"]]
        parts = runner.real_files(self.dataset)
        self.source = self.dataset["name"] if parts else "stand-in"
        self.parts = parts or runner.stand_in(row["dataset"], self.dataset)
        self.folder = runner.work / "audits"
        self.folder.mkdir(parents=True, exist_ok=True)
        if "documents_per_query" in row:
            self.cut(row["documents_per_query"])

    def cut(self, count):
        """Only the first documents of every query, in the order of the file, stay in every part."""
        if self.source != "stand-in":
            self.source += f", the first {count} documents of a query"
        for part, path in self.parts.items():
            kept = self.folder / f"{part}-{digest(path, count)}.txt"
            taken = {}
            with open(kept, "w") as out:
                for query, line in lines_of(path):
                    taken[query] = taken.get(query, 0) + 1
                    if taken[query] <= count:
                        out.write(line)
            self.parts[part] = kept

    def model(self, model):
        """The model's file: one that was brought, or trained here."""
        if self.runner.models is not None:
            brought = sorted(self.runner.models.glob(f"{self.row['dataset']}-{model['name']}.*"))
            if brought:
                return brought[0]
        options = dict(model["options"])
        if "min_leaf_share" in model:
            options["min_leaf_rows"] = round(model["min_leaf_share"] * self.runner.num_rows(self.parts["train"]))
        words = ["train", f"--train={self.parts['train']}", f"--valid={self.parts['valid']}",
                 *self.runner.settings(options), "--seed", self.runner.seed]
        path = self.folder / f"{model['name']}-{digest(*words)}.txt"
        if not path.exists():
            self.runner.glassrank(*words, "--out", path)
        return path

    def audit(self, model, audit, plot=None):
        """(what --json prints, the lines of the table as {column: text}); `plot`: the kind of the picture it draws."""
        words = ["audit", "--model", self.model(model), "--data", self.parts["test"], "--background",
                 self.parts["train"], "--methods", ",".join(audit["methods"]), "--seed", self.runner.seed,
                 *self.runner.settings(audit.get("options", {}))]
        if self.runner.queries is not None:
            words += ["--queries", self.runner.queries]
        stem = self.folder / f"audit-{digest(*words)}"
        printed, table, picture = (stem.with_suffix(suffix) for suffix in (".json", ".tsv", f".{plot}.svg"))
        if not (printed.exists() and table.exists() and (plot is None or picture.exists())):
            drawn = [] if plot is None else ["--plot", picture, "--plot-kind", plot]
            printed.write_text(self.runner.glassrank(*words, "--json", "--tsv", table, *drawn))
        if plot is not None:
            self.write(f"{plot}-{model['name']}", picture.read_text())
        lines = [line.split("\t") for line in table.read_text().splitlines()]
        return json.loads(printed.read_text()), [dict(zip(lines[0], line)) for line in lines[1:]]

    def names(self):
        """What the features of the data set are called: {number as text: name}."""
        listed = self.dataset.get("feature_names", [])
        return {str(i + 1): name for i, name in enumerate(listed)} if self.source != "stand-in" else {}

    def write(self, name, svg):
        path = self.runner.work / f"{name}.svg"
        path.write_text(svg)
        print(f"  {path}")


def numbers(lines, method, column):
    """The values of a method's documents, without those that have none."""
    values = [float(line[column]) for line in lines if line["method"] == method and line["document"] and line[column]]
    return [value for value in values if not math.isnan(value)]


def error_over_queries(lines, method, column):
    """Standard error of the mean over documents, where those of a query go together."""
    by_query = {}
    for line in lines:
        for value in numbers([line], method, column):
            by_query.setdefault(line["query"], []).append(value)
    count = sum(map(len, by_query.values()))
    mean = sum(map(sum, by_query.values())) / count
    return math.sqrt(sum((sum(values) - len(values) * mean) ** 2 for values in by_query.values())) / count


def box(values):
    values = sorted(values)
    if len(values) == 1:
        return (values[0],) * 5
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
    return values[0], lower, median, upper, values[-1]


def fixed(value, digits, sign=""):
    """As text; what rounds to zero has no minus."""
    return f"{round(value, digits) + 0.0:{sign}.{digits}f}"


def beside(ours, published, digits=3):
    paper = "-" if published is None else f"{published:.{digits}f}"
    return f"{fixed(ours, digits)} (paper {paper})"


# Kinds of experiments. Each takes the lab and prints.


def quality(lab):
    """Ranking performance of the models (Valid Explanations, Table 1)."""
    for model in lab.row["model"]:
        printed = json.loads(lab.runner.glassrank(
            "evaluate", "--model", lab.model(model), "--data", lab.parts["test"], "--metric", "ndcg@10",
            "--convention", "ranklib", "--json"))
        ours = printed["metrics"][0]["mean"]
        print(f"  {model['name']:<10} test ndcg@10 {beside(ours, model['published'])}  [{lab.source}]")


def validity(lab):
    """Validity and completeness; the paper's completeness is the negative of our number (Table 2)."""
    for model in lab.row["model"]:
        for audit in lab.row["audit"]:
            result, _ = lab.audit(model, audit)
            print(f"  {model['name']}, {audit['name']}: {result['num_queries']} queries  [{lab.source}]")
            for entry in result["methods"]:
                means = {measure["measure"]: measure for measure in entry["measures"]}
                published = lab.row.get("published", {}).get(model["name"], {}).get(entry["method"], [])
                published = [*published, None, None]
                valid, complete = means["validity"], means["completeness"]
                mark = "*" if valid["is_clearly_best"] else " "
                print(f"    {entry['method']:<18} validity {beside(valid['mean'], published[0])} "
                      f"±{valid['standard_error']:.3f}{mark}  completeness "
                      f"{beside(-complete['mean'], published[1])} ±{complete['standard_error']:.3f}", flush=True)
            alike = [f"{pair['a']} and {pair['b']} (p = {pair['corrected_p']:.3f})" for pair in result["differences"]
                     if pair["measure"] == "validity" and not pair["significant"]]
            print(f"    validity does not differ significantly ({result['test']}, {result['correction']}): "
                  f"{', '.join(alike) or 'no pair'}", flush=True)


def named_features(lab):
    """The features that methods name for one query (Table 3)."""
    names = lab.names()
    for model in lab.row["model"]:
        for audit in lab.row["audit"]:
            _, lines = lab.audit(model, audit)
            rankings = [line for line in lines if not line["document"]]
            queries = [line["query"] for line in rankings]
            query = str(lab.row["query"]) if str(lab.row["query"]) in queries else queries[0]
            print(f"  {model['name']}, query {query}  [{lab.source}]")
            for line in rankings:
                if line["query"] != query:
                    continue
                features = [names.get(feature, feature) for feature in line["features"].split(",")]
                paper = lab.row["published"].get(line["method"], {})
                print(f"    {line['method']:<18} validity {beside(float(line['validity']), paper.get('validity'), 2)}: "
                      f"{', '.join(features)}")
                if "features" in paper:
                    print(f"    {'':<18} paper: {', '.join(paper['features'])}")


def curve(lab):
    """Validity by the number of features (Figure 2)."""
    for model in lab.row["model"]:
        for audit in lab.row["audit"]:
            result, _ = lab.audit(model, audit, "validity")
            print(f"  {model['name']}: validity by the number of features  [{lab.source}]")
            for entry in result["methods"]:
                means = {measure["measure"]: measure for measure in entry["measures"]}
                shown = "  ".join(f"k={name.partition('@')[2]} {fixed(mean['mean'], 3)} ±{mean['standard_error']:.3f}"
                                  for name, mean in means.items() if name.startswith("validity@"))
                print(f"    {entry['method']:<18} {shown}", flush=True)


def agreement(lab):
    """Mean, its standard error and the standard deviation over documents of the agreement with decision paths (Table 3)."""
    for model in lab.row["model"]:
        for audit in lab.row["audit"]:
            _, lines = lab.audit(model, audit)
            print(f"  {model['name']}, {audit['name']}  [{lab.source}]")
            for truth in ("impurity", "frequency"):
                for measure in ("auc", "spearman", "euclidean"):
                    cells = []
                    for method in audit["methods"]:
                        values = numbers(lines, method, f"{truth}_{measure}")
                        paper = lab.row["published"][model["name"]][truth][measure].get(method, [None, None])
                        error = error_over_queries(lines, method, f"{truth}_{measure}")
                        cells.append(f"{method} {beside(statistics.fmean(values), paper[0])} ±{error:.3f}, deviation "
                                     f"{statistics.stdev(values):.2f} ({paper[1]}), {len(values)} documents")
                    print(f"    {truth:<10} {measure:<10} {'   '.join(cells)}", flush=True)


def show_boxes(x_title, series):
    for method, of_method in series.items():
        for x, five in of_method:
            shown = "  ".join(f"{label} {fixed(value, 3)}" for label, value in zip(NUMBERS, five))
            print(f"    {method:<8} {x_title} {x:<4g} {shown}")


def sizes(lab):
    """Top-K AUC by K (Figures 3 and 4)."""
    for model in lab.row["model"]:
        for audit in lab.row["audit"]:
            _, lines = lab.audit(model, audit, "auc")
            for truth in ("impurity", "frequency"):
                series = {}
                for method in audit["methods"]:
                    columns = [name for name in lines[0] if name.startswith(f"{truth}_auc@")]
                    found = [(float(name.partition("@")[2]), numbers(lines, method, name)) for name in columns]
                    series[method] = [(k, box(values)) for k, values in found if values]
                print(f"  {model['name']}, {truth}  [{lab.source}]")
                show_boxes("K", series)


def depths(lab):
    """Agreement by the depth of the decision path (Figures 5 to 8)."""
    truth = lab.row["truth"]
    for model in lab.row["model"]:
        for audit in lab.row["audit"]:
            result, lines = lab.audit(model, audit, "depth")
            for measure in ("auc", "spearman", "euclidean"):
                series = {}
                for method in audit["methods"]:
                    groups = {}
                    for line in lines:
                        text = line[f"{truth}_{measure}"]
                        if line["method"] == method and line["document"] and text not in ("", "nan"):
                            groups.setdefault(round(float(line["depth"])), []).append(float(text))
                    series[method] = [(depth, box(groups[depth])) for depth in sorted(groups)]
                print(f"  {model['name']}, {truth}, {measure}  [{lab.source}]")
                for entry in result["depths"]:
                    if entry["measure"] == f"{truth}_{measure}" and "correlation" in entry["depths"]:
                        print(f"    {entry['method']:<8} correlation with depth {fixed(entry['depths']['correlation'], 3)}")
                show_boxes("depth", series)


def tree(lab):
    """The decision tree itself (decision-path paper, Figure 2)."""
    for model in lab.row["model"]:
        print(f"  {model['name']}  [{lab.source}]")
        printed = lab.runner.glassrank("inspect", "--model", lab.model(model), "--tree", 0)
        print("".join(f"    {line}\n" for line in printed.splitlines()), end="")


def lines_of(path):
    """(query, line) of every document of a LETOR file, packed or not."""
    if path.suffix == ".zst":
        text = subprocess.run(["zstd", "-dcq", path], capture_output=True, text=True, check=True).stdout
    else:
        text = (gzip.open(path, "rt") if path.suffix == ".gz" else open(path)).read()
    for line in io.StringIO(text):
        words = line.partition("#")[0].split()
        if words:
            yield words[1].partition(":")[2], line


def rows_of(path):
    """(query, document, {feature: value}) of a LETOR file, packed or not."""
    places = {}
    for query, line in lines_of(path):
        values, _, comment = line.partition("#")
        words = values.split()
        places[query] = places.get(query, 0) + 1
        row = {int(f): float(v) for f, _, v in (word.partition(":") for word in words[2:])}
        named = [word for word in comment.replace("=", " ").split() if word != "docid"]
        yield query, named[0] if named else str(places[query]), row


def correlations(lab):
    """Correlation of features (Valid Explanations, Figure 1)."""
    rows = [row for _, _, row in rows_of(lab.parts["train"])]
    features = sorted({feature for row in rows for feature in row})
    columns = []
    for feature in features:
        column = [row.get(feature, 0.0) for row in rows]
        mean = statistics.fmean(column)
        centred = [value - mean for value in column]
        length = math.sqrt(sum(value * value for value in centred))
        columns.append([value / length if length > 0 else 0.0 for value in centred])
    matrix = [[sum(map(float.__mul__, a, b)) for b in columns] for a in columns]
    names = [lab.names().get(str(feature), str(feature)) for feature in features]
    pairs = sorted(((matrix[i][j], names[i], names[j]) for i in range(len(names)) for j in range(i)), reverse=True)
    print(f"  {len(rows)} documents  [{lab.source}]; the most alike:")
    for value, first, second in pairs[:lab.row.get("shown", 10)]:
        print(f"    {fixed(value, 3)}  {second}, {first}")
    lab.write("feature-correlation", figures.heat_map(f"Correlation of features, {lab.source}", names, matrix))


def instance(lab):
    """One document: its values, the truth, what methods say, how they agree (Tables 1 and 2, Figure 1)."""
    wanted = {int(feature): value for feature, value in lab.row["instance"].items()}
    distance, query, document, row = min(
        ((max(abs(row.get(f, 0.0) - value) for f, value in wanted.items()), query, document, row)
         for query, document, row in rows_of(lab.parts["test"])), key=lambda found: found[:3])
    names = lab.names()
    print(f"  the test document nearest to the paper's: query {query}, document {document}  [{lab.source}]")
    for feature, value in wanted.items():
        print(f"    {names.get(str(feature), feature):<16} {beside(row.get(feature, 0.0), value)}")
    for model in lab.row["model"]:
        for audit in lab.row["audit"]:
            explain(lab, model, audit, query, document, names)
            _, lines = lab.audit(model, audit)
            for truth in ("impurity", "frequency"):
                for measure, column in (("spearman", "spearman"), ("euclidean", "euclidean"), ("auc (top 10)", "auc@10")):
                    cells = []
                    for line in lines:
                        if (line["query"], line["document"]) == (query, document):
                            paper = lab.row["published"][truth][measure].get(line["method"])
                            cells.append(f"{line['method']} {beside(float(line[f'{truth}_{column}']), paper)}")
                    if cells:
                        print(f"    {truth:<10} {measure:<13} {'   '.join(cells)}")


def explain(lab, model, audit, query, document, names):
    """The five features that weigh most, in truth and by each method."""
    told = {"impurity": ("decision-path", {"total": "mean"}),
            "frequency": ("decision-path", {"measure": "frequency", "total": "mean"})}
    told |= {method: (method, {name.partition(".")[2]: value for name, value in audit["options"].items()
                               if name.startswith(f"{method}.")}) for method in audit["methods"]}
    for title, (method, options) in told.items():
        printed = json.loads(lab.runner.glassrank(
            "explain", "--model", lab.model(model), "--data", lab.parts["test"], "--background", lab.parts["train"],
            "--query", query, "--document", document, "--method", method, "--seed", lab.runner.seed, "--json",
            *lab.runner.settings(options)))
        shown = ", ".join(f"{names.get(entry['feature'], entry['feature'])} {fixed(entry['attribution'], 3, '+')}"
                          for entry in printed["explanations"][0]["features"][:5])
        print(f"    {title:<10} {shown}")


KINDS = {kind.__name__.replace("_", "-"): kind
         for kind in (quality, validity, named_features, curve, agreement, sizes, depths, tree, correlations, instance)}


def run(runner, row):
    print(row["title"])
    if "note" in row:
        print(f"  ({row['note']})")
    KINDS[row["kind"]](Lab(runner, row))
