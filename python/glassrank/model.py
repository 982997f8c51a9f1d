"""Whatever ranks: models and black boxes, and everything that can be asked of them."""
from __future__ import annotations

import os
from typing import Any, Callable, Sequence

import numpy as np

from glassrank import _core
from glassrank._call import Progress, calling
from glassrank.dataset import Dataset, _text, read
from glassrank.effects import Effects
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
    Result,
    Training,
    Verification,
)


def rows_of(data: Any) -> Dataset:
    """Data of any kind: a Dataset, a file, or rows without grades and queries."""
    if isinstance(data, Dataset):
        return data
    if isinstance(data, (str, os.PathLike)):
        return read(data)
    return Dataset(data)


def judged(data: Any, what: str) -> Dataset:
    """Data with queries."""
    if isinstance(data, (Dataset, str, os.PathLike)):
        return rows_of(data)
    raise UsageError(f"{what} needs queries and grades: a glassrank.Dataset or the name of a file, not a {type(data).__name__}")


def metrics_of(metrics: str | Sequence[str]) -> list[str]:
    return [metrics] if isinstance(metrics, str) else list(metrics)


def convention_of(convention: str | dict[str, Any]) -> dict[str, Any]:
    """A preset by name, or its axes: {"convention": "lightgbm", "empty": 0}."""
    return {"convention": convention} if isinstance(convention, str) else dict(convention)


