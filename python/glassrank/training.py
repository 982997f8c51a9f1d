"""What all methods have in common: parameters, training, folds, searches.

The classes of the methods, with their parameters, are in methods.py.
"""
from __future__ import annotations

import os
from typing import Any, Literal, NamedTuple, Sequence, overload

from glassrank import _core
from glassrank._call import Progress, calling
from glassrank._functions import Callback, Objective, after_round, metrics_and_functions, name_of
from glassrank.dataset import Dataset, read
from glassrank.distributed import together
from glassrank.errors import Interrupted, UsageError
from glassrank.model import Model
from glassrank.results import CrossValidation, Search, Training


class Part:
    """A sampler or a cleaner: one value of the parameter group ``sample`` or ``clean``."""

    _group = ""
    _name = ""

    def __init__(self, values: dict[str, Any]) -> None:
        self._params = values

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """What was given, by name."""
        return dict(self._params)

    def set_params(self, **params: Any) -> Part:
        """Changes what was given."""
        _change(self._params, params, type(self).__name__)
        return self

    def _flat(self) -> dict[str, Any]:
        given = {f"{self._group}.{name}": value for name, value in self._params.items() if value is not None}
        return {f"{self._group}.method": self._name, **given}

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._params == other._params

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._params.items() if value is not None)
        return f"{type(self).__name__}({given})"


def _change(values: dict[str, Any], params: dict[str, Any], owner: str) -> None:
    for name in params:
        if name not in values:
            raise UsageError(f"{owner} has no parameter {name!r}; there are {', '.join(values)}")
    values.update(params)


class Sampler(Part):
    """Which rows the trees of a boosted method see."""

    _group = "sample"


class Cleaned(NamedTuple):
    """Training data without the documents that a cleaner took for mistakes."""

    data: Dataset
    #: a DataFrame of them: query, document, row, grade and what speaks against each
    dropped: Any


class Cleaner(Part):
    """Which documents are dropped from the training data before the model is trained."""

    _group = "clean"

    def clean(
        self,
        train: Dataset | str | os.PathLike,
        valid: Dataset | str | os.PathLike | None = None,
        *,
        learner: Method | None = None,
        seed: int = 0,
        threads: int = 0,
        progress: Progress | bool | None = None,
    ) -> Cleaned:
        """The data without the documents it drops, and these: cleaning alone, without a training after it.

        ``learner`` is the method whose mistakes are followed, by default ``Lambdamart()``; ``valid`` is for
        ``LastSour`` and ``tune=True``.
        """
        import pandas as pd

        from glassrank.methods import Lambdamart

        method = Lambdamart() if learner is None else learner
        with calling(threads, seed, progress) as call:
            data, dropped = _core.clean(
                call,
                method.method,
                {**method._flat(), **self._flat()},
                as_dataset(train, "train")._data,
                _own(valid, "valid"),
            )
        return Cleaned(Dataset._wrap(data), pd.DataFrame(dropped))


def as_dataset(data: Any, what: str) -> Dataset:
    """The data, read if a file is named."""
    if isinstance(data, Dataset):
        return data
    if isinstance(data, (str, os.PathLike)):
        return read(data)
    raise UsageError(f"{what} is a {type(data).__name__}; it must be a glassrank.Dataset or the name of a file")


def _own(data: Any, what: str) -> Any:
    return None if data is None else as_dataset(data, what)._data


