#!/usr/bin/env python3
"""NDCG@10 over 1 M documents in 10,000 queries: ours against ranx, pytrec_eval, ir_measures and
scikit-learn, interleaved, each on data already in memory in its own form.

Ours is the C++ program build-bench/metrics_bench (preset `bench`), which times the library call on
arrays; peers are timed around their Python call on the same numbers: arrays (scikit-learn), dicts
(pytrec_eval, ir_measures), Qrels and Run objects that are already sorted (ranx, compiled before).
All means must agree to 1e-9 before anything is timed.

    python3 bench/peers/metrics_bench.py [--program build-bench/metrics_bench] [--rounds 5]
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import ir_measures
import numpy
import pytrec_eval
import ranx
from sklearn.metrics import ndcg_score

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load(program):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "--dump", folder], check=True)
        grades = numpy.fromfile(f"{folder}/grades.f32", dtype=numpy.float32).reshape(10_000, 100)
        scores = numpy.fromfile(f"{folder}/scores.f64", dtype=numpy.float64).reshape(10_000, 100)
        mean = json.loads(pathlib.Path(folder, "means.json").read_text())["ndcg@10 linear"]
    return grades, scores, mean


def time_ours(program):
    done = subprocess.run(
        [program, "--benchmark_filter=ndcg_10/2", "--benchmark_format=json",
         "--benchmark_min_time=0.3"], check=True, capture_output=True, text=True)
    row, = json.loads(done.stdout)["benchmarks"]
    assert row["time_unit"] == "ms"
    return row["real_time"] / 1e3


def peers(grades, scores):
    """name -> function that gives the mean."""
    documents = [f"d{slot}" for slot in range(grades.shape[1])]
    qrels = {str(q): dict(zip(documents, map(int, row))) for q, row in enumerate(grades)}
    run = {str(q): dict(zip(documents, map(float, row))) for q, row in enumerate(scores)}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"})
    measure = ir_measures.nDCG @ 10
    irm = ir_measures.evaluator([measure], qrels)
    their_qrels, their_run = ranx.Qrels(qrels), ranx.Run(run)
    ranx.evaluate(their_qrels, their_run, "ndcg@10")  # compiles, and sorts both once

    def by_pytrec_eval():
        rows = evaluator.evaluate(run)
        return sum(row["ndcg_cut_10"] for row in rows.values()) / len(rows)

    return {
        "ranx": lambda: ranx.evaluate(their_qrels, their_run, "ndcg@10"),
        "pytrec_eval": by_pytrec_eval,
        "ir_measures": lambda: irm.calc_aggregate(run)[measure],
        "scikit-learn": lambda: ndcg_score(grades, scores, k=10),
        "scikit-learn, ignore_ties": lambda: ndcg_score(grades, scores, k=10, ignore_ties=True),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(ROOT / "build-bench" / "metrics_bench"))
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    grades, scores, mean = load(options.program)
    functions = peers(grades, scores)
    for name, function in functions.items():
        assert abs(function() - mean) < 1e-9, f"{name} gives another mean"
    times = {name: [] for name in ["glassrank", *functions]}
    for _ in range(options.rounds):
        times["glassrank"].append(time_ours(options.program))
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            times[name].append(time.perf_counter() - start)
    print(f"NDCG@10, 1,000,000 documents, 10,000 queries, {os.cpu_count()} cores, "
          f"{options.rounds} interleaved rounds")
    print(f"{'':<26} {'median ms':>10} {'min':>9} {'max':>9} {'ratio':>8}")
    ours = statistics.median(times["glassrank"])
    for name, values in times.items():
        median = statistics.median(values)
        print(f"{name:<26} {median * 1e3:>10.2f} {min(values) * 1e3:>9.2f} "
              f"{max(values) * 1e3:>9.2f} {median / ours:>8.1f}")


if __name__ == "__main__":
    main()
