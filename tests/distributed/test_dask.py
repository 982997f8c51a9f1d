"""A real Dask cluster on this machine: the model of its workers is that of one machine."""
import numpy as np
import pytest

pytest.importorskip("distributed")

import dask.dataframe as dd  # noqa: E402
from distributed import Client, LocalCluster  # noqa: E402

import glassrank as gr  # noqa: E402
from glassrank import dask as gd  # noqa: E402


@pytest.fixture(scope="module")
def client():
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        with Client(cluster) as client:
            yield client


def frame_of(data):
    frame = data.to_pandas()
    names = [name for name in frame.columns if name not in ("grade", "query", "document")]
    return frame[[*names, "grade", "query"]].astype({name: np.float32 for name in names}), names


def by_query(frame, parts):
    """A Dask frame whose partitions hold whole queries."""
    queries = frame["query"].unique()
    chunks = np.array_split(np.arange(len(queries)), parts)
    return dd.concat(
        [dd.from_pandas(frame[frame["query"].isin(queries[chunk])], npartitions=1, sort=False) for chunk in chunks],
        interleave_partitions=False,
    )


@pytest.mark.parametrize("parts", [1, 3, 7])
def test_workers_make_the_model_of_one_machine(client, parts):
    train, valid, _ = gr.bookshop(queries=60)
    rows, names = frame_of(train)
    held, _ = frame_of(valid)
    method = gr.Lambdamart(num_trees=8, num_leaves=8, threads=1)
    expected = method.train(
        gr.Dataset(rows[names], rows["grade"], qid=rows["query"], name="dask"),
        gr.Dataset(held[names], held["grade"], qid=held["query"], name="dask"),
    )
    model = gd.train(client, method, by_query(rows, parts), label="grade", qid="query", valid=by_query(held, parts))
    assert model.to_bytes() == expected.to_bytes()

    frame = by_query(rows, parts)
    np.testing.assert_array_equal(gd.predict(model, frame).compute(), expected.predict(rows[names]))
    explained = gd.explain(model, frame).compute()
    np.testing.assert_allclose(explained.sum(axis=1), expected.predict(rows[names]), atol=1e-9)


def test_partitions_are_shared_out_in_order_and_no_worker_is_idle():
    assert gd._shares([10, 10, 10, 10], 2) == [[0, 1], [2, 3]]
    assert gd._shares([100, 1, 1], 3) == [[0], [1], [2]]
    assert gd._shares([1, 1, 100], 3) == [[0], [1], [2]]
    assert gd._shares([5], 1) == [[0]]


def test_a_missing_column_is_named(client):
    rows, _ = frame_of(gr.bookshop(queries=5)[0])
    with pytest.raises(gr.UsageError, match="no column 'label'"):
        gd.train(client, gr.Lambdamart(), by_query(rows, 1))
