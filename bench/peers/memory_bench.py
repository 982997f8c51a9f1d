"""Data larger than memory: Istella-X's shape, 26.8 million rows of 220 features, and a tenth of it in 2 GiB.

    python bench/peers/memory_bench.py [whole|tenth|paged|lightgbm ...]      all of them unless told; some 40 minutes, 35 GB of disk

`whole`     written straight to bins, then trained. Peak memory is the greatest resident size, mapped pages included.
`lightgbm`  the same bins as values, given to LightGBM column by column through lightgbm.Sequence.
`tenth`     in memory against --memory 2G in a control group of 2 GiB, which counts the page cache too; interleaved.
`paged`     2,000,000 rows of 136 features in control groups of half as much again as their bins, and of less than them.
Times per tree are the median over the rounds after the first, without reading.
"""
import json
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "glassrank"
WORK = ROOT / "build-bench" / "data"
GROUP = pathlib.Path("/sys/fs/cgroup/memory/glassrank-bench")
QUERIES = {"whole": 10_000, "tenth": 1000}
TREES = {"whole": 10, "tenth": 20, "paged": 3, "lightgbm": 3}
PAGED_ROWS = 2_000_000
LEAVES, THREADS, ROUNDS = 64, 2, 3
GIB = 2**30


def run(command, limit=None):
    """Seconds and peak memory of a command; in a control group with `limit` bytes if there is one."""
    if limit:
        GROUP.mkdir(exist_ok=True)
        (GROUP / "memory.force_empty").write_text("0")
        (GROUP / "memory.limit_in_bytes").write_text(str(limit))
        (GROUP / "memory.max_usage_in_bytes").write_text("0")

    def join():
        if limit:
            (GROUP / "cgroup.procs").write_text(str(os.getpid()))

    begin = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               preexec_fn=join)  # fmt: skip
    errors = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        raise RuntimeError(f"status {status}: {errors.decode()[-2000:]}")
    result = {"seconds": time.perf_counter() - begin, "peak": used.ru_maxrss * 1024}
    if limit:
        result["peak of group"] = int((GROUP / "memory.max_usage_in_bytes").read_text())
    return result


def bins_of(part):
    path = WORK / f"memory_{part}.bins"
    if path.exists():
        return path, None
    WORK.mkdir(parents=True, exist_ok=True)
    if part == "paged":
        return path, run([PROGRAM, "data", "synth", "--shape", "mslr", "--rows", PAGED_ROWS, "--out", path])
    # Fixed sizes: LightGBM refuses queries of more than 10,000 documents.
    made = run([PROGRAM, "data", "synth", "--shape", "istella-x", "--queries", QUERIES[part], "--sizes", "fixed",
                "--grading", "within-query", "--out", path])  # fmt: skip
    return path, made


def train(path, part, options=(), limit=None):
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "record.json"
        done = run([PROGRAM, "train", "--train", path, "--num-trees", TREES[part], "--num-leaves", LEAVES, "--threads",
                    THREADS, "--quiet", "--out", pathlib.Path(folder) / "model.txt", "--record", record, *options],
                   limit)  # fmt: skip
        rounds = json.loads(record.read_text())["rounds"]
        done["model"] = (pathlib.Path(folder) / "model.txt").read_bytes()
    return done | {"ms": statistics.median(each["ms"] for each in rounds[1:])}


def gib(size):
    return f"{size / GIB:.2g} GiB"


def whole():
    path, made = bins_of("whole")
    done = train(path, "whole")
    lines = ["## The whole", "", "| | seconds | peak memory |", "|---|---|---|"]
    if made:
        lines.append(f"| `data synth --out x.bins` ({gib(path.stat().st_size)}) | {made['seconds']:.0f} | {gib(made['peak'])} |")
    lines.append(f"| `train`, {TREES['whole']} trees of {LEAVES} leaves, {THREADS} threads | {done['seconds']:.0f} | {gib(done['peak'])} |")
    return lines + ["", f"{done['ms'] / 1000:.2f} s a tree."]


def tenth():
    return limited("tenth", 2048, ROUNDS)


def paged():
    """The file's pages and those of the scratch file go out and in again, tree by tree."""
    return [*limited("paged", 400, 1), "", *limited("paged", 240, 1)]


