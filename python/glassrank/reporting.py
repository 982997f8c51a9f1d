"""The report: one HTML file that shows models, their quality, their reasons and how far to trust them."""
from __future__ import annotations

import datetime
import json
import os
import pathlib
from typing import Any

from glassrank import _core
from glassrank._call import Progress, calling
from glassrank.errors import FileError, UsageError
from glassrank.model import Model
from glassrank.ranker import _rows, judged


class Report:
    """The page, as text in ``html``. In a notebook it is shown in a frame."""

    def __init__(self, bundle: str, html: str) -> None:
        self._bundle = bundle
        self.html = html

    @property
    def bundle(self) -> dict[str, Any]:
        """Everything the page shows, as docs/reference/results.md lists it."""
        return json.loads(self._bundle)

    @property
    def warnings(self) -> list[str]:
        """What a reader should know first."""
        return self.bundle["warnings"]

    def save(self, path: str | os.PathLike) -> None:
        """Writes the page: one file that opens anywhere and asks no network for anything."""
        target = pathlib.Path(path)
        part = target.with_name(target.name + ".part")
        try:
            part.write_text(self.html, encoding="utf-8")
            os.replace(part, target)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise FileError(f"{target}: {error.strerror}") from error

    def _repr_html_(self) -> str:
        from html import escape

        return f'<iframe srcdoc="{escape(self.html, quote=True)}" style="width:100%;height:800px;border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<glassrank report: {len(self.html) / 1e6:.1f} MB of HTML>"


def report(
    models: Model | dict[str, Model],
    data: Any,
    *,
    train: Any = None,
    seed: int = 0,
    threads: int = 0,
    progress: Progress | bool | None = None,
    **options: Any,
) -> Report:
    """Makes the report about a model, or about several by name: the first is explained, the others compared.

    ``data`` are judged documents; ``train`` says what is usual and where grades may be wrong. ``options``
    are those of ``glassrank report``: ``title``, ``metrics``, ``explainers``, ``documents``, ...
    """
    if isinstance(models, Model):
        return models.report(data, train=train, seed=seed, threads=threads, progress=progress, **options)
    for name, model in models.items():
        if not isinstance(model, Model):
            raise UsageError(f"{name!r} is a {type(model).__name__}; a report is about models")
    if not models:
        raise UsageError("a report needs a model")
    rankers = {name: model._ranker for name, model in models.items()}
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    rows = judged(data, "a report")
    with calling(threads, seed, progress) as call:
        return Report(*_core.report(call, rankers, rows._data, _rows(train), date, options))
