"""Shapley values of live LightGBM, XGBoost and shap for models of theirs, with zeros and missing values, are ours.

LightGBM and shap work in double, XGBoost in float32. Our values come from bench/micro/shap_program, which the build has
with GLASSRANK_BENCH=ON.
"""
import pathlib
import subprocess

import numpy as np
import pytest

lightgbm = pytest.importorskip("lightgbm")

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "build" / "shap_program"
NUM_ROWS, NUM_FEATURES = 300, 6
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="build with GLASSRANK_BENCH=ON")


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


def explain(folder, model, rows, task, background=None):
    rows.astype(np.float32).tofile(folder / "rows.f32")
    command = [PROGRAM, model, folder / "rows.f32", NUM_FEATURES, task, 2, 0, folder / "out.f64"]
    if background is not None:
        background.astype(np.float32).tofile(folder / "background.f32")
        command.append(folder / "background.f32")
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    values = np.fromfile(folder / "out.f64")
    return values.reshape(len(rows), *([NUM_FEATURES] if task.startswith("values") else [NUM_FEATURES] * 2))


def train_lightgbm(kind, folder, **extra):
    rows, grades = problem(kind)
    params = {"objective": "lambdarank", "num_leaves": 25, "min_data_in_leaf": 3, "verbose": -1, "num_threads": 1}
    booster = lightgbm.train({**params, **extra}, lightgbm.Dataset(rows, grades, group=[20] * 15), 30)
    booster.save_model(str(folder / "model.txt"))
    return booster, rows


@pytest.mark.parametrize("extra", [{}, {"zero_as_missing": True}, {"use_missing": False}], ids=str)
@pytest.mark.parametrize("kind", ["full", "zeros", "nan"])
def test_lightgbm_contributions(kind, extra, tmp_path, parity):
    booster, rows = train_lightgbm(kind, tmp_path, **extra)
    ours = explain(tmp_path, tmp_path / "model.txt", rows, "values")
    theirs = booster.predict(rows, pred_contrib=True, num_threads=1)
    parity.check("LightGBM", "pred_contrib", float(np.abs(ours - theirs[:, :-1]).max()), 0, 1e-9)


@pytest.mark.parametrize("kind", ["full", "zeros", "nan"])
def test_xgboost_contributions_and_interactions(kind, tmp_path, parity):
    xgboost = pytest.importorskip("xgboost")
    rows, grades = problem(kind)
    data = xgboost.DMatrix(rows, grades, qid=np.repeat(range(15), 20))
    booster = xgboost.train({"objective": "rank:ndcg", "max_depth": 5, "nthread": 1}, data, 20)
    booster.save_model(tmp_path / "model.json")
    values = explain(tmp_path, tmp_path / "model.json", rows, "values")
    theirs = booster.predict(data, pred_contribs=True)[:, :-1]
    parity.check("XGBoost", "pred_contribs", float(np.abs(values - theirs).max()), 0, 1e-4)
    matrices = explain(tmp_path, tmp_path / "model.json", rows[:50], "interactions")
    theirs = booster.predict(data, pred_interactions=True)[:50, :-1, :-1]
    parity.check("XGBoost", "pred_interactions", float(np.abs(matrices - theirs).max()), 0, 1e-4)


@pytest.mark.parametrize("kind", ["full", "nan"])
def test_shap_interventional_values(kind, tmp_path, parity):
    shap = pytest.importorskip("shap")
    booster, rows = train_lightgbm(kind, tmp_path)
    background = rows[100:150]
    ours = explain(tmp_path, tmp_path / "model.txt", rows[:40], "values", background)
    masker = shap.maskers.Independent(background.astype(float), max_samples=len(background))
    explainer = shap.TreeExplainer(booster, masker, feature_perturbation="interventional")
    theirs = explainer.shap_values(rows[:40].astype(float), check_additivity=False)
    parity.check("shap", "interventional", float(np.abs(ours - theirs).max()), 0, 1e-6)