def limited(part, mib, rounds):
    """In memory against --memory in a control group, interleaved."""
    path, _ = bins_of(part)
    narrow = f"--memory {mib}M, in {mib} MiB"
    runs = {"in memory": [], narrow: []}
    for _ in range(rounds):
        runs["in memory"].append(train(path, part))
        with tempfile.TemporaryDirectory(dir=WORK) as scratch:
            runs[narrow].append(train(path, part, ["--memory", f"{mib}M", "--scratch", scratch], mib * 2**20))
    ratios = [b["seconds"] / a["seconds"] for a, b in zip(*runs.values())]
    of_trees = [b["ms"] / a["ms"] for a, b in zip(*runs.values())]
    lines = [f"## {part}, bins of {gib(path.stat().st_size)}", "", f"{TREES[part]} trees of {LEAVES} leaves, {THREADS} threads, {rounds} interleaved rounds; medians.", "",
             "| | seconds in all | ms a tree | peak memory | of the control group |", "|---|---|---|---|---|"]  # fmt: skip
    for name, found in runs.items():
        middle = lambda key: statistics.median(each[key] for each in found)  # noqa: E731
        group = gib(middle("peak of group")) if "peak of group" in found[0] else ""
        lines.append(f"| {name} | {middle('seconds'):.1f} | {middle('ms'):.0f} | {gib(middle('peak'))} | {group} |")
    same = len({each["model"] for found in runs.values() for each in found}) == 1
    return lines + ["", f"Slower by {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) in all, by "
                    f"{statistics.median(of_trees):.2f} ({min(of_trees):.2f} to {max(of_trees):.2f}) a tree. "
                    f"The models are {'the same bytes' if same else 'DIFFERENT'}."]  # fmt: skip


PEER = '''
import sys, time, numpy, lightgbm
codes_path, grades_path, offset, stride, rows, features, query_rows, trees, leaves, threads = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
codes = numpy.memmap(codes_path, numpy.uint8, "r", offset, (features * stride,)).reshape(features, stride)[:, :rows]
class Rows(lightgbm.Sequence):
    batch_size = 65536
    def __getitem__(self, index):
        if isinstance(index, int):
            return codes[:, index].astype(numpy.float64)
        return numpy.ascontiguousarray(codes[:, index].T, dtype=numpy.float64)
    def __len__(self):
        return rows
begin = time.perf_counter()
data = lightgbm.Dataset(Rows(), numpy.load(grades_path), group=numpy.full(rows // query_rows, query_rows),
                        params={"max_bin": 255, "num_threads": threads, "verbose": -1, "bin_construct_sample_cnt": 20000})
data.construct()
made = time.perf_counter()
times = []
lightgbm.train({"objective": "lambdarank", "num_leaves": leaves, "num_threads": threads, "verbose": -1}, data, trees,
               callbacks=[lambda env: times.append(time.perf_counter())])
steps = [b - a for a, b in zip(times, times[1:])]
print("construct", made - begin, "tree", sorted(steps)[len(steps) // 2], file=sys.stderr)
sys.exit(0)
'''


def sections_of(path):
    """Offset and size of every section of a cache file (glassrank/data/io/cache/cache_file.h)."""
    with path.open("rb") as file:
        page = file.read(4096)
    _, _, _, _, count, _, rows, features, queries, _ = struct.unpack_from("<8sIIIIQQQQQ", page)
    entries = [struct.unpack_from("<IIQQQ", page, 64 + 32 * i) for i in range(count)]
    return rows, features, queries, {entry[0]: entry[2:4] for entry in entries}


def lightgbm():
    import numpy

    path, _ = bins_of("whole")
    rows, features, queries, sections = sections_of(path)
    stride = (rows + 63) // 64 * 64  # CodeLayout: columns of bytes, each from a multiple of 64 on
    codes, grades = sections[14], sections[2]
    if codes[1] != features * stride:
        raise RuntimeError("some feature has two-byte codes")
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        of_rows = pathlib.Path(folder) / "grades.npy"
        numpy.save(of_rows, numpy.fromfile(path, numpy.float32, rows, offset=grades[0]))
        python = ROOT / "build" / "venv" / "bin" / "python"
        python = python if python.exists() else sys.executable
        command = [python, "-c", PEER, path, of_rows, codes[0], stride, rows, features, rows // queries,
                   TREES["lightgbm"], LEAVES, THREADS]  # fmt: skip
        begin = time.perf_counter()
        process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        errors = process.stderr.read().decode()
        _, status, used = os.wait4(process.pid, 0)
    lines = ["## LightGBM on the same bins", ""]
    if status != 0:
        return lines + [f"It ended with status {status} after {time.perf_counter() - begin:.0f} s, {gib(used.ru_maxrss * 1024)} resident: "
                        f"{errors.strip().splitlines()[-1] if errors.strip() else 'killed'}"]  # fmt: skip
    words = errors.split()
    made, tree = float(words[words.index("construct") + 1]), float(words[words.index("tree") + 1])
    return lines + [f"`lightgbm.Sequence`, {TREES['lightgbm']} trees of {LEAVES} leaves, {THREADS} threads: {made:.0f} s to make its data set, "
                    f"{tree:.1f} s a tree, peak memory {gib(used.ru_maxrss * 1024)}, mapped pages included."]  # fmt: skip


def main(parts=("whole", "lightgbm", "tenth", "paged")) -> str:
    lines = [f"Istella-X's shape: {QUERIES['whole']} queries of 2679 documents x 220 features, 0.2 % positives; a tenth: {QUERIES['tenth']} queries."]
    for part in parts:
        lines += ["", *{"whole": whole, "lightgbm": lightgbm, "tenth": tenth, "paged": paged}[part]()]
        print("\n".join(lines), file=sys.stderr, flush=True)
    return "\n".join(lines)


if __name__ == "__main__":
    print(main(sys.argv[1:] or ("whole", "lightgbm", "tenth", "paged")))
