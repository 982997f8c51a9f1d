"""What all pictures share: axes, colours, text."""
from __future__ import annotations

from typing import Any

import numpy as np

from glassrank.errors import UsageError

#: Okabe & Ito's colours, which stay apart for readers with any kind of colour vision; those close to UP and DOWN last.
SERIES = ["#3b3b3b", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#0072b2", "#d55e00"]
#: What raises a document and what lowers it, as in the report.
UP = "#c04f00"
DOWN = "#0067a8"
INK = "#222222"
FAINT = "#8a8a8a"


def axes(ax: Any, width: float, height: float) -> Any:
    """The axes that are given, or new ones of this size in inches."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise UsageError("plots need matplotlib (pip install matplotlib)") from None
    if ax is None:
        _, ax = plt.subplots(figsize=(width, height), layout="constrained")
    return ax


def plain(ax: Any) -> None:
    """Only the lines that say something."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.tick_params(length=3, color=FAINT)


def signed_colours() -> Any:
    """Blue below 0, white at 0, vermilion above."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("glassrank_signed", [DOWN, "#ffffff", UP])


def place_colours() -> Any:
    """Places among other values: blue for low, grey, vermilion for high; none of them light."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("glassrank_place", [DOWN, "#a8a8a8", UP])


def number(value: Any) -> str:
    """A number in few digits; what is missing in words."""
    if value is None or value != value:
        return "missing"
    return f"{float(value):.4g}"


def signed(value: float) -> str:
    return f"{value:+.3g}"


def shortened(text: str, length: int = 34) -> str:
    """What is too long without its middle: names that a program made often differ at their ends."""
    end = length // 3
    return text if len(text) <= length else f"{text[: length - 1 - end]}…{text[-end:]}"


def heading(ax: Any, text: str) -> None:
    """Above everything, from the left edge of the picture; above its axes where there are others beside them."""
    if ax.figure.axes == [ax]:
        ax.figure.suptitle(text, x=0.01, ha="left", fontsize=10)
    else:
        ax.set_title(text, fontsize=10, loc="left")


def percentiles(values: np.ndarray) -> np.ndarray:
    """The place of every value among the others, from 0 to 1; NaN where it is missing."""
    places = np.full(len(values), np.nan)
    there = ~np.isnan(values)
    levels, inverse = np.unique(values[there], return_inverse=True)
    places[there] = inverse / max(len(levels) - 1, 1) if len(levels) > 1 else 0.5
    return places


def top_features(amounts: np.ndarray, top: int) -> np.ndarray:
    """The features of the largest amounts, the largest first; those that add nothing are left out."""
    order = np.argsort(-np.abs(amounts), kind="stable")
    order = order[np.abs(amounts[order]) > 0]
    return order[:top] if top else order


def bars(ax: Any, labels: list[str], values: Any, colours: Any, texts: list[str]) -> None:
    """Horizontal bars, the first one at the top, with a text at the end of each."""
    places = np.arange(len(labels))[::-1]
    ax.barh(places, values, color=colours, height=0.7)
    ax.set_yticks(places, labels)
    span = max(np.abs(values).max() if len(labels) else 1.0, 1e-300)
    for place, value, text in zip(places, values, texts):
        side = "left" if value >= 0 else "right"
        ax.text(value + (0.01 if value >= 0 else -0.01) * span, place, text, va="center", ha=side, fontsize=8, color=INK)
    low, high = min(0.0, min(values, default=0.0)), max(0.0, max(values, default=1.0))
    room = 0.22 * max(high - low, 1e-12)
    ax.set_xlim(low - (room if low < 0 else 0), high + (room if high > 0 else 0))
    plain(ax)
    ax.spines["left"].set_visible(low >= 0)
    if low < 0:
        ax.axvline(0, color=FAINT, linewidth=0.8)
    ax.tick_params(axis="y", length=0)


def marks(ax: Any, labels: list[str], values: Any, ends: Any, colours: list[str], has_zero: bool = True) -> None:
    """A point for every label, the first one at the top, with a line from one of its ``ends`` to the other where they are known."""
    places = np.arange(len(labels))[::-1]
    if ends is not None:
        ax.hlines(places, *ends, color=colours, linewidth=1.6)
    ax.scatter(values, places, s=34, c=colours, linewidth=0, zorder=3)
    ax.set_yticks(places, labels)
    ax.set_ylim(-0.6, len(labels) - 0.4)
    ax.grid(axis="y", color="#e3e3e3", linewidth=0.8)
    ax.set_axisbelow(True)
    if has_zero:
        ax.axvline(0, color=FAINT, linewidth=0.8)
    plain(ax)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
