"""Ranking data: rows of features with grades, grouped by query."""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Iterator, Sequence, overload

import numpy as np

from glassrank import _core
from glassrank import _result_types as fields
from glassrank._adapters import column_of, is_missing, table_of
from glassrank._adapters import text_of as _text
from glassrank._call import calling, logger
from glassrank.errors import FileError, InputError, UsageError

if TYPE_CHECKING:
    from typing_extensions import Self


def _one_per_row(what: str, values: np.ndarray, num_rows: int) -> np.ndarray:
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise InputError(f"{what} has shape {values.shape}; one value per row is needed")
    if len(values) != num_rows:
        raise InputError(f"{what} has {len(values)} values for {num_rows} rows; there must be one per row")
    return values


def _numbers(what: str, values: np.ndarray) -> np.ndarray:
    if values.dtype.kind == "O":
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError):
            raise InputError(f"{what} has dtype object; numbers are needed") from None
    if values.dtype.kind not in "fiub":
        raise InputError(f"{what} has dtype {values.dtype}; numbers are needed")
    numbers = np.ascontiguousarray(values, dtype=np.float32)
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        raise InputError(f"{what} of row {bad[0]} is {values[bad[0]]}; it must be a finite number")
    return numbers


def _runs(qid: np.ndarray) -> np.ndarray:
    """Where runs of equal values begin."""
    if len(qid) == 0:
        return np.zeros(0, dtype=np.int64)
    return np.concatenate([[0], np.flatnonzero(qid[1:] != qid[:-1]) + 1])


def _check_present(qid: np.ndarray) -> None:
    if qid.dtype.kind == "O":
        missing = np.flatnonzero([is_missing(value) for value in qid])
    elif qid.dtype.kind in "fmM":
        missing = np.flatnonzero(qid != qid)
    else:
        return
    if len(missing):
        raise InputError(f"the query of row {missing[0]} is missing")


def _grouped(qid: np.ndarray) -> np.ndarray | None:
    """The rows query by query, in order of their first rows; None when they are so already."""
    _, first, inverse = np.unique(qid, return_index=True, return_inverse=True)
    order = np.argsort(first[inverse], kind="stable")
    return None if np.array_equal(order, np.arange(len(qid))) else order


