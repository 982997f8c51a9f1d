"""Tables of Arrow: pyarrow, polars and whatever else speaks the PyCapsule interface."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from glassrank import _core
from glassrank._adapters import Table, coded_values, take_columns, wanted_categories
from glassrank.errors import InputError


def table_of_arrow(data: Any, beside: list[str], categorical: Sequence[Any] = (), names: list[str] | None = None) -> Table:
    stream = _core.ArrowTable(data.__arrow_c_stream__())
    columns = stream.names
    features = take_columns(columns, beside, "table")
    place = {name: number for number, name in enumerate(columns)}
    chosen = wanted_categories(features, len(features), categorical)
    categories: dict[int, list[str]] = {}
    kept = _core.Columns(stream.num_rows)
    for number, name in enumerate(features):
        kind = stream.kind(place[name])
        if kind == "dictionary" or number in chosen:
            values = np.empty(stream.num_rows, dtype=object)
            values[:] = stream.column(place[name])
            codes, categories[number] = coded_values(values)
            kept.add(codes)
        elif kind == "number":
            stream.add_to(kept, place[name])
        else:
            raise InputError(
                f"column {name!r} holds {kind}; features must be numbers (categories? give a dictionary column or "
                f"categorical=[{name!r}]; the query, the document or the grade? say qid={name!r}, document={name!r} "
                f"or y={name!r})"
            )
    others = {name: np.asarray(stream.column(place[name])) for name in beside}
    return Table(kept, features, others, categories)
