"""Models: trained here, loaded, or taken from LightGBM and XGBoost."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from glassrank import _core
from glassrank import _result_types as fields
from glassrank._call import calling
from glassrank.dataset import Dataset
from glassrank.effects import Effects
from glassrank.errors import UsageError
from glassrank.ranker import Ranker, _rows, rows_of
from glassrank.results import Inspection, Training, Verification


class Model(Ranker):
    """A trained or loaded model. Made by ``train`` of a method, ``load``, ``from_lightgbm``, ``from_xgboost``."""

    _ranker: _core.Ranker
    _training: Training | None

    def __init__(self) -> None:
        raise UsageError("models are trained, or loaded with glassrank.load")

    @classmethod
    def _wrap(cls, ranker: _core.Ranker, training: Training | None = None) -> Model:
        model = cls.__new__(cls)
        model._ranker = ranker
        model._training = training
        return model

    def _for(self, data: Dataset | None) -> _core.Ranker:
        return self._ranker

    @property
    def training(self) -> Training:
        """How the training went: report, learning curve, record; of a model that was trained here."""
        if self._training is None:
            raise UsageError("the model comes from a file, which does not tell how the training went")
        return self._training

    @property
    def has_training(self) -> bool:
        """Whether the model was trained here, so that ``training`` tells of it."""
        return self._training is not None

    @property
    def kind(self) -> str:
        """ "forest", "additive model", "linear model" or "neural network"."""
        return self._ranker.kind

    @property
    def num_features(self) -> int:
        return self._ranker.num_features

    @property
    def feature_names(self) -> list[str]:
        return self._ranker.feature_names

    @property
    def categories(self) -> dict[str, list[str]]:
        """Of every feature whose values are categories their names by code; [] where they are the codes."""
        return self._ranker.categories()

    @property
    def used_features(self) -> list[str]:
        """The features that a score can depend on."""
        names = self.feature_names
        return [names[number] for number in np.asarray(self._ranker.used_features)]

    @property
    def num_parts(self) -> int:
        """Trees, effects, weights or layers, by kind."""
        return self._ranker.num_parts

    @property
    def provenance(self) -> dict[str, str]:
        """How the model came to be: program, data, seed, parameters, edits."""
        return self._ranker.provenance

    @property
    def effects(self) -> Effects:
        """The curves and surfaces of an additive model, by name."""
        return Effects(self._ranker.effects())

    def edit(self, *edits: str, data: Any = None) -> Model:
        """A changed copy of an additive model: ``model.edit("monotone up price", "drop pages")``.

        Every edit is recorded in the provenance. ``data`` gives weights to cells where the model knows
        none. The edits: flatten, smooth, monotone up|down, clamp, drop, purify.
        """
        if not edits:
            raise UsageError('no edit is given; for example "monotone up price"')
        with calling() as call:
            return Model._wrap(self._ranker.edit(call, list(edits), _rows(data)), self._training)

    def verify(self) -> Verification:
        """What the model can depend on, proved from the model alone."""
        with calling() as call:
            return Verification(self._ranker.verify(call))

    def inspect(self, *, trees: Any = (), top: int = 20) -> Inspection:
        """What is in the model: trees, effects or weights, how it came to be, what it uses most.

        ``trees`` are numbers of trees to show, from 0; ``top`` is how many features or effects; 0: all.
        """
        chosen = [trees] if isinstance(trees, int) else list(trees)
        with calling() as call:
            return Inspection(*_core.inspect(self._ranker, call, chosen, top))

    def report(self, data: Any, *, train: Any = None, others: dict[str, Model] | None = None, **options: Any) -> Any:
        """The report's page about this model: see ``glassrank.report``."""
        from glassrank.reporting import report

        name = self.provenance.get("method") or self._ranker.format or "model"
        if name in (others or {}):
            raise UsageError(f"others has a model called {name!r}, which is what this one is called; give it another name")
        return report({name: self, **(others or {})}, data, train=train, **options)

    def feature_importances(self) -> np.ndarray | None:
        """One number a feature, from the model alone: gains of a forest, mean amounts of effects; None: unknown."""
        totals = np.zeros(self.num_features)
        if self.kind == "forest":
            names = self.feature_names
            for entry in self.importance().importance:
                if entry.gain is None:
                    return None
                totals[names.index(entry.feature)] = entry.gain
            return totals
        if self.kind != "additive model":
            return None  # of weights: not without the spread of the features
        for effect in self.effects.values():
            for feature in effect.indices:
                totals[feature] += effect.importance / len(effect.indices)
        return totals

    def save(self, path: str | os.PathLike, format: str = "native") -> None:
        """Writes the model; the formats are those of ``glassrank.formats()``."""
        with calling() as call:
            self._ranker.save(call, os.fspath(path), format)

    def convert(self, format: str, *, check: Any = None, tolerance: float = 1e-5) -> bytes:
        """The model in another format. ``check`` is data that both must score alike, within the tolerance."""
        with calling() as call:
            made = self._ranker.to_bytes(call, format)
            if check is not None:
                rows = rows_of(check)
                again = _core.load_bytes(call, made, format, {})
                parity = fields.ParityFields(self._ranker.check_parity(call, again, rows._data, tolerance))
                if parity.num_beyond:
                    raise UsageError(
                        f"as {format} the model does not score alike: {parity.num_beyond} of {parity.num_rows} scores "
                        f"are beyond the tolerance, the largest difference is {parity.largest_difference}"
                    )
        return made

    def to_bytes(self) -> bytes:
        """The model in the format of the engine: what ``save`` writes."""
        return self.convert("native")

    def __reduce__(self) -> Any:
        return _restore, (self.to_bytes(), self._ranker.name, self._training)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        from glassrank._html import of_model

        return of_model(self)

    def __repr__(self) -> str:
        parts = f"{self.num_parts} {self._ranker.parts}, " if self._ranker.parts else ""
        method = self.provenance.get("method", self._ranker.format)
        return f"<glassrank.Model {method}: {self.kind}, {parts}{self.num_features} features>"


