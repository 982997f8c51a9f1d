"""Models of live LightGBM and XGBoost score the same here, and ours score the same there.

Every model goes peer -> glassrank, through every format and back, and from our files into the peer
again. LightGBM adds leaves in double in tree order, as we do: scores are equal to the last bit.
XGBoost adds in float32: scores agree to its rounding.
"""
import functools
import itertools
import json
import pathlib

import numpy as np
import pytest

lightgbm = pytest.importorskip("lightgbm")
xgboost = pytest.importorskip("xgboost")

NUM_QUERIES, PER_QUERY, NUM_FEATURES = 30, 20, 6
XGBOOST_TOLERANCE = 1e-5


@functools.cache
def problem(kind: str):
    """Rows (float32), grades, group sizes. Kinds: full, with zeros, with NaN."""
    random = np.random.default_rng(["full", "zeros", "nan"].index(kind))
    rows = random.normal(size=(NUM_QUERIES * PER_QUERY, NUM_FEATURES)).astype(np.float32)
    rows[:, 2] = random.integers(0, 5, len(rows))
    signal = rows[:, 0] + 0.5 * rows[:, 2] * (rows[:, 1] > 0)
    grades = np.digitize(signal + random.normal(size=len(rows)) / 2, [-1, 0.5, 1.5, 2.5])
    if kind != "full":
        rows[random.random(rows.shape) < 0.3] = 0
    if kind == "nan":
        rows[random.random(rows.shape) < 0.2] = np.nan
    return rows, grades, [PER_QUERY] * NUM_QUERIES


def write_rows(path: pathlib.Path, rows) -> pathlib.Path:
    def text(value):
        return "nan" if np.isnan(value) else np.format_float_scientific(value, unique=True, trim="-")

    with path.open("w") as file:
        for r, row in enumerate(rows):
            values = " ".join(f"{f + 1}:{text(v)}" for f, v in enumerate(row))
            print(f"0 qid:{r // PER_QUERY} {values}", file=file)
    return path


@pytest.fixture(scope="module")
def probe_rows(tmp_path_factory):
    """Rows no model has seen: complete, with zeros, with NaN, as arrays and as files."""
    folder = tmp_path_factory.mktemp("rows")
    made = {}
    for kind in ("full", "zeros", "nan"):
        rows = problem(kind)[0].copy()
        np.random.default_rng(9).shuffle(rows)
        made[kind] = (rows, write_rows(folder / f"{kind}.txt", rows))
    return made


@functools.cache
def train_lightgbm(kind: str, extra: tuple):
    rows, grades, groups = problem(kind)
    params = {"objective": "lambdarank", "num_leaves": 15, "min_data_in_leaf": 5, "verbose": -1,
              "num_threads": 1, **dict(extra)}
    ranks = params["objective"] in ("lambdarank", "rank_xendcg")
    return lightgbm.train(params, lightgbm.Dataset(rows, grades, group=groups if ranks else None), 12)


@functools.cache
def train_xgboost(kind: str, extra: tuple):
    rows, grades, _ = problem(kind)
    params = {"objective": "rank:ndcg", "max_depth": 4, "nthread": 1, **dict(extra)}
    if params["objective"].startswith("binary"):
        grades = (grades > 1).astype(int)
    qid = np.repeat(range(NUM_QUERIES), PER_QUERY) if params["objective"].startswith("rank") else None
    return xgboost.train(params, xgboost.DMatrix(rows, grades, qid=qid), 12)


LIGHTGBM = {
    "lambdarank": ("full", ()),
    "xendcg": ("full", (("objective", "rank_xendcg"),)),
    "nan": ("nan", ()),
    "zero_as_missing": ("zeros", (("zero_as_missing", True),)),
    "zero_as_missing_nan": ("nan", (("zero_as_missing", True),)),
    "use_missing_false": ("nan", (("use_missing", False),)),
    "regression": ("nan", (("objective", "regression"),)),
    "stumps": ("nan", (("num_leaves", 2),)),
}
XGBOOST = {
    "ndcg": ("full", ()),
    "nan": ("nan", ()),
    "pairwise": ("zeros", (("objective", "rank:pairwise"),)),
    "squarederror": ("nan", (("objective", "reg:squarederror"),)),
    "base_score": ("nan", (("objective", "reg:squarederror"), ("base_score", 3.25))),
    "logistic": ("nan", (("objective", "binary:logistic"), ("base_score", 0.2))),
    "logitraw": ("nan", (("objective", "binary:logitraw"),)),
    "poisson": ("nan", (("objective", "count:poisson"),)),
    "lossguide": ("nan", (("grow_policy", "lossguide"), ("max_leaves", 20), ("max_depth", 0))),
    "dart": ("nan", (("booster", "dart"), ("rate_drop", 0.5), ("seed", 1))),
    "forest": ("nan", (("num_parallel_tree", 3), ("subsample", 0.5))),
}


