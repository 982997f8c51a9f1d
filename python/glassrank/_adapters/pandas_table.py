"""DataFrames of pandas. Missing values of any kind become NaN."""
from __future__ import annotations

from typing import Any

import numpy as np

from glassrank._adapters import Table, fill_columns, take_columns
from glassrank.errors import InputError


def _numbers(name: str, column: Any) -> np.ndarray:
    import pandas as pd

    kind = column.dtype
    if isinstance(kind, pd.CategoricalDtype):
        raise InputError(
            f"column {name!r} is categorical; categories are not understood yet: give their codes "
            f"(frame[{name!r}].cat.codes) or one column per category (pandas.get_dummies)"
        )
    if not (pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_bool_dtype(kind)) or np.dtype(
        getattr(kind, "numpy_dtype", kind)
    ).kind == "c":
        raise InputError(
            f"column {name!r} has dtype {kind}; features must be numbers (is it the query, the document or the "
            f"grade? say qid={name!r}, document={name!r} or y={name!r})"
        )
    return column.to_numpy(dtype=np.float32, na_value=np.nan)


def table_of_pandas(data: Any, beside: list[str]) -> Table:
    names = [str(name) for name in data.columns]
    features = take_columns(names, beside, "DataFrame")
    place = {name: number for number, name in enumerate(names)}
    columns = [(name, lambda name=name: _numbers(name, data.iloc[:, place[name]])) for name in features]
    others = {name: data.iloc[:, place[name]].to_numpy() for name in beside}
    if all(str(kind) == "float32" for kind in data.dtypes) and not beside:
        return Table(np.ascontiguousarray(data.to_numpy()), features, others)
    return Table(fill_columns(len(data), columns), features, others)
