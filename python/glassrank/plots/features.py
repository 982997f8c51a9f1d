"""Pictures of what features do: importances, and attributions of many documents."""
from __future__ import annotations

from typing import Any

import numpy as np

from glassrank._values import category_texts
from glassrank.errors import UsageError
from glassrank.plots._canvas import (
    DOWN,
    FAINT,
    SERIES,
    UP,
    axes,
    bars,
    heading,
    marks,
    number,
    percentiles,
    place_colours,
    plain,
    shortened,
    signed_colours,
    top_features,
)
from glassrank.plots._cells import Axis, name_cells


def importance(shown: Any, top: int = 20, *, ax: Any = None) -> Any:
    """Bars of what a ranker uses: the drop of a metric without a feature where it is known, else gains."""
    entries = shown.importance
    by_drop = shown.permutation is not None
    key = "drop" if by_drop else "gain"
    known = [entry for entry in entries if getattr(entry, key, None) is not None]
    if not known:
        raise UsageError("no importance to draw: models without gains need judged data, importance(data)")
    known = sorted(known, key=lambda entry: -getattr(entry, key))[: top or None]
    values = np.array([getattr(entry, key) for entry in known])
    ax = axes(ax, 6.4, 0.9 + 0.28 * len(known))
    names, colours = [shortened(entry.feature) for entry in known], [UP if v < 0 else DOWN for v in values]
    if by_drop and all(entry.low is not None for entry in known):
        marks(ax, names, values, [[entry[end] for entry in known] for end in ("low", "high")], colours)
    else:
        bars(ax, names, values, colours, [number(value) for value in values])
    ax.set_xlabel(f"drop of {shown.permutation.metric} without the feature" if by_drop else "gain of the splits")
    return ax


def summary(shown: Any, top: int = 20, *, within: bool = True, ax: Any = None) -> Any:
    """Bars of what orders documents: mean amounts of attributions, less the query's mean unless told."""
    key = "mean_amount_within" if within else "mean_amount"
    entries = sorted(shown["all"].features, key=lambda entry: -entry[key])
    entries = [entry for entry in entries if entry[key] > 0][: top or None]
    ax = axes(ax, 6.4, 0.9 + 0.28 * len(entries))
    values = np.array([entry[key] for entry in entries])
    arrows = ["" if e.direction is None or e.direction != e.direction or abs(e.direction) < 0.3 else " ↑" if e.direction > 0 else " ↓" for e in entries]
    bars(ax, [shortened(e.feature) for e in entries], values, DOWN, [number(v) + a for v, a in zip(values, arrows)])
    ax.set_xlabel("mean amount of the attribution" + (" within queries" if within else "") + "\n(↑ more is better)")
    return ax


def bar(attributions: Any, top: int = 15, *, ax: Any = None) -> Any:
    """Mean amounts of the attributions, feature by feature."""
    means = np.abs(attributions.values).mean(axis=0)
    order = top_features(means, top)
    ax = axes(ax, 6.4, 0.9 + 0.28 * len(order))
    bars(ax, [shortened(attributions.feature_names[f]) for f in order], means[order], DOWN, [number(means[f]) for f in order])
    ax.set_xlabel("mean amount of what it adds to the score")
    return ax


