"""Datasets from arrays, frames, tables and files."""
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp

import glassrank as gr

X = np.arange(12, dtype=np.float32).reshape(6, 2)
Y = [0, 1, 2, 0, 1, 0]
QID = ["a", "a", "a", "b", "b", "c"]


def frame(**columns):
    return pd.DataFrame({"x": X[:, 0], "z": X[:, 1], **columns})


def test_float32_rows_are_not_copied():
    data = gr.Dataset(X, Y, qid=QID)
    assert data.X.__array_interface__["data"][0] == X.__array_interface__["data"][0]
    assert not data.X.flags.writeable
    assert (data.num_rows, data.num_queries, data.num_features) == (6, 3, 2)
    assert data.queries == ["a", "b", "c"]
    assert data.group.tolist() == [3, 2, 1]
    assert data.feature_names == ["1", "2"]


def test_the_array_lives_as_long_as_the_data():
    data = gr.Dataset(np.full((1000, 3), 7, np.float32), qid=np.repeat(np.arange(10), 100))
    np.full((1000, 3), 8, np.float32)
    assert (data.X == 7).all()


@pytest.mark.parametrize("dtype", ["float64", "int32", "uint8", "bool", "float16"])
def test_other_numbers_are_converted(dtype):
    values = X.astype(dtype)
    assert np.array_equal(gr.Dataset(values, Y, qid=QID).X, values.astype(np.float32))


def test_columns_and_strides_of_any_order():
    assert np.array_equal(gr.Dataset(np.asfortranarray(X), Y, qid=QID).X, X)
    assert np.array_equal(gr.Dataset(X[:, ::-1], Y, qid=QID).X, X[:, ::-1])


LATE = {
    "float64": lambda: np.sin(np.arange(1200.0)).reshape(300, 4),
    "float64 by columns": lambda: np.asfortranarray(np.sin(np.arange(1200.0)).reshape(300, 4)),
    "float32 by columns": lambda: np.asfortranarray(np.sin(np.arange(1200.0)).reshape(300, 4).astype(np.float32)),
    "every second row, backwards": lambda: np.sin(np.arange(2400.0)).reshape(600, 4)[::-2],
    "pandas": lambda: pd.DataFrame(np.sin(np.arange(1200.0)).reshape(300, 4), columns=list("abcd")),
    "pandas of two types": lambda: pd.DataFrame(np.sin(np.arange(1200.0)).reshape(300, 4), columns=list("abcd")).astype(
        {"b": "float32"}
    ),
    "polars": lambda: pl.DataFrame({name: np.sin(np.arange(300.0) * (k + 1)) for k, name in enumerate("abcd")}),
    "pyarrow in batches": lambda: pa.concat_tables(
        [pa.table({"a": [1.5, None, 3.0], "b": [1, 2, 3]}), pa.table({"a": [0.1] * 297, "b": list(range(297))})]
    ),
}


@pytest.mark.parametrize("kind", LATE)
def test_values_of_other_types_are_read_where_they_lie(kind):
    rows = LATE[kind]()
    y, qid = np.arange(300) % 3, np.arange(300) // 20
    data = gr.Dataset(rows, y, qid=qid)
    whole = gr.Dataset(np.asarray(rows, np.float32) if isinstance(rows, np.ndarray) else data[:].to_pandas().iloc[:, 3:], y, qid=qid)
    whole.X  # noqa: B018
    method = gr.Lambdamart(num_trees=5, min_leaf_rows=5)
    model = method.train(data)
    assert data.digest() == whole.digest()
    scores = model.predict(data)
    one = model.explain(data[2]) if len(data) > 2 else None
    # Neither bins, nor scores, nor a digest, nor one query have made a matrix of all values.
    assert not data._data.is_copied and one is not None
    assert np.array_equal(scores, model.predict(whole))
    assert model.to_bytes() == method.train(gr.Dataset(data.X, y, qid=qid, feature_names=data.feature_names)).to_bytes()
    assert data._data.is_copied and data.X.dtype == np.float32
    assert model.evaluate(data)["ndcg@10"] == model.evaluate(whole)["ndcg@10"]


