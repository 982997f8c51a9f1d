#!/usr/bin/env python3
"""Runs rows of the papers' tables and prints ours beside the published figure.

    experiments/run.py experiments/sour/table3/mslr-sour.toml --data ~/letor
    experiments/run.py experiments/high-low --trees 50
    experiments/run.py experiments/valid-explanations/table2 --data ~/letor

Takes row files or folders of them. Data comes from --data where the files named in datasets.toml are
there, from a synthetic stand-in of the same shape otherwise; the output says which. Figures of a
stand-in show that a row runs and how the methods compare, they cannot be the paper's.
With --trees N every number of trees and every window shrinks from the papers' 1000 to N.
Every run keeps its model in the work folder. Rows of one table on the same data are compared query by query when the
last of them has run: letters name the rows that a row is significantly better than.
"""
import argparse
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import audits  # noqa: E402  (beside this file, wherever it is run from)

PAPER_TREES = 1000
# Options that count trees.
TREE_COUNTS = {"num_trees", "clean.start", "clean.end"}
# Columns of a table beside the measure of its row.
OTHER_METRICS = ("test ndcg@1", "test ndcg@5")


def row_files(paths):
    """The rows below the paths, in order."""
    found = []
    for path in paths or [HERE]:
        path = pathlib.Path(path)
        files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
        found += [file for file in files if file.name != "datasets.toml"]
    return found


def metric(result, name):
    """The value of "test ndcg@10" in what train printed; None where it has none."""
    part, _, wanted = name.partition(" ")
    return result.get(part, {}).get(wanted)


def load(path):
    return tomllib.loads(pathlib.Path(path).read_text())


def scaled_trees(options, trees):
    """The options with rounds shrunk to a forest of so many trees."""
    if trees is None:
        return dict(options)
    return {
        name: max(1, round(value * trees / PAPER_TREES)) if name in TREE_COUNTS and value else value
        for name, value in options.items()
    }


def option_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(str(item) for item in value) if isinstance(value, list) else str(value)


def settings(options):
    """As --set arguments."""
    return [part for name, value in options.items() for part in ("--set", f"{name}={option_text(value)}")]


