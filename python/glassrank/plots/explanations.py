"""Pictures of one explanation: of a document's score, of a pair's order, of a ranking."""
from __future__ import annotations

from typing import Any

import numpy as np

from glassrank._values import shown_values
from glassrank.errors import UsageError
from glassrank.plots._canvas import DOWN, FAINT, INK, UP, axes, bars, heading, number, plain, shortened, signed

_TITLE = 56  # characters of a line that has room above the picture
_LABEL = 42  # and beside it

def _label(entry: Any, target: str, length: int = _LABEL) -> str:
    texts = [shortened(each) if isinstance(each, str) else number(each) for each in shown_values(entry, target)]
    if not texts:
        return shortened(entry.feature)
    values = f" = {texts[0]}" if target == "document" else f": {(' / ' if target == 'pair' else ' to ').join(texts)}"
    return shortened(entry.feature, max(length - len(values), 14)) + values


def _parts(explanation: Any, top: int, length: int = _LABEL) -> tuple[list[str], np.ndarray]:
    """Labels and amounts of the largest attributions, and of all the others together; or the gains, as chosen."""
    entries = [entry for entry in explanation.features if _amount(entry) is not None]
    if not entries:
        raise UsageError(f"{explanation.explainer} names features and gives no attributions or gains to draw")
    labels = [_label(entry, explanation.target, length) for entry in entries[:top]]
    amounts = [_amount(entry) for entry in entries[:top]]
    if len(entries) > top:
        labels.append(f"{len(entries) - top} other features")
        amounts.append(sum(_amount(entry) for entry in entries[top:]))
    return labels, np.array(amounts)


def _amount(entry: Any) -> Any:
    return entry.gain if entry.attribution is None else entry.attribution


def _title(explanation: Any) -> str:
    names = [shortened(entry.document, _TITLE) for entry in explanation.documents]
    query = f"query {shortened(explanation.query, _TITLE)}"
    if explanation.target == "document":
        return f"{query}\n{names[0]}: score {number(explanation.value)}"
    if explanation.target == "pair":
        return f"{query}\n{names[0]}\nagainst {names[1]}"
    return f"{query}\nthe ranking of {explanation.num_documents} documents"


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
    heading(ax, _title(explanation))
    plain(ax)
    ax.tick_params(axis="y", length=0)
    return ax


def force(explanation: Any, top: int = 8, *, ax: Any = None) -> Any:
    """One line: what pushes up comes from the left, what pushes down from the right, and they meet at the value."""
    labels, amounts = _parts(explanation, top, 28)
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
            texts.append((left + width / 2, label, amount))
            place += -width if is_up else width
        labelled = texts[:4]
        for step, (middle, label, amount) in enumerate(labelled):
            above = is_up
            # The one next to the value stands farthest out: no line crosses a label.
            height = (0.42 + 0.3 * (len(labelled) - 1 - step)) * (1 if above else -1)
            ax.plot([middle, middle], [0.25 if above else -0.25, height], color=FAINT, linewidth=0.6)
            ax.text(middle, height, f"{label} ({signed(amount)})", fontsize=8, color=UP if is_up else DOWN, ha="right" if is_up else "left", va="bottom" if above else "top")
    ax.plot([value, value], [-0.3, 0.3], color=INK, linewidth=2)
    ax.plot([explanation.base_value] * 2, [-0.3, 0.3], color=FAINT, linewidth=1, linestyle=":")
    low, high = value - amounts[amounts > 0].sum(), value - amounts[amounts < 0].sum()
    low, high = min(low, explanation.base_value), max(high, explanation.base_value)
    ax.set_xlim(low - 0.5 * span, high + 0.5 * span)
    ax.set_ylim(-1.7, 1.8)
    ax.set_yticks([])
    ax.set_xlabel(f"value {number(value)} (black line); base value {number(explanation.base_value)} (dotted)")
    heading(ax, _title(explanation))
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
    ax.set_xlabel("← for the second      for the first →")
    first, second = (f"{shortened(entry.document, _TITLE - 16)}, rank {entry.rank}" for entry in explanation.documents)
    query = f"query {shortened(explanation.query, _TITLE)}"
    title = f"{query}\nfirst: {first}\nsecond: {second}\ndifference of the scores {signed(explanation.value)}"
    heading(ax, title)
    return ax


def ranking(explanation: Any, top: int = 12, *, ax: Any = None) -> Any:
    """What a ranking is made of: attributions, or gains in the order of the steps."""
    labels, amounts = _parts(explanation, top)
    ax = axes(ax, 6.8, 1.3 + 0.32 * len(labels))
    bars(ax, labels, amounts, [UP if amount >= 0 else DOWN for amount in amounts], [signed(amount) for amount in amounts])
    has_attributions = any(entry.attribution is not None for entry in explanation.features)
    steps = "" if has_attributions else f"\ngain of each step; all together {number(explanation.value)}"
    ax.set_xlabel(explanation.measure + steps)
    heading(ax, _title(explanation))
    return ax


def chosen(explanation: Any, top: int = 12, *, ax: Any = None) -> Any:
    """The features that explain most, best first: all that some explainers tell."""
    entries = explanation.features[:top]
    ax = axes(ax, 6.0, 1.4 + 0.34 * max(len(entries), 1))
    for place, entry in enumerate(entries):
        ax.text(0.02, len(entries) - place - 0.5, f"{place + 1}.  {_label(entry, explanation.target)}", va="center", fontsize=10)
    ax.set_ylim(0, max(len(entries), 1))
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_xlabel(f"{explanation.measure}: {number(explanation.value)}")
    plain(ax)
    ax.spines["left"].set_visible(False)
    heading(ax, _title(explanation))
    return ax


def has_amounts(explanation: Any) -> bool:
    """Whether there is something to draw bars of."""
    return any(_amount(entry) is not None for entry in explanation.features)
