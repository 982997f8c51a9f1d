"""The Python package beside the command line: the same work on the same files, memory, import, wheel.

    PYTHONPATH=build/python build/venv/bin/python bench/peers/run.py python

Calls of the package run in an interpreter that is there; the program is a process of its own each
time, as it is for its users.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "build" / "glassrank"
PACKAGE = ROOT / "build" / "python"
ROUNDS = int(os.environ.get("ROUNDS", 11))
ROWS = int(os.environ.get("ROWS", 60_000))
TRAIN = {"num_trees": 60, "num_leaves": 64, "train_metric": False}

MEMORY = """
import numpy as np
import glassrank as gr
gr.Lambdamart(num_trees=1).train(gr.bookshop(queries=30)[0])   # everything is loaded, threads are there
rows, columns = %(rows)d, 136
def peak():
    return next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))
X = np.random.default_rng(0).random((rows, columns), dtype=np.float32)
y = np.random.default_rng(1).integers(0, 5, rows).astype(np.float32)
qid = np.repeat(np.arange(rows // 100), 100)
%(prepare)s
open("/proc/self/clear_refs", "w").write("5")   # the peak is what is there now
start = peak()
data = gr.Dataset(%(given)s)
made = peak()
%(after)s
print(json.dumps({"data": X.nbytes / 2**20, "dataset": made - start, "trained": peak() - start}))
"""


def program(*arguments) -> float:
    start = time.perf_counter()
    subprocess.run([str(PROGRAM), *map(str, arguments)], check=True, capture_output=True)
    return time.perf_counter() - start


def call(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def pairs(folder: pathlib.Path) -> dict:
    """Name -> (seconds of the program, seconds of the package) by round."""
    import glassrank as gr

    data, small, model = folder / "data.cache", folder / "small.cache", folder / "model.txt"
    subprocess.run([PROGRAM, "data", "synth", "--shape", "mslr", "--rows", str(ROWS), "--out", data], check=True, capture_output=True)
    gr.read(data)[: max(1, len(gr.read(data)) // 12)].save(small)
    options = [f"--{name.replace('_', '-')}={str(value).lower()}" for name, value in TRAIN.items()]
    tasks = {
        f"training: read, {TRAIN['num_trees']} trees of {TRAIN['num_leaves']} leaves, write": (
            lambda: program("train", "--train", data, "--out", model, "--quiet", *options),
            lambda: call(lambda: gr.Lambdamart(**TRAIN).train(data).save(folder / "python.txt")),
        ),
        "scoring: read model and data, score, ndcg@10": (
            lambda: program("evaluate", "--model", model, "--data", data, "--metric", "ndcg@10"),
            lambda: call(lambda: gr.load(model).evaluate(data, "ndcg@10")),
        ),
        f"TreeSHAP of every feature of {gr.read(small).num_rows} documents, summed up": (
            lambda: program("summary", "--model", model, "--data", small),
            lambda: call(lambda: gr.load(model).summary(small)),
        ),
    }
    # From arrays the program has nothing to compare with but the file of the same rows.
    whole, few = gr.read(data), gr.read(small)
    arrays = whole.X, whole.y, whole.qid
    wide = whole.X.astype("float64")
    loaded = gr.Lambdamart(**TRAIN).train(whole)
    loaded.save(model)
    tasks |= {
        "training from a float32 array": (tasks[next(iter(tasks))][0], lambda: call(lambda: gr.Lambdamart(**TRAIN).train(gr.Dataset(arrays[0], arrays[1], qid=arrays[2])))),
        "training from a float64 array": (tasks[next(iter(tasks))][0], lambda: call(lambda: gr.Lambdamart(**TRAIN).train(gr.Dataset(wide, arrays[1], qid=arrays[2])))),
        "predict of a float32 array": (lambda: program("predict", "--model", model, "--data", data, "--out", folder / "scores"), lambda: call(lambda: loaded.predict(arrays[0]))),
        "predict of a float64 array": (lambda: program("predict", "--model", model, "--data", data, "--out", folder / "scores"), lambda: call(lambda: loaded.predict(wide))),
        f"attributions of an array of {few.num_rows} rows, every value": (lambda: program("summary", "--model", model, "--data", small), lambda: call(lambda: loaded.attributions(few.X))),
    }
    found = {}
    for name, (theirs, ours) in tasks.items():
        theirs(), ours()  # files and pages are there
        found[name] = measure.interleave({"program": theirs, "package": ours}, ROUNDS)
    assert (folder / "python.txt").read_bytes() == model.read_bytes(), "the models differ"
    return found


def memory() -> dict:
    """Name -> megabytes: of the array, that Dataset adds at most, that Dataset and training add at most."""
    train = "gr.Lambdamart(num_trees=5, num_leaves=64, train_metric=False).train(data)"
    ways = {
        "numpy float32": ("", "X, y, qid=qid"),
        "numpy float64": ("X64 = X.astype(np.float64); shape = X.shape", "X64, y, qid=qid"),
        "pyarrow table": ("import pyarrow as pa; table = pa.table({str(c): X[:, c].copy() for c in range(columns)})", "table, y, qid=qid"),
        "pandas float64": ("import pandas as pd; frame = pd.DataFrame(X.astype(np.float64), columns=[str(c) for c in range(columns)])", "frame, y, qid=qid"),
    }
    found = {}
    for name, (prepare, given) in ways.items():
        code = "import json\n" + MEMORY % {"rows": 200_000, "prepare": prepare, "given": given, "after": train}
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(PACKAGE)})
        found[name] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def imports() -> list:
    """(what, smallest milliseconds beyond the smallest of an empty interpreter, median of what it takes in all)."""
    codes = {"import glassrank": "import glassrank", "import numpy": "import numpy", "and the engine: gr.Lambdamart": "import glassrank as gr; gr.Lambdamart"}
    codes = {"nothing": "pass", **codes}
    times: dict[str, list] = {name: [] for name in codes}
    for _ in range(20):
        for name, code in codes.items():
            times[name].append(1000 * seconds_of(code))
    empty = min(times.pop("nothing"))
    return [(name, min(each) - empty, statistics.median(each)) for name, each in times.items()]


def seconds_of(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(PACKAGE)})
    return time.perf_counter() - start


def main() -> str:
    sys.path.insert(0, str(PACKAGE))
    text = f"The Python package beside the command line, {ROWS} x 136 (MSLR's shape) from a cache. {measure.machine()}.\n\n"
    with tempfile.TemporaryDirectory() as made:
        found = pairs(pathlib.Path(made))
    text += f"{ROUNDS} interleaved rounds, 2 threads. The models were equal to the byte. The program's time has its start in it; calls of the package run in an interpreter that is there.\n\n"
    text += "| work | program, median s | package, median s | package / program | range |\n|---|---|---|---|---|\n"
    for name, seconds in found.items():
        middle, low, high = measure.ratios(seconds, "program", "package")
        medians = [statistics.median(seconds[who]) for who in ("program", "package")]
        text += f"| {name} | {medians[0]:.3f} | {medians[1]:.3f} | {middle:.3f} | {low:.3f} to {high:.3f} |\n"
    text += "\nMemory of 200,000 x 136 values: what they take as float32, and by how much the peak rises when a Dataset is made of them, and when it is trained on.\n\n"
    text += "| from | as float32, MB | gr.Dataset adds | and training 5 trees of 64 leaves |\n|---|---|---|---|\n"
    for name, each in memory().items():
        text += f"| {name} | {each['data']:.0f} | {each['dataset']:.1f} | {each['trained']:.1f} |\n"
    text += "\nImports, 20 times each:\n\n| import | smallest ms beyond an empty interpreter | median ms, all together |\n|---|---|---|\n"
    for name, least, middle in imports():
        text += f"| {name} | {least:.0f} | {middle:.0f} |\n"
    wheels = sorted((ROOT / "build" / "dist").glob("*.whl"))
    for wheel in wheels:
        text += f"\nThe wheel ({wheel.name}): {wheel.stat().st_size / 1e6:.1f} MB.\n"
    return text
