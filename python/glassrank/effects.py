"""The curves and surfaces of an additive model."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Iterator

import numpy as np


class Effect:
    """A curve (one feature) or a surface (two): what it adds to the score, cell by cell.

    An axis with n edges has n + 2 cells: cell i is edges[i - 1] < x <= edges[i], the last but one is
    above all edges, the last one is for missing values.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        self.name: str = values["name"]
        self.features: list[str] = values["features"]
        #: ascending edges of each axis
        self.edges: list[np.ndarray] = values["edges"]
        #: by cell; of a surface a matrix
        self.values: np.ndarray = values["values"]
        #: standard deviations over bags, or None
        self.errors: np.ndarray | None = values["errors"]
        #: weight of the training rows in each cell, or None
        self.weights: np.ndarray | None = values["weights"]

    @property
    def is_surface(self) -> bool:
        return len(self.features) == 2

    @property
    def importance(self) -> float:
        """Mean amount by which it moves a score from its mean, by weight where that is known."""
        weights = np.ones_like(self.values) if self.weights is None or not self.weights.sum() else self.weights
        mean = np.average(self.values, weights=weights)
        return float(np.average(np.abs(self.values - mean), weights=weights))

    def __call__(self, *values: Any) -> Any:
        """What it adds at these values of its features: numbers or arrays."""
        if len(values) != len(self.features):
            raise TypeError(f"{self.name} has {len(self.features)} features; {len(values)} values are given")
        cells = []
        for edges, value in zip(self.edges, values):
            x = np.asarray(value, dtype=np.float32)
            cells.append(np.where(np.isnan(x), len(edges) + 1, np.searchsorted(edges, x, side="left")))
        found = self.values[tuple(cells)]
        return float(found) if found.ndim == 0 else found

    def to_pandas(self) -> Any:
        """A row for every cell: its bounds, value, error and weight."""
        import pandas as pd

        columns: dict[str, Any] = {}
        bounds = []
        for edges in self.edges:
            low = np.concatenate([[-np.inf], edges, [np.nan]])
            high = np.concatenate([edges, [np.inf], [np.nan]])
            bounds.append((low, high))
        grids = np.meshgrid(*[np.arange(len(low)) for low, _ in bounds], indexing="ij")
        for feature, (low, high), grid in zip(self.features, bounds, grids):
            columns[f"{feature} above"] = low[grid.ravel()]
            columns[f"{feature} to"] = high[grid.ravel()]
        columns["value"] = self.values.ravel()
        for name, values in (("error", self.errors), ("weight", self.weights)):
            if values is not None:
                columns[name] = values.ravel()
        return pd.DataFrame(columns)

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

    def __repr__(self) -> str:
        return f"<{len(self)} effects: {', '.join(list(self)[:8])}{', ...' if len(self) > 8 else ''}>"
