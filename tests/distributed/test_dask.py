"""A real Dask cluster on this machine: the model of its workers is that of one machine."""
import time

import numpy as np
import pytest

pytest.importorskip("distributed")

import dask.dataframe as dd  # noqa: E402
from dask import delayed  # noqa: E402
from distributed import Client, LocalCluster  # noqa: E402

from many_methods import MANY_METHODS  # noqa: E402

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


@pytest.mark.parametrize("name", MANY_METHODS)
def test_every_kind_of_training(client, name):
    train, valid, _ = gr.bookshop(queries=60)
    rows, names = frame_of(train)
    held, _ = frame_of(valid)
    method = MANY_METHODS[name]()
    expected = method.train(
        gr.Dataset(rows[names], rows["grade"], qid=rows["query"], name="dask"),
        gr.Dataset(held[names], held["grade"], qid=held["query"], name="dask"),
    )
    model = gd.train(client, method, by_query(rows, 3), label="grade", qid="query", valid=by_query(held, 3))
    assert model.to_bytes() == expected.to_bytes()


def test_partitions_may_be_empty_and_queries_go_on_in_the_next(client):
    train, valid, _ = gr.bookshop(queries=60)
    rows, names = frame_of(train)
    held, _ = frame_of(valid)
    method = gr.Lambdamart(num_trees=8, num_leaves=8, threads=1)
    expected = method.train(
        gr.Dataset(rows[names], rows["grade"], qid=rows["query"], name="dask"),
        gr.Dataset(held[names], held["grade"], qid=held["query"], name="dask"),
    )
    torn = len(rows) // 3 + 1
    assert rows["query"].iloc[torn - 1] == rows["query"].iloc[torn]
    parts = [rows.iloc[:0], rows.iloc[:torn], rows.iloc[torn:torn], rows.iloc[torn:]]
    frame = dd.from_delayed([delayed(part) for part in parts], meta=rows.iloc[:0])
    few = dd.from_delayed([delayed(part) for part in (held.iloc[:0], held)], meta=held.iloc[:0])
    model = gd.train(client, method, frame, label="grade", qid="query", valid=few)
    assert model.to_bytes() == expected.to_bytes()


def test_a_query_that_comes_again_is_named(client):
    rows, _ = frame_of(gr.bookshop(queries=20)[0])
    first = rows["query"].iloc[0]
    parts = [rows.iloc[:1], rows[rows["query"] != first], rows.iloc[1:2]]
    frame = dd.from_delayed([delayed(part) for part in parts], meta=rows.iloc[:0])
    with pytest.raises(gr.InputError, match=f"query '{first}' begins in partition 0 and comes again in partition 2.*sort_values"):
        gd.train(client, gr.Lambdamart(), frame, label="grade", qid="query")


@pytest.mark.parametrize("known", [False, True])
def test_categories_are_those_of_all_workers(client, known):
    rows, names = frame_of(gr.bookshop(queries=30)[0])
    rows["kind"] = [f"kind {int(value * 7) % 5}" for value in rows[names[0]]]
    rows["kind"] = rows["kind"].where(rows["query"] != rows["query"].iloc[-1], "rare")
    frame = by_query(rows, 7).astype({"kind": "category"})
    if known:
        frame = frame.categorize(["kind"])
    method = gr.Lambdamart(num_trees=4, num_leaves=8, threads=1)
    columns = [*names, "kind"]
    model = gd.train(client, method, frame, label="grade", qid="query", features=columns, valid=frame)
    whole = gr.Dataset(rows[columns], rows["grade"], qid=rows["query"], categorical=["kind"], name="dask")
    assert model.to_bytes() == method.train(whole, whole).to_bytes()


def test_what_one_worker_refuses_ends_all(client):
    rows, _ = frame_of(gr.bookshop(queries=20)[0])
    rows["grade"] = rows["grade"].astype(float)
    rows.iloc[-1, rows.columns.get_loc("grade")] = np.nan
    with pytest.raises(gr.InputError, match="the grade of row .* is nan"):
        gd.train(client, gr.Lambdamart(num_trees=2), by_query(rows, 3), label="grade", qid="query")
    assert client.submit(lambda: 1, pure=False).result(timeout=60) == 1
    # The first error is raised at once; the other workers end right after it.
    until = time.monotonic() + 60
    while any(client.processing().values()):
        assert time.monotonic() < until, client.processing()
        time.sleep(0.05)


def test_rows_are_shared_out_in_order_between_queries():
    def shares(sizes, ends, count):
        return [list(zip(share.parts, share.rows)) for share in gd._shares(sizes, ends, count)]

    assert shares([10, 10], [5, 10, 15, 20], 2) == [[(0, (0, 10))], [(1, (0, 10))]]
    assert shares([10, 10], [4, 14, 20], 2) == [[(0, (0, 10)), (1, (0, 4))], [(1, (4, 10))]]
    assert shares([3, 0, 3], [6], 2) == [[(0, (0, 3)), (2, (0, 3))], []]
    assert shares([0], [], 1) == [[]]


def test_a_missing_column_is_named(client):
    rows, _ = frame_of(gr.bookshop(queries=5)[0])
    with pytest.raises(gr.UsageError, match="no column 'label'"):
        gd.train(client, gr.Lambdamart(), by_query(rows, 1))
