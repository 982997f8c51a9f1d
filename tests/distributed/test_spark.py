"""Real Spark, in local mode: the model of its tasks is that of one machine."""
import os
import signal
import sys

import numpy as np
import pytest

pyspark = pytest.importorskip("pyspark")

from many_methods import MANY_METHODS  # noqa: E402

import glassrank as gr  # noqa: E402


@pytest.fixture(scope="module")
def session():
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    handler = signal.getsignal(signal.SIGINT)  # Spark sets its own
    made = (
        SparkSession.builder.master("local[4]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("ERROR")
    yield made
    made.stop()
    signal.signal(signal.SIGINT, handler)


@pytest.fixture(scope="module")
def rows():
    """The book shop as a frame in the order of its queries, with the place of every row."""
    train, valid, _ = gr.bookshop(queries=60)
    frames = []
    for number, data in enumerate((train, valid)):
        frame = data.to_pandas()
        frame["is_valid"] = number == 1
        frames.append(frame)
    import pandas as pd

    frame = pd.concat(frames, ignore_index=True)
    frame["place"] = np.arange(len(frame))
    # A number that orders the queries as they come.
    frame["query"] = pd.factorize(frame["query"].astype(str) + frame["is_valid"].astype(str))[0]
    return frame


def features_of(frame):
    return [name for name in frame.columns if name not in ("grade", "query", "document", "is_valid", "place")]


def dataset(frame):
    return gr.Dataset(frame[features_of(frame)].astype(np.float32), frame["grade"], qid=frame["query"], name="spark")


@pytest.fixture(scope="module")
def method():
    return gr.Lambdamart(num_trees=8, num_leaves=8, threads=1)


@pytest.fixture(scope="module")
def single(rows, method):
    return method.train(dataset(rows[~rows["is_valid"]]), dataset(rows[rows["is_valid"]]))


def fit(session, rows, method, tasks, **more):
    from glassrank.spark import Ranker

    frame = session.createDataFrame(rows.sample(frac=1, random_state=tasks)).repartition(5)
    ranker = Ranker(
        method=method,
        featuresCols=features_of(rows),
        labelCol="grade",
        qidCol="query",
        orderCols=["place"],
        validationIndicatorCol="is_valid",
        numTasks=tasks,
        **more,
    )
    return ranker.fit(frame), frame


@pytest.mark.parametrize("tasks", [1, 2, 4])
def test_tasks_make_the_model_of_one_machine(session, rows, method, single, tasks):
    model, _ = fit(session, rows, method, tasks)
    assert model.ranker.to_bytes() == single.to_bytes()


@pytest.mark.parametrize("name", MANY_METHODS)
def test_every_kind_of_training(session, rows, name):
    method = MANY_METHODS[name]()
    model, _ = fit(session, rows, method, 2)
    expected = method.train(dataset(rows[~rows["is_valid"]]), dataset(rows[rows["is_valid"]]))
    assert model.ranker.to_bytes() == expected.to_bytes()


def test_there_may_be_more_tasks_than_queries(session, rows, method):
    few = rows[rows["query"].isin([0, 1]) | (rows["query"] == rows["query"].iloc[-1])]
    model, _ = fit(session, few, method, 4)
    expected = method.train(dataset(few[~few["is_valid"]]), dataset(few[few["is_valid"]]))
    assert model.ranker.to_bytes() == expected.to_bytes()


def test_what_one_task_refuses_ends_all(session, rows, method):
    bad = rows.assign(grade=rows["grade"].where(rows["place"] != 0, np.inf))
    with pytest.raises(Exception, match="the grade of row .* is inf"):
        fit(session, bad, method, 3)


def test_transform_scores_and_explain_explains_every_row(session, rows, method, single):
    model, frame = fit(session, rows, method, 2, predictionCol="score")
    scored = model.transform(frame).toPandas().sort_values("place")
    X = rows[features_of(rows)].to_numpy(np.float32)
    np.testing.assert_array_equal(scored["score"], single.predict(X))
    explained = model.explain(frame.limit(40)).toPandas()
    sums = explained["base_value"] + np.stack(explained["attributions"].to_list()).sum(axis=1)
    expected = single.predict(explained[features_of(rows)].to_numpy(np.float32))
    np.testing.assert_allclose(sums, expected, atol=1e-9)


def test_a_column_of_vectors_is_the_same_as_its_columns(session, rows, method, single):
    from pyspark.ml.feature import VectorAssembler

    from glassrank.spark import Ranker

    names = features_of(rows)
    frame = session.createDataFrame(rows)
    frame = VectorAssembler(inputCols=names, outputCol="features", handleInvalid="keep").transform(frame)
    ranker = Ranker(
        method=method,
        featuresCols=["features"],
        labelCol="grade",
        qidCol="query",
        orderCols=["place"],
        validationIndicatorCol="is_valid",
        numTasks=2,
    )
    model = ranker.fit(frame)
    scores = model.transform(frame).toPandas().sort_values("place")["prediction"]
    np.testing.assert_array_equal(scores, single.predict(rows[names].to_numpy(np.float32)))
    found = model.explain(frame.orderBy("place").limit(30)).toPandas()
    expected = single.attributions(rows[names].to_numpy(np.float32)[:30])
    np.testing.assert_allclose(np.stack(found["attributions"].to_list()), expected.values, atol=1e-9)
    np.testing.assert_allclose(found["base_value"], expected.base_values, atol=1e-9)


def test_columns_of_categories(session, rows, method):
    from glassrank.spark import Ranker

    names = [*features_of(rows)[:3], "genre", "shelf"]
    kinds = np.array(["crime", "poetry", "maps", None, "verse"], dtype=object)
    frame = rows.assign(genre=kinds[rows["place"] * 7 % 13 % 5], shelf=rows["place"] % 4)
    frame["grade"] = np.where(frame["genre"].isin(["maps", "verse"]), 3, frame["grade"])
    options = {"labelCol": "grade", "qidCol": "query", "orderCols": ["place"], "numTasks": 3}
    ranker = Ranker(method=method, featuresCols=names, categoricalCols=["genre", "shelf"], **options)
    shuffled = session.createDataFrame(frame.sample(frac=1, random_state=5)).repartition(5)
    model = ranker.fit(shuffled)
    whole = gr.Dataset(
        frame[names].astype({name: np.float32 for name in names[:3]}),
        frame["grade"],
        qid=frame["query"],
        categorical=["genre", "shelf"],
        name="spark",
    )
    single = method.train(whole)
    assert "genre" in single.used_features
    assert model.ranker.to_bytes() == single.to_bytes()
    scored = model.transform(shuffled).toPandas().sort_values("place")
    np.testing.assert_array_equal(scored["prediction"], single.predict(whole))
    found = model.explain(shuffled).toPandas().sort_values("place")
    np.testing.assert_allclose(np.stack(found["attributions"].to_list()), single.attributions(whole).values, atol=1e-9)
    with pytest.raises(gr.UsageError, match="categoricalCols: 'colour' is none of featuresCols"):
        Ranker(method=method, featuresCols=names, categoricalCols=["colour"], **options).fit(shuffled)


def test_a_missing_column_is_named(session, rows, method):
    from glassrank.spark import Ranker

    frame = session.createDataFrame(rows.head(20))
    with pytest.raises(gr.InputError, match="no column 'nothing'"):
        Ranker(method=method, featuresCols=["nothing"], labelCol="grade", qidCol="query").fit(frame)
