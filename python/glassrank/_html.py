"""What notebooks show of results: tables and small charts, all text escaped."""
from __future__ import annotations

from html import escape
from typing import Any, Iterable, Sequence

import numpy as np

from glassrank._values import display_matrix, shown_values
from glassrank.plots._cells import Axis, axis_of

_STYLE = (
    "<style>.gr-box{font-family:sans-serif;font-size:13px;line-height:1.35}"
    ".gr-box{overflow-x:auto}.gr-box table{border-collapse:collapse;margin:.4em 0;font-size:12px}"
    ".gr-box th,.gr-box td{text-align:left;padding:2px 12px 2px 0;border:0;background:none;vertical-align:middle;white-space:nowrap}"
    ".gr-box th{font-weight:600;opacity:.7}.gr-box td.gr-n{text-align:right;font-variant-numeric:tabular-nums}"
    ".gr-box .gr-faint{opacity:.65}</style>"
)
_MOST_ROWS = 12
_UP, _DOWN = "#c04f00", "#0067a8"


def box(title: str, *parts: str) -> str:
    """Everything under a title; parts are HTML."""
    return f'<div class="gr-box">{_STYLE}<b>{escape(title)}</b>{"".join(parts)}</div>'


def paragraph(text: str) -> str:
    return f'<div class="gr-faint">{escape(text)}</div>' if text else ""


def _cell(value: Any) -> tuple[str, bool]:
    """A value as HTML, and whether it is a number."""
    if isinstance(value, _Raw):
        return value.html, False
    if value is None:
        return "", False
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no", False
    if isinstance(value, (int, np.integer)):
        return f"{int(value):,}", True
    if isinstance(value, (float, np.floating)):
        return ("missing" if value != value else f"{float(value):.5g}"), True
    if isinstance(value, (list, tuple, np.ndarray)):
        return ", ".join(_cell(each)[0] for each in list(value)[:6]) + (", …" if len(value) > 6 else ""), False
    text = str(value)
    return escape(text if len(text) <= 120 else text[:119] + "…"), False


class _Raw:
    """HTML that is made here."""

    def __init__(self, html: str) -> None:
        self.html = html


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], num_rows: int | None = None) -> str:
    """The first rows as a table; says how many there are."""
    shown = list(rows)
    count = len(shown) if num_rows is None else num_rows
    body = []
    for row in shown[:_MOST_ROWS]:
        cells = [_cell(value) for value in row]
        body.append("<tr>" + "".join(f'<td class="gr-n">{t}</td>' if is_number else f"<td>{t}</td>" for t, is_number in cells) + "</tr>")
    head = "".join(f"<th>{escape(str(name))}</th>" for name in columns)
    more = paragraph(f"{min(count, _MOST_ROWS)} of {count}") if count > _MOST_ROWS else ""
    return f"<table><tr>{head}</tr>{''.join(body)}</table>{more}"


def bar(value: float | None, largest: float, is_signed: bool = False, width: int = 120) -> _Raw:
    """A bar from the left, or of a signed value from the middle."""
    if value is None or value != value or not largest:
        return _Raw("")
    zero = width / 2 if is_signed else 0
    length = round((width - zero) * min(abs(value) / largest, 1), 1)
    left = zero if value >= 0 else zero - length
    colour = _UP if is_signed and value >= 0 else _DOWN
    return _Raw(
        f'<svg width="{width}" height="12" role="img"><line x1="{zero}" x2="{zero}" y1="0" y2="12" stroke="#999" '
        f'stroke-width="0.6"/><rect x="{left}" y="2" width="{length}" height="8" fill="{colour}"/></svg>'
    )


def line(values: Sequence[float], width: int = 160, height: int = 28) -> _Raw:
    """A small line chart without axes."""
    points = np.asarray(values, dtype=float)
    points = points[np.isfinite(points)]
    if len(points) < 2:
        return _Raw("")
    if len(points) > width:
        points = points[np.linspace(0, len(points) - 1, width).round().astype(int)]
    low, high = points.min(), points.max()
    x = np.linspace(1, width - 1, len(points))
    y = height - 2 - (height - 4) * (points - low) / ((high - low) or 1)
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
    return _Raw(f'<svg width="{width}" height="{height}" role="img"><polyline points="{path}" fill="none" stroke="{_DOWN}" stroke-width="1.4"/></svg>')