class Runner:
    def __init__(self, arguments):
        self.program = arguments.program
        self.data = arguments.data
        self.scale = arguments.scale
        self.trees = arguments.trees
        self.seed = arguments.seed
        self.work = arguments.work
        self.models = arguments.models
        self.queries = arguments.queries
        self.datasets = load(HERE / "datasets.toml")
        self.trained = set()
        self.measured = {}  # (table, dataset, measure, run) -> [(row, values per query)]

    def settings(self, options):
        """As --set arguments, with forests as long as asked for."""
        return settings(scaled_trees(options, self.trees))

    def glassrank(self, *words):
        done = subprocess.run([self.program, *map(str, words), "--quiet"], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, words))}\n{done.stderr.strip()}")
        return done.stdout

    def real_files(self, dataset):
        """{part: path} when every part is there, else nothing."""
        if self.data is None:
            return {}
        parts = {}
        for part in ("train", "valid", "test"):
            names = [name + ending for name in dataset[part] for ending in ("", ".gz", ".zst")]
            paths = [self.data / name for name in names if (self.data / name).exists()]
            if not paths:
                return {}
            parts[part] = paths[0]
        return parts

    def stand_in(self, key, dataset):
        """Synthetic data of the same shape, made once for a scale and seed."""
        folder = self.work / f"{key}-{self.scale:g}-{self.seed}"
        parts = {part: folder / f"{part}.txt" for part in ("train", "valid", "test")}
        if all(path.exists() for path in parts.values()):
            return parts
        folder.mkdir(parents=True, exist_ok=True)
        queries = max(60, round(dataset["queries"] * self.scale))
        # Long lists shrink as well, but keep their number of relevant documents.
        documents = min(dataset["documents"], max(120, round(dataset["documents"] * 10 * self.scale)))
        options = {**dataset["stand_in"], "queries": queries, "documents_per_query": documents}
        if "grade_counts" in dataset and documents < dataset["documents"]:
            counts = dataset["grade_counts"]
            shrink = dataset["documents"] / documents
            shares = [count / sum(counts) * shrink for count in counts[1:]]
            options["grade_shares"] = [1 - sum(shares), *shares]
        whole = folder / "all.cache"
        self.glassrank("data", "synth", "--out", whole, "--seed", self.seed, *settings(options))
        self.glassrank("data", "split", "--data", whole, "--out", folder, "--seed", self.seed)
        whole.unlink()
        return parts

    def train(self, run, parts, out):
        """What one run printed. A search writes the best parameters, which are then trained with."""
        run = self.after_first_search(run, parts, out)
        words = self.command(run, parts, out)
        if "search" in run:
            self.glassrank(*words, "--search", run["search"])
            words = [*self.files(run, parts, out), "--config", f"{out}.toml"]
        return json.loads(self.glassrank(*words))

    def after_first_search(self, run, parts, out):
        """The run with what a search before its own has found, for methods whose steps are searched apart."""
        first = run.get("search_first")
        if first is None:
            return run
        searched = {**run, "options": {**run["options"], **first["options"]}}
        self.glassrank(*self.command(searched, parts, out), "--search", first["search"])
        best = load(f"{out}.toml")
        names = [item.split("=")[0] for item in first["search"].split(",")]
        return {**run, "options": {**run["options"], **{name: best[name] for name in names}}}

    def cut(self, run, parts, longer):
        """The measure after fewer trees of a model that is there: what training them alone would give."""
        part, _, wanted = run["measure"].partition(" ")
        trees = scaled_trees(run["options"], self.trees)["num_trees"]
        found = json.loads(self.glassrank(
            "study", "curves", "--model", longer, "--data", parts[part], "--metric", wanted, "--at", trees,
            "--every", trees, "--out", f"{longer}.{trees}", "--json"))
        (curve,) = found["curves"]
        if trees not in curve["num_trees"]:  # the model has no more trees than that
            return {part: {wanted: curve["values"][-1]}}
        return {part: {wanted: curve["values"][curve["num_trees"].index(trees)]}}

    def files(self, run, parts, out):
        files = [f"--{part}={path}" for part, path in parts.items()]
        return [*run.get("command", "train").split(), *files, "--seed", self.seed, "--out", out, "--json"]

    def command(self, run, parts, out):
        """The words of one run, a search aside."""
        dataset = self.datasets[run["dataset"]]
        # Methods that grow no forest of LambdaMART's kind have options of their own.
        shared = {**self.datasets["common"], **dataset["options"]} if run.get("forest", True) else {}
        options = {**shared, **run["options"]}
        return self.files(run, parts, out) + self.settings(options)

    def ours(self, run, result, num_rows):
        if run["measure"] == "cost":
            (system,) = result["systems"]
            return {
                "seconds_per_tree": system["seconds_per_tree"],
                "total_minutes": system["seconds"] / 60,
                "share": 100 * system["share"],
            }
        found = {"value": metric(result, run["measure"])}
        found |= {name: value for name in OTHER_METRICS if (value := metric(result, name)) is not None}
        if "num_trees" in result:
            found["trees"] = result["num_trees"]
        if "main_effects" in result:
            found["main_effects"] = result["main_effects"]["num_features"]
        elif "num_curves" in result:
            found["main_effects"] = result["num_curves"]
        if "pairs" in result:
            found["pairs"] = sum(pair["is_used"] for pair in result["pairs"])
        if "cleaning" in result:
            found["dropped"] = 100 * result["cleaning"]["num_dropped"] / num_rows
        return found

    def model_file(self, path, run_name):
        """One for every run of every row: experiments/out/sour/table3/mslr-sour/ndcg@10."""
        path = pathlib.Path(path).resolve()
        place = path.relative_to(HERE) if path.is_relative_to(HERE) else pathlib.Path(path.name)
        return self.work / "out" / place.with_suffix("") / run_name.replace(" ", "_").replace("/", "_")

    def model_of(self, path, row, run_name, parts):
        """The model of another run of the row, trained if its turn has not come."""
        out = self.model_file(path, run_name)
        if out not in self.trained:
            (run,) = [run for run in row["run"] if run["name"] == run_name]
            self.train(run, parts, out)
            self.trained.add(out)
        return out

    def measure_queries(self, path, run, parts, out):
        """Keeps the values of every query, to be compared with those of the table's other rows."""
        part, _, wanted = run["measure"].partition(" ")
        if part not in parts or not out.exists():
            return
        values = f"{out}.queries.tsv"
        self.glassrank("evaluate", "--model", out, "--data", parts[part], "--metric", wanted, "--per-query", values)
        table = pathlib.Path(path).resolve().parent
        self.measured.setdefault((table, run["dataset"], wanted, run["name"]), []).append((pathlib.Path(path).stem, values))

    def print_marks(self):
        """Which rows of a table are significantly better than which (Fisher's test, Holm's correction)."""
        for (table, dataset, wanted, name), rows in self.measured.items():
            if len(rows) < 2:
                continue
            words = [word for row, values in rows for word in ("--per-query", values, "--name", row)]
            compared = json.loads(self.glassrank("compare", *words, "--metric", wanted, "--json"))
            (measured,) = compared["metrics"]
            print(f"{table.parent.name}/{table.name}: {wanted} of {name}, {self.datasets[dataset]['name']}, "
                  f"{measured['num_queries']} queries; better than (p <= {compared['alpha']:g})")
            for system in measured["systems"]:
                print(f"  {system['system']:<28} {system['mean']:.4f}  {', '.join(system['beats']) or '-'}")

    def num_rows(self, path):
        return json.loads(self.glassrank("data", "stats", path, "--json"))["num_rows"]

    def run_row(self, path):
        row = load(path)
        if "kind" in row:
            audits.run(self, row)
            return
        print(row["title"])
        if "note" in row:
            print(f"  ({row['note']})")
        for run in row["run"]:
            dataset = self.datasets[run["dataset"]]
            parts = self.real_files(dataset)
            is_real = bool(parts)
            parts = parts or self.stand_in(run["dataset"], dataset)
            out = self.model_file(path, run["name"])
            out.parent.mkdir(parents=True, exist_ok=True)
            if "cut_from" in run:
                result = self.cut(run, parts, self.model_of(path, row, run["cut_from"], parts))
            else:
                result = self.train(run, parts, out)
                self.trained.add(out)
                self.measure_queries(path, run, parts, out)
            rows = self.num_rows(parts["train"]) if "cleaning" in result else 0
            print_run(run, self.ours(run, result, rows), dataset["name"] if is_real else "stand-in")


