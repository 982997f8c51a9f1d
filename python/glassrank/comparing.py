"""Rankers compared query by query."""
from __future__ import annotations

from typing import Any

import numpy as np

from glassrank import _core
from glassrank._call import calling
from glassrank.errors import UsageError
from glassrank.ranker import Ranker, evaluate, judged
from glassrank.results import Comparison


def compare(
    systems: dict[str, Any],
    data: Any,
    metrics: Any = "ndcg@10",
    *,
    convention: str | dict[str, Any] = "glassrank",
    seed: int = 0,
    threads: int = 0,
    **options: Any,
) -> Comparison:
    """Which differences between systems are real: means, intervals, significance, win/tie/loss.

    ``systems`` are models, black boxes or arrays of scores, by name. ``options``: ``test`` (fisher,
    student, wilcoxon, tukey), ``correction``, ``alpha``, ``permutations``, ``resamples``, ``interval``,
    ``baseline``.
    """
    if not isinstance(systems, dict):
        raise UsageError('systems go by name: compare({"a": a, "b": b}, data)')
    rows = judged(data, "compare")
    evaluations = []
    for name, system in systems.items():
        scores = system.predict(rows, threads=threads) if isinstance(system, Ranker) else np.asarray(system)
        evaluations.append(evaluate(rows, scores, metrics, convention=convention, threads=threads))
    names = [entry.metric for entry in evaluations[0].metrics] if evaluations else []
    values = [[each.values[name].tolist() for each in evaluations] for name in names]
    with calling(threads, seed) as call:
        return Comparison(*_core.compare(call, list(systems), names, values, options))
