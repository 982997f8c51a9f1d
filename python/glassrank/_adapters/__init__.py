"""From the tables of other packages to features: one file a package.

``table_of`` gives every kind of input the same shape; nothing here imports a package that the
caller has not imported already.
"""
from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any, Callable, Sequence

import numpy as np

from glassrank import _core
from glassrank.errors import InputError


@dataclass
class Table:
    """Features, and named columns that may hold anything else."""

    #: one row per document: a C-contiguous float32 array, or columns of float32 and float64 where they lie
    matrix: np.ndarray | _core.Columns
    #: one per column of the matrix; None: columns have no names
    names: list[str] | None
    #: columns beside the matrix that were asked for by name
    others: dict[str, np.ndarray] = field(default_factory=dict)
    #: columns of the matrix that hold codes of categories, and the names by code
    categories: dict[int, list[str]] = field(default_factory=dict)


def _is(value: Any, module: str, *types: str) -> bool:
    """Whether value is of one of these types of a module, without importing the module."""
    loaded = sys.modules.get(module)
    if loaded is None:
        return False
    return isinstance(value, tuple(getattr(loaded, name) for name in types if hasattr(loaded, name)))


def is_missing(value: Any) -> bool:
    """None, NaN, and what pandas has for them."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(value != value)


def text_of(value: Any) -> str:
    """A value as text: 17 and 17.0 are "17"."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def coded(values: Sequence[Any], places: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """The codes of rows whose values are at these places (below 0: missing) of a list, and their names:
    those that the same texts have in a CSV file."""
    places = np.asarray(places).astype(np.int64)
    missing = (places < 0) | (places >= len(values))
    counts = np.bincount(places[~missing], minlength=len(values))
    codes, names = _core.code_categories([text_of(value) for value in values], counts.tolist())
    by_place = np.append(codes, np.float32(np.nan)).astype(np.float32)
    return by_place[np.where(missing, len(values), places)], names


def coded_values(values: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """The same for the values themselves: numbers or text, None and NaN where one is missing."""
    places: dict[Any, int] = {}
    found = [-1 if is_missing(value) else places.setdefault(value, len(places)) for value in values]
    return coded(list(places), np.array(found, dtype=np.int64))


def wanted_categories(names: list[str] | None, num_columns: int, categorical: Sequence[Any]) -> set[int]:
    """The columns that ``categorical`` names; a whole number is a place from 0."""
    chosen = set()
    for each in [categorical] if isinstance(categorical, (str, int, np.integer)) else categorical:
        if isinstance(each, (int, np.integer)):
            if not 0 <= each < num_columns:
                raise InputError(f"categorical: column {each} of {num_columns}; they are counted from 0")
            chosen.add(int(each))
            continue
        known = names if names is not None else [str(number + 1) for number in range(num_columns)]
        if each not in known:
            raise InputError(f"categorical: there is no feature {each!r}; features are {', '.join(map(repr, known[:20]))}")
        chosen.add(known.index(each))
    return chosen


def table_of(data: Any, beside: list[str], categorical: Sequence[Any] = (), names: list[str] | None = None) -> Table:
    """The table of anything that holds rows.

    Columns named in ``beside`` are no features, those in ``categorical`` hold categories whatever
    their type is. ``names`` are the caller's, of columns that have none.
    """
    if _is(data, "pandas", "DataFrame"):
        from glassrank._adapters.pandas_table import table_of_pandas as convert
    elif _is(data, "scipy.sparse", "spmatrix", "sparray"):
        from glassrank._adapters.sparse_table import table_of_sparse as convert
    elif hasattr(data, "__arrow_c_stream__") and not _is(data, "pandas", "Series") and not _is(data, "polars", "Series"):
        from glassrank._adapters.arrow_table import table_of_arrow as convert
    elif is_lazy_frame(data):
        return table_of(data.collect(), beside, categorical, names)
    else:
        from glassrank._adapters.array_table import table_of_array as convert
    table = convert(data, beside, categorical, names)
    if table.matrix.ndim != 2:
        raise InputError(f"features have {table.matrix.ndim} dimensions; a matrix of documents x features is needed")
    return table


def is_lazy_frame(data: Any) -> bool:
    return _is(data, "polars", "LazyFrame")


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


def column_of(what: str, values: Any) -> np.ndarray:
    """One column as an array, whatever package it comes from; throws where values are masked."""
    if isinstance(values, np.ma.MaskedArray):
        masked = np.flatnonzero(np.ma.getmaskarray(values))
        if len(masked):
            raise InputError(f"{what} of row {masked[0]} is masked; every row needs a value")
        return values.data
    if _is(values, "pyarrow", "Array"):
        return values.to_numpy(zero_copy_only=False)
    if hasattr(values, "to_numpy"):
        return np.asarray(values.to_numpy())
    return np.asarray(values)


def without_mask(values: Any) -> Any:
    """Masked arrays with NaN where a value is masked; all else as it is."""
    if not isinstance(values, np.ma.MaskedArray):
        return values
    if not np.ma.getmaskarray(values).any():
        return values.data
    filled = values.data.astype(values.dtype if values.dtype.kind == "f" else np.float64 if values.dtype.kind in "iub" else object)
    filled[np.ma.getmaskarray(values)] = np.nan
    return filled


def is_read_in_place(values: np.ndarray) -> bool:
    """Whether the engine reads these values where they lie."""
    return values.dtype in (np.float32, np.float64) and values.dtype.isnative and values.flags.aligned


def fill_columns(num_rows: int, columns: Sequence[tuple[str, Callable[..., np.ndarray]]]) -> _core.Columns:
    """Columns of numbers that are given one by one; those that are neither float32 nor float64 are converted."""
    made = _core.Columns(num_rows)
    for _, values in columns:
        column = values()
        made.add(column if is_read_in_place(column) else np.ascontiguousarray(column, dtype=np.float32))
    return made
