"""Cyclic boosting against interpret's ExplainableBoostingRegressor on the same rows.

With nothing held out and every distinct value in a bin of its own neither side draws anything: the scores after the
same number of rounds must agree. Greedy rounds, smoothing and the gain scale of today's interpret are switched off,
which is what interpret 0.2.7 did. Today's interpret shuffles the order of the features in a round; 0.2.7 and we keep
it. So one feature must agree exactly, several nearly.
"""
import numpy as np
import pytest

NUM_ROWS, NUM_FEATURES, ROUNDS = 2000, 6, 40


def rows_and_grades():
    random = np.random.default_rng(11)
    values = random.integers(0, 60, (NUM_ROWS, NUM_FEATURES)).astype(np.float32)
    truth = np.abs(values[:, 0] - 30) / 10 + (values[:, 1] > 20) + values[:, 2] * values[:, 3] / 900
    return values, np.clip(np.round(truth + random.normal(0, 0.5, NUM_ROWS)), 0, 4)


def write_data(path, values, grades):
    with open(path, "w") as file:
        for number, (row, grade) in enumerate(zip(values, grades)):
            cells = " ".join(f"{f + 1}:{value:g}" for f, value in enumerate(row))
            print(f"{grade:g} qid:{number // 20} {cells}", file=file)


def interpret_model(num_features, **settings):
    glassbox = pytest.importorskip("interpret.glassbox")
    return glassbox.ExplainableBoostingRegressor(
        feature_types=["continuous"] * num_features, max_bins=256, max_interaction_bins=32, inner_bags=0,
        learning_rate=0.05, greedy_ratio=0, cyclic_progress=True, smoothing_rounds=0, interaction_smoothing_rounds=0,
        early_stopping_rounds=0, min_samples_leaf=2, max_leaves=3, gain_scale=1.0, n_jobs=1, **settings)


def train(glassrank, *options):
    return glassrank("train", "--method", "ebm", "--train", "data.txt", "--bags", "1", "--valid-share",
                     "0", "--learning-rate", "0.05", "--max-rounds", ROUNDS, *options, "--out", "model.txt",
                     "--quiet")


def our_scores(glassrank, folder):
    train(glassrank)
    glassrank("predict", "--model", "model.txt", "--data", "data.txt", "--out", "scores.txt", "--quiet")
    return np.loadtxt(folder / "scores.txt")


def compared(glassrank, tmp_path, values, grades):
    """Largest difference of two scores of one row."""
    write_data(tmp_path / "data.txt", values, grades)
    model = interpret_model(values.shape[1], interactions=0, outer_bags=1, max_rounds=ROUNDS)
    model.fit(values, grades, bags=np.ones((NUM_ROWS, 1), np.int8))
    ours = our_scores(glassrank, tmp_path)
    assert np.std(ours) > 0.1
    return float(np.max(np.abs(ours - model.predict(values))))


@pytest.mark.parametrize("feature", [0, 1, 2])
def test_a_curve_is_that_of_interpret(glassrank, tmp_path, parity, feature):
    values, grades = rows_and_grades()
    parity.check("interpret", "one curve", compared(glassrank, tmp_path, values[:, [feature]], grades), 0.0, 1e-6)


def test_curves_are_those_of_interpret_but_for_their_order(glassrank, tmp_path, parity):
    values, grades = rows_and_grades()
    parity.check("interpret", "six curves", compared(glassrank, tmp_path, values, grades), 0.0, 0.05)


def test_fast_finds_the_pair_that_interpret_finds(glassrank, tmp_path):
    values, grades = rows_and_grades()
    write_data(tmp_path / "data.txt", values, grades)
    model = interpret_model(NUM_FEATURES, interactions=1, outer_bags=1, max_rounds=ROUNDS)
    model.fit(values, grades, bags=np.ones((NUM_ROWS, 1), np.int8))
    assert model.term_features_[-1] == (2, 3)
    done = train(glassrank, "--num-interactions", "1")
    assert "first pairs: 3 x 4\n" in done.stdout
