"""Curves: of learning, of effects, of dependence, of validity."""
from __future__ import annotations

import re
from typing import Any

import numpy as np

from glassrank.errors import UsageError
from glassrank.plots._canvas import DOWN, FAINT, INK, SERIES, UP, axes, number, plain, signed_colours


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


def _borders(edges: np.ndarray) -> np.ndarray:
    """Where cells of values begin and end: the open ends reach a little beyond the edges."""
    edges = np.asarray(edges, dtype=float)
    if len(edges) == 0:
        return np.array([0.0, 1.0])
    pad = 0.06 * (edges[-1] - edges[0]) or max(abs(edges[0]) * 0.5, 0.5)
    return np.concatenate([[edges[0] - pad], edges, [edges[-1] + pad]])


def effect(shown: Any, *, ax: Any = None) -> Any:
    """The curve of a feature or the surface of a pair, with the density of the training rows."""
    if shown.is_surface:
        return _surface(shown, ax)
    if shown.categories[0] is not None:
        return _categories(shown, ax)
    return _two_cells(shown, ax) if len(shown.edges[0]) == 1 else _curve(shown, ax)


_MOST_CATEGORIES = 40


def _categories(shown: Any, ax: Any) -> Any:
    """A bar for every category, the highest first; of many those with the most rows."""
    names, values = shown.categories[0], shown.values
    cells = [c for c in range(len(names)) if names[c] not in ("others", "missing")]
    if shown.weights is not None:
        cells = sorted(cells, key=lambda c: -shown.weights[c])[:_MOST_CATEGORIES]
    cells = sorted(cells[:_MOST_CATEGORIES], key=lambda c: -values[c])
    for rest in ("others", "missing"):
        there = [c for c in range(len(names)) if names[c] == rest and (shown.weights is None or shown.weights[c] > 0)]
        cells += there[-1:]
    ax = axes(ax, 6.4, 1.2 + 0.26 * len(cells))
    errors = None if shown.errors is None else 2 * shown.errors[cells]
    ax.barh(range(len(cells)), values[cells], xerr=errors, color=[UP if values[c] >= 0 else DOWN for c in cells], height=0.7)
    ax.set_yticks(range(len(cells)), [names[c] for c in cells])
    ax.invert_yaxis()
    ax.axvline(0, color=FAINT, linewidth=0.7)
    ax.set_xlabel("adds to the score")
    ax.set_ylabel(shown.features[0])
    plain(ax)
    return ax


def _two_cells(shown: Any, ax: Any) -> Any:
    """A bar on either side of the only edge: mostly 0 and 1."""
    ax = axes(ax, 4.8, 3.8)
    edge = number(shown.edges[0][0])
    names = [f"at most {edge}", f"above {edge}"]
    if shown.weights is not None and shown.weights[-1] > 0:
        names.append("missing")
    values = shown.values[: len(names)]
    errors = None if shown.errors is None else 2 * shown.errors[: len(names)]
    ax.bar(names, values, yerr=errors, color=[UP if value >= 0 else DOWN for value in values], width=0.6)
    ax.axhline(0, color=FAINT, linewidth=0.7)
    ax.set_xlabel(shown.features[0])
    ax.set_ylabel("adds to the score")
    plain(ax)
    return ax


def _curve(shown: Any, ax: Any) -> Any:
    ax = axes(ax, 6.4, 3.8)
    borders = _borders(shown.edges[0])
    values = shown.values[:-1]
    ax.stairs(values, borders, baseline=None, color=INK, linewidth=1.8)
    if shown.errors is not None:
        low, high = values - 2 * shown.errors[:-1], values + 2 * shown.errors[:-1]
        ax.fill_between(np.repeat(borders, 2)[1:-1], np.repeat(low, 2), np.repeat(high, 2), color=FAINT, alpha=0.3, linewidth=0)
    ax.axhline(0, color=FAINT, linewidth=0.7)
    if shown.weights is not None and shown.weights.sum() > 0:
        share = shown.weights[:-1] / np.diff(borders)
        ax.fill_between(
            np.repeat(borders, 2)[1:-1],
            0,
            np.repeat(0.12 * share / max(share.max(), 1e-300), 2),
            transform=ax.get_xaxis_transform(),
            color="#bdbdbd",
            alpha=0.6,
            linewidth=0,
            zorder=0,
        )
        if shown.weights[-1] > 0:
            _missing(ax, borders, shown.values[-1])
    ax.set_xlabel(shown.features[0] + ("   (grey: density of the rows)" if shown.weights is not None else ""))
    ax.set_ylabel("adds to the score")
    plain(ax)
    return ax


def _missing(ax: Any, borders: np.ndarray, value: float) -> None:
    place = borders[-1] + 0.04 * (borders[-1] - borders[0])
    ax.plot([place], [value], marker="D", color=INK, markersize=5, clip_on=False)
    ax.annotate("missing", (place, value), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=8, color=INK)


