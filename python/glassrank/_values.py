"""Values of features as they are shown: categories by name."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from glassrank import _core


def category_texts(names: Sequence[str], codes: Any) -> list[str]:
    """The categories that these values of a feature are the codes of."""
    return _core.category_texts(list(names), np.ascontiguousarray(codes, dtype=np.float32).ravel())


def shown_values(entry: Any, target: str) -> list[Any]:
    """What a feature of an explanation is: one value; of a pair both; of a ranking those that occur.

    NaN stands for a missing value; categories are text.
    """
    if entry.category is not None:
        return [entry.category] if target != "pair" else [entry.category, entry.other_category]
    if target == "ranking":
        return [] if entry.low is None else [entry.low, entry.high]
    values = [entry.value] if target != "pair" else [entry.value, entry.other_value]
    return [np.nan if value is None else value for value in values]


def display_matrix(X: np.ndarray, feature_names: Sequence[str], categories: dict[str, list[str]]) -> np.ndarray | None:
    """The values with names in the place of codes; None where no feature has names."""
    if not any(name in categories for name in feature_names):
        return None
    shown = X.astype(object)
    for place, name in enumerate(feature_names):
        if name in categories:
            shown[:, place] = category_texts(categories[name], X[:, place])
    return shown
