"""numpy arrays, and whatever numpy can make one of."""
from __future__ import annotations

from typing import Any

import numpy as np

from glassrank._adapters import Table
from glassrank.errors import InputError


def table_of_array(data: Any, beside: list[str]) -> Table:
    if beside:
        raise InputError(f"{beside[0]!r} names a column, and an array has no names; give the values themselves")
    matrix = np.asarray(data)
    if matrix.dtype.names is not None:
        raise InputError("structured arrays are not understood; give a matrix and feature_names, or a DataFrame")
    if matrix.ndim != 2:
        raise InputError(
            f"features have shape {matrix.shape}; a matrix of documents x features is needed"
            + (" (one document: X.reshape(1, -1))" if matrix.ndim == 1 else "")
        )
    if matrix.dtype.kind not in "fiub":
        raise InputError(f"features have dtype {matrix.dtype}; they must be numbers")
    # float32 in rows is taken as it is; everything else is converted once.
    return Table(np.ascontiguousarray(matrix, dtype=np.float32), None)
