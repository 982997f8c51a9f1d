"""Curves: of learning, of effects, of dependence, of validity."""
from __future__ import annotations

import re
from typing import Any

import numpy as np

from glassrank.errors import UsageError
from glassrank.plots._canvas import DOWN, FAINT, INK, SERIES, UP, axes, heading, marks, plain, shortened, signed_colours
from glassrank.plots._cells import Axis, axis_of, density, margin, missing_mark, name_cells, points_axis, rows_of_points


def learning_curve(training: Any, metrics: Any = None, *, ax: Any = None) -> Any:
    """Metrics by round. ``metrics`` are columns of ``training.curve``; all of them unless told."""
    curve = training.curve
    names = [name for name in curve if name not in ("round", "bag")]
    chosen = names if metrics is None else [metrics] if isinstance(metrics, str) else list(metrics)
    if not chosen:
        raise UsageError("this training has no learning curve")
    ax = axes(ax, 6.4, 3.8)
    bags = curve.get("bag", np.ones(len(curve["round"]), dtype=int))
    for number, name in enumerate(chosen):
        if name not in curve:
            raise UsageError(f"no column {name!r}; there are {', '.join(map(repr, names))}")
        for bag in np.unique(bags):
            rows = bags == bag
            ax.plot(
                curve["round"][rows],
                curve[name][rows],
                color=SERIES[number % len(SERIES)],
                linewidth=1.6 if len(np.unique(bags)) == 1 else 0.8,
                linestyle="-" if number < len(SERIES) else "--",
                label=name if bag == bags[0] else None,
            )
    best = training["best_round"] if "best_round" in training else None
    if best and len(np.unique(bags)) == 1:
        ax.axvline(best, color=FAINT, linewidth=0.9, linestyle=":")
        ax.annotate(f"kept: {best}", (best, 0.02), xycoords=("data", "axes fraction"), fontsize=8, color=FAINT, rotation=90, ha="right")
    ax.set_xlabel("round")
    ax.set_ylabel("metric")
    ax.legend(frameon=False, fontsize=9)
    plain(ax)
    return ax


def effect(shown: Any, *, data: Any = None, ax: Any = None) -> Any:
    """The curve of a feature or the surface of a pair, with the density of the training rows.

    With ``data``, mostly the training data, axes of numbers end where its values end.
    """
    ends = [None if data is None else data.X[:, data.feature_names.index(name)] for name in shown.features]
    rows = [None] * len(ends) if shown.weights is None else _rows_along(shown.weights)
    drawn = [axis_of(*each) for each in zip(shown.features, shown.edges, shown.categories, rows, ends)]
    if shown.is_surface:
        return _surface(shown, drawn[0], drawn[1], ax)
    return _named_cells(shown, drawn[0], ax) if drawn[0].names else _curve(shown, drawn[0], ax)


def _rows_along(weights: np.ndarray) -> list[np.ndarray]:
    """The weights of the rows along each axis."""
    return [weights] if weights.ndim == 1 else [weights.sum(axis=1), weights.sum(axis=0)]


def _named_cells(shown: Any, axis: Axis, ax: Any) -> Any:
    """A line for every category, the highest first, all others and missing values last; of two cells as they lie."""
    order = np.arange(len(axis.cells))
    if shown.categories[0] is not None:
        is_rest = [name in ("others", "missing") for name in axis.names]
        order = np.lexsort((-shown.values[axis.cells], is_rest))
    cells, names = axis.cells[order], [axis.names[place] for place in order]
    ax = axes(ax, 6.4, 1.2 + 0.28 * len(cells))
    values = shown.values[cells]
    errors = None if shown.errors is None else 2 * shown.errors[cells]
    marks(ax, names, values, None if errors is None else (values - errors, values + errors), [UP if v >= 0 else DOWN for v in values])
    ax.set_xlabel("adds to the score" + ("" if errors is None else "   (lines: 2 standard deviations)"))
    heading(ax, shortened(shown.features[0], 60))
    return ax


