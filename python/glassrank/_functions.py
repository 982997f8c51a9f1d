"""Functions of the user that the engine calls: objectives, metrics, callbacks.

Here they are looked at and given a name; what they return is checked on the way back. The engine
calls them from any of its threads, one at a time.
"""
from __future__ import annotations

import inspect
from typing import Any, Callable, NamedTuple, Sequence

import numpy as np

from glassrank import _core
from glassrank.errors import InputError, UsageError


class Query(NamedTuple):
    """The query that an objective is asked about."""

    #: its place in the data that is trained on, from 0
    number: int
    #: as the data names it
    id: str
    #: rounds before this one
    round: int


def name_of(function: Callable[..., Any]) -> str:
    """What a function is called in results and records."""
    name = getattr(function, "__name__", type(function).__name__)
    return name.strip("<>")


def _values(what: str, given: Any, count: int, query: Query) -> np.ndarray:
    values = np.ascontiguousarray(given, dtype=np.float32)
    if values.shape != (count,):
        raise InputError(
            f"the objective gave {what} of shape {values.shape} for the {count} documents of query {query.id}; "
            "there must be one per document"
        )
    return values


class Objective:
    """``function(scores, grades, query)`` as the engine calls it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(
        self, scores: np.ndarray, grades: np.ndarray, number: int, id: str, round: int
    ) -> tuple[np.ndarray, np.ndarray]:
        query = Query(number, id, round)
        given = self._function(scores, grades, query)
        if not isinstance(given, tuple) or len(given) != 2:
            raise InputError(f"the objective gave a {type(given).__name__}; it must return (gradients, hessians)")
        gradients = _values("gradients", given[0], len(scores), query)
        hessians = _values("hessians", given[1], len(scores), query)
        if not (np.isfinite(gradients).all() and np.isfinite(hessians).all()):
            raise InputError(f"the objective gave a value that is not finite for query {id} in round {round + 1}")
        if len(hessians) and hessians.min() < 0:
            raise InputError(f"the objective gave a negative hessian for query {id} in round {round + 1}")
        return gradients, hessians


class Judged(NamedTuple):
    """The query that a metric measures."""

    #: its place in the data, from 0
    number: int
    #: as the data names it
    id: str
    #: grades of judged documents that the ranking does not have
    missed: np.ndarray


def _sees_query(function: Callable[..., Any]) -> bool:
    """Whether it has a second argument that must be given."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # functions of C may not tell
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [each for each in parameters if each.kind in positional and each.default is inspect.Parameter.empty]
    return len(needed) == 2


class Metric:
    """``function(grades)`` or ``function(grades, query)`` as the engine calls it.

    The grades are in the order of the ranking, best first.
    """

    def __init__(self, function: Callable[..., float]) -> None:
        self._function = function
        self._sees_query = _sees_query(function)

    def __call__(self, grades: np.ndarray, missed: np.ndarray, number: int, id: str) -> float:
        value = self._function(grades, Judged(number, id, missed)) if self._sees_query else self._function(grades)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise InputError(f"metric {name_of(self._function)} gave {value!r}; it must return a number") from None


def metrics_and_functions(metrics: Any) -> tuple[list[str], dict[str, Metric]]:
    """Names of metrics, and the functions among them by name."""
    given = [metrics] if isinstance(metrics, str) or callable(metrics) else list(metrics)
    names: list[str] = []
    functions: dict[str, Metric] = {}
    built_in = {each["name"] for each in _core.metrics()}
    for metric in given:
        if not callable(metric):
            names.append(metric)
            continue
        name = name_of(metric)
        if name in built_in or name in names:
            raise UsageError(f"two metrics are called {name!r}; give the function another name")
        functions[name] = Metric(metric)
        names.append(name)
    return names, functions


class Round:
    """A round of a training that is over: what a callback is given."""

    __slots__ = ("number", "metrics", "training")

    def __init__(self, training: str, number: int, metrics: dict[str, float]) -> None:
        #: from 1
        self.number = number
        #: by name: "train ndcg@10", "valid ndcg@10"
        self.metrics = metrics
        #: which training it is, if there are several: "bag 2 of 8"
        self.training = training

    def __repr__(self) -> str:
        values = "  ".join(f"{name} {value:.6f}" for name, value in self.metrics.items())
        return f"<round {self.number}{' of ' + self.training if self.training else ''}: {values}>"


Callback = Callable[[Round], Any]


def after_round(callbacks: Callback | Sequence[Callback] | None) -> Callable[..., bool] | None:
    """All of them as one function that tells whether to go on."""
    if callbacks is None:
        return None
    each = [callbacks] if callable(callbacks) else list(callbacks)
    for callback in each:
        if not callable(callback):
            raise UsageError(f"a {type(callback).__name__} cannot be called; a callback is a function of a round")

    def call(training: str, number: int, metrics: dict[str, float]) -> bool:
        this = Round(training, number, metrics)
        # All are called, whatever the first ones say.
        return not any([callback(this) is True for callback in each])

    return call if each else None
