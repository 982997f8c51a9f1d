"""Rankers in Dask: training on the workers that hold the rows, scoring and explaining part by part.

    from glassrank import dask as gd

    model = gd.train(client, glassrank.Lambdamart(num_trees=300), frame, label="label", qid="qid")
    scores = gd.predict(model, frame)          # a Dask series; model is a glassrank.Model

Partitions go to the workers in their order; the rows of a query must lie in one partition, or in
neighbours that go to the same worker. Workers talk over TCP (Gloo). The model is the one that a
single machine trains on ``frame.compute()``.
"""
from __future__ import annotations

import uuid
from typing import Any, Sequence

import numpy as np
from distributed import Client, Variable, get_client, get_worker

from glassrank import distributed
from glassrank.dataset import Dataset
from glassrank.errors import UsageError
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


def _dataset(frame: Any, features: list[str], label: str, qid: str, weight: str | None) -> Dataset:
    return Dataset(
        frame[features],
        frame[label].to_numpy(np.float32),
        qid=frame[qid].to_numpy(),
        weight=frame[weight].to_numpy(np.float32) if weight else None,
        name="dask",
    )


def _train(run: str, rank: int, size: int, method: Method, columns: tuple, parts: list, valid_parts: list | None) -> bytes | None:
    """On one worker: its rows, the training; the first one gives the model."""
    import pandas as pd

    machines = _connect(run, rank, size)
    train = _dataset(pd.concat(parts), *columns)
    valid = None if valid_parts is None else _dataset(pd.concat(valid_parts), *columns)
    if not method.get_params().get("threads"):
        method = type(method)(**{**method.get_params(), "threads": get_worker().state.nthreads})
    model = method.train(train, valid, machines=machines)
    return model.to_bytes() if rank == 0 else None


def _shares(sizes: Sequence[int], count: int) -> list[list[int]]:
    """Which partitions each of ``count`` workers gets: in order, near equal in rows, none empty."""
    shares: list[list[int]] = [[] for _ in range(count)]
    total, before = sum(sizes), 0
    for number, size in enumerate(sizes):
        middle = before + size / 2
        wanted = min(int(middle * count / max(total, 1)), count - 1)
        # Later workers must get one each.
        shares[min(max(wanted, number - len(sizes) + count), number, count - 1)].append(number)
        before += size
    return shares


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
        Rows in the order of their queries.
    label, qid, weight : str
        Columns.
    features : list of str, optional
        Columns; else all others.
    """
    if features is None:
        features = [name for name in frame.columns if name not in (label, qid, weight)]
    wanted = [*features, label, qid, *([weight] if weight else [])]
    for each in wanted:
        if each not in frame.columns:
            raise UsageError(f"the frame has no column {each!r}; there are {', '.join(frame.columns)}")
    workers = sorted(client.scheduler_info(n_workers=-1)["workers"])
    frame = client.persist(frame[wanted])
    parts = frame.to_delayed()
    num_machines = min(len(workers), len(parts))
    shares = _shares(frame.map_partitions(len).compute().tolist(), num_machines)
    valid_parts = None if valid is None else client.persist(valid[wanted]).to_delayed()
    run = f"glassrank-{uuid.uuid4().hex}"
    columns = (list(features), label, qid, weight)
    trainings = []
    for rank in range(num_machines):
        own_valid = None
        if valid_parts is not None:
            begin, end = (rank * len(valid_parts) // num_machines, (rank + 1) * len(valid_parts) // num_machines)
            own_valid = client.compute([*valid_parts[begin:end]]) if end > begin else [valid._meta[wanted]]
        trainings.append(
            client.submit(
                _train,
                run,
                rank,
                num_machines,
                method,
                columns,
                client.compute([parts[each] for each in shares[rank]]),
                own_valid,
                workers=[workers[rank]],
                allow_other_workers=False,
                pure=False,
            )
        )
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