def steps(values: np.ndarray, borders: np.ndarray, width: int = 160, height: int = 40) -> _Raw:
    """A small curve of steps, with a line at 0."""
    low, high = min(values.min(), 0.0), max(values.max(), 0.0)
    left, right = borders[0], borders[-1]
    x = 1 + (width - 2) * (np.repeat(borders, 2)[1:-1] - left) / ((right - left) or 1)
    y = height - 2 - (height - 4) * (np.append(values, 0.0) - low) / ((high - low) or 1)
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, np.repeat(y[:-1], 2)))
    return _Raw(
        f'<svg width="{width}" height="{height}" role="img"><line x1="0" x2="{width}" y1="{y[-1]:.1f}" y2="{y[-1]:.1f}" '
        f'stroke="#999" stroke-width="0.6"/><polyline points="{path}" fill="none" stroke="{_DOWN}" stroke-width="1.4"/></svg>'
    )


def heat(values: np.ndarray, width: int = 160, height: int = 60) -> _Raw:
    """A small heat map, the first axis across and the second up; of very many cells some."""
    across, up = (np.unique(np.linspace(0, count - 1, min(count, 40)).round().astype(int)) for count in values.shape)
    shown = values[np.ix_(across, up)]
    largest = np.abs(shown).max() or 1.0
    wide, high = width / len(across), height / len(up)
    cells = "".join(
        f'<rect x="{i * wide:.1f}" y="{(len(up) - 1 - j) * high:.1f}" width="{wide:.1f}" height="{high:.1f}" '
        f'fill="{_UP if shown[i, j] >= 0 else _DOWN}" fill-opacity="{abs(shown[i, j]) / largest:.2f}"/>'
        for i, j in np.ndindex(shown.shape)
    )
    return _Raw(f'<svg width="{width}" height="{height}" role="img">{cells}</svg>')


def _columns(entries: list[Any]) -> list[str]:
    """Keys with a plain value in some entry."""
    keys: list[str] = []
    for entry in entries:
        for key, value in entry.items():
            is_plain = not isinstance(value, (dict, list)) and not hasattr(value, "items") and not (hasattr(value, "ndim") and value.ndim)
            if is_plain and value is not None and key not in keys:
                keys.append(key)
    return keys


def of_result(result: Any) -> str:
    """Any result: its values, then its lists as tables."""
    plain = [(key, value) for key, value in result.items() if isinstance(value, (str, int, float, bool, np.generic)) and value != ""]
    parts = [table(["", ""], plain)] if plain else []
    parts += [paragraph(key) + of_entries(result[key]) for key in result.tables()]
    return box(type(result).__name__, *parts)


def of_entries(entries: list[Any]) -> str:
    keys = _columns(entries[:_MOST_ROWS])
    rows = [[entry[key] if key in entry else None for key in keys] for entry in entries[:_MOST_ROWS]]
    return table(keys, rows, len(entries))


def of_explanation(explanation: Any) -> str:
    entries = explanation.features
    amounts = [entry.gain if entry.attribution is None else entry.attribution for entry in entries]
    largest = max((abs(amount) for amount in amounts if amount is not None), default=0)
    rows = [
        [("* " if entry.is_chosen else "") + entry.feature, *_values(entry, explanation.target), amount, bar(amount, largest, True)]
        for entry, amount in zip(entries, amounts)
    ]
    title = f"{explanation.explainer}: {explanation.target} of query {explanation.query}"
    parts = [paragraph(explanation.summary)]
    if explanation.abstains:
        parts.append(paragraph(explanation.abstains))
    return box(title, *parts, table(["feature", *_value_names(explanation), "adds", ""], rows))


def _value_names(explanation: Any) -> list[str]:
    return {"pair": ["value", "other value"], "ranking": ["lowest", "highest"]}.get(explanation.target, ["value"])


def _values(entry: Any, target: str) -> list[Any]:
    """As many as there are columns for: the categories of a ranking are one text."""
    values = shown_values(entry, target)
    return values + [None] * (2 - len(values)) if target == "ranking" else values


