"""RankLib's model files score the same here, and ours score the same in RankLib, for every ranker that both have.

RankLib runs live: RankyMcRankFace, a jar that tools/install_deps puts into build/peers. Trees are summed in float32
there, all else in double.
"""
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JARS = sorted((ROOT / "build" / "peers").glob("RankyMcRankFace-*.jar"))
pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="no java: tools/install_deps test"),
    pytest.mark.skipif(not JARS, reason="no RankLib in build/peers: tools/install_deps test"),
]

NUM_QUERIES, PER_QUERY, NUM_FEATURES = 24, 12, 5
FLOAT_TREES = 2e-6

# Our method and its options, RankLib's number of the ranker and its options, and how far scores may be apart.
RANKERS = {
    "linear": (["--method", "linear", "--normalise", "none"], ["9"], 1e-12),
    "standardised": (["--method", "linear"], None, 1e-12),
    "listnet": (["--method", "linear", "--objective", "listnet", "--epochs", "5"], None, 1e-12),
    "coordinate-ascent": (["--method", "coordinate-ascent", "--restarts", "1"], ["4", "-r", "1"], 1e-12),
    "ranknet": (["--method", "ranknet", "--preset", "ranklib", "--epochs", "10"], ["1", "-epoch", "10"], 1e-12),
    "deep ranknet": (None, ["1", "-epoch", "3", "-layer", "2", "-node", "4"], 1e-12),
    "rankboost": (["--method", "rankboost", "--num-rounds", "30"], ["2", "-round", "30"], 1e-12),
    "mart": (["--method", "mart", "--num-trees", "20", "--num-leaves", "8"], ["0", "-tree", "20"], FLOAT_TREES),
    "lambdamart": (["--method", "lambdamart", "--num-trees", "20", "--num-leaves", "8"], ["6", "-tree", "20"],
                   FLOAT_TREES),
    "random-forest": (["--method", "random-forest", "--num-trees", "15", "--num-leaves", "20"],
                      ["8", "-bag", "15", "-leaf", "20"], FLOAT_TREES),
    "tree": (["--method", "tree"], None, FLOAT_TREES),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """train.txt, valid.txt and probe.txt, without missing values: RankLib has none."""
    path = tmp_path_factory.mktemp("ranklib")
    for number, name in enumerate(("train", "valid", "probe")):
        random = np.random.default_rng(number)
        rows = random.normal(size=(NUM_QUERIES * PER_QUERY, NUM_FEATURES)).astype(np.float32)
        rows[:, 1] = random.integers(0, 4, len(rows))
        signal = rows[:, 0] + rows[:, 1] * (rows[:, 2] > 0) + random.normal(size=len(rows)) / 2
        grades = np.digitize(signal, [0, 1.5, 3])
        with (path / f"{name}.txt").open("w") as file:
            for r, row in enumerate(rows):
                values = " ".join(f"{f + 1}:{value!s}" for f, value in enumerate(row))
                print(f"{grades[r]} qid:{r // PER_QUERY} {values}", file=file)
    return path


def ranklib(*arguments):
    done = subprocess.run(["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-jar", JARS[-1], *map(str, arguments)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def their_scores(model, folder, tmp_path):
    ranklib("-load", model, "-rank", folder / "probe.txt", "-score", tmp_path / "scores.txt")
    return np.array([float(line.split()[-1]) for line in (tmp_path / "scores.txt").read_text().splitlines()])


def our_scores(glassrank, model, folder, tmp_path):
    glassrank("predict", "--model", model, "--data", folder / "probe.txt", "--out", "ours.txt", "--quiet")
    return np.array([float(line) for line in (tmp_path / "ours.txt").read_text().split()])


def check(parity, direction, name, ours, theirs, tolerance):
    assert len(ours) == len(theirs) == NUM_QUERIES * PER_QUERY
    assert len(set(theirs)) > 5, "a model that tells documents apart"
    scale = max(1.0, np.abs(theirs).max())
    parity.check("RankLib", f"{direction} {name}", np.abs(ours - theirs).max() / scale, 0, tolerance)


@pytest.mark.parametrize("name", [name for name, (_, theirs, _) in RANKERS.items() if theirs])
def test_ranklibs_models_score_the_same_here(name, folder, glassrank, parity, tmp_path):
    _, (number, *options), tolerance = RANKERS[name]
    ranklib("-train", folder / "train.txt", "-validate", folder / "valid.txt", "-ranker", number, *options,
            "-metric2t", "NDCG@10", "-save", tmp_path / "theirs.txt")
    theirs = their_scores(tmp_path / "theirs.txt", folder, tmp_path)
    check(parity, "reads", name, our_scores(glassrank, "theirs.txt", folder, tmp_path), theirs, tolerance)
    # What we write again is the same model to RankLib.
    glassrank("convert", "--model", "theirs.txt", "--to", "ranklib", "--out", "again.txt")
    check(parity, "rewrites", name, their_scores(tmp_path / "again.txt", folder, tmp_path), theirs, tolerance)


@pytest.mark.parametrize("name", [name for name, (ours, _, _) in RANKERS.items() if ours])
def test_our_models_score_the_same_in_ranklib(name, folder, glassrank, parity, tmp_path):
    options, _, tolerance = RANKERS[name]
    glassrank("train", *options, "--train", folder / "train.txt", "--valid", folder / "valid.txt", "--out", "ours.model",
              "--quiet")
    glassrank("convert", "--model", "ours.model", "--to", "ranklib", "--out", "written.txt")
    ours = our_scores(glassrank, "ours.model", folder, tmp_path)
    theirs = their_scores(tmp_path / "written.txt", folder, tmp_path)
    check(parity, "writes", name, ours, theirs, tolerance)
