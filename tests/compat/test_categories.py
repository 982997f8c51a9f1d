"""Splits on categories: live LightGBM's and XGBoost's models score the same here, ours the same there.

LightGBM to the last bit, XGBoost to the rounding of its float32 sums; on known, unseen, negative,
fractional and missing categories.
"""
import functools
import json

import numpy as np
import pytest

lightgbm = pytest.importorskip("lightgbm")
xgboost = pytest.importorskip("xgboost")

NUM_QUERIES, PER_QUERY = 40, 25
CARDINALITIES = [3, 12, 60]  # of the first columns; two numeric ones follow
XGBOOST_TOLERANCE = 1e-5


@functools.cache
def problem():
    random = np.random.default_rng(5)
    rows = random.normal(size=(NUM_QUERIES * PER_QUERY, len(CARDINALITIES) + 2)).astype(np.float32)
    signal = rows[:, -1].copy()
    for column, size in enumerate(CARDINALITIES):
        rows[:, column] = random.integers(0, size, len(rows))
        signal += random.normal(size=size)[rows[:, column].astype(int)]
    rows[random.random(len(rows)) < 0.1, 1] = np.nan
    grades = np.digitize(signal + random.normal(size=len(rows)) / 2, [-1, 0.5, 1.5, 2.5])
    return rows, grades, [PER_QUERY] * NUM_QUERIES


def probe_rows(fractions: bool):
    """Rows with all that can happen to a category."""
    random = np.random.default_rng(6)
    rows = problem()[0].copy()
    random.shuffle(rows)
    for column, size in enumerate(CARDINALITIES):
        for value in (np.nan, size + 3, 4000, -1, -7):
            rows[random.random(len(rows)) < 0.04, column] = value
        if fractions:
            chosen = (random.random(len(rows)) < 0.04) & (rows[:, column] >= 0)
            rows[chosen, column] += 0.5
            rows[random.random(len(rows)) < 0.02, column] = -0.5
    return rows


def write_rows(path, rows, grades=None):
    def text(value):
        return "nan" if np.isnan(value) else np.format_float_scientific(value, unique=True, trim="-")

    with path.open("w") as file:
        print("grade,query," + ",".join(f"x{f}" for f in range(rows.shape[1])), file=file)
        for r, row in enumerate(rows):
            grade = 0 if grades is None else grades[r]
            print(f"{grade},{r // PER_QUERY}," + ",".join(map(text, row)), file=file)
    return path


def predict(glassrank, model, data):
    done = glassrank("predict", "--model", model, "--data", data, "--json")
    return np.array(json.loads(done.stdout)["scores"])


@functools.cache
def train_lightgbm(extra=()):
    rows, grades, groups = problem()
    params = {"objective": "lambdarank", "num_leaves": 15, "min_data_in_leaf": 5, "verbose": -1,
              "num_threads": 1, "min_data_per_group": 10, "cat_smooth": 2, **dict(extra)}
    names = [f"x{f}" for f in range(rows.shape[1])]
    data = lightgbm.Dataset(rows, grades, group=groups, feature_name=names,
                            categorical_feature=list(range(len(CARDINALITIES))))
    return lightgbm.train(params, data, 20)


@functools.cache
def train_xgboost(extra=()):
    rows, grades, _ = problem()
    types = ["c"] * len(CARDINALITIES) + ["float"] * 2
    data = xgboost.DMatrix(rows, grades, qid=np.repeat(range(NUM_QUERIES), PER_QUERY),
                           feature_names=[f"x{f}" for f in range(rows.shape[1])],
                           feature_types=types, enable_categorical=True)
    params = {"objective": "rank:ndcg", "max_depth": 4, "nthread": 1, **dict(extra)}
    return xgboost.train(params, data, 20)


def xgboost_margin(booster, rows):
    data = xgboost.DMatrix(rows, feature_names=booster.feature_names,
                           feature_types=booster.feature_types, enable_categorical=True)
    return booster.predict(data, output_margin=True).astype(float)


def assert_close(ours, theirs):
    assert np.max(np.abs(ours - theirs) / np.maximum(1, np.abs(theirs))) <= XGBOOST_TOLERANCE