class Ranker:
    """What models and black boxes have in common."""

    def _for(self, data: Dataset) -> _core.Ranker:
        raise NotImplementedError

    def predict(self, data: Any, *, threads: int = 0) -> np.ndarray:
        """One score per row, in the order of the rows.

        ``data`` is a Dataset, a file, or rows as ``Dataset`` takes them. Columns are matched by name
        where both sides have names.
        """
        rows = rows_of(data)
        with calling(threads) as call:
            return self._for(rows).predict(call, rows._data)

    def evaluate(
        self,
        data: Any,
        metrics: Any = "ndcg@10",
        *,
        convention: str | dict[str, Any] = "glassrank",
        threads: int = 0,
    ) -> Evaluation:
        """Metrics on judged data: "ndcg@10", or a list of them."""
        rows = judged(data, "evaluate")
        return evaluate(rows, self.predict(rows, threads=threads), metrics, convention=convention, threads=threads)

    def explain(
        self,
        data: Any,
        method: str = "tree-shap",
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
        method : str
            An explainer (``glassrank.explainers()``).
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
        names = None
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
            found = _core.explain(ranker, call, rows._data, _rows(background), method, {**wanted, **options})
        made = [Explanation(values, text, ranker.feature_names) for values, text in found]
        return made[0] if len(rows) == 1 else Explanations(made)

    def attributions(
        self,
        data: Any,
        method: str = "tree-shap",
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
                ranker, call, rows._data, _rows(background), method, options
            )
        X = ranker.features(rows._data)
        return Attributions(values, base_values, scores, rows, X, ranker.feature_names, method)

    def audit(
        self,
        data: Any,
        methods: Sequence[str] = ("tree-shap", "greedy-cover-eps", "random"),
        *,
        background: Any = None,
        seed: int = 0,
        threads: int = 0,
        progress: Progress | bool | None = None,
        **options: Any,
    ) -> Audit:
        """How far explanations can be trusted: explainers compared, with errors and tests.

        ``methods`` are explainers, or "label=explainer"; ``options`` are those of ``glassrank audit``
        (``k``, ``queries``, ``documents``, ``seeds``, ``truth``, ...); parameters of one explainer go in
        a dict under its label: ``**{"lirme.samples": 500}``.
        """
        rows = judged(data, "audit")
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
        place = {"document": _place(document, names), "above": None if above is None else _place(above, names)}
        with calling(threads, seed) as call:
            return Counterfactual(
                _core.counterfactual(
                    self._for(rows), call, rows._data, _rows(background), 0, place["document"], place["above"], top, options
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
                    self._for(rows), call, rows and rows._data, options, convention_of(convention)
                )
            )

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


class Model(Ranker):
    """A trained or loaded model. Made by ``train`` of a method, ``load``, ``from_lightgbm``, ``from_xgboost``."""

    def __init__(self) -> None:
        raise UsageError("models are trained, or loaded with glassrank.load")

    @classmethod
    def _wrap(cls, ranker: _core.Ranker, training: Training | None = None) -> Model:
        model = cls.__new__(cls)
        model._ranker = ranker
        model._training = training
        return model

    def _for(self, data: Dataset | None) -> _core.Ranker:
        return self._ranker

    @property
    def training(self) -> Training | None:
        """How the training went: report, learning curve, record; None for a model from a file."""
        return self._training

    @property
    def kind(self) -> str:
        """ "forest", "additive model", "linear model" or "neural network"."""
        return self._ranker.kind

    @property
    def num_features(self) -> int:
        return self._ranker.num_features

    @property
    def feature_names(self) -> list[str]:
        return self._ranker.feature_names

    @property
    def used_features(self) -> list[str]:
        """The features that a score can depend on."""
        names = self.feature_names
        return [names[number] for number in self._ranker.used_features]

    @property
    def num_parts(self) -> int:
        """Trees, effects, weights or layers, by kind."""
        return self._ranker.num_parts

    @property
    def provenance(self) -> dict[str, str]:
        """How the model came to be: program, data, seed, parameters, edits."""
        return self._ranker.provenance

    @property
    def effects(self) -> Effects:
        """The curves and surfaces of an additive model, by name."""
        return Effects(self._ranker.effects())

    def edit(self, *edits: str, data: Any = None) -> Model:
        """A changed copy of an additive model: ``model.edit("monotone up price", "drop pages")``.

        Every edit is recorded in the provenance. ``data`` gives weights to cells where the model knows
        none. The edits: flatten, smooth, monotone up|down, clamp, drop, purify.
        """
        if not edits:
            raise UsageError('no edit is given; for example "monotone up price"')
        with calling() as call:
            return Model._wrap(self._ranker.edit(call, list(edits), _rows(data)), self._training)

    def verify(self) -> Verification:
        """What the model can depend on, proved from the model alone."""
        with calling() as call:
            return Verification(self._ranker.verify(call))

    def save(self, path: str | os.PathLike, format: str = "native") -> None:
        """Writes the model; the formats are those of ``glassrank.formats()``."""
        with calling() as call:
            self._ranker.save(call, os.fspath(path), format)

    def convert(self, format: str, *, check: Any = None, tolerance: float = 1e-5) -> bytes:
        """The model in another format. ``check`` is data that both must score alike, within the tolerance."""
        with calling() as call:
            made = self._ranker.to_bytes(call, format)
            if check is not None:
                rows = rows_of(check)
                again = _core.load_bytes(call, made, format, {})
                parity = Result(self._ranker.check_parity(call, again, rows._data, tolerance))
                if parity.num_beyond:
                    raise UsageError(
                        f"as {format} the model does not score alike: {parity.num_beyond} of {parity.num_rows} scores "
                        f"are beyond the tolerance, the largest difference is {parity.largest}"
                    )
        return made

    def to_bytes(self) -> bytes:
        """The model in the format of the engine: what ``save`` writes."""
        return self.convert("native")

    def __reduce__(self) -> Any:
        return _restore, (self.to_bytes(), self._ranker.name, self._training)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = f"{self.num_parts} {self._ranker.parts}, " if self._ranker.parts else ""
        method = self.provenance.get("method", self._ranker.format)
        return f"<glassrank.Model {method}: {self.kind}, {parts}{self.num_features} features>"


def _restore(data: bytes, name: str, training: Training | None) -> Model:
    with calling() as call:
        return Model._wrap(_core.load_bytes(call, data, name, {}), training)


def load(path: str | os.PathLike, **options: Any) -> Model:
    """Loads a model in any format: Glassrank's, LightGBM's, XGBoost's, RankLib's, QuickRank's.

    The format is known by the content. ``options`` are those of the command line's ``--model``.
    """
    with calling() as call:
        return Model._wrap(_core.load(call, os.fspath(path), options))


def load_bytes(data: bytes, name: str = "memory", **options: Any) -> Model:
    """The same from the content of a file."""
    with calling() as call:
        return Model._wrap(_core.load_bytes(call, bytes(data), name, options))


def from_lightgbm(booster: Any) -> Model:
    """The model of a ``lightgbm.Booster`` or of a fitted estimator of LightGBM, up to its best round."""
    booster = getattr(booster, "booster_", booster)
    if not hasattr(booster, "model_to_string"):
        raise UsageError(f"a {type(booster).__name__} is no Booster of LightGBM and no fitted estimator")
    return load_bytes(booster.model_to_string().encode(), "LightGBM booster")


def from_xgboost(booster: Any) -> Model:
    """The model of an ``xgboost.Booster`` or of a fitted estimator of XGBoost, up to its best round."""
    if hasattr(booster, "get_booster"):
        booster = booster.get_booster()
    if not hasattr(booster, "save_raw"):
        raise UsageError(f"a {type(booster).__name__} is no Booster of XGBoost and no fitted estimator")
    best = booster.attr("best_iteration")
    if best is not None and int(best) + 1 < booster.num_boosted_rounds():
        booster = booster[: int(best) + 1]
    return load_bytes(bytes(booster.save_raw("json")), "XGBoost booster")


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
    """

    def __init__(
        self,
        function: Callable[[np.ndarray], Any],
        *,
        num_features: int | None = None,
        feature_names: Sequence[str] | None = None,
        name: str = "black box",
    ) -> None:
        if not callable(function):
            raise UsageError(f"a {type(function).__name__} cannot be called; a black box is a function of rows")
        self._function = function
        self._names = [] if feature_names is None else [str(each) for each in feature_names]
        if num_features is not None and self._names and len(self._names) != num_features:
            raise UsageError(f"{len(self._names)} feature names for {num_features} features")
        self._num_features = num_features if num_features is not None else len(self._names) or None
        self._name = name
        self._rankers: dict[int, _core.Ranker] = {}

    def _score(self, rows: np.ndarray) -> np.ndarray:
        scores = np.asarray(self._function(rows), dtype=np.float64)
        return np.ascontiguousarray(scores.reshape(-1) if scores.ndim == 2 and 1 in scores.shape else scores)

    def _for(self, data: Dataset | None) -> _core.Ranker:
        width = self._num_features or (data.num_features if data is not None else 0)
        if width not in self._rankers:
            self._rankers[width] = _core.black_box(self._score, width, self._names, self._name)
        return self._rankers[width]

    def __repr__(self) -> str:
        return f"<glassrank.BlackBox {self._name}>"


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
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if isinstance(data, (Dataset, str, os.PathLike)):
        rows = rows_of(data)
    else:
        grades = np.asarray(data)
        rows = Dataset(np.zeros((len(grades), 0), np.float32), grades, qid=qid)
    if values.shape != (rows.num_rows,):
        raise UsageError(f"scores have shape {values.shape} for {rows.num_rows} rows; there must be one per row")
    with calling(threads) as call:
        found, per_query = _core.evaluate_scores(
            call, rows._data, np.ascontiguousarray(values), metrics_of(metrics), convention_of(convention)
        )
    return Evaluation(found, rows.queries, per_query)
