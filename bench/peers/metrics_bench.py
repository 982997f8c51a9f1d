"""NDCG@10 over 1 M documents in 10,000 queries: ours against ranx, pytrec_eval, ir_measures and
scikit-learn, interleaved, each on data already in memory in its own form.

Ours is the C++ program build-bench/metrics_bench (preset `bench`), which times the library call on
arrays; peers are timed around their Python call on the same numbers: arrays (scikit-learn), dicts
(pytrec_eval, ir_measures), Qrels and Run objects that are already sorted (ranx, compiled before).
All means must agree to 1e-9 before anything is timed.
"""
import json
import pathlib
import subprocess
import tempfile
import time

import ir_measures
import numpy
import pytrec_eval
import ranx
from sklearn.metrics import ndcg_score

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "build-bench" / "metrics_bench"
QUERIES, DOCUMENTS = 10_000, 100  # as in bench/micro/metrics_bench.cpp


def load() -> tuple[numpy.ndarray, numpy.ndarray, float]:
    """Grades and scores, a row per query, and our mean with linear gains, which is what peers compute."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, "--dump", folder], check=True)
        grades = numpy.fromfile(f"{folder}/grades.f32", dtype=numpy.float32).reshape(QUERIES, DOCUMENTS)
        scores = numpy.fromfile(f"{folder}/scores.f64", dtype=numpy.float64).reshape(QUERIES, DOCUMENTS)
        mean = json.loads(pathlib.Path(folder, "means.json").read_text())["ndcg@10 linear"]
    return grades, scores, mean


def ours() -> float:
    row = measure.google_benchmark(PROGRAM, "ndcg_10/2/", min_seconds=0.3)
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


def timed(function):
    def run() -> float:
        start = time.perf_counter()
        function()
        return time.perf_counter() - start

    return run


def main(rounds: int = 5) -> str:
    grades, scores, mean = load()
    functions = peers(grades, scores)
    for name, function in functions.items():
        theirs = function()
        if abs(theirs - mean) >= 1e-9:
            raise ValueError(f"{name} gives the mean {theirs}, we give {mean}")
    contenders = {"glassrank": ours} | {name: timed(function) for name, function in functions.items()}
    seconds = measure.interleave(contenders, rounds)
    return (
        f"NDCG@10 of {QUERIES * DOCUMENTS:,} documents in {QUERIES:,} queries, ours with 2 threads, "
        f"{rounds} interleaved rounds, data in memory. {measure.machine()}.\n\n"
        + measure.table(seconds, "glassrank")
    )


if __name__ == "__main__":
    print(main())