LIGHTGBM = {"sets": (), "one_hot": (("max_cat_to_onehot", 100),), "wide": (("max_cat_threshold", 200),)}
XGBOOST = {"one_hot": (("max_cat_to_onehot", 100),), "sets": (("max_cat_to_onehot", 1),)}


@pytest.mark.parametrize("name", LIGHTGBM)
def test_lightgbm_scores_are_identical_and_survive_our_own_files(glassrank, tmp_path, name):
    booster = train_lightgbm(LIGHTGBM[name])
    model = tmp_path / "peer.txt"
    booster.save_model(str(model))
    assert "num_cat=0" not in model.read_text()
    values = probe_rows(fractions=True)
    data = write_rows(tmp_path / "rows.csv", values)
    theirs = booster.predict(values.astype(float), raw_score=True)
    assert np.array_equal(predict(glassrank, model, data), theirs)
    glassrank("convert", "--model", model, "--to", "native", "--out", tmp_path / "native")
    assert np.array_equal(predict(glassrank, tmp_path / "native", data), theirs)
    glassrank("convert", "--model", tmp_path / "native", "--to", "lightgbm", "--out", tmp_path / "again.txt")
    live = lightgbm.Booster(model_file=str(tmp_path / "again.txt"))
    assert np.array_equal(live.predict(values.astype(float), raw_score=True), theirs)


def test_lightgbm_dumps_score_the_same_and_survive_our_own(glassrank, tmp_path):
    booster = train_lightgbm(LIGHTGBM[next(iter(LIGHTGBM))])
    (tmp_path / "dump.json").write_text(json.dumps(booster.dump_model()))
    values = probe_rows(fractions=True)
    data = write_rows(tmp_path / "rows.csv", values)
    theirs = booster.predict(values.astype(float), raw_score=True)
    assert np.array_equal(predict(glassrank, tmp_path / "dump.json", data), theirs)
    glassrank("convert", "--model", tmp_path / "dump.json", "--to", "lightgbm-dump", "--out", tmp_path / "ours.json")
    assert np.array_equal(predict(glassrank, tmp_path / "ours.json", data), theirs)
    ours = json.loads((tmp_path / "ours.json").read_text())

    def splits(node):
        if "leaf_value" in node:
            return []
        here = [(node["split_feature"], node["decision_type"], node["threshold"])] if node["decision_type"] == "==" else []
        return here + splits(node["left_child"]) + splits(node["right_child"])

    pairs = zip(ours["tree_info"], booster.dump_model()["tree_info"], strict=True)
    assert all(splits(a["tree_structure"]) == splits(b["tree_structure"]) for a, b in pairs)


@pytest.mark.parametrize("ending", ["json", "ubj"])
@pytest.mark.parametrize("name", XGBOOST)
def test_xgboost_scores_agree_and_survive_our_own_files(glassrank, tmp_path, name, ending):
    booster = train_xgboost(XGBOOST[name])
    model = tmp_path / f"peer.{ending}"
    booster.save_model(str(model))
    values = probe_rows(fractions=False)
    data = write_rows(tmp_path / "rows.csv", values)
    theirs = xgboost_margin(booster, values)
    assert_close(predict(glassrank, model, data), theirs)
    glassrank("convert", "--model", model, "--to", "xgboost", "--out", tmp_path / "again.json")
    live = xgboost.Booster(model_file=str(tmp_path / "again.json"))
    assert_close(xgboost_margin(live, values), theirs)


def test_our_models_score_the_same_in_both_peers(glassrank, tmp_path):
    rows, grades, _ = problem()
    train = write_rows(tmp_path / "train.csv", rows, grades)
    glassrank("train", "--train", train, "--read.categorical", "x0,x1,x2", "--num-trees", "20",
              "--num-leaves", "15", "--min-leaf-rows", "5", "--min-data-per-group", "10",
              "--out", tmp_path / "ours")
    assert "in:" in (tmp_path / "ours").read_text()
    values = probe_rows(fractions=True)
    data = write_rows(tmp_path / "rows.csv", values)
    ours = predict(glassrank, tmp_path / "ours", data)
    glassrank("convert", "--model", tmp_path / "ours", "--to", "lightgbm", "--out", tmp_path / "l.txt")
    live = lightgbm.Booster(model_file=str(tmp_path / "l.txt"))
    assert np.array_equal(live.predict(values.astype(float), raw_score=True), ours)
    glassrank("convert", "--model", tmp_path / "ours", "--to", "xgboost", "--out", tmp_path / "x.json")
    booster = xgboost.Booster(model_file=str(tmp_path / "x.json"))
    whole = probe_rows(fractions=False)
    data = write_rows(tmp_path / "whole.csv", whole)
    assert_close(xgboost_margin(booster, whole), predict(glassrank, tmp_path / "ours", data))