def _offsets(values: np.ndarray, width: float) -> np.ndarray:
    """Places across a line that keep points of equal values apart: denser is wider."""
    span = values.max() - values.min()
    cells = np.zeros(len(values), dtype=int) if span == 0 else np.round(80 * (values - values.min()) / span).astype(int)
    offsets = np.zeros(len(values))
    largest = max(np.bincount(cells).max(), 1)
    for cell in np.unique(cells):
        inside = np.flatnonzero(cells == cell)
        steps = np.arange(len(inside))
        offsets[inside] = np.where(steps % 2 == 0, 1, -1) * ((steps + 1) // 2)
    return width * offsets / max(largest / 2, 6)


def beeswarm(attributions: Any, top: int = 15, *, most: int = 4000, ax: Any = None) -> Any:
    """Every document as a point: what a feature adds to its score, coloured by the feature's value.

    Of more than ``most`` documents, evenly chosen ones are drawn.
    """
    values, X = attributions.values, attributions.X
    if len(values) > most:
        chosen = np.linspace(0, len(values) - 1, most).round().astype(int)
        values, X = values[chosen], X[chosen]
    order = top_features(np.abs(attributions.values).mean(axis=0), top)
    ax = axes(ax, 6.8, 1.2 + 0.36 * len(order))
    colours = place_colours()
    for line, feature in enumerate(order[::-1]):
        phi, places = values[:, feature], _shades(attributions, feature, X)
        ax.axhline(line, color="#e3e3e3", linewidth=0.8, zorder=0)
        there = ~np.isnan(places)
        offsets = line + np.clip(_offsets(phi, 0.4), -0.42, 0.42)
        ax.scatter(phi[~there], offsets[~there], s=7, color="#cfcfcf", linewidth=0, rasterized=True)
        ax.scatter(phi[there], offsets[there], s=7, c=colours(places[there]), linewidth=0, rasterized=True)
    ax.axvline(0, color=FAINT, linewidth=0.8)
    ax.set_yticks(range(len(order)), [shortened(attributions.feature_names[f]) for f in order[::-1]])
    ax.set_ylim(-0.6, len(order) - 0.4)
    ax.set_xlabel("adds to the score")
    plain(ax)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    _colour_scale(ax, colours, "value of the feature", "low", "high")
    return ax


def _shades(attributions: Any, feature: int, X: np.ndarray) -> np.ndarray:
    """The place of every value among the others; NaN, which is grey, where it is missing or a category."""
    is_category = attributions.feature_names[feature] in attributions.categories
    return np.full(len(X), np.nan) if is_category else percentiles(X[:, feature].astype(float))


def _colour_scale(ax: Any, colours: Any, label: str, low: str, high: str) -> None:
    from matplotlib.cm import ScalarMappable

    scale = ax.figure.colorbar(ScalarMappable(cmap=colours), ax=ax, aspect=40, pad=0.02)
    scale.set_ticks([0, 1], labels=[low, high])
    scale.set_label(label, labelpad=-12)
    scale.outline.set_visible(False)


def dependence(attributions: Any, feature: str, colour_by: str | None = None, *, ax: Any = None) -> Any:
    """What a feature adds to the score against its value, document by document.

    ``colour_by`` is another feature; without it none.
    """
    place = _feature(attributions, feature)
    x, y = attributions.X[:, place].astype(float), attributions.values[:, place]
    ax = axes(ax, 6.4, 4.0)
    names = _names_of_values(attributions, place, x)
    if names is not None:
        codes, inverse = np.unique(x, return_inverse=True)
        x = inverse + 0.35 * (np.arange(len(x)) * 7919 % 101 / 101 - 0.5)  # apart, so that all are seen
        name_cells(ax, Axis(feature, np.arange(len(codes)), np.arange(len(codes) + 1) - 0.5, names), True)
    there = ~np.isnan(x)
    if colour_by is None:
        ax.scatter(x[there], y[there], s=9, color=DOWN, alpha=0.6, linewidth=0, rasterized=True)
    elif colour_by in attributions.categories:
        _scatter_by_category(ax, x, y, attributions, _feature(attributions, colour_by))
    else:
        colours = place_colours()
        other = percentiles(attributions.X[:, _feature(attributions, colour_by)].astype(float))
        shades = np.where(np.isnan(other)[:, None], [[0.81, 0.81, 0.81, 1.0]], colours(np.nan_to_num(other)))
        ax.scatter(x[there], y[there], s=9, c=shades[there], linewidth=0, rasterized=True)
        _colour_scale(ax, colours, shortened(colour_by), "low", "high")
    if not there.all():
        low, high = (x[there].min(), x[there].max()) if there.any() else (0.0, 1.0)
        beyond = high + 0.06 * ((high - low) or 1.0)
        ax.scatter(np.full((~there).sum(), beyond), y[~there], s=9, marker="D", color=UP, alpha=0.6, linewidth=0)
        ax.annotate("missing", (beyond, y[~there].max()), xytext=(0, 5), textcoords="offset points", ha="center", fontsize=8, color=UP)
    ax.axhline(0, color=FAINT, linewidth=0.7)
    ax.set_xlabel(shortened(feature, 50))
    ax.set_ylabel("adds to the score")
    plain(ax)
    return ax


def _names_of_values(attributions: Any, place: int, x: np.ndarray) -> list[str] | None:
    """What the values that occur are called, in ascending order; None of a feature of other numbers than 0 and 1."""
    name, values = attributions.feature_names[place], np.unique(x)
    if name in attributions.categories:
        return [shortened(each, 20) for each in category_texts(attributions.categories[name], values)]
    is_switch = set(values[~np.isnan(values)]) <= {0.0, 1.0}
    return [number(value) for value in values] if is_switch else None


def _scatter_by_category(ax: Any, x: np.ndarray, y: np.ndarray, attributions: Any, place: int) -> None:
    """A colour for each of the most frequent categories, grey for the others."""
    texts = np.array(category_texts(attributions.categories[attributions.feature_names[place]], attributions.X[:, place]))
    found, counts = np.unique(texts, return_counts=True)
    rest = np.ones(len(texts), dtype=bool)
    for colour, text in zip(SERIES[1:], found[np.argsort(-counts, kind="stable")]):
        rest &= texts != text
        ax.scatter(x[texts == text], y[texts == text], s=9, color=colour, linewidth=0, rasterized=True, label=shortened(text, 20))
    if rest.any():
        ax.scatter(x[rest], y[rest], s=9, color="#cfcfcf", linewidth=0, rasterized=True, label="others")
    legend = ax.legend(frameon=False, fontsize=8, title=shortened(attributions.feature_names[place], 24), loc="center left", bbox_to_anchor=(1.0, 0.5))
    legend.get_title().set_fontsize(8)


def _feature(attributions: Any, name: str) -> int:
    if name not in attributions.feature_names:
        import difflib

        near = difflib.get_close_matches(name, attributions.feature_names, 1)
        raise UsageError(f"unknown feature {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
    return attributions.feature_names.index(name)


def decision(attributions: Any, top: int = 15, *, most: int = 200, ax: Any = None) -> Any:
    """Every document as a line from the base value to its score, feature after feature from below."""
    values = attributions.values
    chosen = np.arange(len(values))
    if len(values) > most:
        chosen = np.linspace(0, len(values) - 1, most).round().astype(int)
    order = top_features(np.abs(values).mean(axis=0), top)[::-1]
    rest = np.setdiff1d(np.arange(values.shape[1]), order)
    ax = axes(ax, 6.4, 1.2 + 0.32 * len(order))
    scores = attributions.scores[chosen]
    shades = place_colours()(percentiles(scores))
    for row, shade in zip(chosen, shades):
        start = attributions.base_values[row] + values[row, rest].sum()
        ax.plot(np.concatenate([[start], start + np.cumsum(values[row, order])]), np.arange(len(order) + 1), color=shade, linewidth=0.9, alpha=0.75)
    ax.axvline(attributions.base_values.mean(), color=FAINT, linewidth=0.8, linestyle=":")
    ax.set_yticks(np.arange(len(order)) + 0.5, [shortened(attributions.feature_names[f]) for f in order])
    ax.set_ylim(0, len(order))
    ax.set_xlabel("score, with the features up to here")
    plain(ax)
    ax.tick_params(axis="y", length=0)
    _colour_scale(ax, place_colours(), "score", "low", "high")
    return ax


def heat_map(attributions: Any, query: Any = None, top: int = 12, *, most: int = 40, ax: Any = None) -> Any:
    """The documents of one query, best first, by what each feature adds to their scores."""
    data = attributions.dataset
    number_of = 0 if query is None and len(data) == 1 else None
    if number_of is None:
        if query is None:
            raise UsageError(f"a heat map shows one query, and there are {len(data)}: say which")
        number_of = data._find(query)
    begin = int(data.group[:number_of].sum())
    rows = np.arange(begin, begin + int(data.group[number_of]))
    rows = rows[np.argsort(-attributions.scores[rows], kind="stable")][:most]
    values = attributions.values[rows] - attributions.values[rows].mean(axis=0)
    order = top_features(np.abs(values).mean(axis=0), top)
    ax = axes(ax, 2.6 + 0.5 * len(order), 1.8 + 0.24 * len(rows))
    largest = max(np.abs(values[:, order]).max() if len(order) else 0, 1e-300)
    heading(ax, f"query {shortened(data.queries[number_of], 44)}\nrank, document, (grade)")
    image = ax.imshow(values[:, order], cmap=signed_colours(), vmin=-largest, vmax=largest, aspect="auto")
    names, grades = data.documents, data.y
    ax.set_yticks(range(len(rows)), [f"{place + 1}. {shortened(names[row], 26)}  ({grades[row]:g})" for place, row in enumerate(rows)], fontsize=8)
    ax.set_xticks(range(len(order)), [shortened(attributions.feature_names[f], 26) for f in order], rotation=45, ha="right", rotation_mode="anchor", fontsize=8)
    ax.figure.colorbar(image, ax=ax, label="adds to the score, less the query's mean", aspect=30)
    ax.tick_params(length=0)
    return ax
