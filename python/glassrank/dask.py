"""Rankers in Dask: training on the workers that hold the rows, scoring and explaining part by part.

    from glassrank import dask as gd

    model = gd.train(client, glassrank.Lambdamart(num_trees=300), frame, label="label", qid="qid")
    scores = gd.predict(model, frame)          # a Dask series; model is a glassrank.Model

Rows go to the workers in their order, cut between queries: the rows of a query must follow each
other, in one partition or in neighbours. Workers talk over TCP (Gloo). The model is the one that a
single machine trains on ``frame.compute()``.
"""
from __future__ import annotations

import uuid
from typing import Any, NamedTuple, Sequence

import numpy as np
from dask import delayed
from distributed import Client, Variable, get_client, get_worker

from glassrank import distributed
from glassrank.dataset import Dataset
from glassrank.errors import InputError, UsageError
from glassrank.model import Model, load_bytes
from glassrank.training import Method


def _connect(run: str, rank: int, size: int) -> distributed.Machines:
    """The workers of one training; addresses go through variables of the scheduler."""
    client = get_client()

    def exchange(own: bytes) -> list[bytes]:
        Variable(f"{run}-{rank}", client).set(own)
        return [Variable(f"{run}-{each}", client).get(timeout=300) for each in range(size)]

    host = get_worker().address.split("://")[-1].rsplit(":", 1)[0]
    return distributed.connect(rank, size, host.strip("[]"), exchange)


def _dataset(frame: Any, features: list[str], label: str, qid: str, weight: str | None, categorical: list[str]) -> Dataset:
    return Dataset(
        frame[features],
        frame[label].to_numpy(np.float32),
        qid=frame[qid].to_numpy(),
        weight=frame[weight].to_numpy(np.float32) if weight else None,
        categorical=categorical,
        name="dask",
    )


class _Share(NamedTuple):
    """What one worker gets of a frame: some rows of some of its partitions."""

    parts: list[int]
    rows: list[tuple[int, int]]  # of each, within the partition


def _rows_of(parts: list, rows: list[tuple[int, int]], empty: Any) -> Any:
    import pandas as pd

    return pd.concat([part.iloc[begin:end] for part, (begin, end) in zip(parts, rows)]) if parts else empty


def _train(run: str, rank: int, size: int, method: Method, columns: tuple, train: tuple, valid: tuple | None) -> bytes | None:
    """On one worker: its rows, the training; the first one gives the model."""
    machines = _connect(run, rank, size)
    with distributed.together(machines):
        own = _dataset(_rows_of(*train), *columns)
        own_valid = None if valid is None else _dataset(_rows_of(*valid), *columns)
    if not method.get_params().get("threads"):
        method = type(method)(**{**method.get_params(), "threads": get_worker().state.nthreads})
    model = method.train(own, own_valid, machines=machines)
    return model.to_bytes() if rank == 0 else None


def _runs(part: Any, qid: str) -> list[tuple[Any, int]]:
    """The queries of a partition as they come, with their rows."""
    queries = part[qid].to_numpy()
    if len(queries) == 0:
        return []
    begins = np.concatenate([[0], np.flatnonzero(queries[1:] != queries[:-1]) + 1])
    return list(zip(queries[begins].tolist(), np.diff(np.append(begins, len(queries))).tolist()))


def _query_ends(runs: Sequence[Sequence[tuple[Any, int]]], qid: str) -> list[int]:
    """The rows, counted through all partitions, that queries end before."""
    ends: list[int] = []
    seen: dict[Any, int] = {}  # the partition in which a query begins
    last: Any = None
    for number, part in enumerate(runs):
        for query, size in part:
            if ends and query == last:
                ends[-1] += size
                continue
            if query in seen:
                raise InputError(
                    f"query {query!r} begins in partition {seen[query]} and comes again in partition {number}, after other "
                    f"queries; sort the frame by its queries first: frame.sort_values({qid!r})"
                )
            seen[query] = number
            ends.append((ends[-1] if ends else 0) + size)
            last = query
    return ends


