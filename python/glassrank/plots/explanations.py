"""Pictures of one explanation: of a document's score, of a pair's order, of a ranking."""
from __future__ import annotations

from typing import Any

import numpy as np

from glassrank.errors import UsageError
from glassrank.plots._canvas import DOWN, FAINT, INK, UP, axes, bars, number, plain, shortened, signed


def _label(entry: Any) -> str:
    name = shortened(entry.feature)
    if entry.other_value is not None:
        return f"{name}: {number(entry.value)} / {number(entry.other_value)}"
    if entry.low is not None:
        return f"{name}: {number(entry.low)} to {number(entry.high)}"
    if entry.value is not None or entry.low is None and entry.attribution is not None:
        return f"{name} = {number(entry.value)}"
    return name


def _parts(explanation: Any, top: int) -> tuple[list[str], np.ndarray]:
    """Labels and amounts of the largest attributions, and of all the others together; or the gains, as chosen."""
    entries = [entry for entry in explanation.features if _amount(entry) is not None]
    if not entries:
        raise UsageError(f"{explanation.explainer} names features and gives no attributions or gains to draw")
    labels = [_label(entry) for entry in entries[:top]]
    amounts = [_amount(entry) for entry in entries[:top]]
    if len(entries) > top:
        labels.append(f"{len(entries) - top} other features")
        amounts.append(sum(_amount(entry) for entry in entries[top:]))
    return labels, np.array(amounts)


def _amount(entry: Any) -> Any:
    return entry.gain if entry.attribution is None else entry.attribution


def _title(explanation: Any) -> str:
    names = [entry.document for entry in explanation.documents]
    if explanation.target == "document":
        return f"query {explanation.query}\n{names[0]}: score {number(explanation.value)}"
    if explanation.target == "pair":
        return f"query {explanation.query}\n{names[0]}\nagainst {names[1]}"
    return f"query {explanation.query}, the ranking of {explanation.num_documents} documents"


def waterfall(explanation: Any, top: int = 12, *, ax: Any = None) -> Any:
    """From the base value to what is explained, step by step, the smallest first."""
    labels, amounts = _parts(explanation, top)
    labels, amounts = labels[::-1], amounts[::-1]
    ends = explanation.base_value + np.cumsum(amounts)
    starts = ends - amounts
    ax = axes(ax, 6.8, 1.3 + 0.34 * len(labels))
    places = np.arange(len(labels))
    ax.barh(places, amounts, left=starts, color=np.where(amounts >= 0, UP, DOWN), height=0.66)
    low, high = min(starts.min(), ends.min()), max(starts.max(), ends.max())
    room = 0.02 * max(high - low, 1e-12)
    for place in places:
        right = max(starts[place], ends[place])
        ax.text(right + room, place, signed(amounts[place]), va="center", fontsize=8, color=INK)
        if place + 1 < len(places):
            ax.plot([ends[place], ends[place]], [place + 0.33, place + 0.67], color=FAINT, linewidth=0.7)
    ax.set_yticks(places, labels, fontsize=9)
    ax.set_xlim(low - 2 * room, high + 7 * room)
    ax.axvline(explanation.base_value, color=FAINT, linewidth=0.8, linestyle=":")
    ax.set_xlabel(f"from {number(explanation.base_value)} (no feature known) to {number(explanation.value)}")
    ax.set_title(_title(explanation), fontsize=10, loc="left")
    plain(ax)
    ax.tick_params(axis="y", length=0)
    return ax