def _surface(shown: Any, ax: Any) -> Any:
    ax = axes(ax, 6.2, 5.0)
    across, down = (_borders(edges) for edges in shown.edges)
    values = shown.values[:-1, :-1]
    largest = max(np.abs(values).max(), 1e-300)
    mesh = ax.pcolormesh(across, down, values.T, cmap=signed_colours(), vmin=-largest, vmax=largest, rasterized=True)
    ax.figure.colorbar(mesh, ax=ax, label="adds to the score", pad=0.02 if shown.weights is None else 0.14)
    if shown.weights is not None and shown.weights.sum() > 0:
        rows = shown.weights[:-1, :-1]
        for borders, share, is_across in ((across, rows.sum(axis=1), True), (down, rows.sum(axis=0), False)):
            _margin(ax, borders, share / np.diff(borders), is_across)
    ax.set_xlabel(shown.features[0])
    ax.set_ylabel(shown.features[1])
    return ax


def _margin(ax: Any, borders: np.ndarray, share: np.ndarray, is_across: bool) -> None:
    """The density of the rows along one axis of a heat map."""
    beside = ax.inset_axes([0, 1.01, 1, 0.12] if is_across else [1.01, 0, 0.12, 1])
    steps, heights = np.repeat(borders, 2)[1:-1], np.repeat(share, 2)
    if is_across:
        beside.fill_between(steps, 0, heights, color="#bdbdbd", linewidth=0)
        beside.set_xlim(borders[0], borders[-1])
        beside.set_ylim(0)
    else:
        beside.fill_betweenx(steps, 0, heights, color="#bdbdbd", linewidth=0)
        beside.set_ylim(borders[0], borders[-1])
        beside.set_xlim(0)
    beside.axis("off")


def dependence(shown: Any, *, ax: Any = None) -> Any:
    """How the score depends on a feature (pdp, ice, ale), or on two as a heat map."""
    if len(shown.axes) == 2:
        return _dependence_on_two(shown, ax)
    ax = axes(ax, 6.4, 3.8)
    axis = shown.axes[0]
    points = np.asarray(axis.points, dtype=float)
    count = len(points)
    in_steps = axis.is_exact and len(axis.edges) + 1 == count
    reach = _borders(axis.edges) if in_steps else points if count > 1 else _borders(points)

    def draw(values: Any, **style: Any) -> None:
        if in_steps:
            ax.stairs(np.asarray(values)[:count], reach, baseline=None, **style)
        else:
            ax.plot(points, np.asarray(values)[:count], **style)

    for curve in shown["curves"] if "curves" in shown else []:
        draw(curve["values"], color=SERIES[0], alpha=0.25, linewidth=0.7)
    values = np.asarray(shown["values"], dtype=float)
    if len(values) >= count:
        draw(values, color=INK, linewidth=2)
        if axis.has_missing and len(values) > count:
            _missing(ax, reach, values[count])
    weights = np.asarray(axis.weights, dtype=float)[:count]
    if len(weights) == count and count > 1 and weights.sum() > 0:
        ax.vlines(points, 0, 0.1 * weights / weights.max(), transform=ax.get_xaxis_transform(), color="#9a9a9a", linewidth=1.2, zorder=0)
    names = {"pdp": "mean score", "ice": "score, document by document", "ale": "accumulated change of the score"}
    ax.set_xlabel(axis.feature + "   (grey: how many documents)")
    ax.set_ylabel(names.get(shown.kind, "score"))
    plain(ax)
    return ax


def _dependence_on_two(shown: Any, ax: Any) -> Any:
    ax = axes(ax, 6.2, 5.0)
    first, second = shown.axes
    shape = [len(axis.points) + bool(axis.has_missing) for axis in shown.axes]
    values = np.asarray(shown["values"], dtype=float).reshape(shape)[: len(first.points), : len(second.points)]
    borders = [
        _borders(axis.edges) if axis.is_exact and len(axis.edges) + 1 == len(axis.points) else _between(np.asarray(axis.points, dtype=float))
        for axis in shown.axes
    ]
    mesh = ax.pcolormesh(*borders, values.T, cmap="cividis", rasterized=True)
    ax.figure.colorbar(mesh, ax=ax, label="mean score")
    ax.set_xlabel(first.feature)
    ax.set_ylabel(second.feature)
    return ax


def _between(points: np.ndarray) -> np.ndarray:
    """Borders half way between points."""
    if len(points) < 2:
        return np.array([points[0] - 0.5, points[0] + 0.5])
    middle = (points[1:] + points[:-1]) / 2
    return np.concatenate([[points[0] - (middle[0] - points[0])], middle, [points[-1] + (points[-1] - middle[-1])]])


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
    ax.set_yticks(places, [system.system for system in systems])
    ax.set_ylim(-0.6, len(systems) - 0.3)
    ax.set_xlabel(f"{name}, mean over queries and its interval")
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
