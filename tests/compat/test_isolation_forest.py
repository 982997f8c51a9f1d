"""Anomaly scores against scikit-learn's IsolationForest on the same data.

Both forests draw at random, so single scores differ as those of two scikit-learn forests with
different seeds do: the order of rows and the share of rows above 0.5 are what can be compared.
"""
import csv

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.ensemble import IsolationForest

NUM_ROWS, NUM_FEATURES, NUM_ODD = 3000, 8, 60


def skewed_rows():
    """Heavy tails, a constant column, a column of few values and some odd rows."""
    random = np.random.default_rng(7)
    rows = random.normal(size=(NUM_ROWS, NUM_FEATURES))
    rows[:, 1] = np.exp(rows[:, 1])
    rows[:, 2] = 3.0
    rows[:, 3] = random.integers(0, 3, NUM_ROWS)
    rows[:, 4] += rows[:, 0]
    rows[:NUM_ODD, [0, 5, 6]] += random.choice([-5, 5], (NUM_ODD, 3))
    return rows.astype(np.float32)


def our_scores(glassrank, folder, rows, seed):
    """The score of every row but the least odd one: a cleaner never drops everything."""
    with open(folder / "data.txt", "w") as file:
        for number, row in enumerate(rows):
            values = " ".join(f"{f + 1}:{value!r}" for f, value in enumerate(row.tolist()))
            print(f"{number % 2} qid:{number // 50} {values}", file=file)
    share = (len(rows) - 1) / len(rows)
    glassrank("clean", "--train", "data.txt", "--method", "isolation-forest", "--clean.contamination", share,
              "--seed", seed, "--out", "kept.txt", "--list", "list.tsv", "--quiet")
    with open(folder / "list.tsv") as file:
        found = {int(row["line"]) - 1: float(row["anomaly_score"]) for row in csv.DictReader(file, delimiter="\t")}
    assert len(found) == len(rows) - 1
    return np.array([found.get(number, min(found.values())) for number in range(len(rows))])


def sklearn_scores(rows, seed):
    forest = IsolationForest(n_estimators=100, max_samples=256, random_state=seed).fit(rows)
    return -forest.score_samples(rows)


@pytest.fixture(scope="module")
def rows():
    return skewed_rows()


def test_scores_agree_as_two_seeds_of_scikit_learn_do(glassrank, tmp_path, rows):
    theirs = [sklearn_scores(rows, seed) for seed in range(6)]
    ours = [our_scores(glassrank, tmp_path, rows, seed) for seed in range(3)]
    among_theirs = np.mean([spearmanr(a, b)[0] for i, a in enumerate(theirs) for b in theirs[:i]])
    between = np.mean([spearmanr(a, b)[0] for a in ours for b in theirs])
    assert between > 0.93
    assert between > among_theirs - 0.02
    # Averaged over seeds the draws cancel out.
    assert spearmanr(np.mean(ours, axis=0), np.mean(theirs, axis=0))[0] > 0.97
    assert abs(np.mean(ours) - np.mean(theirs)) < 0.01


def test_share_above_one_half_is_theirs(glassrank, tmp_path, rows):
    ours = np.mean([np.mean(our_scores(glassrank, tmp_path, rows, seed) > 0.5) for seed in range(3)])
    theirs = np.mean([np.mean(sklearn_scores(rows, seed) > 0.5) for seed in range(6)])
    assert abs(ours - theirs) < 0.02


def test_both_find_the_odd_rows(glassrank, tmp_path, rows):
    for scores in our_scores(glassrank, tmp_path, rows, 1), sklearn_scores(rows, 1):
        found = np.argsort(-scores)[:NUM_ODD]
        assert np.mean(found < NUM_ODD) > 0.6
