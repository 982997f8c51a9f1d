"""Functions that score, as rankers."""
from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np

from glassrank import _core
from glassrank.dataset import Dataset
from glassrank.errors import UsageError
from glassrank.ranker import Ranker, judged, rows_of
from glassrank.results import Explanations


class BlackBox(Ranker):
    """A function that scores: anybody's model, to be explained, audited and evaluated.

    Parameters
    ----------
    function : (array of rows x features, float32) -> array of scores
        Called with rows of data and with rows that explainers make up. Calls take turns.
    num_features : int, optional
        How many features it looks at; else as many as the data has.
    feature_names : sequence of str, optional
        Their names: columns of the data are then matched by name.
    sees_query : bool
        The function is called as function(rows, query) with the id of the query that all the rows
        belong to. Such a black box can be scored, evaluated and explained; questions over many queries
        at once (audit, importance, summary) are for functions of rows alone.
    """

    _method = "kernel-shap"  # needs no more than scores

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        num_features: int | None = None,
        feature_names: Sequence[str] | None = None,
        sees_query: bool = False,
        name: str = "black box",
    ) -> None:
        if not callable(function):
            raise UsageError(f"a {type(function).__name__} cannot be called; a black box is a function of rows")
        self._function = function
        self._names = [] if feature_names is None else [str(each) for each in feature_names]
        if num_features is not None and self._names and len(self._names) != num_features:
            raise UsageError(f"{len(self._names)} feature names for {num_features} features")
        self._num_features = num_features if num_features is not None else len(self._names) or None
        self._sees_query = sees_query
        self._name = name
        self._rankers: dict[int, _core.Ranker] = {}

    def _make(self, width: int, *query: str) -> _core.Ranker:
        def score(rows: np.ndarray) -> np.ndarray:
            scores = np.asarray(self._function(rows, *query), dtype=np.float64)
            return np.ascontiguousarray(scores.reshape(-1) if scores.ndim == 2 and 1 in scores.shape else scores)

        return _core.black_box(score, width, self._names, self._name)

    def _for(self, data: Dataset | None) -> _core.Ranker:
        width = self._num_features or (data.num_features if data is not None else 0)
        if self._sees_query:
            if data is None or len(data) != 1:
                raise UsageError("this black box sees the query; ask about the documents of one query at a time")
            return self._make(width, data.queries[0])
        if width not in self._rankers:
            self._rankers[width] = self._make(width)
        return self._rankers[width]

    def predict(self, data: Any, *, threads: int = 0) -> np.ndarray:
        rows = rows_of(data)
        if not self._sees_query or len(rows) == 1:
            return super().predict(rows, threads=threads)
        scores = [Ranker.predict(self, query, threads=threads) for query in rows]
        return np.asarray(rows._data.to_file_order(np.concatenate(scores))) if scores else np.zeros(0)

    def explain(  # the kinds of answer are those of Ranker.explain
        self, data: Any, method: str | None = None, **options: Any
    ) -> Any:
        rows = judged(data, "explain")
        if not self._sees_query or len(rows) == 1 or options.get("query") is not None:
            return super().explain(rows, method, **options)
        return Explanations([Ranker.explain(self, query, method, **options) for query in rows])

    predict.__doc__ = Ranker.predict.__doc__
    explain.__doc__ = Ranker.explain.__doc__

    def __repr__(self) -> str:
        return f"<glassrank.BlackBox {self._name}>"
