"""A progress bar: tqdm's where it is installed, plain lines of text otherwise."""
from __future__ import annotations

import sys
from typing import Any


class ProgressBar:
    """Shows one task after the other on standard error."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._line = ""

    def __call__(self, task: str, unit: str, total: int, done: int | None, detail: str) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            self._show(task, unit, total, done, detail)
            return
        if self._bar is None or self._bar.desc.rstrip(": ") != task:
            if self._bar is not None:
                self._bar.close()
            self._bar = tqdm(desc=task, unit=" " + unit, total=total or None, leave=False)
        if done is None:
            self._bar.close()
            self._bar = None
            return
        self._bar.set_postfix_str(detail, refresh=False)
        self._bar.update(done - self._bar.n)

    def _show(self, task: str, unit: str, total: int, done: int | None, detail: str) -> None:
        if not sys.stderr.isatty():
            return
        text = "" if done is None else f"{task}: {done}{f' of {total}' if total else ''} {unit} {detail}"
        sys.stderr.write("\r" + text.ljust(len(self._line)))
        if done is None:
            sys.stderr.write("\r")
        sys.stderr.flush()
        self._line = text
