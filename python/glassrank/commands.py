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


def make_cache(
    data: str | os.PathLike, out: str | os.PathLike, *, binned: bool = False, streaming: bool = True, **options: Any
) -> CommandResult:
    """Converts a data file into a cache that opens at once: of values, or with ``binned`` of the bins that trees need.

    With ``streaming`` the values are never in memory together, so the file may be larger than the memory.
    ``options`` are those of ``glassrank data cache``. A Parquet file is written as text beside ``out`` first,
    some rows at a time, which takes several times its size on disk until the cache is made; it needs pyarrow.

        gr.make_cache("clicks.parquet", "clicks.bins", binned=True)
        gr.command("train", train="clicks.bins", memory="8G", out="model.txt")
    """
    flags = {"binned": binned or None, "streaming": streaming or None}
    path = os.fspath(data)
    if not path.endswith((".parquet", ".pq")):
        return command("data cache", data=path, out=out, **flags, **options)
    with tempfile.TemporaryDirectory(prefix=".glassrank-", dir=pathlib.Path(out).absolute().parent) as made:
        text = pathlib.Path(made) / "rows.csv"
        _write_text(path, text)
        return command("data cache", data=text, out=out, **flags, **options)


def _write_text(path: str, text: pathlib.Path) -> None:
    """A Parquet file as CSV; categories (dictionaries) by their values, missing values as empty cells."""
    try:
        import pyarrow as arrow
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError:
        raise UsageError(f"{path}: reading Parquet needs pyarrow (pip install pyarrow)") from None
    try:
        with arrow.parquet.ParquetFile(path) as file:
            kinds = [
                field.with_type(field.type.value_type) if arrow.types.is_dictionary(field.type) else field
                for field in file.schema_arrow
            ]
            schema = arrow.schema(kinds)
            with arrow.csv.CSVWriter(text, schema) as writer:
                for batch in file.iter_batches(65_536):
                    writer.write_table(arrow.Table.from_batches([batch]).cast(schema))
    except arrow.ArrowException as error:
        raise InputError(f"{path}: {error}") from error
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from error