def test_columns_live_as_long_as_the_data():
    data = gr.Dataset(np.full((1000, 3), 7.0), qid=np.repeat(np.arange(10), 100))
    np.full((1000, 3), 8.0)
    assert (data.X == 7).all()


def test_scores_of_many_blocks_are_those_of_the_matrix(forest):
    rows = np.random.default_rng(0).normal(size=(40_000, forest.num_features))
    with pytest.warns(gr.GlassrankWarning, match="columns are taken in their order") as told:
        scores = forest.predict(rows)
    assert len(told) == 1
    with pytest.warns(gr.GlassrankWarning):
        assert np.array_equal(scores, forest.predict(rows.astype(np.float32)))


SAME = {
    "pandas": lambda: gr.Dataset(frame(q=QID, y=Y), "y", qid="q"),
    "pandas apart": lambda: gr.Dataset(frame(), pd.Series(Y), qid=pd.Series(QID)),
    "polars": lambda: gr.Dataset(pl.DataFrame(frame(q=QID, y=Y)), "y", qid="q"),
    "polars lazy": lambda: gr.Dataset(pl.DataFrame(frame(q=QID, y=Y)).lazy(), "y", qid="q"),
    "pyarrow": lambda: gr.Dataset(pa.table(frame(q=QID, y=Y)), "y", qid="q"),
    "pyarrow in batches": lambda: gr.Dataset(
        pa.concat_tables([pa.table(frame(q=QID, y=Y))[:2], pa.table(frame(q=QID, y=Y))[2:]]), "y", qid="q"
    ),
    "numpy": lambda: gr.Dataset(X, Y, qid=QID, feature_names=["x", "z"]),
    "scipy": lambda: gr.Dataset(sp.csr_matrix(X), Y, qid=QID, feature_names=["x", "z"]),
    "scipy columns": lambda: gr.Dataset(sp.csc_array(X), Y, qid=QID, feature_names=["x", "z"]),
    "group": lambda: gr.Dataset(X, Y, group=[3, 2, 1], feature_names=["x", "z"]),
}


@pytest.mark.parametrize("way", SAME)
def test_every_way_gives_the_same_data(way):
    data = SAME[way]()
    assert np.array_equal(data.X, X)
    assert data.y.tolist() == Y
    assert data.feature_names == ["x", "z"]
    if way != "group":
        assert data.digest() == SAME["numpy"]().digest()


def test_missing_values_of_every_kind_are_nan():
    want = np.array([[1, np.nan], [np.nan, 2]], dtype=np.float32)
    nullable = pd.DataFrame({"a": pd.array([1, None], "Int64"), "b": pd.array([None, 2.0], "Float64")})
    for table in (nullable, pa.table({"a": [1, None], "b": [None, 2.0]}), pl.DataFrame({"a": [1, None], "b": [None, 2.0]})):
        assert np.array_equal(gr.Dataset(table).X, want, equal_nan=True)


def test_masked_values_are_missing():
    want = np.array([[1, np.nan], [3, 4]], dtype=np.float32)
    for kind in ("float32", "float64", "int32"):
        masked = np.ma.array(np.array([[1, 2], [3, 4]], kind), mask=[[0, 1], [0, 0]])
        assert np.array_equal(gr.Dataset(masked).X, want, equal_nan=True)
    whole = np.ma.array(X)
    assert gr.Dataset(whole).X.__array_interface__["data"][0] == X.__array_interface__["data"][0]
    text = np.ma.array([["a"], ["b"], ["a"]], mask=[[0], [1], [0]])
    found = gr.Dataset(text, categorical=[0])
    assert found.categories == {"1": ["a"]} and np.isnan(found.X[1, 0])
    assert gr.Dataset(X, np.ma.array(Y), qid=np.ma.array([1, 1, 1, 2, 2, 3])).queries == ["1", "2", "3"]