def _curve(shown: Any, axis: Axis, ax: Any) -> Any:
    ax = axes(ax, 6.4, 3.8)
    values = shown.values[:-1]
    ax.stairs(values, axis.borders, baseline=None, color=INK, linewidth=1.8)
    if shown.errors is not None:
        low, high = values - 2 * shown.errors[:-1], values + 2 * shown.errors[:-1]
        ax.fill_between(np.repeat(axis.borders, 2)[1:-1], np.repeat(low, 2), np.repeat(high, 2), color=FAINT, alpha=0.3, linewidth=0)
    ax.axhline(0, color=FAINT, linewidth=0.7)
    if shown.weights is not None and shown.weights.sum() > 0:
        density(ax, axis, shown.weights[:-1])
        if shown.weights[-1] > 0:
            missing_mark(ax, axis.borders, shown.values[-1], INK)
    ax.set_xlabel(shortened(shown.features[0]) + ("   (grey: density of the rows)" if shown.weights is not None else ""))
    ax.set_ylabel("adds to the score")
    plain(ax)
    return ax


def _surface(shown: Any, across: Axis, down: Axis, ax: Any) -> Any:
    ax = axes(ax, 6.2, 5.0)
    cells = np.ix_(across.cells, down.cells)
    values = shown.values[cells]
    largest = max(np.abs(values).max(), 1e-300)
    mesh = ax.pcolormesh(across.borders, down.borders, values.T, cmap=signed_colours(), vmin=-largest, vmax=largest, rasterized=True)
    if shown.weights is not None and shown.weights.sum() > 0:
        for axis, rows, is_across in zip((across, down), _rows_along(shown.weights[cells]), (True, False)):
            margin(ax, axis, rows, is_across)
    ax.figure.colorbar(mesh, ax=ax, label="adds to the score", pad=0.02)
    name_cells(ax, across, True)
    name_cells(ax, down, False)
    return ax


def dependence(shown: Any, *, ax: Any = None) -> Any:
    """How the score depends on a feature (pdp, ice, ale), or on two as a heat map."""
    if len(shown.axes) == 2:
        return _dependence_on_two(shown, ax)
    axis = points_axis(shown.axes[0])
    draw = _dependence_on_names if axis.names else _dependence_on_numbers
    ax = draw(shown, axis, np.asarray(shown["values"], dtype=float), ax)
    names = {"pdp": "mean score", "ice": "score, document by document", "ale": "accumulated change of the score"}
    (ax.set_xlabel if axis.names else ax.set_ylabel)(names.get(shown.kind, "score"))
    return ax


def _dependence_on_names(shown: Any, axis: Axis, values: np.ndarray, ax: Any) -> Any:
    ax = axes(ax, 6.4, 1.2 + 0.28 * len(axis.cells))
    known = axis.cells < len(values)  # accumulated effects have no place for missing values
    curves = [np.asarray(each["values"], dtype=float) for each in shown["curves"]] if "curves" in shown else []
    means = values[axis.cells[known]] if len(values) else np.full(len(axis.cells), np.nan)
    names = axis.names if not len(values) else [name for name, is_known in zip(axis.names, known) if is_known]
    marks(ax, names, means, None, [INK] * len(means), has_zero=False)
    for curve in curves:
        cells = axis.cells[axis.cells < len(curve)]
        ax.plot(curve[cells], len(names) - 1 - np.arange(len(cells)), ".", color=SERIES[0], alpha=0.25, markersize=5)
    heading(ax, shortened(axis.feature, 60))
    return ax


def _dependence_on_numbers(shown: Any, axis: Axis, values: np.ndarray, ax: Any) -> Any:
    ax = axes(ax, 6.4, 3.8)
    count = len(axis.cells)
    points, rows = np.asarray(shown.axes[0].points, dtype=float), rows_of_points(shown.axes[0])
    in_steps = len(shown.axes[0].edges) + 1 == count and shown.axes[0].is_exact

    def draw(numbers: Any, **style: Any) -> None:
        if in_steps:
            ax.stairs(np.asarray(numbers)[:count], axis.borders, baseline=None, **style)
        else:
            ax.plot(points, np.asarray(numbers)[:count], **style)

    for curve in shown["curves"] if "curves" in shown else []:
        draw(curve["values"], color=SERIES[0], alpha=0.25, linewidth=0.7)
    if len(values) >= count:
        draw(values, color=INK, linewidth=2)
        if rows[count] > 0 and len(values) > count:
            missing_mark(ax, axis.borders, values[count], INK)
    has_rows = rows[:count].sum() > 0 and count > 1
    if has_rows:
        density(ax, axis, rows[:count])
    ax.set_xlabel(shortened(axis.feature) + ("   (grey: density of the rows)" if has_rows else ""))
    plain(ax)
    return ax


