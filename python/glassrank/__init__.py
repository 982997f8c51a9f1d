"""Glassrank: learning to rank that can be trusted.

    import glassrank as gr

    train, valid, test = gr.bookshop()
    model = gr.Ilmart(num_interactions=5).train(train, valid)
    print(model.evaluate(test, ["ndcg@10", "err@20"]))
    print(model.explain(test[0], pair=["rank:1", "rank:2"]))

Names are loaded when they are first used, so that the import itself takes no time.
"""
from importlib import import_module as _import_module
from typing import Any as _Any

from glassrank._method_names import NAMES as _METHODS

_PLACES = {
    "glassrank._core": ["version"],
    "glassrank.black_box": ["BlackBox"],
    "glassrank.commands": ["command", "make_cache"],
    "glassrank.comparing": ["compare"],
    "glassrank.dataset": ["Dataset", "OneQuery", "bookshop", "read", "synthetic"],
    "glassrank.effects": ["Effect", "Effects"],
    "glassrank.errors": ["Error", "FileError", "GlassrankWarning", "InputError", "Interrupted", "UsageError"],
    "glassrank.listing": ["choices", "explainers", "formats", "metrics"],
    "glassrank.methods": _METHODS,
    "glassrank.model": [
        "Model",
        "from_lightgbm",
        "from_xgboost",
        "load",
        "load_bytes",
    ],
    "glassrank.ranker": ["evaluate"],
    "glassrank.reporting": ["Report", "report"],
    "glassrank.results": [
        "Attributions",
        "Audit",
        "Comparison",
        "Counterfactual",
        "CrossValidation",
        "Dependence",
        "Evaluation",
        "Explanation",
        "Explanations",
        "Importance",
        "Inspection",
        "Result",
        "Search",
        "Summary",
        "Training",
        "Verification",
    ],
    "glassrank.studies": ["Study", "study"],
    "glassrank.training": ["Cleaned", "Cleaner", "Method", "Sampler"],
}
# Modules that are no names of the package themselves: glassrank.sklearn needs scikit-learn, ...
_PARTS = ["callbacks", "plots", "sklearn"]
_MODULES = {name: module for module, names in _PLACES.items() for name in names}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> _Any:
    if name == "__version__":
        name = "version"
    if name in _PARTS:
        return _import_module(f"glassrank.{name}")
    if name not in _MODULES:
        raise AttributeError(f"module 'glassrank' has no attribute {name!r}")
    value = getattr(_import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_PARTS, "__version__"])
