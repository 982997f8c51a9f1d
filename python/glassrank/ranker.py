"""Whatever ranks, and everything that can be asked of it."""
from __future__ import annotations

import os
from typing import Any, Sequence, overload

import numpy as np

from glassrank import _core
from glassrank._adapters import column_of
from glassrank._call import Progress, calling
from glassrank._functions import metrics_and_functions
from glassrank.dataset import Dataset, OneQuery, _text, read
from glassrank.errors import UsageError
from glassrank.results import (
    Attributions,
    Audit,
    Counterfactual,
    Dependence,
    Evaluation,
    Explanation,
    Explanations,
    Importance,
    Summary,
)


def rows_of(data: Any) -> Dataset:
    """Data of any kind: a Dataset, a file, or rows without grades and queries."""
    if isinstance(data, Dataset):
        return data
    if isinstance(data, (str, os.PathLike)):
        return read(data, needs_grades=False)
    return Dataset(data)


def judged(data: Any, what: str) -> Dataset:
    """Data with queries."""
    if isinstance(data, Dataset):
        return data
    if isinstance(data, (str, os.PathLike)):
        return read(data)
    raise UsageError(f"{what} needs queries and grades: a glassrank.Dataset or the name of a file, not a {type(data).__name__}")


def convention_of(convention: str | dict[str, Any]) -> dict[str, Any]:
    """A preset by name, or its axes: {"convention": "lightgbm", "empty": 0}."""
    return {"convention": convention} if isinstance(convention, str) else dict(convention)