def _shares(sizes: Sequence[int], query_ends: Sequence[int], count: int) -> list[_Share]:
    """What each of ``count`` workers gets: whole queries in their order, near equal in rows."""
    total = query_ends[-1] if query_ends else 0
    cuts = np.concatenate([[0], query_ends]).astype(int)
    borders = [int(cuts[np.searchsorted(cuts, total * rank // count)]) for rank in range(count + 1)]
    shares = [_Share([], []) for _ in range(count)]
    before = 0
    for number, size in enumerate(sizes):
        for share, begin, end in zip(shares, borders, borders[1:]):
            own = max(begin - before, 0), min(end - before, size)
            if own[0] < own[1]:
                share.parts.append(number)
                share.rows.append(own)
        before += size
    return shares


class _Frame:
    """A frame on the workers, and where its queries are."""

    def __init__(self, client: Client, frame: Any, wanted: list[str], qid: str) -> None:
        for each in wanted:
            if each not in frame.columns:
                raise UsageError(f"the frame has no column {each!r}; there are {', '.join(frame.columns)}")
        frame = client.persist(frame[wanted])
        self.empty = frame._meta
        self.parts = frame.to_delayed()
        runs = client.gather(client.compute([delayed(_runs)(part, qid) for part in self.parts]))
        self.sizes = [sum(size for _, size in part) for part in runs]
        self.query_ends = _query_ends(runs, qid)

    def shares(self, client: Client, count: int) -> list[tuple]:
        """The arguments of _rows_of, for each worker."""
        found = _shares(self.sizes, self.query_ends, count)
        return [(client.compute([self.parts[each] for each in share.parts]), share.rows, self.empty) for share in found]


def train(
    client: Client,
    method: Method,
    frame: Any,
    *,
    label: str = "label",
    qid: str = "qid",
    features: Sequence[str] | None = None,
    weight: str | None = None,
    valid: Any = None,
) -> Model:
    """Trains a method on the workers of a cluster.

    Parameters
    ----------
    client : distributed.Client
    method : glassrank.Method
        Its ``threads`` are those of a worker; the default is all that the worker has.
    frame, valid : dask.dataframe.DataFrame
        Rows in the order of their queries, which may go on in the next partition.
    label, qid, weight : str
        Columns.
    features : list of str, optional
        Columns; else all others.
    """
    if features is None:
        features = [name for name in frame.columns if name not in (label, qid, weight)]
    wanted = [*features, label, qid, *([weight] if weight else [])]
    workers = sorted(client.scheduler_info(n_workers=-1)["workers"])
    rows = _Frame(client, frame, wanted, qid)
    held = None if valid is None else _Frame(client, valid, wanted, qid)
    num_machines = max(min(len(workers), len(rows.parts), len(rows.query_ends)), 1)
    shares = rows.shares(client, num_machines)
    held_shares = [None] * num_machines if held is None else held.shares(client, num_machines)
    run = f"glassrank-{uuid.uuid4().hex}"
    # Partitions with other categories are texts when they are put together.
    categorical = [name for name in features if frame._meta[name].dtype == "category"]
    columns = (list(features), label, qid, weight, categorical)
    trainings = [
        client.submit(
            _train,
            run,
            rank,
            num_machines,
            method,
            columns,
            shares[rank],
            held_shares[rank],
            workers=[workers[rank]],
            allow_other_workers=False,
            pure=False,
        )
        for rank in range(num_machines)
    ]
    try:
        return load_bytes(next(made for made in client.gather(trainings) if made is not None))
    finally:
        for rank in range(num_machines):
            Variable(f"{run}-{rank}", client).delete()


def predict(model: Model, frame: Any, features: Sequence[str] | None = None) -> Any:
    """One score per row, part by part, as a Dask series."""
    names, data = _features(model, frame, features), model.to_bytes()

    def score(part: Any) -> Any:
        import pandas as pd

        return pd.Series(load_bytes(data).predict(part[names], threads=1), index=part.index, name="score")

    return frame.map_partitions(score, meta=("score", "f8"))


def explain(model: Model, frame: Any, method: str = "tree-shap", *, features: Sequence[str] | None = None, **options: Any) -> Any:
    """What every feature adds to every document's score, part by part: a Dask frame of the features'
    names, with "base_value"."""
    names, data = _features(model, frame, features), model.to_bytes()

    def explained(part: Any) -> Any:
        import pandas as pd

        found = load_bytes(data).attributions(part[names], method, threads=1, **options)
        return pd.DataFrame(found.values, index=part.index, columns=names).assign(base_value=found.base_values)

    return frame.map_partitions(explained, meta={**{name: "f8" for name in names}, "base_value": "f8"})


def _features(model: Model, frame: Any, features: Sequence[str] | None) -> list[str]:
    names = list(features) if features is not None else [name for name in model.feature_names if name in frame.columns]
    if len(names) != len(model.feature_names):
        raise UsageError(f"the frame has {len(names)} of the model's {len(model.feature_names)} features; say which columns are its features")
    return names