def of_training(training: Any) -> str:
    rows = [[name, values[-1], line(values)] for name, values in training.curve.items() if name not in ("round", "bag") and len(values)]
    return box("Training", paragraph(training.outcome), table(["metric", "last round", ""], rows) if rows else "")


def of_dataset(data: Any) -> str:
    counts = f"{data.num_rows:,} documents of {data.num_queries:,} queries, {data.num_features:,} features"
    names = data.feature_names[:8]
    first = data[: min(3, len(data))] if len(data) else data
    X, ids, documents = first.X[:5, : len(names)], first.qid[:5], first.documents[:5]
    shown = display_matrix(X, names, data.categories)
    rows = [[ids[r], documents[r], float(first.y[r]), *(X if shown is None else shown)[r]] for r in range(len(X))]
    beyond = ["…"] if data.num_features > len(names) else []
    return box(f"Dataset {data.name}", paragraph(counts), table(["query", "document", "grade", *names, *beyond], [row + [""] * len(beyond) for row in rows]))


def of_model(model: Any) -> str:
    parts = [paragraph(repr(model).strip("<>"))]
    importances = model.feature_importances()
    if importances is not None and importances.sum() > 0:
        order = [f for f in np.argsort(-importances, kind="stable") if importances[f] > 0]
        share = importances / importances.sum()
        rows = [[model.feature_names[f], float(share[f]), bar(share[f], share.max())] for f in order[:_MOST_ROWS]]
        parts.append(table(["feature", "share", ""], rows, len(order)))
    lines = [(key, value) for key, value in model.provenance.items() if not key.startswith("params.")]
    if lines:
        parts.append(f"<details><summary>how it came to be</summary>{table(['', ''], lines)}</details>")
    return box("Model", *parts)


def of_summary(summary: Any) -> str:
    parts = []
    for group in [summary["all"], *summary.groups]:
        entries = sorted(group.features, key=lambda entry: -entry.mean_amount_within)
        largest = entries[0].mean_amount_within if entries else 0.0
        rows = [[e.feature, e.mean_amount_within, e.direction, bar(e.mean_amount_within, largest)] for e in entries]
        title = f"{group.name}: {group.num_rows:,} documents of {group.num_queries:,} queries"
        parts.append(paragraph(title) + table(["feature", "amount within queries", "direction", ""], rows))
    more = paragraph(f"and {len(parts) - 4} groups more") if len(parts) > 4 else ""
    return box("What orders documents", *parts[:4], more)


def of_attributions(found: Any) -> str:
    means = np.abs(found.values).mean(axis=0)
    order = [f for f in np.argsort(-means, kind="stable") if means[f] > 0]
    rows = [[found.feature_names[f], float(means[f]), bar(means[f], means.max())] for f in order[:_MOST_ROWS]]
    title = f"Attributions of {len(found):,} documents by {found.explainer}"
    return box(title, table(["feature", "mean amount", ""], rows, len(order)))


def _axis_of(curve: Any) -> Axis:
    return axis_of(curve.features[0], curve.edges[0], curve.categories[0], curve.weights)


def _picture_of(effect: Any) -> _Raw:
    """The curve or surface, without what it gives where numbers are missing."""
    if effect.is_surface:
        return heat(effect.values[:-1, :-1])
    axis = _axis_of(effect)
    return steps(effect.values[axis.cells], axis.borders)


def of_effect(effect: Any) -> str:
    says = paragraph(f"adds {effect.values.min():.4g} to {effect.values.max():.4g} to the score; importance {effect.importance:.4g}")
    axis = None if effect.is_surface else _axis_of(effect)
    if axis is None or not axis.names:
        return box(effect.name, says, _picture_of(effect).html)
    values = effect.values[axis.cells]
    rows = [[axis.names[place], values[place], bar(values[place], np.abs(values).max(), True)] for place in range(len(values))]
    return box(effect.name, says, table([effect.features[0], "adds", ""], rows))


def of_effects(effects: Any) -> str:
    entries = effects.by_importance()
    largest = entries[0].importance if entries else 0.0
    rows = [[each.name, each.importance, bar(each.importance, largest), _picture_of(each)] for each in entries[:_MOST_ROWS]]
    return box("Effects", table(["effect", "importance", "", ""], rows, len(entries)))