class Ranker:
    """What models and black boxes have in common."""

    _method = "tree-shap"  # explains where nothing else is asked for

    def _for(self, data: Dataset | None) -> _core.Ranker:
        raise NotImplementedError

    def predict(self, data: Any, *, threads: int = 0) -> np.ndarray:
        """One score per row, in the order of the rows.

        ``data`` is a Dataset, a file, or rows as ``Dataset`` takes them. Columns are matched by name
        where both sides have names.
        """
        rows = rows_of(data)
        with calling(threads) as call:
            return np.asarray(self._for(rows).predict(call, rows._data))

    def evaluate(
        self,
        data: Any,
        metrics: Any = "ndcg@10",
        *,
        convention: str | dict[str, Any] = "glassrank",
        threads: int = 0,
    ) -> Evaluation:
        """Metrics on judged data: "ndcg@10", a function of the grades in the order of the ranking, or a list."""
        rows = judged(data, "evaluate")
        return evaluate(rows, self.predict(rows, threads=threads), metrics, convention=convention, threads=threads)

    @overload
    def explain(self, data: OneQuery, method: str | None = ..., **options: Any) -> Explanation: ...
    @overload
    def explain(self, data: Any, method: str | None = ..., *, query: Any, **options: Any) -> Explanation: ...
    @overload
    def explain(self, data: Any, method: str | None = ..., *, document: Any, **options: Any) -> Explanation: ...
    @overload
    def explain(self, data: Any, method: str | None = ..., *, pair: Sequence[Any], **options: Any) -> Explanation: ...
    @overload
    def explain(self, data: Any, method: str | None = ..., **options: Any) -> Explanation | Explanations: ...
    def explain(
        self,
        data: Any,
        method: str | None = None,
        *,
        query: Any = None,
        document: Any = None,
        pair: Sequence[Any] | None = None,
        k: int | None = None,
        background: Any = None,
        seed: int = 0,
        threads: int = 0,
        progress: Progress | bool | None = None,
        **options: Any,
    ) -> Explanation | Explanations:
        """Why a document has its score, why one is above another, why this order.

        Parameters
        ----------
        data : Dataset or file
            With one query, or ``query`` names one of its queries; else every query is explained.
        method : str, optional
            An explainer (``glassrank.explainers()``); else tree-shap, or kernel-shap for a black box.
        document : int or str, optional
            The document whose score is explained: its place in the query from 0, its name, or
            "rank:1" for the best.
        pair : two of them, optional
            Why the first is above (or below) the second. Without document and pair the ranking is
            explained.
        k : int, optional
            Features to name.
        background : Dataset or file, optional
            What is usual, best the training data; else the data itself.
        options
            Of the explainer (``samples``, ``game``, ...) and of the answer (``audit``, ``seeds``,
            ``abstain_below``, ``top_documents``), as ``glassrank explain --help`` lists them.
        """
        rows = judged(data, "explain")
        if query is not None:
            rows = rows.query(query)
        names: list[str] = []
        if document is not None or pair is not None:
            if len(rows) != 1:
                raise UsageError(f"a document or pair is of one query, and the data has {len(rows)}: say which query")
            names = rows.documents
        wanted = {
            "document": None if document is None else _document(document, names),
            "pair": None if pair is None else [_document(each, names) for each in pair],
            "queries": "all" if len(rows) != 1 else None,
            "k": k,
        }
        ranker = self._for(rows)
        with calling(threads, seed, progress) as call:
            found = _core.explain(ranker, call, rows._data, _rows(background), method or self._method, {**wanted, **options})
        made = [Explanation(values, text, ranker.feature_names) for values, text in found]
        return made[0] if len(rows) == 1 else Explanations(made)

    def attributions(
        self,
        data: Any,
        method: str | None = None,
        *,
        background: Any = None,
        seed: int = 0,
        threads: int = 0,
        **options: Any,
    ) -> Attributions:
        """What every feature adds to the score of every document: SHAP values, or another explainer's."""
        rows = rows_of(data)
        ranker = self._for(rows)
        with calling(threads, seed) as call:
            values, base_values, scores = _core.attributions(
                ranker, call, rows._data, _rows(background), method or self._method, options
            )
        X = np.asarray(ranker.features(rows._data))
        # The codes of a model are its own, those of a black box the data's.
        categories = ranker.categories() if ranker.is_model else rows.categories
        return Attributions(values, base_values, scores, rows, X, ranker.feature_names, method or self._method, categories)

    def audit(
        self,
        data: Any,
        methods: Sequence[str] | None = None,
        *,
        background: Any = None,
        seed: int = 0,
        threads: int = 0,
        progress: Progress | bool | None = None,
        **options: Any,
    ) -> Audit:
        """How far explanations can be trusted: explainers compared, with errors and tests.

        ``methods`` are explainers, or "label=explainer"; else ``explain``'s own, greedy-cover-eps and
        random. ``options`` are those of ``glassrank audit``
        (``k``, ``queries``, ``documents``, ``seeds``, ``truth``, ...); parameters of one explainer go in
        a dict under its label: ``**{"lirme.samples": 500}``.
        """
        rows = judged(data, "audit")
        if methods is None:
            methods = (self._method, "greedy-cover-eps", "random")
        texts = [methods] if isinstance(methods, str) else list(methods)
        with calling(threads, seed, progress) as call:
            return Audit(*_core.audit(self._for(rows), call, rows._data, _rows(background), texts, options))

    def counterfactual(
        self,
        data: Any,
        document: Any,
        *,
        query: Any = None,
        above: Any = None,
        top: int = 0,
        background: Any = None,
        seed: int = 0,
        threads: int = 0,
        **options: Any,
    ) -> Counterfactual:
        """The smallest change of features that lifts a document above another one, or into the first ``top``.

        Documents are told as in ``explain``. ``options``: ``max_features``, ``cost``, ``limits``, ``only``,
        ``fix``, ... as ``glassrank counterfactual --help`` lists them.
        """
        rows = judged(data, "counterfactual")
        if query is not None:
            rows = rows.query(query)
        if len(rows) != 1:
            raise UsageError(f"a document is of one query, and the data has {len(rows)}: say which query")
        if (above is None) == (top == 0):
            raise UsageError("give above, a document to pass, or top, places to get into")
        names = rows.documents
        wanted = _place(document, names)
        passed = None if above is None else _place(above, names)
        with calling(threads, seed) as call:
            return Counterfactual(
                _core.counterfactual(
                    self._for(rows), call, rows._data, _rows(background), 0, wanted, passed, top, options
                )
            )

    def importance(
        self,
        data: Any = None,
        *,
        convention: str | dict[str, Any] = "glassrank",
        seed: int = 0,
        threads: int = 0,
        progress: Progress | bool | None = None,
        **options: Any,
    ) -> Importance:
        """What the ranker uses: gains and splits of a forest; with judged data, permutation importance.

        ``options``: ``metric``, ``permute``, ``repeats``, ``resamples``, ``level``.
        """
        rows = None if data is None else judged(data, "importance")
        with calling(threads, seed, progress) as call:
            return Importance(
                _core.importance(
                    self._for(rows), call, None if rows is None else rows._data, options, convention_of(convention)
                )
            )

    def summary(
        self,
        data: Any,
        method: str | None = None,
        *,
        groups: dict[str, Sequence[Any]] | None = None,
        background: Any = None,
        seed: int = 0,
        threads: int = 0,
        progress: Progress | bool | None = None,
        **options: Any,
    ) -> Summary:
        """What matters in many rankings: attributions summed up over all documents, and group by group.

        ``groups`` are ids of queries by name of the group. ``options``: ``by_query``, ``by_feature`` with
        ``bins``, ``each``, ``quantiles``, and those of the explainer, as ``glassrank summary --help`` lists
        them.
        """
        rows = judged(data, "summary")
        named = {str(name): [_text(each) for each in ids] for name, ids in (groups or {}).items()}
        with calling(threads, seed, progress) as call:
            return Summary(*_core.summary(self._for(rows), call, rows._data, _rows(background), method or self._method, named, options))

    def dependence(
        self, data: Any, features: str | Sequence[str], *, seed: int = 0, threads: int = 0, **options: Any
    ) -> Dependence:
        """How the score depends on a feature, or on two.

        ``options``: ``kind`` (pdp, ice, ale), ``centre``, ``points``, ``documents``.
        """
        rows = rows_of(data)
        names = [features] if isinstance(features, str) else list(features)
        with calling(threads, seed) as call:
            return Dependence(*_core.dependence(self._for(rows), call, rows._data, names, options))


