"""The kinds of results, with what is special about each."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from glassrank import _result_types as fields
from glassrank._results import Drawn, Result, TextResult, _plain
from glassrank._values import display_matrix

__all__ = [
    "Attributions",
    "Audit",
    "Comparison",
    "Counterfactual",
    "CrossValidation",
    "Dependence",
    "Evaluation",
    "Explanation",
    "Explanations",
    "Importance",
    "Inspection",
    "Result",
    "Search",
    "Summary",
    "Training",
    "Verification",
]


class Evaluation(fields.EvaluationFields, Drawn):
    """Metrics of a ranking. ``evaluation["ndcg@10"]`` is the mean of a metric."""

    _table = "metrics"

    def __init__(self, values: dict[str, Any], queries: list[str], per_query: list[np.ndarray]) -> None:
        super().__init__(values)
        self._queries = queries
        self._per_query = {entry.metric: each for entry, each in zip(self.metrics, per_query)}

    def __getitem__(self, key: str) -> Any:
        for entry in self.metrics:
            if entry.metric == key:
                return entry.mean
        return super().__getitem__(key)

    @property
    def means(self) -> dict[str, float]:
        """By metric."""
        return {entry.metric: entry.mean for entry in self.metrics}

    @property
    def values(self) -> dict[str, np.ndarray]:
        """By metric: the value of every query; NaN where a query does not count."""
        return self._per_query

    def per_query(self) -> Any:
        """A DataFrame with a row for every query and a column for every metric."""
        import pandas as pd

        return pd.DataFrame(self._per_query, index=pd.Index(self._queries, name="query"))

    def __str__(self) -> str:
        return "  ".join(f"{name} {mean:.6f}" for name, mean in self.means.items())


class Comparison(fields.ComparisonFields, Drawn, TextResult):
    """Which differences between rankers are real."""

    def __init__(self, values: dict[str, Any], text: str, latex: str) -> None:
        super().__init__(values, text)
        self._latex = latex

    def to_latex(self) -> str:
        """A table for a paper; needs the booktabs package."""
        return self._latex

    def to_pandas(self, table: str | None = None) -> Any:
        """A row for every metric and system, or with "pairs" for every metric and pair of them."""
        import pandas as pd

        from glassrank._results import _flat

        rows = []
        for metric in self.metrics:
            entries = metric["pairs" if table == "pairs" else "systems"]
            rows += [{"metric": metric.metric, **_flat(entry)} for entry in entries]
        return pd.DataFrame(rows)


class Explanation(fields.ExplanationFields, Drawn, TextResult):
    """Why a document has its score, why one is above another, or why a ranking is as it is."""

    _table = "features"

    def __init__(self, values: dict[str, Any], text: str, feature_names: list[str]) -> None:
        super().__init__(values, text)
        self._feature_names = feature_names

    @property
    def feature_names(self) -> list[str]:
        """Of all features of the ranker."""
        return self._feature_names

    @property
    def chosen(self) -> list[str]:
        """The features that explain most, best first."""
        return [entry.feature for entry in self.features if entry.is_chosen]

    @property
    def attributions(self) -> np.ndarray | None:
        """What each feature of the ranker adds, 0 for those not named; None: only features are named."""
        return self._amounts("attribution")

    @property
    def gains(self) -> np.ndarray | None:
        """What each chosen feature adds to the value after those before it, 0 for the others.

        None: the explainer does not choose step by step. They add up to ``value - base_value``.
        """
        return self._amounts("gain")

    def _amounts(self, kind: str) -> np.ndarray | None:
        if not any(entry[kind] is not None for entry in self.features):
            return None
        values = np.zeros(len(self._feature_names))
        for entry in self.features:
            values[entry.index] = entry[kind] or 0.0
        return values

    def _repr_html_(self) -> str:
        from glassrank._html import of_explanation

        return of_explanation(self)

    def to_shap(self) -> Any:
        """A ``shap.Explanation`` of one row, for shap's own plots: attributions, or the gains of features
        that were chosen one by one."""
        import shap

        values = self.attributions if self.attributions is not None else self.gains
        if values is None:
            from glassrank.errors import UsageError

            raise UsageError(
                f"{self.explainer} names features and gives no attributions or gains to plot"
                + (f": {self.abstains}" if self.abstains else "")
            )
        data = np.full(len(values), np.nan)
        shown = data.astype(object)
        for entry in self.features:
            if entry.value is not None:
                data[entry.index] = shown[entry.index] = entry.value
            if entry.category is not None:
                shown[entry.index] = entry.category
        has_values = self.target != "ranking"  # which has as many values as documents
        has_names = has_values and any(entry.category is not None for entry in self.features)
        return shap.Explanation(
            values=values,
            base_values=self.base_value,
            data=data if has_values else None,
            display_data=shown if has_names else None,
            feature_names=self._feature_names,
        )


class Explanations(Sequence):
    """One explanation for each of several queries."""

    def __init__(self, explanations: list[Explanation]) -> None:
        self._explanations = explanations

    def __len__(self) -> int:
        return len(self._explanations)

    def __getitem__(self, place: Any) -> Any:
        found = self._explanations[place]
        return Explanations(found) if isinstance(place, slice) else found

    def to_dict(self) -> list[dict[str, Any]]:
        return [each.to_dict() for each in self._explanations]

    def to_pandas(self) -> Any:
        """A row for every feature of every explanation."""
        import pandas as pd

        frames = []
        for each in self._explanations:
            frame = each.to_pandas()
            frame.insert(0, "query", each.query)
            frames.append(frame)
        return pd.concat(frames, ignore_index=True)

    def __str__(self) -> str:
        return "\n".join(map(str, self._explanations))

    def _repr_html_(self) -> str:
        return "".join(each._repr_html_() for each in self._explanations[:3])

    def __repr__(self) -> str:
        return f"<{len(self)} explanations>"


class Attributions(Drawn):
    """What every feature adds to the score of every document: ``values`` is rows x features."""

    def __init__(
        self,
        values: np.ndarray,
        base_values: np.ndarray,
        scores: np.ndarray,
        data: Any,
        X: np.ndarray,
        feature_names: list[str],
        explainer: str,
        categories: dict[str, list[str]],
    ) -> None:
        self.values = values
        self.base_values = base_values
        self.scores = scores
        self.dataset = data
        #: the values of the ranker's features, in its order
        self.X = X
        self.feature_names = feature_names
        self.explainer = explainer
        #: of every feature whose values are categories their names by code; [] where they are the codes
        self.categories = categories

    def __len__(self) -> int:
        return len(self.values)

    def importance(self) -> dict[str, float]:
        """Mean amount of every feature's attributions, the largest first."""
        means = np.abs(self.values).mean(axis=0)
        return {self.feature_names[f]: float(means[f]) for f in np.argsort(-means, kind="stable")}

    def to_shap(self) -> Any:
        """A ``shap.Explanation``, for shap's own plots."""
        import shap

        return shap.Explanation(
            values=self.values,
            base_values=self.base_values,
            data=self.X,
            display_data=display_matrix(self.X, self.feature_names, self.categories),
            feature_names=self.feature_names,
        )

    def to_dict(self) -> dict[str, Any]:
        """Lists, text and numbers: rows in the order of the data."""
        shown = display_matrix(self.X, self.feature_names, self.categories)
        return _plain(
            {
                "explainer": self.explainer,
                "feature_names": self.feature_names,
                "queries": self.dataset.qid,
                "documents": self.dataset.documents,
                "scores": self.scores,
                "base_values": self.base_values,
                "values": self.values,
                "data": self.X if shown is None else shown,
            }
        )

    def to_pandas(self) -> Any:
        """A row for every document and a column for every feature."""
        import pandas as pd

        index = pd.MultiIndex.from_arrays([self.dataset.qid, self.dataset.documents], names=["query", "document"])
        return pd.DataFrame(self.values, index=index, columns=self.feature_names)

    def _repr_html_(self) -> str:
        from glassrank._html import of_attributions

        return of_attributions(self)

    def __repr__(self) -> str:
        return f"<attributions of {self.values.shape[0]} documents, {self.values.shape[1]} features, by {self.explainer}>"


