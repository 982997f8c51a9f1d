"""The model is the same file for any number of machines and threads, however the data lies."""
import gzip
import os
import subprocess

import pytest

CASES = {
    "lambdamart": [],
    "full": ["--precision", "full", "--num-leaves", "6"],
    "goss-xendcg": ["--sample", "goss", "--objective", "rank_xendcg", "--feature-fraction", "0.6"],
    "selective-sour": ["--sample", "selective", "--sample.every", "3", "--clean", "sour", "--clean.start", "5"],
    "high-low-p-sour": ["--sample", "high-low", "--clean", "p-sour"],
    "queries-last-sour": ["--sample", "queries", "--clean", "last-sour"],
    "rows-curr-sour": ["--sample", "rows", "--clean", "curr-sour"],
    "mart-isolation": ["--method", "mart", "--clean", "isolation-forest"],
    "peer-bags": ["--objective", "peer", "--bags", "2", "--active", "share", "--active-share", "0.4"],
    "ilmart": ["--method", "ilmart", "--num-interactions", "3"],
    "ilmart-bags-fast": ["--method", "ilmart", "--num-interactions", "2", "--bags", "2", "--pair-selection.method", "fast"],
    "ebm": ["--method", "ebm", "--bags", "5", "--num-interactions", "3"],
    "ebm-lambdarank": ["--method", "ebm", "--bags", "2", "--num-interactions", "2", "--objective", "lambdarank", "--stop-on", "valid"],
    "random-forest": ["--method", "random-forest"],
    "tree": ["--method", "tree"],
}