def save_lightgbm(name, folder) -> pathlib.Path:
    path = folder / f"{name}.lightgbm.txt"
    train_lightgbm(*LIGHTGBM[name]).save_model(str(path))
    return path


def save_xgboost(name, folder, ending) -> pathlib.Path:
    path = folder / f"{name}.{ending}"
    train_xgboost(*XGBOOST[name]).save_model(str(path))
    return path


def predict(glassrank, model, data) -> np.ndarray:
    return np.array(json.loads(glassrank("predict", "--model", model, "--data", data, "--json").stdout)["scores"])


def convert(glassrank, model, to, out):
    glassrank("convert", "--model", model, "--to", to, "--out", out)
    return out


def xgboost_margin(booster, rows):
    return booster.predict(xgboost.DMatrix(rows), output_margin=True).astype(float)


def assert_close(ours, theirs):
    assert np.max(np.abs(ours - theirs) / np.maximum(1, np.abs(theirs))) <= XGBOOST_TOLERANCE


@pytest.mark.parametrize("rows", ["full", "zeros", "nan"])
@pytest.mark.parametrize("name", LIGHTGBM)
def test_lightgbm_scores_are_identical_and_survive_our_own_files(glassrank, tmp_path, probe_rows, name, rows):
    values, data = probe_rows[rows]
    theirs = train_lightgbm(*LIGHTGBM[name]).predict(values.astype(float), raw_score=True)
    model = save_lightgbm(name, tmp_path)
    assert np.array_equal(predict(glassrank, model, data), theirs)
    native = convert(glassrank, model, "native", tmp_path / "model.glassrank")
    assert np.array_equal(predict(glassrank, native, data), theirs)
    again = convert(glassrank, native, "lightgbm", tmp_path / "again.txt")
    assert np.array_equal(predict(glassrank, again, data), theirs)
    live = lightgbm.Booster(model_file=str(again))
    assert np.array_equal(live.predict(values.astype(float), raw_score=True), theirs)


@pytest.mark.parametrize("ending", ["json", "ubj"])
@pytest.mark.parametrize("name", XGBOOST)
def test_xgboost_scores_agree_and_survive_our_own_files(glassrank, tmp_path, probe_rows, name, ending):
    model = save_xgboost(name, tmp_path, ending)
    native = convert(glassrank, model, "native", tmp_path / "model.glassrank")
    again = convert(glassrank, native, "xgboost", tmp_path / "again.json")
    live = xgboost.Booster(model_file=str(again))
    for values, data in probe_rows.values():
        theirs = xgboost_margin(train_xgboost(*XGBOOST[name]), values)
        ours = predict(glassrank, model, data)
        assert_close(ours, theirs)
        assert np.array_equal(predict(glassrank, native, data), ours)
        assert_close(xgboost_margin(live, values), theirs)


@pytest.mark.parametrize("name", ["lambdarank", "xendcg", "nan", "regression", "use_missing_false"])
def test_lightgbm_models_score_the_same_in_live_xgboost(glassrank, tmp_path, probe_rows, name):
    written = convert(glassrank, save_lightgbm(name, tmp_path), "xgboost", tmp_path / "x.json")
    live = xgboost.Booster(model_file=str(written))
    live.feature_names = None
    live.feature_types = None
    for values, _ in probe_rows.values():
        theirs = train_lightgbm(*LIGHTGBM[name]).predict(values.astype(float), raw_score=True)
        assert_close(xgboost_margin(live, values), theirs)


@pytest.mark.parametrize("name", XGBOOST)
def test_xgboost_models_score_the_same_in_live_lightgbm(glassrank, tmp_path, probe_rows, name):
    model = save_xgboost(name, tmp_path, "ubj")
    written = convert(glassrank, model, "lightgbm", tmp_path / "l.txt")
    live = lightgbm.Booster(model_file=str(written))
    saved = lightgbm.Booster(model_str=live.model_to_string())
    for values, data in probe_rows.values():
        assert np.array_equal(saved.predict(values.astype(float)), live.predict(values.astype(float)))
        scores = live.predict(values.astype(float), raw_score=True)
        assert np.array_equal(scores, predict(glassrank, model, data))
        assert_close(scores, xgboost_margin(train_xgboost(*XGBOOST[name]), values))


