"""DataFrames of pandas. Missing values of any kind become NaN."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from glassrank._adapters import Table, coded, fill_columns, take_columns, wanted_categories
from glassrank.errors import InputError


def _numbers(name: str, column: Any) -> np.ndarray:
    import pandas as pd

    if isinstance(column.dtype, pd.SparseDtype):
        column = column.sparse.to_dense()
    kind = column.dtype
    if not (pd.api.types.is_numeric_dtype(kind) or pd.api.types.is_bool_dtype(kind)) or np.dtype(
        getattr(kind, "numpy_dtype", kind)
    ).kind == "c":
        raise InputError(
            f"column {name!r} has dtype {kind}; features must be numbers (categories? frame[{name!r}].astype('category') "
            f"or categorical=[{name!r}]; the query, the document or the grade? say qid={name!r}, document={name!r} or y={name!r})"
        )
    if kind in (np.float32, np.float64):
        return column.to_numpy()  # where it lies
    return column.to_numpy(dtype=np.float32, na_value=np.nan)


def _is_category(column: Any) -> bool:
    import pandas as pd

    return isinstance(column.dtype, pd.CategoricalDtype)


def _codes(column: Any) -> tuple[np.ndarray, list[str]]:
    column = column if _is_category(column) else column.astype("category")
    return coded(list(column.cat.categories), column.cat.codes.to_numpy())


def table_of_pandas(data: Any, beside: list[str], categorical: Sequence[Any] = (), names: list[str] | None = None) -> Table:
    columns = [str(name) for name in data.columns]
    features = take_columns(columns, beside, "DataFrame")
    place = {name: number for number, name in enumerate(columns)}
    others = {name: data.iloc[:, place[name]].to_numpy() for name in beside}
    chosen = wanted_categories(features, len(features), categorical)
    if all(str(kind) == "float32" for kind in data.dtypes) and not beside and not chosen:
        matrix = data.to_numpy()
        if matrix.flags.c_contiguous:
            return Table(matrix, features, others)
    categories: dict[int, list[str]] = {}

    def values(number: int, name: str) -> np.ndarray:
        column = data.iloc[:, place[name]]
        if number not in chosen and not _is_category(column):
            return _numbers(name, column)
        codes, categories[number] = _codes(column)
        return codes

    fill = [(name, lambda number=number, name=name: values(number, name)) for number, name in enumerate(features)]
    return Table(fill_columns(len(data), fill), features, others, categories)
