"""Importances against live LightGBM and XGBoost (gain, splits) and scikit-learn (permutation)."""
import json

import lightgbm
import numpy as np
import pytest
import xgboost
from sklearn.inspection import permutation_importance

NUM_QUERIES, PER_QUERY, NUM_FEATURES = 80, 15, 6


def problem():
    random = np.random.default_rng(4)
    rows = random.normal(size=(NUM_QUERIES * PER_QUERY, NUM_FEATURES)).astype(np.float32)
    rows[:, 3] = np.repeat(random.normal(size=NUM_QUERIES), PER_QUERY)  # says something of the query only
    signal = 2 * rows[:, 0] + rows[:, 1] * (rows[:, 3] > 0) + random.normal(size=len(rows)) / 2
    return rows, np.digitize(signal, [-1, 0.5, 1.5, 2.5])


@pytest.fixture
def data(tmp_path):
    rows, grades = problem()
    path = tmp_path / "data.txt"
    with path.open("w") as file:
        for r, (row, grade) in enumerate(zip(rows, grades)):
            values = " ".join(f"{f + 1}:{np.format_float_scientific(v, unique=True)}" for f, v in enumerate(row))
            print(f"{grade} qid:{r // PER_QUERY} {values}", file=file)
    return path


@pytest.fixture
def booster(tmp_path):
    rows, grades = problem()
    params = {"objective": "lambdarank", "num_leaves": 15, "verbose": -1, "num_threads": 1}
    trained = lightgbm.train(params, lightgbm.Dataset(rows, grades, group=[PER_QUERY] * NUM_QUERIES), 25)
    trained.save_model(str(tmp_path / "model.txt"))
    return trained


def inspect(glassrank, *arguments):
    """Importance of every feature, by feature."""
    result = json.loads(glassrank("inspect", "--json", "--top", "0", *arguments).stdout)
    return sorted(result["importance"], key=lambda feature: feature["index"]), result


def test_gain_and_splits_are_lightgbms(glassrank, booster, tmp_path):
    ours, _ = inspect(glassrank, "--model", tmp_path / "model.txt")
    assert [feature["splits"] for feature in ours] == booster.feature_importance("split").tolist()
    # The file holds gains with 6 digits.
    assert np.allclose([feature["gain"] for feature in ours], booster.feature_importance("gain"), rtol=1e-5)
    reread = lightgbm.Booster(model_file=str(tmp_path / "model.txt"))
    assert np.allclose([feature["gain"] for feature in ours], reread.feature_importance("gain"), rtol=1e-6)


def test_gain_and_splits_are_xgboosts(glassrank, tmp_path):
    rows, grades = problem()
    matrix = xgboost.DMatrix(rows, grades, qid=np.repeat(range(NUM_QUERIES), PER_QUERY))
    trained = xgboost.train({"objective": "rank:ndcg", "max_depth": 4, "nthread": 1}, matrix, 20)
    trained.save_model(str(tmp_path / "model.json"))
    ours, _ = inspect(glassrank, "--model", tmp_path / "model.json")
    for kind, key in (("weight", "splits"), ("total_gain", "gain")):
        theirs = trained.get_score(importance_type=kind)
        assert np.allclose([feature[key] for feature in ours],
                           [theirs.get(f"f{f}", 0) for f in range(NUM_FEATURES)], rtol=1e-5)


def mean_ndcg(booster, rows, grades):
    """NDCG@10 with exponential gains, queries without gain counting 1, straight from the definition."""
    scores = booster.predict(rows, raw_score=True).reshape(NUM_QUERIES, PER_QUERY)
    gains = 2.0 ** grades.reshape(NUM_QUERIES, PER_QUERY) - 1
    discounts = 1 / np.log2(np.arange(2, 12))
    found = np.take_along_axis(gains, np.argsort(-scores, axis=1, kind="stable"), axis=1)[:, :10] @ discounts
    ideal = -np.sort(-gains, axis=1)[:, :10] @ discounts
    return np.where(ideal > 0, found / np.where(ideal > 0, ideal, 1), 1).mean()


class Trained:
    """What scikit-learn takes for an estimator."""

    def __init__(self, booster):
        self.predict = booster.predict

    def fit(self):
        raise NotImplementedError


def test_permutation_agrees_with_scikit_learn_within_its_errors(glassrank, booster, data, tmp_path):
    rows, grades = problem()
    repeats = 40
    ours, result = inspect(glassrank, "--model", tmp_path / "model.txt", "--data", data,
                           "--importance", "permutation", "--repeats", repeats)
    theirs = permutation_importance(Trained(booster), rows, grades, scoring=mean_ndcg, n_repeats=repeats, random_state=1)
    assert abs(result["permutation"]["value"] - mean_ndcg(booster, rows, grades)) < 1e-12
    for feature, mean, spread in zip(ours, theirs.importances_mean, theirs.importances_std):
        error = np.hypot(spread, feature["spread"]) / np.sqrt(repeats)
        assert abs(feature["drop"] - mean) <= 4.5 * error + 1e-12, feature
        assert np.isclose(feature["spread"], spread, rtol=0.6, atol=1e-12)
        assert feature["low"] <= feature["drop"] <= feature["high"]
    assert ours[0]["drop"] == max(feature["drop"] for feature in ours) > 0.1


def test_permutation_within_queries_does_not_see_features_of_the_query(glassrank, booster, data, tmp_path):
    arguments = ["--model", tmp_path / "model.txt", "--data", data, "--importance", "permutation"]
    over_all, _ = inspect(glassrank, *arguments)
    within, _ = inspect(glassrank, *arguments, "--permute", "query")
    assert over_all[3]["drop"] > 0
    assert within[3] == {"index": 3, "feature": "Column_3", "drop": 0.0, "low": 0.0, "high": 0.0, "spread": 0.0}


def test_importance_does_not_depend_on_threads(glassrank, booster, data, tmp_path):
    arguments = ["--model", tmp_path / "model.txt", "--data", data, "--json", "--resamples", "200"]
    printed = {glassrank("inspect", *arguments, "--threads", threads).stdout for threads in (1, 2, 4)}
    assert len(printed) == 1