class Dataset:
    """Ranking data in memory.

    Parameters
    ----------
    X : array, sparse matrix, DataFrame or Arrow table of documents x features
        numpy, scipy.sparse, pandas, polars, pyarrow, and whatever speaks Arrow's PyCapsule interface.
        C-contiguous float32 arrays, other arrays of float32 and float64, and columns of Arrow are used
        where they are: they are not copied and must not be changed. NaN is a missing value.
    y : array, or the name of a column of X; optional
        Grades, the higher the better; 0 when there are none (data to be scored only).
    qid : array, or the name of a column of X; optional
        The query of every row: numbers or text. Rows of a query must be together. Without it all rows
        are one query.
    group : sequence of int, optional
        Instead of qid: numbers of rows of the queries, in order.
    weight : array, or the name of a column of X; optional
        Row weights.
    document : array, or the name of a column of X; optional
        Ids of documents.
    feature_names : sequence of str, optional
        One per column; else the names of X, or "1", "2", ...
    categorical : sequence of names or numbers, optional
        Features whose values are categories, text or whole numbers; numbers count columns from 0. Columns
        of pandas' category type, polars' Categorical and Enum and Arrow's dictionaries are categories
        without being named. A model keeps the names: data to be scored may have them in any order.
    group_rows : bool
        Put the rows of every query together where they are scattered. Scores are still given in the
        order of X.
    name : str, optional
        What messages and the record of a model call the data.
    """

    __slots__ = ("_data",)

    def __init__(
        self,
        X: Any,
        y: Any = None,
        *,
        qid: Any = None,
        group: Sequence[int] | None = None,
        weight: Any = None,
        document: Any = None,
        feature_names: Sequence[str] | None = None,
        categorical: Sequence[Any] = (),
        group_rows: bool = False,
        name: str | None = None,
    ) -> None:
        roles = {"y": y, "qid": qid, "weight": weight, "document": document}
        beside = [value for value in roles.values() if isinstance(value, str)]
        given = None if feature_names is None else [str(each) for each in feature_names]
        table = table_of(X, beside, categorical, given)
        num_rows, num_features = table.matrix.shape

        def column(role: str) -> np.ndarray | None:
            value = roles[role]
            if value is None:
                return None
            values = table.others[value] if isinstance(value, str) else column_of(role, value)
            return _one_per_row(role, values, num_rows)

        names = table.names if given is None else given
        if names is None:
            names = [str(number + 1) for number in range(num_features)]
        if len(names) != num_features:
            raise InputError(f"{len(names)} feature names for {num_features} features")
        if len(set(names)) != len(names):
            twice = next(each for each in names if names.count(each) > 1)
            raise InputError(f"two features are called {twice!r}; each must have a name of its own")
        if group is not None and qid is not None:
            raise UsageError("give qid or group, not both")
        grades = column("y")
        grades = np.zeros(num_rows, np.float32) if grades is None else _numbers("the grade", grades)
        weights = column("weight")
        if weights is not None:
            weights = _numbers("the weight", weights)
            if len(weights) and weights.min() < 0:
                raise InputError(f"the weight of row {int(weights.argmin())} is {weights.min()}; it must not be negative")
        documents = column("document")
        matrix, order = table.matrix, None
        queries = column("qid")
        if queries is not None:
            _check_present(queries)
            if group_rows and (order := _grouped(queries)) is not None:
                values = matrix if isinstance(matrix, np.ndarray) else np.asarray(matrix.to_matrix())
                matrix, grades, queries = np.ascontiguousarray(values[order]), grades[order], queries[order]
                weights = None if weights is None else weights[order]
                documents = None if documents is None else documents[order]
            ids, sizes = self._queries_of(queries)
        elif group is not None:
            sizes = np.asarray(list(group), dtype=np.int64)
            if len(sizes) and sizes.min() < 1:
                raise InputError(f"group {int(sizes.argmin())} has {sizes.min()} rows; every query needs one")
            if sizes.sum() != num_rows:
                raise InputError(f"the groups have {sizes.sum()} rows in all, and there are {num_rows}")
            ids = []  # they are numbered
        else:
            ids, sizes = (["1"], np.array([num_rows])) if num_rows else ([], np.zeros(0, np.int64))
        self._data = _core.data_from_arrays(
            matrix,
            grades,
            ids,
            np.ascontiguousarray(sizes, dtype=np.uint64),
            names,
            list(table.categories.items()),
            weights,
            [] if documents is None else [_text(each) for each in documents],
            None if order is None else order.astype(np.uint32),
            name or "memory",
        )

    @staticmethod
    def _queries_of(qid: np.ndarray) -> tuple[list[str], np.ndarray]:
        begins = _runs(qid)
        ids = [_text(each) for each in qid[begins]]
        if len(set(ids)) != len(ids):
            seen: set[str] = set()
            for begin, query in zip(begins, ids):
                if query in seen:
                    raise InputError(
                        f"query {query} comes again in row {begin}, after other queries; sort the rows by query, "
                        "or give group_rows=True"
                    )
                seen.add(query)
        return ids, np.diff(np.append(begins, len(qid)))

    @classmethod
    def _wrap(cls, data: _core.Data) -> Self:
        made = cls.__new__(cls)
        made._data = data
        return made

    @property
    def name(self) -> str:
        """The file it was read from, or what it was called."""
        return self._data.name

    @property
    def num_rows(self) -> int:
        return self._data.num_rows

    @property
    def num_features(self) -> int:
        return self._data.num_features

    @property
    def num_queries(self) -> int:
        return self._data.num_queries

    @property
    def feature_names(self) -> list[str]:
        return self._data.feature_names

    @property
    def categories(self) -> dict[str, list[str]]:
        """Of every feature whose values are categories their names by code; [] where they are the codes."""
        return self._data.categories

    @property
    def queries(self) -> list[str]:
        """The ids of the queries."""
        return self._data.query_ids

    @property
    def X(self) -> np.ndarray:
        """The features as one float32 matrix, read-only.

        The array the data was made from, if that was C-contiguous float32; values of another type or
        order are converted when they are first asked for, and kept.
        """
        return np.asarray(self._data.features)

    @property
    def y(self) -> np.ndarray:
        """The grades."""
        return np.asarray(self._data.grades)

    @property
    def weight(self) -> np.ndarray | None:
        """The row weights, if there are any."""
        weights = self._data.weights
        return None if weights is None else np.asarray(weights)

    @property
    def group(self) -> np.ndarray:
        """Numbers of rows of the queries."""
        return np.diff(np.asarray(self._data.offsets))

    @property
    def qid(self) -> np.ndarray:
        """The id of the query of every row."""
        return np.repeat(np.array(self.queries, dtype=object), self.group)

    @property
    def documents(self) -> list[str]:
        """The names of the documents: their ids, or their places in the query from 1."""
        return self._data.document_names()

    def __len__(self) -> int:
        return self.num_queries

    def __iter__(self) -> Iterator[OneQuery]:
        """Query by query."""
        return (self[number] for number in range(self.num_queries))

    @overload
    def __getitem__(self, queries: int) -> OneQuery: ...
    @overload
    def __getitem__(self, queries: slice | Sequence[Any] | np.ndarray) -> Dataset: ...
    def __getitem__(self, queries: Any) -> Dataset:
        """Some of the queries: a number, a slice, a list of numbers or a mask. Values are shared by slices."""
        if isinstance(queries, (int, np.integer)):
            number = int(queries) + (self.num_queries if queries < 0 else 0)
            if not 0 <= number < self.num_queries:
                raise IndexError(f"there are {self.num_queries} queries; there is no number {queries}")
            return OneQuery._wrap(self._data.select([number]))
        chosen = np.arange(self.num_queries)[queries].tolist()
        if sorted(set(chosen)) != chosen:
            raise UsageError("queries must be chosen in the order of the data, each once")
        return Dataset._wrap(self._data.select(chosen))

    def query(self, query: Any) -> OneQuery:
        """The one query of this id."""
        return self[self._find(query)]

    def _find(self, query: Any) -> int:
        wanted, ids = _text(query), self.queries
        if wanted not in ids:
            import difflib

            near = difflib.get_close_matches(wanted, ids, 1)
            raise UsageError(f"unknown query {wanted!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        return ids.index(wanted)

    def split(self, *fractions: float, seed: int = 0) -> tuple[Dataset, ...]:
        """Parts with these shares of the queries, drawn at random; no query is in two parts."""
        parts = _core.split_queries(self.num_queries, list(fractions), seed)
        return tuple(Dataset._wrap(self._data.select(part)) for part in parts)

    def stats(self) -> fields.StatsFields:
        """What is in the data: grades, features, queries, conflicts."""
        with calling() as call:
            return fields.StatsFields(self._data.stats(call))

    def digest(self) -> str:
        """Sixteen digits that stand for the content: equal for equal data, wherever it came from."""
        with calling() as call:
            return self._data.digest(call)

    def with_noise(self, probability: float = 0.1, *, mode: str = "uniform", seed: int = 0) -> tuple[Dataset, Any]:
        """The same data with wrong grades on purpose, and a DataFrame of what was flipped.

        ``mode``: "uniform", any other grade of the data, or "lowest-to-highest".
        """
        import pandas as pd

        with calling(seed=seed) as call:
            data, flips = _core.with_noise(call, self._data, {"probability": probability, "mode": mode})
        return Dataset._wrap(data), pd.DataFrame(flips)

    def save(self, path: str | os.PathLike, *, sparse: bool = False) -> None:
        """Writes LETOR text (.gz and .zst are packed), or with the ending .cache a file that opens at once."""
        with calling() as call:
            if os.fspath(path).endswith(".cache"):
                self._data.write_cache(call, os.fspath(path))
            else:
                self._data.write_text(call, os.fspath(path), sparse)

    def to_pandas(self) -> Any:
        """A DataFrame with the columns query, document, grade, and the features."""
        import pandas as pd

        frame = pd.DataFrame(self.X, columns=self.feature_names)
        for feature, names in self.categories.items():
            if not names:
                continue
            codes = frame[feature].to_numpy()
            known = (codes >= 0) & (codes < len(names))
            frame[feature] = pd.Categorical.from_codes(np.where(known, codes, -1).astype(int), names)
        for place, (name, values) in enumerate(
            [("query", self.qid), ("document", self.documents), ("grade", self.y)]
        ):
            frame.insert(place, name, values, allow_duplicates=True)
        return frame

    def _repr_html_(self) -> str:
        from glassrank._html import of_dataset

        return of_dataset(self)

    def __repr__(self) -> str:
        return (
            f"<glassrank.Dataset {self.name!r}: {self.num_rows} documents of {self.num_queries} queries, "
            f"{self.num_features} features>"
        )


class OneQuery(Dataset):
    """Data of a single query: what ``data[0]`` and ``data.query("17")`` are."""

    __slots__ = ()


def read(
    path: str | os.PathLike, *, needs_grades: bool = True, threads: int = 0, progress: Any = None, **options: Any
) -> Dataset:
    """Reads a data file: LETOR/SVMlight, CSV, TSV, a cache of ``Dataset.save``, or Parquet.

    .gz and .zst files are unpacked. Columns of a table have their usual names (grade, label, ...; query,
    qid, query_id, ...; document, docid, ...; weight) or are named by ``grade_column``, ``query_column``,
    ``document_column`` and ``weight_column``. ``needs_grades=False`` reads data that is only scored.

    ``options`` are those of the command line. All files: ``format``, ``match``. Tables:
    ``ignore_columns``, ``text_columns`` ("error" or "ignore"), ``categorical``; CSV and TSV:
    ``na_values``, ``delimiter``. LETOR: ``absent``, ``missing``, ``num_features``, ``first_feature``.
    Parquet needs pyarrow.
    """
    path = os.fspath(path)
    if path.endswith((".parquet", ".pq")):
        return _read_parquet(path, options, needs_grades)
    with calling(threads, 0, progress) as call:
        return Dataset._wrap(_core.read(call, path, options, needs_grades))


_PARQUET_OPTIONS = {
    "grade_column",
    "query_column",
    "document_column",
    "weight_column",
    "ignore_columns",
    "text_columns",
}


def _read_parquet(path: str, options: dict[str, Any], needs_grades: bool) -> Dataset:
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise UsageError(f"{path}: reading Parquet needs pyarrow (pip install pyarrow)") from None
    categorical = options.pop("categorical", ())
    categorical = [categorical] if isinstance(categorical, str) else categorical
    for name in options:
        if name not in _PARQUET_OPTIONS:
            raise UsageError(f"{name} is not an option of Parquet files")
    try:
        table = parquet.read_table(path)
    except arrow.ArrowException as error:
        raise InputError(f"{path}: {error}") from error
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from error
    parts, notice = _core.table_parts(path, table.column_names, options, needs_grades)
    if notice:
        logger.info(notice)
    if options.get("text_columns") == "ignore":
        kinds = dict(zip(table.column_names, table.schema.types))
        texts = {name for name, kind in kinds.items() if arrow.types.is_string(kind) or arrow.types.is_large_string(kind)}
        texts -= set(categorical)
        parts = ["ignored" if part == "feature" and name in texts else part for name, part in zip(table.column_names, parts)]
    place = {part: name for name, part in zip(table.column_names, parts) if part not in ("feature", "ignored")}
    kept = table.select([name for name, part in zip(table.column_names, parts) if part != "ignored"])
    return Dataset(
        kept,
        place.get("grade"),
        qid=place["query"],
        document=place.get("document"),
        weight=place.get("weight"),
        categorical=categorical,
        name=path,
    )


def synthetic(*, seed: int = 0, utilities: bool = False, **options: Any) -> tuple[Dataset, dict[str, Any]]:
    """Made-up data whose truth is known, and that truth: parameters, effects, interactions, flipped rows.

    ``options`` are those of ``glassrank data synth``: ``shape`` ("mslr", ...), ``rows``, ``queries``,
    ``features``, ``label_noise``, ... With ``utilities`` the truth has the utility of every row.
    """
    with calling(seed=seed) as call:
        data, truth = _core.synthetic(call, options, utilities)
    return Dataset._wrap(data), json.loads(truth)


def bookshop(seed: int = 0, **options: Any) -> tuple[Dataset, Dataset, Dataset]:
    """The invented book shop of ``glassrank demo``: training, validation and test data.

    ``options``: ``queries``, ``documents_per_query``, ``books``, ``noise``, ``queries_with_mistakes``.
    """
    parts = _core.bookshop(options, seed)
    return Dataset._wrap(parts["train"]), Dataset._wrap(parts["valid"]), Dataset._wrap(parts["test"])