def _restore(data: bytes, name: str, training: Training | None) -> Model:
    with calling() as call:
        return Model._wrap(_core.load_bytes(call, data, name, {}), training)


def load(path: str | os.PathLike, **options: Any) -> Model:
    """Loads a model in any format: Glassrank's, LightGBM's, XGBoost's, RankLib's, QuickRank's.

    The format is known by the content. ``options`` are those of the command line's ``--model``.
    """
    with calling() as call:
        return Model._wrap(_core.load(call, os.fspath(path), options))


def load_bytes(data: bytes, name: str = "memory", **options: Any) -> Model:
    """The same from the content of a file."""
    with calling() as call:
        return Model._wrap(_core.load_bytes(call, bytes(data), name, options))


def from_lightgbm(booster: Any) -> Model:
    """The model of a ``lightgbm.Booster`` or of a fitted estimator of LightGBM, up to its best round."""
    booster = getattr(booster, "booster_", booster)
    if not hasattr(booster, "model_to_string"):
        raise UsageError(f"a {type(booster).__name__} is no Booster of LightGBM and no fitted estimator")
    return load_bytes(booster.model_to_string().encode(), "LightGBM booster")


def from_xgboost(booster: Any) -> Model:
    """The model of an ``xgboost.Booster`` or of a fitted estimator of XGBoost, up to its best round."""
    if hasattr(booster, "get_booster"):
        booster = booster.get_booster()
    if not hasattr(booster, "save_raw"):
        raise UsageError(f"a {type(booster).__name__} is no Booster of XGBoost and no fitted estimator")
    best = booster.attr("best_iteration")
    if best is not None and int(best) + 1 < booster.num_boosted_rounds():
        booster = booster[: int(best) + 1]
    return load_bytes(bytes(booster.save_raw("json")), "XGBoost booster")
