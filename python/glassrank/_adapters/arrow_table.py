"""Tables of Arrow: pyarrow, polars and whatever else speaks the PyCapsule interface."""
from __future__ import annotations

from typing import Any

import numpy as np

from glassrank import _core
from glassrank._adapters import Table, take_columns
from glassrank.errors import InputError


def table_of_arrow(data: Any, beside: list[str]) -> Table:
    stream = _core.ArrowTable(data.__arrow_c_stream__())
    names = stream.names
    features = take_columns(names, beside, "table")
    place = {name: number for number, name in enumerate(names)}
    for name in features:
        kind = stream.kind(place[name])
        if kind == "dictionary":
            raise InputError(
                f"column {name!r} is categorical; categories are not understood yet: give numbers in their place"
            )
        if kind != "number":
            raise InputError(
                f"column {name!r} holds {kind}; features must be numbers (is it the query, the document or the "
                f"grade? say qid={name!r}, document={name!r} or y={name!r})"
            )
    matrix = np.empty((stream.num_rows, len(features)), dtype=np.float32)
    stream.fill(matrix, [place[name] for name in features])
    return Table(matrix, features, {name: np.asarray(stream.column(place[name])) for name in beside})