def train(command, folder, out, *more):
    done = subprocess.run([*command, *map(str, more)], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return (folder / out).read_bytes()


def arguments(books, out, case, threads):
    rounds = {"tree": [], "ebm": ["--max-rounds", "30"]}.get(case[1] if case[:1] == ["--method"] else "", ["--num-trees", "30"])
    return ["train", "--train", books / "train.txt", "--valid", books / "valid.txt", "--test", books / "test.txt",
            "--threads", threads, "--out", out, *rounds, *case]


@pytest.mark.parametrize("name", CASES)
def test_any_number_of_machines_and_threads(program, mpirun, books, tmp_path, name):
    expected = train([program], tmp_path, "one.txt", *arguments(books, "one.txt", CASES[name], 2))
    for machines in (2, 3, 4):
        threads = 1 + machines % 2
        command = mpirun(machines, arguments(books, f"{machines}.txt", CASES[name], threads))
        assert train(command, tmp_path, f"{machines}.txt") == expected, f"{machines} machines"


@pytest.mark.parametrize("name", ["lambdamart", "goss-xendcg", "ilmart", "full", "ebm", "ebm-lambdarank"])
def test_processors_may_differ(program, mpirun, books, tmp_path, name):
    """GLASSRANK_SIMD stands for a processor without the instructions above it."""
    expected = train([program], tmp_path, "one.txt", *arguments(books, "one.txt", CASES[name], 2))
    levels = ["plain", "sse4", "avx2", "avx3"]
    for several in [levels, *([level] * 2 for level in levels)]:
        ranks = [(1, arguments(books, "m.txt", CASES[name], 1 + i % 2), ["env", f"GLASSRANK_SIMD={level}"]) for i, level in enumerate(several)]
        command = mpirun(*ranks[0][:2], *ranks[1:], before=ranks[0][2])
        assert train(command, tmp_path, "m.txt") == expected, several


@pytest.mark.skipif(not os.environ.get("GLASSRANK_MATRIX"), reason="GLASSRANK_MATRIX is not set: some ten minutes")
@pytest.mark.parametrize("name", CASES)
def test_machines_times_threads_times_processors(program, mpirun, books, tmp_path, name):
    expected = train([program], tmp_path, "one.txt", *arguments(books, "one.txt", CASES[name], 2))
    for level in ("plain", "sse4", "avx2", "avx3"):
        for threads in (1, 2):
            for machines in (1, 2, 3, 4):
                options = arguments(books, "m.txt", CASES[name], threads)
                ranks = [(1, options, ["env", f"GLASSRANK_SIMD={level}"])] * machines
                command = mpirun(1, options, *ranks[1:], before=ranks[0][2])
                assert train(command, tmp_path, "m.txt") == expected, (level, threads, machines)


@pytest.mark.parametrize("name", ["lambdamart", "selective-sour", "peer-bags", "ilmart", "ebm", "ebm-lambdarank", "random-forest", "tree", "mart-isolation"])
def test_more_machines_than_queries(program, mpirun, books, tmp_path, name):
    for part, queries in ("train", 3), ("valid", 1), ("test", 2):
        rows = [line for line in (books / f"{part}.txt").read_text().splitlines() if not line.startswith("#")]
        few = list(dict.fromkeys(line.split()[1] for line in rows))[:queries]
        (tmp_path / f"{part}.txt").write_text("".join(line + "\n" for line in rows if line.split()[1] in few))
    expected = train([program], tmp_path, "one.txt", *arguments(tmp_path, "one.txt", CASES[name], 2))
    assert train(mpirun(5, arguments(tmp_path, "m.txt", CASES[name], 1)), tmp_path, "m.txt") == expected
    subprocess.run([program, "data", "cache", "--data", tmp_path / "train.txt", "--binned", "--out", tmp_path / "train.bins"],
                   check=True, capture_output=True)
    if name in ("lambdamart", "ilmart"):
        options = ["train", "--train", "train.bins", "--num-trees", "5", "--threads", "1", *CASES[name], "--out"]
        expected = train([program], tmp_path, "one.txt", *options, "one.txt")
        assert train(mpirun(5, [*options, "m.txt"]), tmp_path, "m.txt") == expected


@pytest.mark.parametrize("case", ["--objective logistic", "--folds 3 --objective logistic", "--folds 4 --method ilmart --num-interactions 2",
                                  "--folds 3 --clean sour --clean.start 2", "--folds 3 --search num_leaves=4|8", "--bags 3 --stop-on bag",
                                  "--folds 4 --method random-forest", "--folds 3 --bags 2"])
def test_parts_of_fewer_queries_than_machines(program, mpirun, books, tmp_path, case):
    """Folds and bags cut four queries for six machines."""
    rows = [line for line in (books / "train.txt").read_text().splitlines() if not line.startswith("#")]
    few = list(dict.fromkeys(line.split()[1] for line in rows))[:4]
    text = "".join(f"{int(line[0] > '1')}{line[1:]}\n" for line in rows if line.split()[1] in few)
    (tmp_path / "few.txt").write_text(text)
    options = ["train", "--train", "few.txt", "--num-trees", "5", "--threads", "1", *case.split(), "--out"]
    if "--bags 2" in case:  # the train part of a fold has one query
        for command in [program, *options, "m.txt"], mpirun(6, [*options, "m.txt"]):
            done = subprocess.run(list(map(str, command)), cwd=tmp_path, capture_output=True, text=True, timeout=60)
            assert done.returncode == 1 and "the training data has 1 query; a bag needs two" in done.stderr, done.stderr
        return
    expected = train([program], tmp_path, "one.txt", *options, "one.txt")
    assert train(mpirun(6, [*options, "m.txt"]), tmp_path, "m.txt") == expected


def test_every_way_the_data_lies(program, mpirun, books, tmp_path):
    text = (books / "train.txt").read_text()
    queries, rows = [], {}
    for line in text.splitlines(keepends=True):
        if line.startswith("#"):
            continue
        query = line.split()[1]
        if query not in rows:
            queries.append(query)
            rows[query] = []
        rows[query].append(line)
    for part in range(3):
        own = queries[part * len(queries) // 3:(part + 1) * len(queries) // 3]
        (tmp_path / f"part-{part}.txt").write_text("".join(line for q in own for line in rows[q]))
    with gzip.open(tmp_path / "all.txt.gz", "wt") as file:
        file.write("".join(line for q in queries for line in rows[q]))
    for kind, name in ([], "all.cache"), (["--binned"], "all.bins"):
        subprocess.run([program, "data", "cache", "--data", tmp_path / "all.txt.gz", *kind, "--out", tmp_path / name],
                       check=True, capture_output=True)
    for part in range(3):
        like = ["--bins-like", tmp_path / "part-0.bins"] if part > 0 else []
        subprocess.run([program, "data", "cache", "--data", tmp_path / f"part-{part}.txt", "--binned", *like, "--out", tmp_path / f"part-{part}.bins"],
                       check=True, capture_output=True)
    for data in "all.txt.gz", "all.cache", "all.bins", "part-*.txt", "part-*.bins":
        options = ["train", "--train", data, "--num-trees", "10", "--threads", "1", "--out"]
        expected = train([program], tmp_path, "one.txt", *options, "one.txt")
        for machines in (2, 3):
            assert train(mpirun(machines, [*options, "several.txt"]), tmp_path, "several.txt") == expected, data
    # The files of parts are the rows of one file: only names tell the models apart.
    whole = train([program], tmp_path, "one.txt", "train", "--train", "all.txt.gz", "--num-trees", "10", "--out", "one.txt")
    lines = [[line for line in model.splitlines()[:-1] if not line.startswith(b"train\t")] for model in (whole, train(
        [program], tmp_path, "parts.txt", "train", "--train", "part-*.txt", "--num-trees", "10", "--out", "parts.txt"))]
    assert lines[0] == lines[1]


def test_folds_and_searches(program, mpirun, books, tmp_path):
    for name, more in {"folds": ["--folds", "3"],
                       "search": ["--valid", books / "valid.txt", "--search", "num_leaves=4|8,learning_rate=0.1|0.2"]}.items():
        options = ["train", "--train", books / "train.txt", "--num-trees", "12", "--threads", "1", *more, "--out"]
        expected = train([program], tmp_path, f"{name}.txt", *options, f"{name}.txt")
        found = train(mpirun(3, [*options, f"{name}3.txt"]), tmp_path, f"{name}3.txt")
        assert found == expected


def test_only_the_first_machine_speaks(mpirun, books, tmp_path):
    command = mpirun(3, ["train", "--train", books / "train.txt", "--num-trees", "5", "--out", "m.txt", "--json"])
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"method"') == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.txt"]
