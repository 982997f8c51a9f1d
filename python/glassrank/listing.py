"""What there is: methods, explainers, metrics, formats, by name with a line of text."""
from __future__ import annotations

from glassrank import _core


def choices(topic: str) -> dict[str, str]:
    """What ``glassrank list TOPIC`` shows: methods, objectives, metrics, samplers, cleaners, explainers, ..."""
    return {entry.name: entry.doc for entry in _core.choices(topic)["entries"]}


def explainers() -> dict[str, str]:
    """Every explainer."""
    return {each["name"]: each["doc"] for each in _core.explainers()}


def formats() -> dict[str, str]:
    """Every model format."""
    return {each["name"]: each["doc"] for each in _core.model_formats()}


def metrics() -> dict[str, str]:
    """Every metric."""
    return {each["name"]: each["doc"] for each in _core.metrics()}