LABELS = {
    "value": "",
    **{name: name for name in OTHER_METRICS},
    "trees": "trees",
    "main_effects": "main effects",
    "pairs": "pairs",
    "dropped": "% dropped",
    "seconds_per_tree": "s a tree",
    "total_minutes": "min in all",
    "share": "% of the rows",
}


def number(name, value):
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if name in ("value", "seconds_per_tree", *OTHER_METRICS):
        return f"{value:.4f}"
    return f"{value:g}" if name in ("trees", "main_effects", "pairs") else f"{value:.2f}"


def print_run(run, ours, source):
    cells = []
    for name, label in LABELS.items():
        if name not in ours and name not in run["published"] or name == run["measure"]:
            continue
        title = run["measure"] if name == "value" else label
        cells.append(f"{title} {number(name, ours.get(name))} (paper {number(name, run['published'].get(name))})")
    print(f"  {run['name']:<12} {'  '.join(cells)}  [{source}]", flush=True)


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", help="row files or folders of them; all rows if none is named")
    parser.add_argument("--data", type=pathlib.Path, help="folder with the real data sets")
    parser.add_argument("--scale", type=float, default=0.005, help="share of a data set's queries in its stand-in")
    parser.add_argument("--trees", type=int, help="trees instead of the papers' 1000; windows shrink with them")
    parser.add_argument("--models", type=pathlib.Path,
                        help="folder with models to explain instead of training them: DATASET-NAME.*, for example "
                             "mq2008-listwise.xml of RankLib")
    parser.add_argument("--queries", type=int, help="audit so many queries only")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--program", default=str(HERE.parent / "build" / "glassrank"))
    parser.add_argument("--work", type=pathlib.Path, default=HERE.parent / "build" / "experiments",
                        help="folder for stand-ins and models")
    arguments = parser.parse_args(words)
    if shutil.which(arguments.program) is None:
        parser.error(f"there is no program {arguments.program}; run make build")
    return arguments


def main(words=None):
    arguments = parse(words)
    runner = Runner(arguments)
    for path in row_files(arguments.rows):
        runner.run_row(path)
    runner.print_marks()
    return 0


if __name__ == "__main__":
    sys.exit(main())