class Audit(fields.AuditFields, Drawn, TextResult):
    """How far explanations of a ranker can be trusted, explainer by explainer."""

    _table = "methods"

    def __init__(self, values: dict[str, Any], text: str, cases: dict[str, list]) -> None:
        super().__init__(values, text)
        self._cases = cases

    def cases(self) -> Any:
        """A DataFrame with every value of every query and document."""
        import pandas as pd

        return pd.DataFrame(self._cases)

    def to_pandas(self, table: str | None = None) -> Any:
        """A row for every explainer and measure; or another table ("differences", "depths")."""
        if table not in (None, "methods"):
            return super().to_pandas(table)
        import pandas as pd

        from glassrank._results import _flat

        return pd.DataFrame(
            [{"method": method.method, **_flat(measure)} for method in self.methods for measure in method.measures]
        )


class Importance(fields.ImportanceFields, Drawn):
    """What a ranker uses: gains and splits of a forest, the drop of a metric without a feature."""

    _table = "importance"


class Summary(fields.SummaryFields, Drawn, TextResult):
    """What orders documents in many rankings, feature by feature, in all queries and in groups of them."""

    def __init__(self, values: dict[str, Any], text: str, rows: dict[str, list]) -> None:
        super().__init__(values, text)
        self._rows = rows

    def _repr_html_(self) -> str:
        from glassrank._html import of_summary

        return of_summary(self)

    def to_pandas(self, table: str | None = None) -> Any:
        """A row for every group and feature."""
        if table is not None:
            return super().to_pandas(table)
        import pandas as pd

        return pd.DataFrame(self._rows)


