"""Two programs of one thread that train together over MPI, against one program of two threads: the same work on two cores.

    python bench/peers/machines_bench.py [ROUNDS]

Data: `data synth --shape mslr` as bins, of two sizes. Interleaved rounds on a machine that does nothing else.
"whole run" is the whole command, MPI's start and end included; "a tree" is the median over the rounds of training.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "glassrank"
RUNS = [(60_000, 40), (600_000, 40), (600_000, 300)]  # rows, trees
LEAVES = 64
ALONE, TOGETHER = "1 program, 2 threads", "2 programs, 1 thread each"


def train(folder, rows, trees, together):
    start = ["mpirun", "-n", "2", "--bind-to", "none"] if together else []
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    record = folder / "record.json"
    begin = time.perf_counter()
    subprocess.run([*start, PROGRAM, "train", "--train", folder / f"{rows}.bins", "--num-trees", str(trees),
                    "--num-leaves", str(LEAVES), "--threads", "1" if together else "2", "--quiet", "--out",
                    folder / f"{together}.txt", "--record", record],
                   check=True, capture_output=True, env=environment)  # fmt: skip
    seconds = time.perf_counter() - begin
    times = [each["ms"] for each in json.loads(record.read_text())["rounds"]]
    return {"whole run": seconds, "a tree": statistics.median(times) / 1000}


def main(rounds=5) -> str:
    lines = [f"{rounds} interleaved rounds, medians; the ratio is that of a round, with its range.", "",
             "| rows of 136 features | trees | | " + " | ".join((ALONE, TOGETHER)) + " | ratio |", "|---|---|---|---|---|---|"]  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for rows, trees in RUNS:
            subprocess.run([PROGRAM, "data", "synth", "--shape", "mslr", "--rows", str(rows), "--out",
                            folder / f"{rows}.bins"], check=True, capture_output=True)  # fmt: skip
            found = [(train(folder, rows, trees, False), train(folder, rows, trees, True)) for _ in range(rounds)]
            if (folder / "False.txt").read_bytes() != (folder / "True.txt").read_bytes():
                raise RuntimeError("the models differ")
            for what, unit, factor in (("whole run", "s", 1), ("a tree", "ms", 1000)):
                ratios = [together[what] / alone[what] for alone, together in found]
                middles = [factor * statistics.median(pair[i][what] for pair in found) for i in (0, 1)]
                lines.append(f"| {rows:,} | {trees} | {what}, {unit} | {middles[0]:.2f} | {middles[1]:.2f} | {statistics.median(ratios):.2f} "
                             f"({min(ratios):.2f} to {max(ratios):.2f}) |")  # fmt: skip
    return "\n".join(lines)


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