@pytest.mark.parametrize("to", ["ranklib", "quickrank"])
@pytest.mark.parametrize("peer, name", [*zip(itertools.repeat("lightgbm"), ["lambdarank", "nan", "regression"]),
                                        *zip(itertools.repeat("xgboost"), ["ndcg", "nan", "base_score"])])
def test_xml_keeps_scores_of_complete_rows(glassrank, tmp_path, probe_rows, peer, name, to):
    model = save_lightgbm(name, tmp_path) if peer == "lightgbm" else save_xgboost(name, tmp_path, "ubj")
    for rows in ("full", "zeros"):
        done = glassrank("convert", "--model", model, "--to", to, "--out", tmp_path / "m.xml",
                         "--check", probe_rows[rows][1], "--json")
        assert json.loads(done.stdout)["check"] == {
            "num_rows": NUM_QUERIES * PER_QUERY, "num_different": 0, "num_beyond": 0, "tolerance": 1e-05,
            "largest_difference": 0.0}


def test_check_reports_the_largest_difference_and_where(glassrank, tmp_path, probe_rows):
    model = save_xgboost("nan", tmp_path, "json")
    values, data = probe_rows["nan"]
    done = glassrank("convert", "--model", model, "--to", "ranklib", "--out", tmp_path / "m.xml",
                     "--check", data, "--tolerance", "1000", "--json")
    before = predict(glassrank, model, data)
    after = predict(glassrank, tmp_path / "m.xml", data)
    check = json.loads(done.stdout)["check"]
    worst = int(np.argmax(np.abs(before - after)))
    assert check["largest_difference"] == np.max(np.abs(before - after)) > 0
    assert check["row"] == worst + 1 and check["query"] == str(worst // PER_QUERY)
    assert "RankLib has no missing values" in done.stderr


def test_zero_as_missing_is_refused_where_a_format_cannot_express_it(glassrank, tmp_path):
    model = save_lightgbm("zero_as_missing", tmp_path)
    for to in ("xgboost", "ranklib", "quickrank"):
        done = glassrank("convert", "--model", model, "--to", to, "--out", tmp_path / "no", check=False)
        assert done.returncode == 1 and "zero counts as missing" in done.stderr
        assert not (tmp_path / "no").exists()


def refusal(glassrank, model) -> str:
    done = glassrank("convert", "--model", model, "--to", "native", "--out", "no", check=False)
    assert done.returncode == 1
    return done.stderr


def test_unsupported_models_are_refused_by_name(glassrank, tmp_path):
    rows, grades, _ = problem("full")
    path = str(tmp_path / "m.txt")
    common = {"verbose": -1, "num_threads": 1}
    lightgbm.train({**common, "linear_tree": True}, lightgbm.Dataset(rows, grades), 3).save_model(path)
    assert "linear trees are not supported" in refusal(glassrank, path)
    lightgbm.train({**common, "objective": "multiclass", "num_class": 5}, lightgbm.Dataset(rows, grades), 2).save_model(path)
    assert "num_class=5: only models with one score per row" in refusal(glassrank, path)
    path = str(tmp_path / "m.json")
    xgboost.train({"booster": "gblinear"}, xgboost.DMatrix(rows, grades), 2).save_model(path)
    assert "booster 'gblinear' is not supported" in refusal(glassrank, path)
    xgboost.train({"objective": "multi:softprob", "num_class": 5}, xgboost.DMatrix(rows, grades), 2).save_model(path)
    assert "num_class is 5" in refusal(glassrank, path)


def test_random_forests_of_lightgbm_are_averaged(glassrank, tmp_path, probe_rows):
    rows, grades, _ = problem("nan")
    forest = lightgbm.train({"boosting": "rf", "bagging_fraction": 0.6, "bagging_freq": 1, "verbose": -1},
                            lightgbm.Dataset(rows, grades), 7)
    forest.save_model(str(tmp_path / "rf.txt"))
    values, data = probe_rows["nan"]
    ours = predict(glassrank, tmp_path / "rf.txt", data)
    assert np.allclose(ours, forest.predict(values.astype(float)), rtol=1e-14, atol=0)


def test_names_and_importances_are_kept(glassrank, tmp_path):
    rows, grades, groups = problem("nan")
    names = [f"name_{f}" for f in range(NUM_FEATURES)]
    booster = lightgbm.train({"objective": "lambdarank", "verbose": -1, "num_threads": 1},
                             lightgbm.Dataset(rows, grades, group=groups, feature_name=names), 5)
    booster.save_model(str(tmp_path / "m.txt"))
    again = lightgbm.Booster(model_file=str(convert(glassrank, tmp_path / "m.txt", "lightgbm", tmp_path / "a.txt")))
    assert again.feature_name() == names
    assert np.array_equal(again.feature_importance("split"), booster.feature_importance("split"))
    assert np.allclose(again.feature_importance("gain"), booster.feature_importance("gain"), rtol=1e-4)
    assert again.dump_model()["feature_infos"] == booster.dump_model()["feature_infos"]
    live = xgboost.Booster(model_file=str(convert(glassrank, tmp_path / "m.txt", "xgboost", tmp_path / "x.json")))
    assert live.feature_names == names
    assert live.get_score(importance_type="weight") == {
        name: float(count) for name, count in zip(names, booster.feature_importance("split")) if count}


# LETOR text that the peers read themselves: they count columns from 0, the ids begin with 1.


def write_text(folder, rows, grades, name):
    """Sparse text with FILE.query beside it (LightGBM) and qids left out, as both peers read it."""
    path = folder / name
    with path.open("w") as file:
        for grade, row in zip(grades, rows):
            values = " ".join(f"{f + 1}:{v:.9g}" for f, v in enumerate(row) if v != 0)
            print(f"{grade} {values}", file=file)
    (folder / f"{name}.query").write_text(f"{PER_QUERY}\n" * NUM_QUERIES)
    return path


@pytest.fixture(scope="module")
def text_file(tmp_path_factory):
    rows, grades, _ = problem("zeros")
    return write_text(tmp_path_factory.mktemp("text"), rows, grades, "zeros.txt")


def our_scores(glassrank, model, data, *options):
    return np.array(glassrank("predict", "--model", model, "--data", data, *options).stdout.split(), float)


def test_lightgbm_models_of_text_score_the_same(glassrank, text_file, tmp_path):
    params = {"objective": "lambdarank", "num_leaves": 7, "min_data_in_leaf": 5, "verbose": -1, "num_threads": 1}
    model = lightgbm.train(params, lightgbm.Dataset(str(text_file)), 10)
    assert model.num_feature() == NUM_FEATURES + 1
    model.save_model(tmp_path / "text.txt")
    np.testing.assert_array_equal(our_scores(glassrank, tmp_path / "text.txt", text_file), model.predict(str(text_file)))


@pytest.mark.filterwarnings("ignore")
def test_xgboost_models_of_text_score_the_same(glassrank, text_file, tmp_path):
    data = xgboost.DMatrix(f"{text_file}?format=libsvm")
    data.set_group([PER_QUERY] * NUM_QUERIES)
    model = xgboost.train({"objective": "rank:ndcg", "max_depth": 3, "nthread": 1}, data, 10)
    model.save_model(tmp_path / "text.json")
    ours = our_scores(glassrank, tmp_path / "text.json", text_file, "--read.absent", "missing")
    np.testing.assert_allclose(ours, model.predict(data, output_margin=True), atol=XGBOOST_TOLERANCE)


@pytest.mark.filterwarnings("ignore")
def test_our_models_work_on_text_that_the_peers_read(glassrank, text_file, tmp_path):
    glassrank("train", "--train", text_file, "--num-trees", 8, "--num-leaves", 7, "--quiet", "--out", tmp_path / "ours")
    ours = our_scores(glassrank, tmp_path / "ours", text_file)
    for to in ("lightgbm", "xgboost"):
        glassrank("convert", "--model", tmp_path / "ours", "--to", to, "--for-text", "--out", tmp_path / to, "--check", text_file)
    theirs = lightgbm.Booster(model_file=str(tmp_path / "lightgbm")).predict(str(text_file))
    np.testing.assert_array_equal(ours, theirs)
    model = xgboost.Booster()
    model.load_model(tmp_path / "xgboost")
    data = xgboost.DMatrix(f"{text_file}?format=libsvm")
    np.testing.assert_allclose(ours, model.predict(data, output_margin=True), atol=XGBOOST_TOLERANCE)


def test_models_stopped_early_end_where_xgbranker_ends(glassrank, probe_rows, tmp_path):
    rows, grades, _ = problem("full")
    qid = np.repeat(range(NUM_QUERIES), PER_QUERY)
    half = len(rows) // 2
    ranker = xgboost.XGBRanker(n_estimators=200, learning_rate=0.5, early_stopping_rounds=5, n_jobs=1, max_depth=3)
    ranker.fit(rows[:half], grades[:half], qid=qid[:half], eval_set=[(rows[half:], grades[half:])],
               eval_qid=[qid[half:]], verbose=False)
    assert ranker.best_iteration + 1 < ranker.get_booster().num_boosted_rounds()
    ranker.save_model(tmp_path / "stopped.json")
    probe, path = probe_rows["full"]
    ours = our_scores(glassrank, tmp_path / "stopped.json", path)
    np.testing.assert_allclose(ours, ranker.predict(probe), atol=XGBOOST_TOLERANCE)
    everything = our_scores(glassrank, tmp_path / "stopped.json", path, "--all-trees")
    margins = ranker.get_booster().predict(xgboost.DMatrix(probe), output_margin=True)
    np.testing.assert_allclose(everything, margins, atol=XGBOOST_TOLERANCE)
    assert np.abs(ours - everything).max() > 0.01


# Dumps: what search engines are fed, and what CatBoost writes.


@pytest.mark.parametrize("name", LIGHTGBM)
def test_lightgbm_dumps_score_as_the_model_does(glassrank, tmp_path, probe_rows, name):
    booster = train_lightgbm(*LIGHTGBM[name])
    (tmp_path / "dump.json").write_text(json.dumps(booster.dump_model()))
    written = convert(glassrank, save_lightgbm(name, tmp_path), "lightgbm-dump", tmp_path / "ours.json")
    for values, data in probe_rows.values():
        theirs = booster.predict(values.astype(float), raw_score=True)
        assert np.array_equal(predict(glassrank, tmp_path / "dump.json", data), theirs)
        assert np.array_equal(predict(glassrank, written, data), theirs)


def test_a_written_lightgbm_dump_has_the_shape_of_theirs(glassrank, tmp_path):
    ours = json.loads(convert(glassrank, save_lightgbm("nan", tmp_path), "lightgbm-dump", tmp_path / "o").read_text())
    theirs = train_lightgbm(*LIGHTGBM["nan"]).dump_model()
    assert set(ours) >= set(theirs) - {"pandas_categorical"}

    def shape(node):
        if "leaf_value" in node:
            return (node["leaf_value"], node["leaf_count"])
        same = (node[key] for key in ("split_feature", "decision_type", "default_left", "missing_type"))
        return (*same, np.float32(node["threshold"]), shape(node["left_child"]), shape(node["right_child"]))

    for mine, other in zip(ours["tree_info"], theirs["tree_info"], strict=True):
        a, b = shape(mine["tree_structure"]), shape(other["tree_structure"])
        assert repr(a).count("(") == repr(b).count("(")
        assert mine["num_leaves"] == other["num_leaves"]


@pytest.mark.parametrize("stats", [False, True])
@pytest.mark.parametrize("name", ["ndcg", "nan", "pairwise", "squarederror", "base_score", "lossguide"])
def test_xgboost_dumps_score_as_the_model_but_for_its_base_score(glassrank, tmp_path, probe_rows, name, stats):
    booster = train_xgboost(*XGBOOST[name])
    booster.dump_model(str(tmp_path / "dump.json"), dump_format="json", with_stats=stats)
    base = json.loads(booster.save_config())["learner"]["learner_model_param"]["base_score"]
    base = float(base.strip("[]"))
    for values, data in probe_rows.values():
        done = glassrank("predict", "--model", tmp_path / "dump.json", "--data", data, "--json")
        assert "a dump has no base_score" in done.stderr
        assert_close(np.array(json.loads(done.stdout)["scores"]) + base, xgboost_margin(booster, values))


def scores_of_a_dump(trees, rows):
    """A dump walked as Elasticsearch does: x < split_condition in float32."""
    scores = np.zeros(len(rows))
    for r, row in enumerate(rows):
        for tree in trees:
            while "leaf" not in tree:
                value = row[int(tree["split"].lstrip("Column_f"))]
                below = np.float32(min(tree["split_condition"], 3e38)) if tree["split_condition"] < 1e39 else np.inf
                to = tree["missing"] if np.isnan(value) else tree["yes"] if value < below else tree["no"]
                tree = next(child for child in tree["children"] if child["nodeid"] == to)
            scores[r] += tree["leaf"]
    return scores


@pytest.mark.parametrize("peer, name", [("lightgbm", "nan"), ("xgboost", "nan"), ("xgboost", "base_score")])
def test_written_xgboost_dumps_score_the_same(glassrank, tmp_path, probe_rows, peer, name):
    model = save_lightgbm(name, tmp_path) if peer == "lightgbm" else save_xgboost(name, tmp_path, "ubj")
    written = convert(glassrank, model, "xgboost-dump", tmp_path / "dump.json")
    values, data = probe_rows["nan"]
    assert_close(scores_of_a_dump(json.loads(written.read_text()), values[:50]), predict(glassrank, model, data)[:50])


@pytest.mark.parametrize("peer, name", [("lightgbm", "lambdarank"), ("xgboost", "base_score")])
def test_solr_models_keep_scores_of_complete_rows(glassrank, tmp_path, probe_rows, peer, name):
    model = save_lightgbm(name, tmp_path) if peer == "lightgbm" else save_xgboost(name, tmp_path, "ubj")
    done = glassrank("convert", "--model", model, "--to", "solr", "--out", tmp_path / "solr.json")
    written = json.loads((tmp_path / "solr.json").read_text())
    assert written["class"].endswith("MultipleAdditiveTreesModel")

    def walk(node, row):
        while "value" not in node:
            below = np.float32(node["threshold"]) + np.float32(1e-6)
            node = node["left"] if row[int(node["feature"].removeprefix("Column_")) - (peer == "xgboost")] <= below else node["right"]
        return np.float32(node["value"])

    values, data = probe_rows["full"]
    ours = predict(glassrank, model, data)[:50]
    theirs = [sum(float(tree["weight"]) * walk(tree["root"], row) for tree in written["params"]["trees"])
              for row in values[:50]]
    assert_close(ours, np.array(theirs))


CATBOOST = {
    "symmetric": {},
    "forbidden_nan": {"nan_mode": "Forbidden"},
    "nan_above": {"nan_mode": "Max"},
    "depthwise": {"grow_policy": "Depthwise"},
    "lossguide": {"grow_policy": "Lossguide", "max_leaves": 9},
    "ranker": {"loss_function": "YetiRank"},
}


@pytest.mark.parametrize("name", CATBOOST)
def test_catboost_models_score_the_same(glassrank, tmp_path, probe_rows, name):
    catboost = pytest.importorskip("catboost")
    rows, grades, _ = problem("full" if name == "forbidden_nan" else "nan")
    pool = catboost.Pool(rows, grades, group_id=np.repeat(range(NUM_QUERIES), PER_QUERY))
    params = {"iterations": 20, "depth": 4, "verbose": 0, "thread_count": 1, "allow_writing_files": False,
              "loss_function": "RMSE", **CATBOOST[name]}
    model = catboost.CatBoost(params).fit(pool)
    model.save_model(str(tmp_path / "model.json"), format="json")
    for kind, (values, data) in probe_rows.items():
        if kind == "nan" and name == "forbidden_nan":
            continue
        ours = predict(glassrank, tmp_path / "model.json", data)
        np.testing.assert_allclose(ours, model.predict(values, prediction_type="RawFormulaVal"), rtol=0, atol=1e-9)


def test_catboost_models_of_categories_are_refused(glassrank, tmp_path):
    catboost = pytest.importorskip("catboost")
    rows, grades, _ = problem("full")
    columns = [[*map(float, row[:2]), str(row[2])] for row in rows]
    pool = catboost.Pool(columns, grades, cat_features=[2])
    model = catboost.CatBoost({"iterations": 3, "verbose": 0, "allow_writing_files": False}).fit(pool)
    model.save_model(str(tmp_path / "m.json"), format="json", pool=pool)
    assert "CatBoost's categorical_features are not supported" in refusal(glassrank, tmp_path / "m.json")


def test_lightgbm_text_of_version_2_is_read(glassrank, tmp_path, probe_rows):
    """Version 2 had neither the weights of leaves and nodes nor linear trees."""
    lines = save_lightgbm("nan", tmp_path).read_text().splitlines(keepends=True)
    new = ("leaf_weight=", "internal_weight=", "is_linear=", "tree_sizes=")
    (tmp_path / "v2.txt").write_text("".join(line for line in lines if not line.startswith(new)).replace("version=v4", "version=v2"))
    values, data = probe_rows["nan"]
    theirs = train_lightgbm(*LIGHTGBM["nan"]).predict(values.astype(float), raw_score=True)
    assert np.array_equal(predict(glassrank, tmp_path / "v2.txt", data), theirs)