def force(explanation: Any, top: int = 8, *, ax: Any = None) -> Any:
    """One line: what pushes up comes from the left, what pushes down from the right, and they meet at the value."""
    labels, amounts = _parts(explanation, top)
    ax = axes(ax, 8.6, 2.6)
    value = explanation.value
    span = np.abs(amounts).sum()
    for is_up in (True, False):
        place = value
        texts = []
        for label, amount in zip(labels, amounts):
            if (amount > 0) != is_up or amount == 0:
                continue
            width = abs(amount)
            left = place - width if is_up else place
            ax.barh(0, width, left=left, height=0.5, color=UP if is_up else DOWN, edgecolor="white", linewidth=1)
            texts.append((left + width / 2, width, label, amount))
            place += -width if is_up else width
        for step, (middle, width, label, amount) in enumerate(texts[:4]):
            above = is_up
            height = (0.42 + 0.3 * step) * (1 if above else -1)
            ax.plot([middle, middle], [0.25 if above else -0.25, height], color=FAINT, linewidth=0.6)
            ax.text(middle, height, f"{label} ({signed(amount)})", fontsize=8, color=UP if is_up else DOWN, ha="right" if is_up else "left", va="bottom" if above else "top")
    ax.plot([value, value], [-0.3, 0.3], color=INK, linewidth=2)
    ax.plot([explanation.base_value] * 2, [-0.3, 0.3], color=FAINT, linewidth=1, linestyle=":")
    low, high = value - amounts[amounts > 0].sum(), value - amounts[amounts < 0].sum()
    low, high = min(low, explanation.base_value), max(high, explanation.base_value)
    ax.set_xlim(low - 0.35 * span, high + 0.35 * span)
    ax.set_ylim(-1.7, 1.8)
    ax.set_yticks([])
    ax.set_xlabel(f"value {number(value)} (black line); base value {number(explanation.base_value)} (dotted)")
    ax.set_title(_title(explanation), fontsize=10, loc="left")
    plain(ax)
    ax.spines["left"].set_visible(False)
    return ax


def pair(explanation: Any, top: int = 12, *, ax: Any = None) -> Any:
    """Why one document is above another: what speaks for each, with the values of both."""
    if explanation.target != "pair":
        raise UsageError(f"this explains a {explanation.target}; a pair view is of explain(..., pair=[a, b])")
    labels, amounts = _parts(explanation, top)
    ax = axes(ax, 7.2, 1.5 + 0.32 * len(labels))
    bars(ax, labels, amounts, [UP if amount >= 0 else DOWN for amount in amounts], [signed(amount) for amount in amounts])
    ax.set_xlabel("← speaks for the second        speaks for the first →")
    first, second = (f"{shortened(entry.document)}, rank {entry.rank}" for entry in explanation.documents)
    title = f"query {explanation.query}, difference of the scores {signed(explanation.value)}\nfirst: {first}\nsecond: {second}"
    ax.set_title(title, fontsize=10, loc="left")
    return ax


def ranking(explanation: Any, top: int = 12, *, ax: Any = None) -> Any:
    """What a ranking is made of: attributions, gains in the order of the steps, or only the chosen features."""
    if any(_amount(entry) is not None for entry in explanation.features):
        labels, amounts = _parts(explanation, top)
        ax = axes(ax, 6.8, 1.3 + 0.32 * len(labels))
        bars(ax, labels, amounts, [UP if amount >= 0 else DOWN for amount in amounts], [signed(amount) for amount in amounts])
        steps = f"gain of each step; all together {number(explanation.value)}"
        has_attributions = any(entry.attribution is not None for entry in explanation.features)
        ax.set_xlabel(explanation.measure if has_attributions else f"{explanation.measure}: {steps}")
    else:
        entries = explanation.features[:top]
        ax = axes(ax, 6.0, 1.2 + 0.34 * max(len(entries), 1))
        for place, entry in enumerate(entries):
            ax.text(0.02, len(entries) - place - 0.5, f"{place + 1}.  {_label(entry)}", va="center", fontsize=10)
        ax.set_ylim(0, max(len(entries), 1))
        ax.set_xticks([])
        ax.set_yticks([])
        ax.set_xlabel(f"{explanation.measure}: {number(explanation.value)}")
        plain(ax)
        ax.spines["left"].set_visible(False)
    ax.set_title(_title(explanation), fontsize=10, loc="left")
    return ax
