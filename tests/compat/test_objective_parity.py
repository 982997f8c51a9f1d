"""Gradients of our objectives against live LightGBM and XGBoost, through what they do to scores.

The one feature has few values and a tree has a leaf for each, so that both programs grow the same
leaves whatever they think of gains: leaf values are then -sum(gradient) / sum(hessian) over the
same rows, and the scores after several rounds agree only if gradients and hessians of every round
do. (Later rounds have unequal scores, hence real ranks, distances and sigmoids; rows of one leaf
are tied, hence ties too.)
"""
import pathlib

import numpy as np
import pytest

lightgbm = pytest.importorskip("lightgbm")
xgboost = pytest.importorskip("xgboost")

NUM_QUERIES, NUM_VALUES, NUM_ROUNDS, RATE = 25, 7, 4, 0.5
RANDOM = np.random.default_rng(5)
SIZES = RANDOM.integers(2, 45, NUM_QUERIES)
NUM_ROWS = int(SIZES.sum())
VALUES = RANDOM.integers(0, NUM_VALUES, NUM_ROWS).astype(np.float32)
GRADES = np.clip((VALUES + RANDOM.normal(0, 2, NUM_ROWS)) // 2, 0, 4).astype(int)
QUERY_OF_ROW = np.repeat(np.arange(NUM_QUERIES), SIZES)
ROW_WEIGHTS = RANDOM.choice([0.0, 0.5, 1.0, 2.0], NUM_ROWS)
QUERY_WEIGHTS = RANDOM.choice([0.5, 1.0, 3.0], NUM_QUERIES)
PROBE = np.arange(NUM_VALUES, dtype=np.float32)[:, None]


def write(path: pathlib.Path, values, grades, queries, weights=None):
    lines = [f"{g} qid:{q} 1:{v}" for g, q, v in zip(grades, queries, values)]
    path.write_text("\n".join(lines) + "\n")
    if weights is not None:
        pathlib.Path(f"{path}.weight").write_text("\n".join(map(str, weights)) + "\n")


def our_scores(glassrank, folder, *options, grades=GRADES, weights=None, rounds=NUM_ROUNDS, rate=RATE, seed=0):
    """The scores of every value of the feature."""
    write(folder / "train.txt", VALUES, grades, QUERY_OF_ROW, weights)
    write(folder / "probe.txt", PROBE[:, 0], [0] * NUM_VALUES, [0] * NUM_VALUES)
    glassrank("train", "--train", "train.txt", "--out", "model.txt", "--num-trees", rounds, "--learning-rate", rate,
              "--num-leaves", NUM_VALUES, "--min-leaf-rows", 0, "--min-leaf-hessian", 0, "--min-bin-rows", 1,
              "--precision", "full", "--seed", seed, *options)
    glassrank("predict", "--model", "model.txt", "--data", "probe.txt", "--out", "scores.txt")
    return np.loadtxt(folder / "scores.txt")


def lightgbm_scores(objective, grades=GRADES, weights=None, rounds=NUM_ROUNDS, rate=RATE, **extra):
    params = {"objective": objective, "num_leaves": NUM_VALUES, "learning_rate": rate, "min_data_in_leaf": 0,
              "min_sum_hessian_in_leaf": 0, "min_data_in_bin": 1, "verbose": -1, "num_threads": 1, **extra}
    data = lightgbm.Dataset(VALUES[:, None], grades, group=SIZES, weight=weights)
    return lightgbm.train(params, data, rounds).predict(PROBE.astype(float), raw_score=True)


def xgboost_scores(objective, grades=GRADES, weights=None, **extra):
    params = {"objective": objective, "tree_method": "exact", "max_depth": NUM_VALUES, "learning_rate": RATE,
              "min_child_weight": 0, "lambda": 0, "base_score": 0, "nthread": 1, **extra}
    data = xgboost.DMatrix(VALUES[:, None], grades, qid=QUERY_OF_ROW, weight=weights)
    return xgboost.train(params, data, NUM_ROUNDS).predict(xgboost.DMatrix(PROBE), output_margin=True)


def check_all(parity, peer, measure, ours, theirs, tolerance):
    assert len(set(np.round(theirs, 6))) == NUM_VALUES, "the peer did not grow a leaf for every value"
    for a, b in zip(ours, theirs):
        parity.check(peer, measure, a, b, tolerance)


LAMBDARANK = {
    "default": ((), {}),
    "no norm": (("--no-norm",), {"lambdarank_norm": False}),
    "truncation": (("--pair-truncation", 5), {"lambdarank_truncation_level": 5}),
    "sigma": (("--sigma", 2), {"sigmoid": 2.0}),
}


@pytest.mark.parametrize("name", LAMBDARANK)
@pytest.mark.parametrize("weights", ["none", "rows", "queries"])
def test_lambdarank_is_lightgbms(glassrank, tmp_path, parity, name, weights):
    ours, theirs = LAMBDARANK[name]
    weight = {"none": None, "rows": ROW_WEIGHTS, "queries": QUERY_WEIGHTS[QUERY_OF_ROW]}[weights]
    check_all(parity, "lightgbm", "lambdarank scores", our_scores(glassrank, tmp_path, *ours, weights=weight),
              lightgbm_scores("lambdarank", weights=weight, **theirs), 1e-4)


@pytest.mark.parametrize("weight", [None, ROW_WEIGHTS], ids=["none", "rows"])
def test_squared_error_is_lightgbms_regression(glassrank, tmp_path, parity, weight):
    check_all(parity, "lightgbm", "regression scores",
              our_scores(glassrank, tmp_path, "--objective", "squared_error", weights=weight),
              lightgbm_scores("regression", weights=weight), 1e-5)


@pytest.mark.parametrize("weight", [None, ROW_WEIGHTS], ids=["none", "rows"])
def test_logistic_is_lightgbms_binary(glassrank, tmp_path, parity, weight):
    relevant = (GRADES > 1).astype(int)
    check_all(parity, "lightgbm", "binary scores",
              our_scores(glassrank, tmp_path, "--objective", "logistic", grades=relevant, weights=weight),
              lightgbm_scores("binary", grades=relevant, weights=weight), 1e-5)


def test_logistic_is_lightgbms_cross_entropy(glassrank, tmp_path, parity):
    check_all(parity, "lightgbm", "cross_entropy scores",
              our_scores(glassrank, tmp_path, "--objective", "logistic", grades=GRADES / 4),
              lightgbm_scores("cross_entropy", grades=GRADES / 4), 1e-5)


def test_rank_xendcg_is_lightgbms_in_expectation(glassrank, tmp_path):
    """The draws differ; after one round from equal scores the mean over seeds must agree.

    LightGBM seeds a linear congruential generator with seed + query, so that neighbouring seeds draw
    nearly the same numbers: its seeds must be far apart.
    """
    count = 80
    seeds = np.random.default_rng(1).integers(0, 2**31, count)
    ours = np.array([our_scores(glassrank, tmp_path, "--objective", "rank_xendcg", rounds=1, rate=1, seed=s)
                     for s in range(count)])
    theirs = np.array([lightgbm_scores("rank_xendcg", rounds=1, rate=1, objective_seed=int(s)) for s in seeds])
    error = np.sqrt((ours.var(axis=0, ddof=1) + theirs.var(axis=0, ddof=1)) / count)
    assert np.all(np.abs(ours.mean(axis=0) - theirs.mean(axis=0)) < 4 * error)
    # That says something: the error is small against the differences of the scores.
    assert np.all(error < 0.02 * np.ptp(theirs.mean(axis=0)))


# XGBoost's hessians of pairs are twice the second derivative: its steps are half of ours.
XGBOOST_ALL_PAIRS = {"lambdarank_pair_method": "topk", "lambdarank_num_pair_per_sample": 1000,
                     "lambdarank_normalization": False, "lambdarank_score_normalization": False}


@pytest.mark.parametrize("weights", ["none", "queries"])
def test_pairwise_is_xgboosts(glassrank, tmp_path, parity, weights):
    # XGBoost scales group weights to a mean of 1, which changes no leaf value.
    queries = weights == "queries"
    ours = our_scores(glassrank, tmp_path, "--objective", "pairwise", "--no-norm", "--pair-truncation", 0,
                      rate=RATE / 2, weights=QUERY_WEIGHTS[QUERY_OF_ROW] if queries else None)
    theirs = xgboost_scores("rank:pairwise", weights=QUERY_WEIGHTS if queries else None, **XGBOOST_ALL_PAIRS)
    check_all(parity, "xgboost", "pairwise scores", ours, theirs, 1e-5)


@pytest.mark.parametrize("target", ["ndcg", "map"])
def test_targets_are_xgboosts(glassrank, tmp_path, parity, target):
    grades = GRADES if target == "ndcg" else (GRADES > 1).astype(int)  # its map takes 0 and 1 only
    ours = our_scores(glassrank, tmp_path, "--no-norm", "--pair-truncation", 0, "--target", target, grades=grades,
                      rate=RATE / 2)
    theirs = xgboost_scores(f"rank:{target}", grades=grades, **XGBOOST_ALL_PAIRS)
    check_all(parity, "xgboost", f"{target} scores", ours, theirs, 1e-5)


@pytest.mark.parametrize("objective", ["lambdarank", "rank_xendcg", "pairwise", "squared_error", "logistic"])
def test_exported_models_score_the_same_in_the_peers(glassrank, tmp_path, objective):
    relevant = (GRADES > 1).astype(int)
    ours = our_scores(glassrank, tmp_path, "--objective", objective, grades=relevant)
    glassrank("convert", "--model", "model.txt", "--to", "lightgbm", "--out", "lightgbm.txt")
    glassrank("convert", "--model", "model.txt", "--to", "xgboost", "--out", "xgboost.json")
    booster = lightgbm.Booster(model_file=str(tmp_path / "lightgbm.txt"))
    assert np.array_equal(booster.predict(PROBE.astype(float), raw_score=True), ours)
    if objective == "logistic":
        assert np.allclose(booster.predict(PROBE.astype(float)), 1 / (1 + np.exp(-ours)), rtol=1e-12)
    other = xgboost.Booster(model_file=str(tmp_path / "xgboost.json"))
    other.feature_names = None
    assert np.allclose(other.predict(xgboost.DMatrix(PROBE), output_margin=True), ours, atol=1e-6)