class Method:
    """A way to train a ranker. Parameters that are None have the engine's default."""

    #: as the command line calls it
    method = ""
    #: arguments that are a dict of parameters
    _groups: tuple[str, ...] = ()

    def __init__(self, values: dict[str, Any]) -> None:
        self._params = dict(values)
        self.params()  # complains at once of what cannot be

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Every parameter of the constructor as it was given; None: the default."""
        return dict(self._params)

    def set_params(self, **params: Any) -> Method:
        """Changes parameters of the constructor."""
        _change(self._params, params, type(self).__name__)
        self.params()
        return self

    def params(self) -> dict[str, Any]:
        """Every parameter as the engine has it, text and lists of text, by its full name."""
        return {each["name"]: each["value"] for each in _core.method_params(self.method, self._flat(), self._functions())}

    def _flat(self) -> dict[str, Any]:
        """Parameters by the engine's names: what was given, but for those that are no parameters of the method."""
        flat: dict[str, Any] = {}
        for name, value in self._params.items():
            if value is None or name in ("seed", "threads"):
                continue
            if callable(value) and name in ("objective", "stop_metric"):
                value = name_of(value)
            elif name == "metric":
                value = metrics_and_functions(value)[0]
            if name in ("sample", "clean"):
                if isinstance(value, str):
                    value = {f"{name}.method": value}
                elif isinstance(value, Part) and value._group == name:
                    value = value._flat()
                else:
                    kind = "sampler" if name == "sample" else "cleaner"
                    raise UsageError(f"{name}={value!r} is no {kind}; see glassrank list {kind}s")
                flat.update(value)
            elif name in self._groups:
                if isinstance(value, str):
                    value = {"method": value}
                if not isinstance(value, dict):
                    raise UsageError(f'{name}={value!r} is no dict of parameters, as {{"method": ...}}')
                flat.update({f"{name}.{key}": each for key, each in value.items()})
            else:
                flat[name] = value
        return flat

    def _functions(self, callbacks: Any = None) -> dict[str, Any]:
        """The functions of the user among the parameters, and the callbacks, as the engine wants them."""
        functions: dict[str, Any] = {"after_round": after_round(callbacks)}
        objective = self._params.get("objective")
        if callable(objective):
            name = name_of(objective)
            if name in (entry.name for entry in _core.choices("objectives")["entries"]):
                raise UsageError(f"the engine has an objective {name!r} itself; give the function another name")
            functions["objective"] = (name, Objective(objective))
        if self._params.get("metric") is not None:
            functions["metrics"] = metrics_and_functions(self._params["metric"])[1]
        return functions

    def _calling(self, progress: Any, machines: Any = None) -> Any:
        return calling(self._params.get("threads") or 0, self._params.get("seed") or 0, progress, machines)

    def train(
        self,
        train: Dataset | str | os.PathLike,
        valid: Dataset | str | os.PathLike | None = None,
        test: Dataset | str | os.PathLike | None = None,
        *,
        start: Model | None = None,
        callbacks: Callback | Sequence[Callback] | None = None,
        progress: Progress | bool | None = None,
        machines: Any = None,
    ) -> Model:
        """Trains a model.

        Parameters
        ----------
        train, valid, test : Dataset or file
            ``valid`` stops training early where the method does that; ``test`` is measured at the end.
        start : Model, optional
            Go on from the trees of this model.
        callbacks : function of a ``callbacks.Round``, or several; optional
            Called after every round; one that returns True stops the training.
        progress : bool or function, optional
            True shows a progress bar; a function is called with (task, unit, total, done, detail).
        machines : glassrank.distributed.Machines, optional
            Machines that train together, each with rows of its own: every one makes this call and ends
            with the same model.

        Ctrl-C raises ``Interrupted``, a KeyboardInterrupt, with the best model so far in ``model``.
        """
        with together(machines):
            given = (
                self._flat(),
                as_dataset(train, "train")._data,
                _own(valid, "valid"),
                _own(test, "test"),
                None if start is None else start._ranker,
                self._functions(callbacks),
            )
        with self._calling(progress, machines) as call:
            ranker, values = _core.train(call, self.method, *given)
        model = Model._wrap(ranker, Training(values))
        if values["is_interrupted"]:
            error = Interrupted(f"{model.training.outcome}; the best model so far is in the attribute model")
            error.model = model
            raise error
        return model

    @overload
    def cross_validate(
        self,
        data: Dataset | str | os.PathLike,
        folds: int = ...,
        *,
        model: Literal[True],
        progress: Progress | bool | None = ...,
    ) -> tuple[CrossValidation, Model]: ...
    @overload
    def cross_validate(
        self,
        data: Dataset | str | os.PathLike,
        folds: int = ...,
        *,
        model: Literal[False] = ...,
        progress: Progress | bool | None = ...,
    ) -> CrossValidation: ...
    def cross_validate(
        self,
        data: Dataset | str | os.PathLike,
        folds: int = 5,
        *,
        model: bool = False,
        progress: Progress | bool | None = None,
    ) -> CrossValidation | tuple[CrossValidation, Model]:
        """Folds by query. With ``model``, also a model of all data, as long as the folds found best."""
        with self._calling(progress) as call:
            found, made = _core.cross_validate(
                call, self.method, self._flat(), as_dataset(data, "data")._data, folds, model, self._functions()
            )
        result = CrossValidation(found)
        return (result, Model._wrap(made[0], Training(made[1]))) if model else result

    def search(
        self,
        ranges: dict[str, Any] | Sequence[str],
        train: Dataset | str | os.PathLike,
        valid: Dataset | str | os.PathLike | None = None,
        test: Dataset | str | os.PathLike | None = None,
        *,
        folds: int = 0,
        trials: int = 0,
        rungs: int = 0,
        progress: Progress | bool | None = None,
    ) -> tuple[Search, Model]:
        """A search for parameters, on validation data or on folds: the trials, and the best one's model.

        ``ranges`` are texts ("num_leaves=16..128", "learning_rate=0.02..0.2:log", "growth=leaf|depth")
        or a dict: {"num_leaves": (16, 128), "l2": [0, 1, 10], "learning_rate": "0.02..0.2:log"}.
        """
        texts = [f"{name}={_range_text(value)}" for name, value in ranges.items()] if isinstance(ranges, dict) else list(ranges)
        with self._calling(progress) as call:
            found, made = _core.search(
                call,
                self.method,
                self._flat(),
                {"ranges": texts, "trials": trials or None, "rungs": rungs or None},
                as_dataset(train, "train")._data,
                _own(valid, "valid"),
                folds,
                _own(test, "test"),
                self._functions(),
            )
        return Search(found), Model._wrap(made[0], Training(made[1]))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._params == other._params

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._params.items() if value is not None)
        return f"{type(self).__name__}({given})"


def _range_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return "..".join(str(each) for each in value[:2]) + "".join(f":{each}" for each in value[2:])
    return "|".join(str(each) for each in value)
