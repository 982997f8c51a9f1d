"""The methods as estimators of scikit-learn.

    from glassrank.sklearn import LambdamartRanker

    ranker = LambdamartRanker(num_leaves=16).fit(X, y, qid=qid)
    ranker.score(X_test, y_test, qid=qid_test)        # the mean of ranker.score_metric

There is one for every method: ``LambdamartRanker``, ``IlmartRanker``, ... with the parameters of the
class ``glassrank.Lambdamart``. They can be cloned, pickled, searched and put into pipelines. With
metadata routing the queries reach folds and scores:

    sklearn.set_config(enable_metadata_routing=True)
    ranker = LambdamartRanker().set_fit_request(qid=True).set_score_request(qid=True)
    cross_validate(ranker, X, y, params={"qid": qid, "groups": qid}, cv=GroupKFold(5))
"""
from __future__ import annotations

import inspect
from typing import Any, Sequence

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

import glassrank.methods as _methods
from glassrank._functions import Callback
from glassrank.dataset import Dataset
from glassrank.errors import InputError, UsageError
from glassrank.model import Model
from glassrank.ranker import evaluate
from glassrank.training import Method


class Ranker(BaseEstimator):
    """What the estimators of all methods have in common; ``method_class`` says which one it is."""

    #: the class of the method whose parameters these are
    method_class: type[Method]

    def method(self) -> Method:
        """The method with these parameters."""
        params = {name: getattr(self, name) for name in inspect.signature(self.method_class).parameters}
        return self.method_class(**params)

    def fit(
        self,
        X: Any,
        y: Any,
        qid: Any = None,
        sample_weight: Any = None,
        *,
        valid: Dataset | Sequence[Any] | None = None,
        callbacks: Callback | Sequence[Callback] | None = None,
        progress: Any = None,
    ) -> Ranker:
        """Trains the ranker.

        Parameters
        ----------
        X : matrix of documents x features, or DataFrame
            Missing values are NaN.
        y : grades, the higher the better
        qid : the query of every row; without it all rows are one query
            Rows of a query need not be together.
        sample_weight : row weights, optional
        valid : Dataset, or (X, y, qid); optional
            Stops training early where the method does that.
        callbacks, progress : as ``train`` of the method takes them
        """
        data = self._dataset(X, y, qid, sample_weight, reset=True)
        if valid is not None and not isinstance(valid, Dataset):
            if not 2 <= len(valid) <= 4:
                raise UsageError("valid is a Dataset or (X, y, qid, sample_weight), of which the last two may be left out")
            valid = self._dataset(*valid, *[None] * (4 - len(valid)), reset=False)
        self.model_: Model = self.method().train(data, valid, callbacks=callbacks, progress=progress)
        self.has_queries_ = qid is not None
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Scores, in the order of the rows; higher ranks first, within a query."""
        check_is_fitted(self)
        return self.model_.predict(self._dataset(X, None, None, None, reset=False))

    def score(self, X: Any, y: Any, qid: Any = None, sample_weight: Any = None) -> float:
        """The mean of the metric that stops training (the first of ``metric``), over queries.

        ``sample_weight`` is accepted for pipelines and changes nothing: every query counts the same.
        """
        check_is_fitted(self)
        if qid is None and self.has_queries_:
            raise UsageError(
                "the ranker was fitted with qid, and score has none: score(X, y, qid=...); in cross_validate and "
                "searches enable metadata routing and call set_score_request(qid=True)"
            )
        data = self._dataset(X, y, qid, None, reset=False)
        metric = self.score_metric
        found = evaluate(data, self.model_.predict(data), metric, convention=self._convention())
        return float(found.metrics[0].mean)

    @property
    def score_metric(self) -> Any:
        """What ``score`` measures."""
        if getattr(self, "stop_metric", None):
            return self.stop_metric
        metric = getattr(self, "metric", None)
        if metric is None:
            return "ndcg@10"
        return metric if isinstance(metric, str) or callable(metric) else list(metric)[0]

    def _convention(self) -> dict[str, Any]:
        """The gains that it was trained with, where the metric has gains."""
        if not str(self.score_metric).startswith(("ndcg", "dcg")):
            return {}
        given = {"gain": getattr(self, "gain", None), "gain_table": getattr(self, "gain_table", None)}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def feature_importances_(self) -> np.ndarray:
        """Gains of a forest, mean amounts of the curves and surfaces of an additive model; they add up to 1."""
        check_is_fitted(self)
        importance = self.model_.feature_importances()
        if importance is None:
            raise AttributeError(f"a {self.model_.kind} has no importances of its own; see model_.importance(data)")
        total = importance.sum()
        return importance / total if total > 0 else importance

    def _dataset(self, X: Any, y: Any, qid: Any, weight: Any, *, reset: bool) -> Dataset:
        if hasattr(X, "columns") and hasattr(X, "dtypes"):
            # Names, numbers of features; the Dataset looks at the columns.
            validate_data(self, X, reset=reset, skip_check_array=True)
            rows = X
        else:
            rows = validate_data(
                self, X, reset=reset, accept_sparse=True, ensure_all_finite="allow-nan", dtype=[np.float32, np.float64]
            )
        if y is None and reset:
            raise InputError("This ranker requires y to be passed, but the target y is None.")
        if y is not None:
            y = _column("y", y, rows.shape[0])
        if qid is not None:
            qid = _column("qid", qid, rows.shape[0])
        if weight is not None:
            weight = _column("sample_weight", weight, rows.shape[0])
            if not np.any(weight):
                raise InputError("sample_weight is zero for every row; none would count")
        return Dataset(rows, y, qid=qid, weight=weight, group_rows=True)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.target_tags.one_d_labels = True
        return tags


def _column(what: str, values: Any, num_rows: int) -> np.ndarray:
    from sklearn.utils import column_or_1d
    from sklearn.utils.validation import check_consistent_length

    column = column_or_1d(values, warn=True)
    check_consistent_length(np.empty(num_rows), column)
    return column


def _estimator(method: type[Method]) -> type[Ranker]:
    """An estimator whose constructor is that of the method."""
    signature = inspect.signature(method.__init__)
    names = [name for name in signature.parameters if name != "self"]

    def __init__(self: Any, **params: Any) -> None:
        for name in params:
            if name not in names:
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}")
        for name in names:
            setattr(self, name, params.get(name, signature.parameters[name].default))

    __init__.__signature__ = signature  # type: ignore[attr-defined]  # what get_params and clone go by
    __init__.__doc__ = "Parameters as of the method."
    name = f"{method.__name__}Ranker"
    made = type(
        name,
        (Ranker,),
        {
            "__init__": __init__,
            "__doc__": (method.__doc__ or "").replace("\n", f"\n\n    ``glassrank.{method.__name__}`` for scikit-learn.\n", 1),
            "__module__": __name__,
            "__qualname__": name,
            "method_class": method,
        },
    )
    return made


__all__ = ["Ranker"]
for _name in _methods.__all__:
    _class = getattr(_methods, _name)
    if issubclass(_class, Method):
        globals()[f"{_name}Ranker"] = _estimator(_class)
        __all__.append(f"{_name}Ranker")
