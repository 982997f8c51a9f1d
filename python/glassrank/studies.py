"""The papers' analyses of models and of trainings, as results."""
from __future__ import annotations

import os
import pathlib
from typing import Any

from glassrank import _core
from glassrank._call import Progress, calling
from glassrank._results import TextResult
from glassrank.dataset import Dataset
from glassrank.errors import UsageError
from glassrank.model import Model, load
from glassrank.training import Cleaner, Sampler, as_dataset


class Study(TextResult):
    """The result of a study: its keys are in docs/reference/results.md, ``str()`` is its table.

    In a notebook the picture is shown.
    """

    def __init__(self, values: dict[str, Any], text: str, table: dict[str, list], picture: str, tsv: str) -> None:
        super().__init__(values, text)
        self._numbers = table
        self._picture = picture
        self._tsv = tsv

    @property
    def svg(self) -> str:
        """The picture."""
        return self._picture

    def to_pandas(self, table: str | None = None) -> Any:
        """All numbers of the study, or one of its lists."""
        if table is not None:
            return super().to_pandas(table)
        import pandas as pd

        return pd.DataFrame(self._numbers)

    def save(self, prefix: str | os.PathLike) -> None:
        """Writes the numbers to PREFIX.tsv and the picture to PREFIX.svg."""
        _core.write_study(os.fspath(prefix), self._tsv, self._picture)

    def _repr_html_(self) -> str:
        return self._picture


def _stem(path: Any) -> str:
    return pathlib.Path(os.fspath(path)).stem


def _models(given: Any) -> dict[str, _core.Ranker]:
    """Models by name: a model, a file, several of them, or a dict."""
    if given is None:
        return {}
    if not isinstance(given, dict):
        each = list(given) if isinstance(given, (list, tuple)) else [given]
        given = {
            _stem(one) if isinstance(one, (str, os.PathLike)) else f"model {number}" if len(each) > 1 else "model": one
            for number, one in enumerate(each, 1)
        }
    return {str(name): _model(one, name) for name, one in given.items()}


def _model(given: Any, name: Any) -> _core.Ranker:
    if isinstance(given, (str, os.PathLike)):
        given = load(given)
    if not isinstance(given, Model):
        raise UsageError(f"{name} is a {type(given).__name__}; a study is of models and files of models")
    return given._ranker


def _datasets(given: Any) -> dict[str, _core.Data]:
    if given is None:
        return {}
    if not isinstance(given, dict):
        each = list(given) if isinstance(given, (list, tuple)) else [given]
        given = {
            _stem(one) if isinstance(one, (str, os.PathLike)) else f"data {number}" if len(each) > 1 else "data": one
            for number, one in enumerate(each, 1)
        }
    return {str(name): as_dataset(one, str(name))._data for name, one in given.items()}


def _one(given: Any, what: str) -> _core.Data | None:
    return None if given is None else as_dataset(given, what)._data


def study(
    name: str,
    *,
    model: Any = None,
    data: Any = None,
    base: Model | str | os.PathLike | None = None,
    train: Dataset | str | os.PathLike | None = None,
    valid: Dataset | str | os.PathLike | None = None,
    test: Dataset | str | os.PathLike | None = None,
    background: Dataset | str | os.PathLike | None = None,
    out: str | os.PathLike | None = None,
    seed: int = 0,
    threads: int = 0,
    progress: Progress | bool | None = None,
    **options: Any,
) -> Study:
    """One of the papers' analyses.

    Parameters
    ----------
    name : str
        Of models on data: "ranks", "outliers", "hourglass", "breakdown", "leaf-scores", "curves",
        "explainers". Of trainings: "noise", "sampling", "interactions".
    model, data : Model, Dataset or file, several of them, or a dict of them by name
        What is looked at.
    base : Model or file, optional
        Of "breakdown": the model that decides which documents are outliers.
    train, valid, test : Dataset or file
        What is trained and measured on.
    background : Dataset or file, optional
        Of "explainers": what is usual.
    out : str, optional
        A prefix: the numbers are written to OUT.tsv, the picture to OUT.svg.
    options
        Those of ``glassrank study NAME``; ``sample`` and ``clean`` also take samplers and cleaners.
    """
    models, sets = _models(model), _datasets(data)
    if _core.study_needs(name) == "data":
        if not models or not sets:
            raise UsageError(f"study {name} needs model and data")
    elif train is None or valid is None or (test is None and name != "sampling"):
        raise UsageError(f"study {name} needs train, valid and test")
    if name == "breakdown" and len(models) < 2:
        raise UsageError("study breakdown compares models: give two or more")
    inputs = {
        "models": models,
        "data": sets,
        "base": None if base is None else _model(base, "base"),
        "train": _one(train, "train"),
        "valid": _one(valid, "valid"),
        "test": _one(test, "test"),
        "background": _one(background, "background"),
    }
    params: dict[str, Any] = {}
    for option, value in options.items():
        params.update(value._flat() if isinstance(value, (Cleaner, Sampler)) else {option: value})
    with calling(threads, seed, progress) as call:
        made = Study(*_core.study(name, call, inputs, params))
    if out is not None:
        made.save(out)
    return made
