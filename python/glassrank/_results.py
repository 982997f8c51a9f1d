"""Results of the engine as objects.

A result has the keys that ``--json`` prints (docs/reference/results.md) as attributes: numbers,
text, numpy arrays for lists of numbers, further results, and dicts where names are data (metrics).
What is absent is None. _result_types.py lists the keys of each kind of result; classes in results.py
add what belongs to one kind.
"""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Iterator

import numpy as np


def _plain(value: Any) -> Any:
    """Of lists, dicts, text and numbers of Python's own; a number that is not finite is None, as in JSON."""
    if isinstance(value, Result):
        return {key: _plain(each) for key, each in value.items() if each is not None}
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _flat(result: Any, prefix: str = "") -> dict[str, Any]:
    """One level of columns: objects and named values with dots; lists are left out."""
    row: dict[str, Any] = {}
    for key, value in result.items():
        if isinstance(value, (Result, dict)):
            row.update(_flat(value, f"{prefix}{key}."))
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], Result):
            continue
        elif hasattr(value, "tolist"):
            continue
        else:
            row[prefix + key] = value
    return row


class Result:
    """Values by name, as attributes and as items."""

    #: the list that to_pandas shows unless told; empty: the first one there is
    _table = ""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    if not TYPE_CHECKING:  # type checkers go by what is declared

        def __getattr__(self, name: str) -> Any:
            """What the kind of result may have and this one has not: an empty list or dict."""
            for kind in type(self).__mro__:
                declared = str(kind.__dict__.get("__annotations__", {}).get(name, ""))
                if declared.startswith(("list[", "dict[")):
                    return [] if declared.startswith("list[") else {}
            raise AttributeError(f"{type(self).__name__} has no {name!r}; there are {', '.join(self.keys())}")

    def keys(self) -> list[str]:
        return [key for key in self.__dict__ if not key.startswith("_")]

    def items(self) -> list[tuple[str, Any]]:
        return [(key, self.__dict__[key]) for key in self.keys()]

    def __getitem__(self, key: str) -> Any:
        return self.__dict__[key]

    def __contains__(self, key: str) -> bool:
        return key in self.__dict__

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def to_dict(self) -> dict[str, Any]:
        """Lists, dicts, text and numbers: what ``--json`` prints. What is absent has no key."""
        return _plain(self)

    def tables(self) -> list[str]:
        """Names of the lists that ``to_pandas`` can show."""
        return [key for key, value in self.items() if isinstance(value, list) and value and isinstance(value[0], Result)]

    def to_pandas(self, table: str | None = None) -> Any:
        """A DataFrame with a row for every entry of a list; without any list, one row."""
        import pandas as pd

        there = self.tables()
        name = table or (self._table if self._table in there else there[0] if there else "")
        if not name:
            return pd.DataFrame([_flat(self)])
        if name not in there:
            raise KeyError(f"no table {name!r}; there are {', '.join(there) or 'none'}")
        return pd.DataFrame([_flat(entry) for entry in self[name]])

    def _repr_html_(self) -> str:
        from glassrank._html import of_result

        return of_result(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and _plain(self) == _plain(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = []
        for key, value in self.items():
            if isinstance(value, list):
                parts.append(f"{key}=[{len(value)}]")
            elif isinstance(value, np.ndarray) and value.ndim:
                parts.append(f"{key}=array{value.shape}")
            elif isinstance(value, Result):
                parts.append(f"{key}=...")
            else:
                parts.append(f"{key}={value!r}")
        return f"{type(self).__name__}({', '.join(parts)})"


class Drawn:
    """What can draw itself: needs matplotlib."""

    def plot(self, kind: str | None = None, *options: Any, **named: Any) -> Any:
        """Draws it and returns the axes; ``glassrank.plots.KINDS`` has the kinds, the first is drawn unless told."""
        from glassrank.plots import plot

        return plot(self, kind, *options, **named)


class TextResult(Result):
    """A result that the engine also puts in words: ``str(result)`` is what the program prints."""

    def __init__(self, values: dict[str, Any], text: str = "") -> None:
        super().__init__(values)
        self._text = text

    def __str__(self) -> str:
        return self._text or repr(self)
