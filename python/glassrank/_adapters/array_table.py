"""numpy arrays, and whatever numpy can make one of."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from glassrank import _core
from glassrank._adapters import Table, coded_values, is_read_in_place, wanted_categories, without_mask
from glassrank.errors import InputError


def _with_categories(matrix: np.ndarray, chosen: set[int]) -> Table:
    categories: dict[int, list[str]] = {}
    features = np.empty(matrix.shape, dtype=np.float32)
    for column in range(matrix.shape[1]):
        if column in chosen:
            features[:, column], categories[column] = coded_values(matrix[:, column])
            continue
        try:
            features[:, column] = matrix[:, column]
        except (TypeError, ValueError):
            raise InputError(
                f"column {column} has values that are no numbers; categorical=[{column}] takes them as categories"
            ) from None
    return Table(features, None, {}, categories)


def table_of_array(data: Any, beside: list[str], categorical: Sequence[Any] = (), names: list[str] | None = None) -> Table:
    if beside:
        raise InputError(f"{beside[0]!r} names a column, and an array has no names; give the values themselves")
    matrix = np.asarray(without_mask(data))
    if matrix.dtype.names is not None:
        raise InputError("structured arrays are not understood; give a matrix and feature_names, or a DataFrame")
    if matrix.ndim != 2:
        raise InputError(
            f"features have shape {matrix.shape}; a matrix of documents x features is needed"
            + (" (one document: X.reshape(1, -1))" if matrix.ndim == 1 else "")
        )
    if wanted_categories(names, matrix.shape[1], categorical):
        return _with_categories(matrix, wanted_categories(names, matrix.shape[1], categorical))
    if matrix.dtype.kind not in "fiub":
        raise InputError(f"features have dtype {matrix.dtype}; they must be numbers")
    if matrix.dtype == np.float32 and matrix.flags.c_contiguous and matrix.flags.aligned:
        return Table(matrix, None)
    if is_read_in_place(matrix):
        columns = _core.Columns(matrix.shape[0])
        columns.add_matrix(matrix)
        return Table(columns, None)
    return Table(np.ascontiguousarray(matrix, dtype=np.float32), None)
