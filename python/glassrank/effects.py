"""The curves and surfaces of an additive model."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Iterator

import numpy as np

from glassrank import _core
from glassrank._results import Drawn, _plain


class Effect(Drawn):
    """A curve (one feature) or a surface (two): what it adds to the score, cell by cell.

    A feature of categories has an axis of their codes; ``categories`` names its cells.

    An axis with n edges has n + 2 cells: cell i is edges[i - 1] < x <= edges[i], the last but one is
    above all edges, the last one is for missing values.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        self.name: str = values["name"]
        self.features: list[str] = values["features"]
        #: their numbers in the model, from 0
        self.indices: list[int] = values["indices"]
        #: ascending edges of each axis
        self.edges: list[np.ndarray] = values["edges"]
        #: of each axis the names of its cells, "others" where one holds several; None: it has numbers
        self.categories: list[list[str] | None] = values["categories"]
        #: by cell; of a surface a matrix
        self.values: np.ndarray = values["values"]
        #: standard deviations over bags, or None
        self.errors: np.ndarray | None = values["errors"]
        #: weight of the training rows in each cell, or None
        self.weights: np.ndarray | None = values["weights"]
        #: by how much it moves the score of a training row from its mean; where weights are not known,
        #: the mean amount of the cells, those of missing values aside
        self.importance: float = values["importance"]

    @property
    def is_surface(self) -> bool:
        return len(self.features) == 2

    def __call__(self, *values: Any) -> Any:
        """What it adds at these values of its features: numbers, names of categories, or arrays of them."""
        if len(values) != len(self.features):
            raise TypeError(f"{self.name} has {len(self.features)} features; {len(values)} values are given")
        cells = []
        for edges, names, value in zip(self.edges, self.categories, values):
            if names is not None and np.asarray(value).dtype.kind in "OUS":
                place = {name: cell for cell, name in enumerate(names)}
                others = place.get("others", len(edges))
                cells.append(np.vectorize(lambda text: place.get(text, others), otypes=[int])(np.asarray(value)))
                continue
            x = np.ascontiguousarray(value, dtype=np.float32)
            cells.append(np.asarray(_core.cells_of(edges, x.ravel())).reshape(np.shape(value)))
        found = self.values[tuple(cells)]
        return float(found) if found.ndim == 0 else found

    def to_pandas(self) -> Any:
        """A row for every cell: its bounds or its category, value, error and weight."""
        import pandas as pd

        columns: dict[str, Any] = {}
        bounds = []
        for edges in self.edges:
            low = np.concatenate([[-np.inf], edges, [np.nan]])
            high = np.concatenate([edges, [np.inf], [np.nan]])
            bounds.append((low, high))
        grids = np.meshgrid(*[np.arange(len(low)) for low, _ in bounds], indexing="ij")
        for feature, names, (low, high), grid in zip(self.features, self.categories, bounds, grids):
            if names is not None:
                columns[feature] = np.array(names, dtype=object)[grid.ravel()]
                continue
            columns[f"{feature} above"] = low[grid.ravel()]
            columns[f"{feature} to"] = high[grid.ravel()]
        columns["value"] = self.values.ravel()
        for name, values in (("error", self.errors), ("weight", self.weights)):
            if values is not None:
                columns[name] = values.ravel()
        return pd.DataFrame(columns)

    def to_dict(self) -> dict[str, Any]:
        """Lists, text and numbers. What is not known has no key."""
        return _plain({key: value for key, value in vars(self).items() if value is not None})

    def _repr_html_(self) -> str:
        from glassrank._html import of_effect

        return of_effect(self)

    def __repr__(self) -> str:
        return f"<effect {self.name}: {'x'.join(str(size) for size in self.values.shape)} cells>"


class Effects(Mapping):
    """Effects by name: ``model.effects["price"]``, ``model.effects["price x pages"]``."""

    def __init__(self, effects: list[dict[str, Any]]) -> None:
        self._effects = {values["name"]: Effect(values) for values in effects}

    def __getitem__(self, name: str) -> Effect:
        if name not in self._effects:
            import difflib

            near = difflib.get_close_matches(str(name), self._effects, 1)
            raise KeyError(f"no effect {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        return self._effects[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._effects)

    def __len__(self) -> int:
        return len(self._effects)

    def by_importance(self) -> list[Effect]:
        """The largest first."""
        return sorted(self._effects.values(), key=lambda effect: -effect.importance)

    def to_dict(self) -> dict[str, Any]:
        """By name what ``to_dict`` of the effects gives."""
        return {name: each.to_dict() for name, each in self.items()}

    def to_pandas(self) -> Any:
        """A row for every effect, the largest first."""
        import pandas as pd

        rows = [
            {
                "effect": each.name,
                "importance": each.importance,
                "lowest": each.values.min(),
                "highest": each.values.max(),
                "cells": each.values.size,
            }
            for each in self.by_importance()
        ]
        return pd.DataFrame(rows, columns=["effect", "importance", "lowest", "highest", "cells"])

    def _repr_html_(self) -> str:
        from glassrank._html import of_effects

        return of_effects(self)

    def __repr__(self) -> str:
        return f"<{len(self)} effects: {', '.join(list(self)[:8])}{', ...' if len(self) > 8 else ''}>"
