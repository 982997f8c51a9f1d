"""Our metrics against the tools whose conventions we claim to reproduce, per query and in the mean.

Random lists with equal scores, queries without relevant documents, single documents, constant
scores and grades 0 to 4. Scores are multiples of 1/64, so float32 holds them exactly. Every peer is
asked live; a peer that is not installed is skipped.
"""

import json
import random
import subprocess

import pytest

CUTOFFS = (1, 3, 5, 10)


def make_lists(seed, num_queries=60, distinct=False, max_grade=4):
    """[(query id, grades, scores)]; scores within a query are all different if `distinct`."""
    draw = random.Random(seed)
    lists = []
    for query in range(num_queries):
        size = draw.choice([1, 2, 3, 5, 12, 40])
        empty = query % 7 == 3
        grades = [0 if empty else draw.choice([0, 0, 0, 1, 2, max_grade]) for _ in range(size)]
        grades = [min(grade, max_grade) for grade in grades]
        if distinct:
            scores = [value / 64 for value in draw.sample(range(-500, 500), size)]
        elif query % 11 == 5:
            scores = [0.5] * size
        else:
            scores = [draw.randrange(-20, 20) / 64 for _ in range(size)]
        lists.append((str(query + 1), grades, scores))
    return lists


class Ours:
    """`glassrank evaluate` on lists, as values[metric][query id] and means[metric]."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    def data(self, lists, metrics, *options):
        with open(self.folder / "data.txt", "w") as data, open(self.folder / "scores.txt", "w") as out:
            for query, grades, scores in lists:
                for slot, (grade, score) in enumerate(zip(grades, scores)):
                    data.write(f"{grade} qid:{query} 1:{slot + 1}\n")
                    out.write(f"{score!r}\n")
        return self._evaluate(metrics, ["--data", "data.txt", "--scores", "scores.txt", *options])

    def trec(self, qrels, run, metrics, *options):
        with open(self.folder / "qrels.txt", "w") as out:
            for query, judged in qrels.items():
                for document, grade in judged.items():
                    out.write(f"{query} 0 {document} {grade}\n")
        with open(self.folder / "run.txt", "w") as out:
            for query, retrieved in run.items():
                for rank, (document, score) in enumerate(retrieved.items()):
                    out.write(f"{query} Q0 {document} {rank + 1} {score!r} test\n")
        return self._evaluate(metrics, ["--run", "run.txt", "--qrels", "qrels.txt", *options])

    def _evaluate(self, metrics, options):
        command = [self.program, "evaluate", "--json", "--quiet", "--per-query", "values.tsv"]
        for metric in metrics:
            command += ["--metric", metric]
        done = subprocess.run(command + options, cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        means = {row["metric"]: row["mean"] for row in json.loads(done.stdout)["metrics"]}
        values = {}
        for line in (self.folder / "values.tsv").read_text().splitlines():
            metric, query, value = line.split("\t")
            values.setdefault(metric, {})[query] = float(value)
        for metric, mean in means.items():
            assert values[metric].pop("all") == mean
        return values, means


@pytest.fixture
def ours(program, tmp_path):
    return Ours(program, tmp_path)


def as_trec(lists, seed):
    """Qrels and run: some judged documents are not retrieved, some retrieved ones not judged."""
    draw = random.Random(seed)
    qrels, run = {}, {}
    for query, grades, scores in lists:
        documents = [f"d{draw.randrange(10**6)}-{slot}" for slot in range(len(grades))]
        retrieved = [draw.random() < 0.9 for _ in documents]
        retrieved[0] = True
        judged = [draw.random() < 0.9 for _ in documents]
        judged[0] = True
        qrels[query] = {d: g for d, g, keep in zip(documents, grades, judged) if keep}
        run[query] = {d: s for d, s, keep in zip(documents, scores, retrieved) if keep}
    return qrels, run


def mean(values):
    return sum(values) / len(values)


@pytest.mark.parametrize("seed", range(3))
def test_pytrec_eval(ours, parity, seed):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = as_trec(make_lists(seed), seed)
    names = {"ndcg": "ndcg", "map": "map", "recip_rank": "mrr", "Rprec": "rprec", "bpref": "bpref"}
    for k in (5, 10, 20):
        names |= {f"ndcg_cut_{k}": f"ndcg@{k}", f"map_cut_{k}": f"map@{k}"}
        names |= {f"P_{k}": f"p@{k}", f"recall_{k}": f"r@{k}"}
    names |= {f"success_{k}": f"success@{k}" for k in (1, 5, 10)}
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, {"ndcg", "map", "recip_rank", "ndcg_cut", "map_cut", "P", "recall", "Rprec", "bpref", "success"})
    theirs = evaluator.evaluate(run)
    values, means = ours.trec(qrels, run, names.values(), "--convention", "trec_eval")
    for their_name, our_name in names.items():
        for query, row in theirs.items():
            parity.check("pytrec_eval", their_name, values[our_name][query], row[their_name])
        parity.check("pytrec_eval", f"{their_name} mean", means[our_name],
                     mean([row[their_name] for row in theirs.values()]))


def test_trec_evals_own_names(ours, parity):
    """The names as pytrec_eval prints them are understood, and -q prints what it computes."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = as_trec(make_lists(9), 9)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures)
    theirs = evaluator.evaluate(run)
    names = ["ndcg_cut_10", "P_10", "recip_rank", "map", "Rprec", "bpref", "success_5", "map_cut_10", "recall_20"]
    ours.trec(qrels, run, ["map"])  # writes the files
    done = subprocess.run([ours.program, "evaluate", "-q", "qrels.txt", "run.txt", "--quiet",
                           "--metric", ",".join(names)],
                          cwd=ours.folder, capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    for place, (_, query, value) in enumerate(rows):
        name = names[place % len(names)]
        if query != "all":
            parity.check("pytrec_eval", name, float(value), theirs[query][name])
    assert len(rows) == len(names) * (len(theirs) + 1)


@pytest.mark.parametrize("seed", range(3))
def test_ir_measures_judged(ours, parity, seed):
    ir_measures = pytest.importorskip("ir_measures")
    from ir_measures import Judged
    lists = [each for each in make_lists(seed, distinct=True) if len(each[1]) >= 12]
    qrels, run = as_trec(lists, seed)
    values, _ = ours.trec(qrels, run, ["judged@5"], "--convention", "trec_eval")
    for row in ir_measures.iter_calc([Judged @ 5], qrels, run):
        parity.check("ir_measures", "Judged@5", values["judged@5"][row.query_id], row.value)


def test_trec_eval_rounds_scores_to_float32(ours, parity):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = {"1": {"a": 1, "b": 0}}, {"1": {"a": 1.0 + 1e-12, "b": 1.0}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    values, _ = ours.trec(qrels, run, ["mrr"], "--convention", "trec_eval")
    parity.check("pytrec_eval", "recip_rank, near ties", values["mrr"]["1"],
                 theirs["1"]["recip_rank"])


@pytest.mark.parametrize("seed", range(3))
def test_ir_measures(ours, parity, seed):
    ir_measures = pytest.importorskip("ir_measures")
    from ir_measures import AP, P, R, RR, nDCG
    qrels, run = as_trec(make_lists(seed), seed)
    names = {nDCG @ 5: "ndcg@5", nDCG @ 10: "ndcg@10", P(rel=2) @ 5: "p(rel=2)@5", P @ 10: "p@10",
             AP: "map", AP(rel=2): "map(rel=2)", RR: "mrr", R @ 10: "r@10"}
    values, means = ours.trec(qrels, run, names.values(), "--convention", "trec_eval")
    for row in ir_measures.iter_calc(list(names), qrels, run):
        parity.check("ir_measures", str(row.measure), values[names[row.measure]][row.query_id],
                     row.value)
    for measure, value in ir_measures.calc_aggregate(list(names), qrels, run).items():
        parity.check("ir_measures", f"{measure} mean", means[names[measure]], value)


@pytest.mark.parametrize("seed", range(3))
def test_ir_measures_gdeval(ours, parity, seed):
    """gdeval prints five decimals, so that is how closely it can be compared. It has no value for
    queries without relevant documents; ir_measures fills in 0."""
    ir_measures = pytest.importorskip("ir_measures")
    from ir_measures import ERR, nDCG
    if not ir_measures.providers.registry["gdeval"].is_available():
        pytest.skip("gdeval needs perl")
    qrels, run = as_trec(make_lists(seed), seed)
    names = {ERR @ 5: "err@5", ERR @ 20: "err@20", nDCG(dcg="exp-log2") @ 10: "ndcg@10"}
    values, _ = ours.trec(qrels, run, names.values(), "--convention", "trec_eval", "--gain", "exp")
    for row in ir_measures.iter_calc(list(names), qrels, run):
        parity.check("gdeval", str(row.measure), values[names[row.measure]][row.query_id],
                     row.value, tolerance=5.01e-6)


@pytest.mark.parametrize("seed", range(3))
def test_ir_measures_rbp(ours, parity, seed):
    """cwl_eval orders equal scores in a way of its own: distinct scores."""
    pytest.importorskip("cwl")
    ir_measures = pytest.importorskip("ir_measures")
    from ir_measures import RBP
    qrels, run = as_trec(make_lists(seed, distinct=True), seed)
    names = {RBP(rel=1, p=0.8): "rbp(p=0.8)", RBP(rel=2, p=0.5): "rbp(p=0.5,rel=2)"}
    values, _ = ours.trec(qrels, run, names.values(), "--convention", "trec_eval")
    for row in ir_measures.iter_calc(list(names), qrels, run):
        parity.check("cwl_eval", str(row.measure), values[names[row.measure]][row.query_id],
                     row.value)


@pytest.mark.parametrize("seed", range(3))
def test_ranx(ours, parity, seed):
    """ranx does not say how it orders equal scores: distinct scores."""
    ranx = pytest.importorskip("ranx")
    qrels, run = as_trec(make_lists(seed, distinct=True), seed)
    names = {"ndcg": "ndcg", "ndcg@10": "ndcg@10", "map": "map", "map@5": "map@5", "mrr": "mrr",
             "mrr@3": "mrr@3", "precision@5": "p@5", "recall@5": "r@5"}
    for names, options in ((names, []), ({"ndcg_burges@10": "ndcg@10"}, ["--gain", "exp"])):
        values, means = ours.trec(qrels, run, names.values(), "--convention", "trec_eval", *options)
        their_run = ranx.Run({q: dict(row) for q, row in run.items()})
        their_means = ranx.evaluate(ranx.Qrels(qrels), their_run, list(names))
        if len(names) == 1:
            their_means = {next(iter(names)): their_means}
        for their_name, our_name in names.items():
            for query, value in their_run.scores[their_name].items():
                parity.check("ranx", their_name, values[our_name][query], value)
            parity.check("ranx", f"{their_name} mean", means[our_name], their_means[their_name])


@pytest.mark.parametrize("seed", range(3))
def test_sklearn(ours, parity, seed):
    """scikit-learn refuses single documents; those queries are left out. ignore_ties takes numpy's
    argsort backwards, which is the later document first only in lists its insertion sort handles
    (at most 16 documents), so there distinct scores are used."""
    metrics = pytest.importorskip("sklearn.metrics")
    names = [f"{m}@{k}" for m in ("ndcg", "dcg") for k in CUTOFFS] + ["ndcg", "dcg"]
    for distinct in (False, True):
        lists = [row for row in make_lists(seed, distinct=distinct) if len(row[1]) > 1]
        values, means = ours.data(lists, names, "--convention", "sklearn")
        for name in names:
            measure, _, k = name.partition("@")
            function = getattr(metrics, measure + "_score")
            expected = [function([g], [s], k=int(k) if k else None, ignore_ties=distinct)
                        for _, g, s in lists]
            label = name + (" ignore_ties" if distinct else "")
            for (query, _, _), value in zip(lists, expected):
                parity.check("scikit-learn", label, values[name][query], value)
            parity.check("scikit-learn", f"{label} mean", means[name], mean(expected))


def flat(lists):
    grades = [grade for _, row, _ in lists for grade in row]
    scores = [score for _, _, row in lists for score in row]
    return grades, scores, [len(row) for _, row, _ in lists]


def lightgbm_values(lists):
    """LightGBM's own evaluation of an untrained booster whose initial scores are ours."""
    import lightgbm
    import numpy
    grades, scores, sizes = flat(lists)
    quiet = {"verbosity": -1, "feature_pre_filter": False}
    data = lightgbm.Dataset(numpy.zeros((len(grades), 1)), label=grades, group=sizes,
                            init_score=scores, params=quiet)
    booster = lightgbm.Booster({"objective": "lambdarank", "metric": ["ndcg", "map"],
                                "eval_at": list(CUTOFFS), **quiet}, data)
    return {name: float(value) for _, name, value, *_ in booster.eval_train()}


@pytest.mark.parametrize("seed", range(3))
def test_lightgbm(ours, parity, seed):
    pytest.importorskip("lightgbm")
    lists = make_lists(seed)
    names = [f"{m}@{k}" for m in ("ndcg", "map") for k in CUTOFFS]
    values, means = ours.data(lists, names, "--convention", "lightgbm")
    for name, value in lightgbm_values(lists).items():
        parity.check("LightGBM", f"{name} mean", means[name], value)
    for row in lists[:20]:  # each query as a data set of its own
        for name, value in lightgbm_values([row]).items():
            parity.check("LightGBM", name, values[name][row[0]], value)


def xgboost_values(lists, names):
    """XGBoost's own evaluation of an untrained booster whose base margins are our scores; it prints
    17 digits."""
    import numpy
    import xgboost
    grades, scores, sizes = flat(lists)
    data = xgboost.DMatrix(numpy.zeros((len(grades), 1)), label=grades)
    data.set_group(sizes)
    data.set_base_margin(numpy.asarray(scores, dtype=numpy.float32))
    parameters = {"objective": "rank:ndcg", "eval_metric": list(names), "base_score": 0,
                  "verbosity": 0}
    text = xgboost.train(parameters, data, num_boost_round=0).eval_set([(data, "x")])
    return {item.split(":")[0][2:]: float(item.split(":")[1]) for item in text.split("\t")[1:]}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("max_grade, measures", [(4, {"ndcg": "ndcg"}),
                                                 (1, {"map": "map", "pre": "p"})])
def test_xgboost(ours, parity, seed, max_grade, measures):
    """map and pre take binary grades only; `-` at the end of a name is XGBoost's 0 for queries
    without relevant documents. Its plain ndcg is cut at the 32 pairs per document that rank:ndcg
    samples by default."""
    pytest.importorskip("xgboost")
    lists = make_lists(seed, max_grade=max_grade)
    names = {f"{theirs}@{k}": f"{mine}@{k}" for theirs, mine in measures.items() for k in CUTOFFS}
    if "ndcg" in measures:
        names["ndcg"] = "ndcg@32"
    for minus, options in (("", []), ("-", ["--empty", "0"])):
        if minus:
            names = {n: m for n, m in names.items() if "@" in n and not n.startswith("pre")}
        values, means = ours.data(lists, names.values(), "--convention", "xgboost", *options)
        asked = [name + minus for name in names]
        for name, value in xgboost_values(lists, asked).items():
            parity.check("XGBoost", f"{name} mean", means[names[name.rstrip("-")]], value)
        for row in lists[:20]:
            for name, value in xgboost_values([row], asked).items():
                parity.check("XGBoost", name, values[names[name.rstrip("-")]][row[0]], value)


@pytest.mark.parametrize("seed", range(3))
def test_catboost(ours, parity, seed):
    catboost_utils = pytest.importorskip("catboost.utils")
    lists = make_lists(seed)
    probabilities = [(query, [grade / 4 for grade in grades], scores)
                     for query, grades, scores in lists]
    cases = [(lists, {"NDCG:top=5;type=Base": "ndcg@5", "NDCG:type=Base": "ndcg",
                      "DCG:top=5;type=Base": "dcg@5", "MAP:top=5": "map@5", "MAP:top=40": "map",
                      "PrecisionAt:top=5": "p@5", "RecallAt:top=5": "r@5", "MRR": "mrr"}, []),
             (lists, {"NDCG:top=5;type=Exp": "ndcg@5"}, ["--gain", "exp"]),
             (probabilities, {"ERR": "err", "PFound": "pfound"}, [])]
    for rows, names, options in cases:
        values, means = ours.data(rows, names.values(), "--convention", "catboost", *options)
        grades, scores, sizes = flat(rows)
        groups = [query for query, size in enumerate(sizes) for _ in range(size)]
        for theirs, mine in names.items():
            value, = catboost_utils.eval_metric(grades, scores, theirs, group_id=groups)
            parity.check("CatBoost", f"{theirs} mean", means[mine], value)
            for query, row_grades, row_scores in rows[:20]:
                value, = catboost_utils.eval_metric(row_grades, row_scores, theirs,
                                                    group_id=[0] * len(row_grades))
                parity.check("CatBoost", theirs, values[mine][query], value)


@pytest.mark.parametrize("seed", range(3))
def test_scipy_kendall_and_sklearn_auc(ours, parity, seed):
    stats = pytest.importorskip("scipy.stats")
    metrics = pytest.importorskip("sklearn.metrics")
    lists = make_lists(seed)
    values, _ = ours.data(lists, ["kendall", "auc"], "--ties", "average", "--empty", "skip")
    for query, grades, scores in lists:
        if len(set(grades)) > 1 and len(set(scores)) > 1:
            parity.check("scipy", "kendalltau", values["kendall"][query],
                         stats.kendalltau(scores, grades).statistic)
        relevant = [grade >= 1 for grade in grades]
        if len(set(relevant)) > 1:
            parity.check("scikit-learn", "roc_auc_score", values["auc"][query],
                         metrics.roc_auc_score(relevant, scores))
        else:
            assert query not in values["auc"]