def _rows(data: Any) -> _core.Data | None:
    return None if data is None else rows_of(data)._data


def _place(document: Any, names: list[str]) -> int:
    """The place of a document in its query."""
    if isinstance(document, (int, np.integer)) and not isinstance(document, bool):
        if not -len(names) <= document < len(names):
            raise UsageError(f"the query has {len(names)} documents; there is no document {document}, counted from 0")
        return int(document) % len(names)
    wanted = _text(document)
    if names.count(wanted) > 1:
        raise UsageError(f"{names.count(wanted)} documents of the query are called {wanted!r}; give the place, from 0")
    if wanted not in names:
        import difflib

        near = difflib.get_close_matches(wanted, names, 1)
        raise UsageError(f"unknown document {wanted!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    return names.index(wanted)


def _document(document: Any, names: list[str]) -> str:
    """A document as the engine is told of it."""
    if isinstance(document, str) and document.startswith("rank:"):
        return document
    place = _place(document, names)
    if names.count(names[place]) > 1:
        raise UsageError(f"{names.count(names[place])} documents of the query are called {names[place]!r}")
    return names[place]


def evaluate(
    data: Any,
    scores: Any,
    metrics: Any = "ndcg@10",
    *,
    qid: Any = None,
    convention: str | dict[str, Any] = "glassrank",
    threads: int = 0,
) -> Evaluation:
    """Metrics of scores: ``evaluate(dataset, scores)``, or ``evaluate(grades, scores, qid=qid)`` with arrays."""
    values = np.asarray(column_of("the score", scores), dtype=np.float64)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if isinstance(data, (Dataset, str, os.PathLike)):
        rows = judged(data, "evaluate")
    else:
        grades = column_of("y", data)
        rows = Dataset(np.zeros((len(grades), 0), np.float32), grades, qid=qid)
    if values.shape != (rows.num_rows,):
        raise UsageError(f"scores have shape {values.shape} for {rows.num_rows} rows; there must be one per row")
    names, functions = metrics_and_functions(metrics)
    with calling(threads) as call:
        found, per_query = _core.evaluate_scores(
            call, rows._data, np.ascontiguousarray(values), names, convention_of(convention), functions
        )
    return Evaluation(found, rows.queries, per_query)
