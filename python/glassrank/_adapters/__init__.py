"""From the tables of other packages to a float32 matrix: one file a package.

``table_of`` gives every kind of input the same shape; nothing here imports a package that the
caller has not imported already.
"""
from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np

from glassrank.errors import InputError


@dataclass
class Table:
    """A matrix of features, and named columns that may hold anything else."""

    #: float32, one row per document, C-contiguous
    matrix: np.ndarray
    #: one per column of the matrix; None: columns have no names
    names: list[str] | None
    #: columns beside the matrix that were asked for by name
    others: dict[str, np.ndarray] = field(default_factory=dict)


def _is(value: Any, module: str, *types: str) -> bool:
    """Whether value is of one of these types of a module, without importing the module."""
    loaded = sys.modules.get(module)
    if loaded is None:
        return False
    return isinstance(value, tuple(getattr(loaded, name) for name in types if hasattr(loaded, name)))


def table_of(data: Any, beside: list[str]) -> Table:
    """The table of anything that holds rows; columns named in ``beside`` are no features."""
    if _is(data, "pandas", "DataFrame"):
        from glassrank._adapters.pandas_table import table_of_pandas as convert
    elif _is(data, "scipy.sparse", "spmatrix", "sparray"):
        from glassrank._adapters.sparse_table import table_of_sparse as convert
    elif hasattr(data, "__arrow_c_stream__"):
        from glassrank._adapters.arrow_table import table_of_arrow as convert
    elif _is(data, "polars", "LazyFrame"):
        return table_of(data.collect(), beside)
    else:
        from glassrank._adapters.array_table import table_of_array as convert
    table = convert(data, beside)
    if table.matrix.ndim != 2:
        raise InputError(f"features have {table.matrix.ndim} dimensions; a matrix of documents x features is needed")
    return table


def take_columns(names: list[str], beside: list[str], kind: str) -> list[str]:
    """The names of the features; throws when a column that is wanted beside them is not there."""
    for name in beside:
        if name not in names:
            raise InputError(f"the {kind} has no column {name!r}; its columns are {', '.join(map(repr, names[:20]))}")
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"the {kind} has two columns {name!r}; features must have names of their own")
        seen.add(name)
    return [name for name in names if name not in beside]


def column_of(values: Any) -> np.ndarray:
    """One column as an array, whatever package it comes from."""
    if hasattr(values, "to_numpy"):
        return np.asarray(values.to_numpy())
    return np.asarray(values)


def fill_columns(num_rows: int, columns: list[tuple[str, Callable[[], np.ndarray]]]) -> np.ndarray:
    """A float32 matrix whose columns are given one by one."""
    matrix = np.empty((num_rows, len(columns)), dtype=np.float32)
    for number, (_, values) in enumerate(columns):
        matrix[:, number] = values()
    return matrix
