"""A regression tree of ours is scikit-learn's: the same predictions, with fractions of rows as limits."""
import numpy as np
import pytest

tree = pytest.importorskip("sklearn.tree")


@pytest.mark.parametrize("depth, share", [(4, 0.1), (3, 0.05), (2, 0.3)])
def test_predictions_are_scikit_learns(depth, share, glassrank, parity, tmp_path):
    random = np.random.default_rng(depth)
    # No more values than bins, so that both try every threshold.
    rows = (random.integers(0, 200, size=(600, 5)) / 64).astype(np.float32)
    grades = np.digitize(rows[:, 0] + rows[:, 1] * rows[:, 2] + random.normal(size=len(rows)), [2, 4, 6])
    with (tmp_path / "rows.txt").open("w") as file:
        for r, row in enumerate(rows):
            print(grades[r], f"qid:{r // 20}", *(f"{f + 1}:{value}" for f, value in enumerate(row)), file=file)
    theirs = tree.DecisionTreeRegressor(max_depth=depth, min_samples_split=share, min_samples_leaf=share).fit(rows, grades)
    glassrank("train", "--method", "tree", "--max-depth", depth, "--min-split", share, "--min-leaf", share,
              "--train", "rows.txt", "--out", "tree.txt", "--quiet")
    glassrank("predict", "--model", "tree.txt", "--data", "rows.txt", "--out", "scores.txt", "--quiet")
    ours = np.array([float(line) for line in (tmp_path / "scores.txt").read_text().split()])
    parity.check("scikit-learn", f"tree of depth {depth}", np.abs(ours - theirs.predict(rows)).max(), 0, 1e-7)