def test_shap_values_are_those_of_lightgbm(glassrank, tmp_path):
    booster = train_lightgbm()
    booster.save_model(str(tmp_path / "peer.txt"))
    rows = problem()[0][:PER_QUERY]
    data = write_rows(tmp_path / "rows.csv", rows)
    theirs = booster.predict(rows.astype(float), pred_contrib=True)
    glassrank("explain", "--model", tmp_path / "peer.txt", "--data", data, "--queries", "all", "--document", "all",
              "--no-audit", "--out", "values.jsonl", "--quiet")
    lines = [json.loads(line) for line in (tmp_path / "values.jsonl").read_text().splitlines()]
    assert len(lines) == PER_QUERY
    ours = np.zeros(rows.shape)
    for line in lines:
        for feature in line["features"]:
            ours[int(line["documents"][0]["document"]) - 1, feature["index"]] = feature["attribution"]
    assert np.max(np.abs(ours)) > 0.1
    assert np.max(np.abs(ours - theirs[:, :-1])) < 1e-9


@pytest.mark.parametrize("to", ["ranklib", "quickrank"])
def test_formats_of_comparisons_refuse_it(glassrank, tmp_path, to):
    train_lightgbm().save_model(str(tmp_path / "peer.txt"))
    done = glassrank("convert", "--model", tmp_path / "peer.txt", "--to", to, "--out", tmp_path / "m.xml",
                     check=False)
    assert done.returncode == 1
    assert "asks for categories" in done.stderr


# Names of categories: models trained from frames of pandas, and ours in their formats.


@functools.cache
def frame():
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(8)
    count = NUM_QUERIES * PER_QUERY
    colour, size = random.choice(["red", "bl\"ue", "gr\u00fcn", "none of these"], count), random.choice([7, 3, 11, 40], count)
    rows = pandas.DataFrame({
        "price": random.normal(size=count),
        "colour": pandas.Categorical(np.where(random.random(count) < 0.1, None, colour)),
        "size": pandas.Categorical(size),
        "one": pandas.Categorical(["x"] * count),
    })
    signal = rows.price + (colour == "red") * 2 - (size == 11) + random.normal(size=count) / 2
    return rows, np.digitize(signal, [-1, 0.5, 1.5, 2.5])


def write_frame(path, rows, grades=None):
    table = rows.copy()
    table.insert(0, "grade", 0 if grades is None else grades)
    table.insert(1, "query", np.repeat(np.arange(NUM_QUERIES), PER_QUERY)[: len(rows)])
    table.to_csv(path, index=False)
    return path


def other_frame():
    """The rows from behind, so that categories have other frequencies and another order; some are new."""
    rows = frame()[0].iloc[::-1].reset_index(drop=True)
    rows["colour"] = rows["colour"].astype(object).where(np.arange(len(rows)) % 7 != 0, "new").astype("category")
    return rows


@functools.cache
def lightgbm_of_frame():
    rows, grades = frame()
    params = {"objective": "lambdarank", "num_leaves": 15, "min_data_in_leaf": 5, "verbose": -1, "num_threads": 1,
              "min_data_per_group": 10, "cat_smooth": 2}
    return lightgbm.train(params, lightgbm.Dataset(rows, grades, group=[PER_QUERY] * NUM_QUERIES), 20)


