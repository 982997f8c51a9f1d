"""The commands of the program, run from Python on files, datasets and models.

What the program does has a function or a method of its own here. ``command`` is for scripts that go by
the command line: it runs the program in a process of its own, on files.
"""
from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

from glassrank._results import Result
from glassrank.dataset import Dataset
from glassrank.errors import Error, FileError, InputError, UsageError, errno_in
from glassrank.model import Model


class CommandResult(Result):
    """What a command prints with ``--json``. ``notices`` is what it said beside."""

    def __init__(self, values: dict[str, Any], notices: str) -> None:
        super().__init__({key: _result(value) for key, value in values.items()})
        self._notices = notices

    @property
    def notices(self) -> str:
        return self._notices


def _result(value: Any) -> Any:
    """Objects of JSON as results, whatever their keys."""
    if isinstance(value, dict):
        return Result({key: _result(each) for key, each in value.items()})
    if isinstance(value, list):
        return [_result(each) for each in value]
    return value


def _texts(value: Any, folder: pathlib.Path) -> list[str]:
    """The values of an option; data and models are written to files that the command reads."""
    if isinstance(value, (list, tuple)):
        return [text for each in value for text in _texts(each, folder)]
    if isinstance(value, Dataset):
        path = folder / f"data{len(list(folder.iterdir()))}.cache"
        value.save(path)
        return [str(path)]
    if isinstance(value, Model):
        path = folder / f"model{len(list(folder.iterdir()))}.txt"
        value.save(path)
        return [str(path)]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    return [os.fspath(value) if isinstance(value, os.PathLike) else str(value)]


def command(name: str, *positional: str, **options: Any) -> CommandResult:
    """Runs ``glassrank NAME --json`` and returns what it prints as a result.

        gr.command("evaluate", model="model.txt", data="test.txt", metric=["ndcg@10", "map"])
        gr.command("clean", train="train.txt", method="sour", out="cleaned.txt", **{"clean.type": "neg"})

    Options have the names of the command line with ``_`` for ``-``. A Dataset or Model may stand for a
    file that is read. Errors are those of the package.
    """
    with tempfile.TemporaryDirectory(prefix="glassrank-") as made:
        arguments = [*name.split(), *map(str, positional), "--json"]
        for option, value in options.items():
            if value is None:
                continue
            for text in _texts(value, pathlib.Path(made)):
                arguments.append(f"--{option.replace('_', '-')}={text}")
        done = subprocess.run(
            [sys.executable, "-m", "glassrank", *arguments], capture_output=True, text=True, encoding="utf-8"
        )
    if done.returncode != 0:
        raise _error(done)
    try:
        values = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise UsageError(f"glassrank {name} printed no JSON: {done.stdout[:200]!r}") from None
    return CommandResult(values if isinstance(values, dict) else {"values": values}, done.stderr)


def _error(done: subprocess.CompletedProcess[str]) -> Error:
    lines = [line for line in done.stderr.strip().splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("glassrank: ", "error: "))]
    message = (errors or lines or ["it failed without a message"])[-1]
    for prefix in ("glassrank: ", "error: "):
        message = message.removeprefix(prefix)
    if done.returncode == 2:
        return UsageError(message)
    return (FileError if errno_in(message) else InputError)(message)
