"""Callbacks of trainings: called after every round, they may stop it.

    model = gr.Lambdamart().train(train, valid, callbacks=[gr.callbacks.Seconds(60), print])

Any function of a ``Round`` will do. It stops the training by returning True; what it raises comes
out of ``train``.
"""
from __future__ import annotations

import time
from typing import Any

from glassrank._functions import Callback, Round
from glassrank.errors import UsageError

__all__ = ["Callback", "OptunaPruning", "Round", "Seconds"]


class Seconds:
    """Stops when so many seconds have passed since the first round."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._start: float | None = None

    def __call__(self, round: Round) -> bool:
        now = time.monotonic()
        if self._start is None or round.number == 1:
            self._start = now
        return now - self._start >= self.seconds


class OptunaPruning:
    """Reports a metric to a trial of Optuna and gives up trials that Optuna prunes.

    Parameters
    ----------
    trial : optuna.Trial
    metric : str, default: the first one of the validation data
        As ``Round.metrics`` names it: "valid ndcg@10".

    A pruned trial raises ``optuna.TrialPruned`` out of ``train``, as ``study.optimize`` wants it.
    """

    def __init__(self, trial: Any, metric: str | None = None) -> None:
        if not (hasattr(trial, "report") and hasattr(trial, "should_prune")):
            raise UsageError(f"a {type(trial).__name__} is no trial of Optuna")
        self._trial = trial
        self._metric = metric

    def __call__(self, round: Round) -> None:
        if round.training:
            raise UsageError(f"pruning follows one training, and {round.training} is one of several")
        self._trial.report(self._value(round), round.number)
        if self._trial.should_prune():
            import optuna

            raise optuna.TrialPruned(f"pruned after round {round.number}")

    def _value(self, round: Round) -> float:
        name = self._metric or next((each for each in round.metrics if each.startswith("valid ")), None)
        if name is None:
            raise UsageError("pruning needs validation data, or the name of a metric that is watched")
        if name not in round.metrics:
            raise UsageError(f"{name!r} is not watched; there are {', '.join(map(repr, round.metrics))}")
        return round.metrics[name]