def test_lightgbm_models_of_frames_score_files_with_the_names(glassrank, tmp_path):
    booster = lightgbm_of_frame()
    booster.save_model(str(tmp_path / "peer.txt"))
    for rows in (frame()[0], other_frame()):
        data = write_frame(tmp_path / "rows.csv", rows)
        # LightGBM compares in double: the file has all digits, the engine takes them as float32.
        theirs = booster.predict(rows.assign(price=rows.price.astype(np.float32)), raw_score=True)
        assert np.array_equal(predict(glassrank, tmp_path / "peer.txt", data), theirs)
    for to, name in (("native", "n.txt"), ("lightgbm", "l.txt"), ("xgboost", "x.json")):
        glassrank("convert", "--model", tmp_path / "peer.txt", "--to", to, "--out", tmp_path / name,
                  "--check", data, "--read.categorical", "one")
    live = lightgbm.Booster(model_file=str(tmp_path / "l.txt"))
    assert live.pandas_categorical == booster.pandas_categorical
    assert np.array_equal(live.predict(rows, raw_score=True), booster.predict(rows, raw_score=True))


def test_xgboost_models_of_frames_score_files_with_the_names(glassrank, tmp_path):
    rows, grades = frame()
    # XGBoost 3.2 itself loses its way among names that are not ASCII.
    rows = rows.assign(colour=rows["colour"].cat.rename_categories({"gr\u00fcn": "green"}))
    data = xgboost.DMatrix(rows, grades, qid=np.repeat(range(NUM_QUERIES), PER_QUERY), enable_categorical=True)
    booster = xgboost.train({"objective": "rank:ndcg", "max_depth": 4, "nthread": 1, "max_cat_to_onehot": 1}, data, 20)
    booster.save_model(str(tmp_path / "peer.json"))
    shuffled = rows.iloc[::-1].reset_index(drop=True)
    shuffled["colour"] = shuffled["colour"].cat.reorder_categories(["red", "none of these", "green", "bl\"ue"])
    theirs = xgboost_margin(booster, shuffled)
    file = write_frame(tmp_path / "rows.csv", shuffled)
    assert_close(predict(glassrank, tmp_path / "peer.json", file), theirs)
    glassrank("convert", "--model", tmp_path / "peer.json", "--to", "xgboost", "--out", tmp_path / "again.json")
    live = xgboost.Booster(model_file=str(tmp_path / "again.json"))
    assert_close(xgboost_margin(live, shuffled), theirs)


@pytest.mark.parametrize("method", ["lambdamart", "ilmart", "ebm"])
def test_our_models_know_the_names_in_every_format(glassrank, tmp_path, method):
    rows, grades = frame()
    rows = rows.drop(columns="one")
    train = write_frame(tmp_path / "train.csv", rows, grades)
    options = {"lambdamart": ["--num-trees", "20"], "ilmart": ["--num-trees", "20"], "ebm": ["--bags", "2", "--max-rounds", "20"]}
    glassrank("train", "--train", train, "--method", method, *options[method], "--read.categorical", "colour,size",
              "--out", tmp_path / "ours")
    data = write_frame(tmp_path / "rows.csv", other_frame().drop(columns="one"))
    ours = predict(glassrank, tmp_path / "ours", data)
    formats = ["lightgbm", "xgboost"] + (["gam-json"] if method != "lambdamart" else [])
    for to in formats:
        glassrank("convert", "--model", tmp_path / "ours", "--to", to, "--out", tmp_path / to, "--check", data)
        scores = predict(glassrank, tmp_path / to, data)
        assert_close(scores, ours)
        assert len(set(scores)) > 20


def test_names_that_a_model_cannot_know_are_an_error(glassrank, tmp_path):
    rows, grades = frame()
    data = write_frame(tmp_path / "rows.csv", rows, grades)
    booster = lightgbm_of_frame()
    text = booster.model_to_string()
    (tmp_path / "codes.txt").write_text(text[: text.index("pandas_categorical:")])
    for command in (["predict", "--model", tmp_path / "codes.txt", "--data", data],
                    ["train", "--train", data, "--read.categorical", "one", "--start-model", tmp_path / "codes.txt", "--out", tmp_path / "m"]):
        option = "--categorical" if command[0] == "predict" else "--read.categorical"
        done = glassrank(*[c for c in command if c not in ("--read.categorical", "one")], option, "colour,size,one", check=False)
        assert done.returncode == 1
        assert "the categories of 'colour' have names" in done.stderr, done.stderr