def test_columns_of_every_package_are_taken():
    sparse = pd.DataFrame({"x": pd.arrays.SparseArray([1.5, 0, 0]), "z": pd.arrays.SparseArray([0, 2, 0])})
    assert gr.Dataset(sparse).X.tolist() == [[1.5, 0], [0, 2], [0, 0]]
    for column in (pa.array(QID), pa.chunked_array([QID[:4], QID[4:]]), pa.array(QID).dictionary_encode(), pd.Series(QID, dtype="string")):
        assert gr.Dataset(X, Y, qid=column).queries == ["a", "b", "c"]
    assert gr.Dataset(frame(c=QID), categorical="c").categories == {"c": ["a", "b", "c"]}


def test_parquet_takes_the_name_of_one_category(tmp_path):
    pq.write_table(pa.table(frame(query=QID, grade=Y, shop=QID)), tmp_path / "one.parquet")
    assert gr.read(tmp_path / "one.parquet", categorical="shop").categories == {"shop": ["a", "b", "c"]}


def test_numbers_for_names_are_not_taken_for_ids():
    """Frames without names of columns count from 0; the column that one has more may be any of them."""
    rows = np.random.default_rng(0).random((60, 3)).astype(np.float32)
    model = gr.Linear().train(gr.Dataset(rows, np.arange(60) % 3, qid=np.arange(60) // 10))
    assert np.array_equal(model.predict(pd.DataFrame(rows)), model.predict(rows))
    wider = np.column_stack([rows, np.zeros(60, np.float32)])
    for more in (pd.DataFrame(wider), pd.DataFrame(wider, columns=["0", "1", "2", "x"])):
        with pytest.raises(gr.InputError, match="has 4 features.*the model has 3"):
            model.predict(more)


def test_ids_of_documents_and_large_numbers_of_queries():
    table = pa.table({"q": [2**53 + 1, 2**53 + 1, 2**53 + 2], "d": ["x", None, "z"], "f": [1, 2, 3]})
    data = gr.Dataset(table, qid="q", document="d")
    assert data.queries == [str(2**53 + 1), str(2**53 + 2)]
    assert data.documents[0] == "x" and data.documents[2] == "z"
    assert gr.Dataset(X, Y, qid=[1.0, 1, 1, 2, 2, 3]).queries == ["1", "2", "3"]


def test_queries_are_chosen_by_id_number_and_slice():
    data = gr.Dataset(X, Y, qid=[17, 17, 17, 4, 4, 9])
    assert data.query(17).num_rows == 3
    assert data.query("4").y.tolist() == [0, 1]
    assert data[-1].queries == ["9"]
    assert data[1:].queries == ["4", "9"]
    assert data[[0, 2]].queries == ["17", "9"]
    assert data[np.array([True, False, True])].num_rows == 4
    assert [each.num_rows for each in data] == [3, 2, 1]
    # A slice shares the values.
    assert data[1:2].X.__array_interface__["data"][0] == X[3:].__array_interface__["data"][0]


def test_scattered_queries_are_grouped_when_asked():
    qid = ["b", "a", "b", "a"]
    x = np.arange(4, dtype=np.float32).reshape(4, 1)
    data = gr.Dataset(x, [0, 1, 2, 3], qid=qid, group_rows=True)
    assert data.queries == ["b", "a"]
    assert data.y.tolist() == [0, 2, 1, 3]
    scores = gr.BlackBox(lambda rows: rows[:, 0]).predict(data)
    assert scores.tolist() == [0, 1, 2, 3]  # in the order of the caller


WRONG = {
    "rows of a query apart": (lambda: gr.Dataset(X, Y, qid=list("aabbaa")), "query a comes again in row 4, after other queries; sort the rows by query"),
    "length of y": (lambda: gr.Dataset(X, Y[:5], qid=QID), "y has 5 values for 6 rows"),
    "length of qid": (lambda: gr.Dataset(X, Y, qid=QID[:5]), "qid has 5 values for 6 rows"),
    "one dimension": (lambda: gr.Dataset(X[0]), r"shape \(2,\); a matrix of documents x features is needed"),
    "a row of pandas": (lambda: gr.Dataset(frame(q=QID).iloc[0]), r"shape \(3,\); a matrix of documents x features is needed"),
    "a column of polars": (lambda: gr.Dataset(pl.Series([1.0, 2])), r"shape \(2,\); a matrix of documents x features is needed"),
    "text": (lambda: gr.Dataset(np.array([["a"]])), "dtype <U1; they must be numbers"),
    "objects": (lambda: gr.Dataset(np.array([[None, 1]], dtype=object)), "dtype object; they must be numbers"),
    "text column": (lambda: gr.Dataset(frame(q=QID)), "column 'q' has dtype .*; features must be numbers .categories. frame"),
    "object column": (lambda: gr.Dataset(frame(q=pd.Series([[1]] * 6))), "column 'q' has dtype object; features must be numbers"),
    "no such category": (lambda: gr.Dataset(frame(), categorical=["q"]), "categorical: there is no feature 'q'; features are 'x', 'z'"),
    "category place": (lambda: gr.Dataset(X, categorical=[2]), "categorical: column 2 of 2; they are counted from 0"),
    "text beside categories": (lambda: gr.Dataset(np.array([["a", "b"]], dtype=object), categorical=[0]), "column 1 has values that are no numbers"),
    "polars text": (lambda: gr.Dataset(pl.DataFrame({"c": QID})), "column 'c' holds text; features must be numbers"),
    "arrow dates": (lambda: gr.Dataset(pa.table({"c": pa.array([1], pa.date32())})), "column 'c' holds values of Arrow's type tdD"),
    "no such column": (lambda: gr.Dataset(frame(), "grade"), "has no column 'grade'; its columns are 'x', 'z'"),
    "column of an array": (lambda: gr.Dataset(X, "grade"), "'grade' names a column, and an array has no names"),
    "grade": (lambda: gr.Dataset(X, [0, 1, np.nan, 0, 1, 0], qid=QID), "the grade of row 2 is nan; it must be a finite number"),
    "weight": (lambda: gr.Dataset(X, Y, weight=[1, 1, -1, 1, 1, 1]), "the weight of row 2 is -1.0; it must not be negative"),
    "missing query": (lambda: gr.Dataset(X, Y, qid=["a", "a", None, "b", "b", "c"]), "the query of row 2 is missing"),
    "query of pandas' strings": (lambda: gr.Dataset(X, Y, qid=pd.Series(["a", "a", None, "b", "b", "c"], dtype="string")), "the query of row 2 is missing"),
    "query of Arrow": (lambda: gr.Dataset(X, Y, qid=pa.array(["a", "a", None, "b", "b", "c"])), "the query of row 2 is missing"),
    "number of Arrow": (lambda: gr.Dataset(X, Y, qid=pa.array([1, 1, None, 2, 2, 3])), "the query of row 2 is missing"),
    "query without a date": (lambda: gr.Dataset(X, Y, qid=np.array(["2020", "2020", "NaT", "2021", "2021", "2022"], "M8[D]")), "the query of row 2 is missing"),
    "masked grade": (lambda: gr.Dataset(X, np.ma.array(Y, mask=[0, 0, 1, 0, 0, 0]), qid=QID), "y of row 2 is masked; every row needs a value"),
    "masked query": (lambda: gr.Dataset(X, Y, qid=np.ma.array(QID, mask=[0, 0, 1, 0, 0, 0])), "qid of row 2 is masked"),
    "sparse of one dimension": (lambda: gr.Dataset(sp.coo_array(np.array([1.0, 0]))), r"shape \(2,\); a matrix of documents x features is needed"),
    "one category that is not there": (lambda: gr.Dataset(frame(), categorical="brand"), "there is no feature 'brand'"),
    "names": (lambda: gr.Dataset(X, feature_names=["a"]), "1 feature names for 2 features"),
    "names twice": (lambda: gr.Dataset(X, feature_names=["a", "a"]), "two features are called 'a'"),
    "columns twice": (lambda: gr.Dataset(pd.DataFrame(X, columns=["a", "a"])), "two columns 'a'"),
    "groups": (lambda: gr.Dataset(X, Y, group=[3, 2]), "the groups have 5 rows in all, and there are 6"),
    "both": (lambda: gr.Dataset(X, Y, group=[6], qid=QID), "give qid or group, not both"),
    "query": (lambda: gr.Dataset(X, Y, qid=QID).query("d"), "unknown query 'd'"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said(what):
    wrong, message = WRONG[what]
    with pytest.raises(ValueError, match=message):
        wrong()


def test_files(tmp_path):
    data = gr.Dataset(X, Y, qid=QID, document=list("uvwxyz"))
    for name in ("data.txt", "data.txt.gz", "data.cache"):
        data.save(tmp_path / name)
        again = gr.read(tmp_path / name)
        assert again.digest() == data.digest()
        assert again.documents == data.documents
        assert again.name == str(tmp_path / name)
    pq.write_table(pa.table(frame(query=QID, grade=Y)), tmp_path / "data.parquet")
    assert gr.read(tmp_path / "data.parquet").digest() == SAME["numpy"]().digest()
    frame(query=QID, grade=Y).to_csv(tmp_path / "data.csv", index=False)
    assert gr.read(tmp_path / "data.csv").digest() == SAME["numpy"]().digest()
    with pytest.raises(OSError, match="cannot open") as refused:
        gr.read(tmp_path / "none.txt")
    assert refused.value.errno == 2 and refused.value.filename == str(tmp_path / "none.txt")
    with pytest.raises(gr.InputError, match="data.txt.*:1:"):
        (tmp_path / "data.txt").write_text("0 qid:1 2:3 1:4\n")
        gr.read(tmp_path / "data.txt")
    with pytest.raises(gr.UsageError, match="unknown .*grade_colum'"):
        gr.read(tmp_path / "data.csv", grade_colum="y")


def test_parquet_has_the_usual_names_of_columns(tmp_path, caplog):
    caplog.set_level("INFO", logger="glassrank")
    path = tmp_path / "usual.parquet"
    pq.write_table(pa.table(frame(label=Y, qid=QID, target=Y, shop=list("uvwxyz"))), path)
    with pytest.raises(gr.InputError, match="column 'shop' holds text"):
        gr.read(path)
    data = gr.read(path, text_columns="ignore")
    assert data.feature_names == ["x", "z"] and data.y.tolist() == Y and data.queries == ["a", "b", "c"]
    assert "grades 'label', queries 'qid'" in caplog.text and "not read: 'target'" in caplog.text
    assert data.digest() == SAME["numpy"]().digest()
    by_name = gr.read(path, grade_column="target", ignore_columns=["shop", "label"])
    assert by_name.feature_names == ["x", "z"] and by_name.y.tolist() == Y


def test_parquet_without_grades_is_scored_only(tmp_path, forest, shop):
    path = tmp_path / "asked.parquet"
    rows = shop[2].to_pandas().drop(columns="grade")
    pq.write_table(pa.Table.from_pandas(rows, preserve_index=False), path)
    with pytest.raises(gr.InputError, match="no column of grades in the header.*grade_column .label. names it"):
        gr.read(path)
    assert np.array_equal(forest.predict(path), forest.predict(shop[2]))
    assert gr.read(path, needs_grades=False).num_rows == shop[2].num_rows
    with pytest.raises(gr.InputError, match="no column of grades"):
        forest.evaluate(path)


def test_parquet_becomes_bins_without_being_held(tmp_path, program):
    rng = np.random.default_rng(4)
    features = {f"f{i}": rng.normal(size=3000).astype(np.float32) for i in range(5)}
    features["f3"][::7] = np.nan
    features["count"] = rng.integers(0, 9, 3000)
    table = pd.DataFrame({"query": [f"q{i // 20}" for i in range(3000)], "grade": rng.integers(0, 3, 3000), **features})
    table.to_parquet(tmp_path / "data.parquet", row_group_size=500)
    table.to_csv(tmp_path / "data.csv", index=False)
    made = gr.make_cache(tmp_path / "data.parquet", tmp_path / "data.bins", binned=True)
    assert (made.num_rows, made.num_queries, made.num_features) == (3000, 150, 6)
    gr.make_cache(tmp_path / "data.csv", tmp_path / "text.bins", binned=True, streaming=False)
    assert (tmp_path / "data.bins").read_bytes() == (tmp_path / "text.bins").read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["data.bins", "data.csv", "data.parquet", "text.bins"]
    trained = gr.command("train", train=tmp_path / "data.bins", out=tmp_path / "m.txt", num_trees=5)
    assert trained.num_trees == 5
    direct = gr.Lambdamart(num_trees=5).train(gr.read(tmp_path / "data.parquet"))
    assert [t for t in direct.predict(gr.read(tmp_path / "data.parquet"))[:9]] == [
        t for t in gr.load(tmp_path / "m.txt").predict(gr.read(tmp_path / "data.parquet"))[:9]]
    with pytest.raises(gr.FileError, match="none.parquet"):
        gr.make_cache(tmp_path / "none.parquet", tmp_path / "none.bins")
    (tmp_path / "bad.parquet").write_text("no")
    with pytest.raises(gr.InputError, match="bad.parquet"):
        gr.make_cache(tmp_path / "bad.parquet", tmp_path / "none.bins")
    assert not (tmp_path / "none.bins").exists()


def test_files_that_are_no_parquet(tmp_path):
    with pytest.raises(gr.FileError, match="none.parquet"):
        gr.read(tmp_path / "none.parquet")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(gr.InputError, match="broken.parquet"):
        gr.read(tmp_path / "broken.parquet")
    with pytest.raises(gr.UsageError, match="delimiter is not an option of Parquet"):
        gr.read(tmp_path / "broken.parquet", delimiter=";")


def test_options_of_tables_are_refused_for_other_text(tmp_path):
    path = tmp_path / "letor.txt"
    path.write_text("1 qid:1 1:2\n0 qid:1 1:3\n")
    assert gr.read(path).num_rows == 2
    with pytest.raises(gr.UsageError, match="delimiter is for data read as csv or tsv"):
        gr.read(path, delimiter=";")


def test_text_without_grades_is_scored_only(tmp_path, forest, shop):
    rows = shop[2].to_pandas().drop(columns=["grade", "document"])
    rows.to_csv(tmp_path / "asked.csv", index=False)
    assert np.allclose(forest.predict(tmp_path / "asked.csv"), forest.predict(shop[2]))
    with pytest.raises(gr.InputError, match="no column of grades"):
        gr.read(tmp_path / "asked.csv")


def test_made_up_data_and_wrong_grades(shop):
    data, truth = gr.synthetic(queries=20, features=8, seed=3)
    assert data.num_queries == 20 and data.num_features == 8 and truth["main_effects"]
    assert gr.synthetic(queries=20, features=8, seed=3)[0].digest() == data.digest()
    noisy, flips = shop[0].with_noise(0.2, seed=1)
    assert len(flips) == (noisy.y != shop[0].y).sum() > 0
    assert (noisy.y[flips["row"]] == flips["new_grade"]).all()
    assert np.array_equal(noisy.X, shop[0].X, equal_nan=True)
    with pytest.raises(gr.UsageError, match="probability"):
        shop[0].with_noise(2)


def test_split_and_stats(shop):
    parts = shop[0].split(0.5, 0.5, seed=3)
    assert set(parts[0].queries).isdisjoint(parts[1].queries)
    assert len(parts[0]) + len(parts[1]) == len(shop[0])
    assert shop[0].stats().num_rows == shop[0].num_rows
    back = shop[2].to_pandas()
    assert list(back.columns[:3]) == ["query", "document", "grade"]
    assert gr.Dataset(back, "grade", qid="query", document="document").digest() == shop[2].digest()