class Inspection(fields.InspectionFields, TextResult):
    """What is in a model."""

    _table = "importance"


class Dependence(fields.DependenceFields, Drawn):
    """How the score depends on a feature, or on two."""

    def __init__(self, values: dict[str, Any], table: dict[str, list]) -> None:
        super().__init__(values)
        self._rows = table

    def to_pandas(self, table: str | None = None) -> Any:
        """A row for every cell, point or pair of them; of single documents, for every document and cell."""
        if table is not None:
            return super().to_pandas(table)
        import pandas as pd

        return pd.DataFrame(self._rows)


class Counterfactual(fields.CounterfactualFields):
    """The smallest change of features that lifts a document."""

    _table = "changes"

    def __str__(self) -> str:
        return self.text


class Verification(fields.VerificationFields):
    """What a model can depend on, proved from the model alone."""

    _table = "effects"


class Training(fields.TrainingFields, Drawn, TextResult):
    """How a training went: its report, with the metrics of every round."""

    _table = "rounds"

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values["report"], values["text"])
        self._record = fields.RecordFields(values["record"])
        self._curve = values["curve"]
        self._dropped = values["dropped"]
        self._is_interrupted = values["is_interrupted"]

    def _repr_html_(self) -> str:
        from glassrank._html import of_training

        return of_training(self)

    @property
    def record(self) -> fields.RecordFields:
        """Program, data, seed and parameters; the report; every round with rows and times."""
        return self._record

    @property
    def is_interrupted(self) -> bool:
        """Whether it was stopped before its end."""
        return self._is_interrupted

    @property
    def curve(self) -> dict[str, np.ndarray]:
        """By name ("round", "train ndcg@10", "valid ndcg@10"): a value for every round."""
        return self._curve

    def curve_to_pandas(self) -> Any:
        """The learning curve as a DataFrame with a row for every round."""
        import pandas as pd

        return pd.DataFrame(self._curve)

    def dropped(self) -> Any:
        """A DataFrame of the documents that a cleaner dropped; None without a cleaner."""
        if self._dropped is None:
            return None
        import pandas as pd

        return pd.DataFrame(self._dropped)


class CrossValidation(fields.CrossValidationFields):
    """One training a fold: means and deviations of the metrics."""

    _table = "folds"


class Search(fields.SearchFields):
    """The trials of a search for parameters, best first."""

    _table = "trials"

    @property
    def best(self) -> dict[str, str]:
        """The searched parameters of the best trial."""
        return dict(text.split("=", 1) for text in self.trials[0]["values"])
