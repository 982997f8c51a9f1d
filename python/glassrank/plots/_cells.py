"""Axes of curves and surfaces: of numbers, or of cells that have names and are drawn alike."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np

from glassrank.plots._canvas import FAINT, number, shortened

_MOST_CATEGORIES = 40
_MOST_TICKS = 22


@dataclass
class Axis:
    """What is drawn along a feature."""

    feature: str
    #: numbers of the cells, as they lie beside each other
    cells: np.ndarray
    #: where they begin, and where the last one ends
    borders: np.ndarray
    #: of every cell; empty: the axis has numbers
    names: list[str]


def borders_of(edges: Any, values: Any = None) -> np.ndarray:
    """Where cells of values begin and end.

    The open ends reach to the ends of the values; where there are none a little beyond the edges, but
    not beyond 0: counts and prices begin there.
    """
    edges = np.asarray(edges, dtype=float)
    if values is not None and not np.isnan(values).all():
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        return np.concatenate([[min(low, *edges[:1])], edges, [max(high, *edges[-1:])]]) if len(edges) else np.array([low, high])
    if len(edges) == 0:
        return np.array([0.0, 1.0])
    pad = 0.06 * (edges[-1] - edges[0]) or max(abs(edges[0]) * 0.5, 0.5)
    low, high = edges[0] - pad, edges[-1] + pad
    if edges[0] > 0:
        low = max(low, 0.0)
    if edges[-1] < 0:
        high = min(high, 0.0)
    return np.concatenate([[low], edges, [high]])


def between(points: np.ndarray) -> np.ndarray:
    """Borders half way between points; the first and the last point are the ends."""
    if len(points) < 2:
        return np.array([points[0] - 0.5, points[0] + 0.5])
    return np.concatenate([points[:1], (points[1:] + points[:-1]) / 2, points[-1:]])


def _named(feature: str, cells: Sequence[int], names: Sequence[str]) -> Axis:
    """Of these cells; ``names`` are of all."""
    return Axis(feature, np.array(cells, dtype=int), np.arange(len(cells) + 1.0), [shortened(names[cell]) for cell in cells])


def axis_of(feature: str, edges: Any, categories: Sequence[str] | None, weights: Any = None, values: Any = None) -> Axis:
    """The axis of an effect: its last cell is that of missing values, ``weights`` are of its cells."""
    missing = len(edges) + 1
    if categories is not None:
        return _named(feature, _category_cells(categories, weights), categories)
    if len(edges) != 1:
        return Axis(feature, np.arange(missing), borders_of(edges, values), [])
    has_missing = weights is not None and weights[missing] > 0
    return _named(feature, [0, 1, 2] if has_missing else [0, 1], [*_beside(edges[0]), "missing"])


def _beside(edge: float) -> list[str]:
    """What lies on either side of the only edge: mostly a feature that is 0 or 1."""
    return ["0", "1"] if edge == 0.5 else [f"at most {number(edge)}", f"above {number(edge)}"]


def _category_cells(names: Sequence[str], weights: Any) -> list[int]:
    """The categories with the most rows, in the order of the axis; then all others, then missing values."""
    missing = len(names) - 1
    rows = np.ones(len(names)) if weights is None else np.asarray(weights)
    known = [cell for cell in range(missing) if names[cell] != "others"]
    known = sorted(sorted(known, key=lambda cell: -rows[cell])[:_MOST_CATEGORIES])
    others = [cell for cell in range(missing) if names[cell] == "others" and rows[cell] > 0]
    if weights is None:
        others = others[-1:]  # which of them hold rows is not known; the last one holds what is new
    return known + others + [missing] * bool(rows[missing] > 0)


def points_axis(shown: Any) -> Axis:
    """The axis of a dependence: cells of the model, or points."""
    count, edges = len(shown.points), shown.edges
    rows = rows_of_points(shown)
    if len(shown.categories):
        names = [*shown.categories[:count], "missing"]
        return _named(shown.feature, _category_cells(names, rows), names)
    in_steps = shown.is_exact and len(edges) + 1 == count
    if count == 2 and (in_steps or set(shown.points) == {0.0, 1.0}):
        names = [*_beside(edges[0] if in_steps else 0.5), "missing"]
        return _named(shown.feature, range(count + bool(rows[count] > 0)), names)
    return Axis(shown.feature, np.arange(count), borders_of(edges) if in_steps else between(shown.points), [])


def rows_of_points(shown: Any) -> np.ndarray:
    """How many rows each point of a dependence stands for; the last number is of missing values."""
    rows = np.zeros(len(shown.points) + 1)
    rows[: len(shown.weights)] = shown.weights
    return rows


def name_cells(ax: Any, axis: Axis, is_across: bool) -> None:
    """The feature's name, and the names of its cells."""
    (ax.set_xlabel if is_across else ax.set_ylabel)(shortened(axis.feature))
    if not axis.names:
        return
    is_wide = is_across and sum(min(len(each), 20) + 2 for each in axis.names) > 56
    step = -(-len(axis.names) // _MOST_TICKS)  # of more cells some have their names
    places, names = axis.borders[:-1:step] + 0.5, [shortened(each, 20) for each in axis.names[::step]]
    if is_across:
        ax.set_xticks(places, names, **({"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if is_wide else {}))
    else:
        ax.set_yticks(places, names)


def slices(axis: Axis, weights: np.ndarray, count: int = 48) -> tuple[np.ndarray, np.ndarray]:
    """How many rows lie where: ends and heights of equal slices, rows of a cell spread evenly over it.

    Heights are square roots, so that a common value does not flatten all others; the largest is 1.
    """
    ends = axis.borders if axis.names else np.linspace(axis.borders[0], axis.borders[-1], count + 1)
    rows = np.diff(np.interp(ends, axis.borders, np.concatenate([[0.0], np.cumsum(weights)])))
    return ends, np.sqrt(np.maximum(rows, 0) / max(rows.max(), 1e-300))


def density(ax: Any, axis: Axis, weights: np.ndarray) -> None:
    """Grey columns at the bottom: how many rows lie where."""
    ends, heights = slices(axis, weights)
    steps = np.repeat(ends, 2)[1:-1]
    ax.fill_between(
        steps, 0, 0.12 * np.repeat(heights, 2), transform=ax.get_xaxis_transform(), color="#bdbdbd", alpha=0.6, linewidth=0, zorder=0
    )


def margin(ax: Any, axis: Axis, weights: np.ndarray, is_across: bool) -> None:
    """The same beside a heat map, along one of its axes."""
    beside = ax.inset_axes([0, 1.01, 1, 0.12] if is_across else [1.01, 0, 0.12, 1])
    ends, heights = slices(axis, weights)
    steps, tops = np.repeat(ends, 2)[1:-1], np.repeat(heights, 2)
    (beside.fill_between if is_across else beside.fill_betweenx)(steps, 0, tops, color="#bdbdbd", linewidth=0)
    (beside.set_xlim if is_across else beside.set_ylim)(axis.borders[0], axis.borders[-1])
    (beside.set_ylim if is_across else beside.set_xlim)(0, 1)
    beside.axis("off")


def missing_mark(ax: Any, borders: np.ndarray, value: float, ink: str) -> None:
    """What a missing value gives, behind the end of an axis of numbers."""
    place = borders[-1] + 0.04 * (borders[-1] - borders[0])
    ax.axvline(borders[-1] + 0.02 * (borders[-1] - borders[0]), color=FAINT, linewidth=0.5, linestyle=":")
    ax.plot([place], [value], marker="D", color=ink, markersize=5, clip_on=False)
    ax.annotate("missing", (place, value), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=8, color=ink)
