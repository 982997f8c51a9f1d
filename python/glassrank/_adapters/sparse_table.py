"""Sparse matrices of scipy. What they leave out is 0."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from glassrank._adapters import Table, coded_values, wanted_categories
from glassrank.errors import InputError


def table_of_sparse(data: Any, beside: list[str], categorical: Sequence[Any] = (), names: list[str] | None = None) -> Table:
    if beside:
        raise InputError(f"{beside[0]!r} names a column, and a sparse matrix has no names; give the values themselves")
    if data.ndim != 2:
        raise InputError(f"features have shape {data.shape}; a matrix of documents x features is needed")
    if data.dtype.kind not in "fiub":
        raise InputError(f"features have dtype {data.dtype}; they must be numbers")
    matrix = np.zeros(data.shape, dtype=np.float32)
    data.tocsr().astype(np.float32).toarray(out=matrix)
    categories: dict[int, list[str]] = {}
    for column in wanted_categories(names, matrix.shape[1], categorical):
        matrix[:, column], categories[column] = coded_values(matrix[:, column])
    return Table(matrix, None, {}, categories)
