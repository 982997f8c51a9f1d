"""Pictures, drawn with matplotlib. Each function returns the axes; ``ax=`` draws into axes that are there.

Results draw themselves: ``result.plot()``, ``model.effects["price"].plot()``, ``explanation.plot("force")``.
"""
from __future__ import annotations

from typing import Any

from glassrank.errors import UsageError
from glassrank.plots import curves, explanations, features

__all__ = ["KINDS", "plot"]

#: What each kind of result can draw, by name; the first is drawn unless told.
KINDS: dict[str, dict[str, Any]] = {
    "Attributions": {
        "beeswarm": features.beeswarm,
        "bar": features.bar,
        "dependence": features.dependence,
        "decision": features.decision,
        "heat-map": features.heat_map,
    },
    "Audit": {"validity": curves.validity},
    "Comparison": {"means": curves.comparison},
    "Dependence": {"curve": curves.dependence},
    "Effect": {"effect": curves.effect},
    "Evaluation": {"queries": curves.query_values},
    "Explanation": {},  # by target, below
    "Importance": {"bar": features.importance},
    "Summary": {"bar": features.summary},
    "Training": {"learning-curve": curves.learning_curve},
}
_OF_ANY_TARGET = {"waterfall": explanations.waterfall, "force": explanations.force, "chosen": explanations.chosen}
_OF_TARGET = {
    "document": _OF_ANY_TARGET,
    "pair": {"pair": explanations.pair, **_OF_ANY_TARGET},
    "ranking": {"bar": explanations.ranking, **_OF_ANY_TARGET},
}


def plot(result: Any, kind: str | None = None, *options: Any, **named: Any) -> Any:
    """Draws a result; ``kind`` is one of ``KINDS`` of its class. Where an explainer only names features, they are listed."""
    name = type(result).__name__
    kinds = _OF_TARGET[result.target] if name == "Explanation" else KINDS[name]
    chosen = next(iter(kinds)) if kind is None else kind
    if kind is None and name == "Explanation" and not explanations.has_amounts(result):
        chosen = "chosen"
    if chosen not in kinds:
        raise UsageError(f"{name} has no plot {chosen!r}; there are {', '.join(kinds)}")
    return kinds[chosen](result, *options, **named)
