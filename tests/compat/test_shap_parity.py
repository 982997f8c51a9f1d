"""Shapley values of live LightGBM, XGBoost and shap for models of theirs, with zeros and missing values, are ours.

LightGBM and shap work in double, XGBoost in float32. Ours are what `glassrank explain --document all` writes.
"""
import json

import numpy as np
import pytest

lightgbm = pytest.importorskip("lightgbm")
xgboost = pytest.importorskip("xgboost")

NUM_ROWS, NUM_FEATURES, PER_QUERY = 300, 6, 20


def problem(kind: str):
    random = np.random.default_rng(["full", "zeros", "nan"].index(kind))
    rows = random.normal(size=(NUM_ROWS, NUM_FEATURES)).astype(np.float32)
    rows[:, 2] = random.integers(0, 5, NUM_ROWS)
    grades = np.digitize(rows[:, 0] + 0.5 * rows[:, 2] * (rows[:, 1] > 0), [-1, 0.5, 1.5, 2.5])
    if kind != "full":
        rows[random.random(rows.shape) < 0.3] = 0
    if kind == "nan":
        rows[random.random(rows.shape) < 0.2] = np.nan
    return rows, grades


def write_rows(path, rows):
    """A document is named by its place."""

    def text(value):
        return "nan" if np.isnan(value) else np.format_float_scientific(value, unique=True, trim="-")

    with path.open("w") as file:
        for r, row in enumerate(rows):
            values = " ".join(f"{f + 1}:{text(v)}" for f, v in enumerate(row))
            print(f"0 qid:{r // PER_QUERY} {values} # row-{r}", file=file)
    return path


@pytest.fixture
def explain(glassrank, tmp_path):
    """(values [row][feature] and the base value last, interactions [row][feature][feature]), as peers have them."""

    def run(model, rows, *options, background=None):
        data = write_rows(tmp_path / "rows.txt", rows)
        if background is not None:
            options += ("--game", "interventional", "--background", write_rows(tmp_path / "background.txt", background),
                        "--background-rows", len(background))  # fmt: skip
        glassrank("explain", "--model", model, "--data", data, "--queries", "all", "--document", "all", "--no-audit",
                  "--out", "values.jsonl", "--quiet", *options)  # fmt: skip
        lines = [json.loads(line) for line in (tmp_path / "values.jsonl").read_text().splitlines()]
        assert len(lines) == len(rows)
        values = np.zeros((len(rows), NUM_FEATURES + 1))
        matrices = np.zeros((len(rows), NUM_FEATURES, NUM_FEATURES))
        for line in lines:
            row = int(line["documents"][0]["document"].removeprefix("row-"))
            values[row, -1] = line["base_value"]
            for feature in line["features"]:
                values[row, feature["index"]] = feature["attribution"]
            for pair in line["interactions"]:
                i, j = pair["index"], pair["other_index"]
                matrices[row, i, j] = matrices[row, j, i] = pair["attribution"] / 2
            for i in range(NUM_FEATURES):  # what is left of a feature's value
                matrices[row, i, i] = values[row, i] - matrices[row, i].sum()
        return values, matrices

    return run


def train_lightgbm(kind, folder, **extra):
    rows, grades = problem(kind)
    params = {"objective": "lambdarank", "num_leaves": 25, "min_data_in_leaf": 3, "verbose": -1, "num_threads": 1}
    booster = lightgbm.train({**params, **extra}, lightgbm.Dataset(rows, grades, group=[20] * 15), 30)
    booster.save_model(str(folder / "model.txt"))
    return booster, rows


@pytest.mark.parametrize("extra", [{}, {"zero_as_missing": True}, {"use_missing": False}], ids=str)
@pytest.mark.parametrize("kind", ["full", "zeros", "nan"])
def test_lightgbm_contributions(kind, extra, tmp_path, explain, parity):
    booster, rows = train_lightgbm(kind, tmp_path, **extra)
    ours, _ = explain("model.txt", rows)
    theirs = booster.predict(rows, pred_contrib=True, num_threads=1)
    parity.check("LightGBM", "pred_contrib", float(np.abs(ours - theirs).max()), 0, 1e-9)


@pytest.mark.parametrize("kind", ["full", "zeros", "nan"])
def test_xgboost_contributions_and_interactions(kind, tmp_path, explain, parity):
    rows, grades = problem(kind)
    data = xgboost.DMatrix(rows, grades, qid=np.repeat(range(15), 20))
    booster = xgboost.train({"objective": "rank:ndcg", "max_depth": 5, "nthread": 1}, data, 20)
    booster.save_model(tmp_path / "model.json")
    values, matrices = explain("model.json", rows, "--interactions")
    theirs = booster.predict(data, pred_contribs=True)
    parity.check("XGBoost", "pred_contribs", float(np.abs(values - theirs).max()), 0, 1e-4)
    theirs = booster.predict(data, pred_interactions=True)[:, :-1, :-1]
    parity.check("XGBoost", "pred_interactions", float(np.abs(matrices - theirs).max()), 0, 1e-4)


@pytest.mark.parametrize("kind", ["full", "nan"])
def test_shap_interventional_values(kind, tmp_path, explain, parity):
    shap = pytest.importorskip("shap")
    booster, rows = train_lightgbm(kind, tmp_path)
    background = rows[100:150]
    ours, _ = explain("model.txt", rows[:40], background=background)
    masker = shap.maskers.Independent(background.astype(float), max_samples=len(background))
    explainer = shap.TreeExplainer(booster, masker, feature_perturbation="interventional")
    theirs = explainer.shap_values(rows[:40].astype(float), check_additivity=False)
    parity.check("shap", "interventional", float(np.abs(ours[:, :-1] - theirs).max()), 0, 1e-6)
    parity.check("shap", "expected_value", float(np.abs(ours[:, -1] - explainer.expected_value).max()), 0, 1e-6)