def _dependence_on_two(shown: Any, ax: Any) -> Any:
    ax = axes(ax, 6.2, 5.0)
    across, down = (points_axis(axis) for axis in shown.axes)
    shape = [len(axis.points) + bool(axis.has_missing) for axis in shown.axes]
    values = np.asarray(shown["values"], dtype=float).reshape(shape)[np.ix_(across.cells, down.cells)]
    mesh = ax.pcolormesh(across.borders, down.borders, values.T, cmap="cividis", rasterized=True)
    ax.figure.colorbar(mesh, ax=ax, label="mean score")
    name_cells(ax, across, True)
    name_cells(ax, down, False)
    return ax


def validity(audit: Any, *, ax: Any = None) -> Any:
    """How much of an order the first k features of an explanation give: Kendall's tau against k.

    The audit has to have measured several: ``model.audit(data, methods, sizes=[1, 2, 3, 5, 8])``.
    """
    ax = axes(ax, 6.4, 4.0)
    is_drawn = False
    for number, method in enumerate(audit.methods):
        points = []
        for measure in method.measures:
            size = re.fullmatch(r"validity(?:@(\d+))?", measure.measure)
            if size and measure.mean is not None:
                points.append((int(size[1] or audit.k), measure.mean, measure.standard_error or 0.0))
        if not points:
            continue
        is_drawn = True
        k, mean, error = (np.array(each) for each in zip(*sorted(dict((p[0], p) for p in points).values())))
        colour = SERIES[number % len(SERIES)]
        style = ["-", "--", ":", "-."][number // len(SERIES) % 4]
        ax.plot(k, mean, color=colour, linestyle=style, marker="o", markersize=4, linewidth=1.6, label=method.method)
        ax.fill_between(k, mean - 2 * error, mean + 2 * error, color=colour, alpha=0.14, linewidth=0)
    if not is_drawn:
        raise UsageError("the audit has no validity; audit models that rank, with k features or several sizes")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.axhline(0, color=FAINT, linewidth=0.7)
    ax.set_xlabel("features known (k); bands: 2 standard errors over queries")
    ax.set_ylabel("validity (Kendall's tau)")
    ax.legend(frameon=False, fontsize=9)
    plain(ax)
    return ax


def comparison(shown: Any, metric: str | None = None, *, ax: Any = None) -> Any:
    """Means of the systems with their intervals, for one metric."""
    entries = {entry.metric: entry for entry in shown.metrics}
    name = metric or next(iter(entries))
    if name not in entries:
        raise UsageError(f"{name!r} was not compared; there are {', '.join(map(repr, entries))}")
    systems = entries[name].systems
    ax = axes(ax, 6.0, 0.9 + 0.45 * len(systems))
    places = np.arange(len(systems))[::-1]
    for place, system in zip(places, systems):
        ax.plot(list(system.interval), [place, place], color=DOWN, linewidth=2, solid_capstyle="butt")
        ax.plot([system.mean], [place], marker="o", color=DOWN)
        ax.annotate(f"{system.mean:.4f}", (system.mean, place), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=8)
    ax.set_yticks(places, [shortened(system.system) for system in systems])
    ax.set_ylim(-0.6, len(systems) - 0.3)
    ax.set_xlabel(f"{name}\nmean over queries and its interval")
    plain(ax)
    return ax


def query_values(evaluation: Any, metric: str | None = None, *, ax: Any = None) -> Any:
    """How the values of a metric are spread over the queries."""
    name = metric or next(iter(evaluation.values))
    if name not in evaluation.values:
        raise UsageError(f"{name!r} was not measured; there are {', '.join(map(repr, evaluation.values))}")
    values = evaluation.values[name]
    values = values[~np.isnan(values)]
    ax = axes(ax, 6.0, 3.4)
    counts, _, _ = ax.hist(values, bins=min(30, max(5, len(values) // 3)), color=DOWN, alpha=0.85)
    ax.set_ylim(0, 1.15 * counts.max())
    ax.yaxis.get_major_locator().set_params(integer=True)
    ax.axvline(values.mean(), color=INK, linewidth=1.2, linestyle="--")
    ax.annotate(f"mean {values.mean():.4f}", (values.mean(), 0.97), xycoords=("data", "axes fraction"), xytext=(4, 0), textcoords="offset points", va="top", fontsize=9)
    ax.set_xlabel(f"{name} of a query")
    ax.set_ylabel("queries")
    plain(ax)
    return ax
