"""Categories: columns of every package become what a CSV file with their texts becomes."""
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import glassrank as gr

COUNT = 400
RANDOM = np.random.default_rng(3)
COLOUR = RANDOM.choice(["red", "blue", "green"], COUNT, p=[0.2, 0.5, 0.3])
SHOP = RANDOM.choice([7, 3, 11], COUNT)
PRICE = RANDOM.random(COUNT).astype(np.float32)
QID = np.repeat([f"q{q}" for q in range(COUNT // 10)], 10)
Y = np.digitize((COLOUR == "red") * 1.5 + (SHOP == 11) + PRICE, [1, 2])
MISSING = np.arange(COUNT) % 9 == 0
TEXTS = np.where(MISSING, None, COLOUR)

FRAME = pd.DataFrame({"y": Y, "q": QID, "colour": pd.Categorical(TEXTS, ["green", "red", "blue", "never"]), "price": PRICE, "shop": pd.Categorical(SHOP)})
PLAIN = pd.DataFrame({"y": Y, "q": QID, "colour": TEXTS, "price": PRICE, "shop": SHOP})
ARROW = pa.table({"y": Y, "q": QID, "colour": pa.array(TEXTS).dictionary_encode(), "price": PRICE, "shop": pa.array(SHOP).dictionary_encode()})
BOTH = ["colour", "shop"]
ROLES = {"qid": "q"}


@pytest.fixture(scope="module")
def csv(tmp_path_factory):
    path = tmp_path_factory.mktemp("categories") / "rows.csv"
    PLAIN.rename(columns={"y": "grade", "q": "query"}).to_csv(path, index=False)
    return gr.read(path, categorical=BOTH)


SAME = {
    "pandas": lambda: gr.Dataset(FRAME, "y", **ROLES),
    "pandas text": lambda: gr.Dataset(PLAIN, "y", categorical=BOTH, **ROLES),
    "polars": lambda: gr.Dataset(pl.DataFrame(PLAIN).with_columns(pl.col("colour").cast(pl.Categorical)), "y", categorical=["shop"], **ROLES),
    "polars enum": lambda: gr.Dataset(pl.DataFrame(PLAIN).with_columns(pl.col("colour").cast(pl.Enum(["red", "never", "green", "blue"]))), "y", categorical=["shop"], **ROLES),
    "arrow": lambda: gr.Dataset(ARROW, "y", **ROLES),
    "arrow text": lambda: gr.Dataset(pa.Table.from_pandas(PLAIN), "y", categorical=BOTH, **ROLES),
    "numpy": lambda: gr.Dataset(PLAIN[["colour", "price", "shop"]].to_numpy(), Y, qid=QID, feature_names=["colour", "price", "shop"], categorical=["colour", 2]),
}


@pytest.mark.parametrize("kind", SAME)
def test_every_kind_is_the_csv_file(kind, csv):
    data = SAME[kind]()
    assert data.categories == {"colour": ["blue", "green", "red"], "shop": []} == csv.categories
    assert np.array_equal(data.X, csv.X, equal_nan=True)
    assert data.digest() == csv.digest()


def train(data):
    return gr.Lambdamart(num_trees=10, num_leaves=7, min_leaf_rows=5, min_data_per_group=5, cat_smooth=1).train(data)


def test_models_are_those_of_the_csv_file(csv, tmp_path):
    model, same = train(gr.Dataset(FRAME, "y", name=csv.name, **ROLES)), train(csv)
    model.save(tmp_path / "a")
    same.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert model.categories == {"colour": ["blue", "green", "red"], "shop": []}


def test_frames_may_have_their_categories_in_any_order():
    model = train(gr.Dataset(FRAME, "y", **ROLES))
    scores = model.predict(FRAME[["colour", "price", "shop"]])
    assert len(set(scores)) > 10
    turned = FRAME.assign(colour=FRAME.colour.cat.reorder_categories(["never", "blue", "green", "red"]))
    assert np.array_equal(model.predict(turned[["colour", "price", "shop"]]), scores)
    some = FRAME[FRAME.colour == "red"]
    rows = some[["colour", "price", "shop"]].assign(colour=some.colour.cat.remove_unused_categories())
    assert np.array_equal(model.predict(rows), scores[(FRAME.colour == "red").to_numpy()])
    with pytest.raises(gr.InputError, match="the data has numbers there"):
        model.predict(np.zeros((3, 3)))


def test_to_pandas_has_the_names(csv):
    frame = csv.to_pandas()
    assert frame["colour"].astype(object).where(~frame["colour"].isna(), None).tolist() == TEXTS.tolist()


def test_lightgbm_models_of_frames_score_frames_as_lightgbm():
    lightgbm = pytest.importorskip("lightgbm")
    rows = FRAME[["colour", "price", "shop"]]
    booster = lightgbm.train({"objective": "lambdarank", "verbose": -1, "min_data_per_group": 5, "cat_smooth": 1, "min_data_in_leaf": 3},
                             lightgbm.Dataset(rows, Y, group=[10] * (COUNT // 10)), 10)  # fmt: skip
    model = gr.from_lightgbm(booster)
    assert model.categories == {"colour": ["green", "red", "blue", "never"], "shop": ["3", "7", "11"]}
    assert np.array_equal(model.predict(rows), booster.predict(rows, raw_score=True))
    new = rows.iloc[:50].assign(colour=pd.Categorical(["new", "red"] * 25))
    assert np.array_equal(model.predict(new), booster.predict(new, raw_score=True))


def test_effects_and_explanations_name_categories():
    data = gr.Dataset(FRAME, "y", **ROLES)
    model = gr.Ilmart(num_trees=20, min_leaf_rows=5, min_data_per_group=5, cat_smooth=1, num_interactions=0).train(data)
    effect = model.effects["colour"]
    assert {"red", "blue"} <= set(effect.categories[0])
    assert effect("red") > effect("blue")
    assert "red" in effect.to_pandas()["colour"].tolist()
    labels = [text.get_text() for text in effect.plot().get_yticklabels()]
    assert "red" in labels and "missing" in labels
    assert "colour" in model.explain(data.query("q1"), document="rank:1").summary
    flat = model.edit("flatten colour in {red,blue}")
    assert flat.effects["colour"]("red") == flat.effects["colour"]("blue")
    with pytest.raises(gr.UsageError, match="categories, which have no order"):
        model.edit("monotone up colour")


def labels(ax, axis="y"):
    return [text.get_text() for text in getattr(ax, f"get_{axis}ticklabels")()]


def test_pictures_tables_and_shap_name_categories():
    pytest.importorskip("matplotlib").use("agg")
    data = gr.Dataset(FRAME, "y", **ROLES)
    model = train(data)
    query = data.query("q1")
    order = np.argsort(-model.predict(query), kind="stable")
    colours = FRAME.colour[10:20].astype(object).where(FRAME.colour[10:20].notna(), "missing").tolist()
    shops = FRAME.shop[10:20].astype(str).tolist()
    best, last = order[0], order[-1]
    why = model.explain(query, document="rank:1")
    for kind in ("waterfall", "force"):
        texts = labels(why.plot(kind)) + [text.get_text() for text in why.plot(kind).texts]
        assert any(text.startswith(f"colour = {colours[best]}") for text in texts)
    assert f"<td>{colours[best]}</td>" in why._repr_html_()
    pair = model.explain(query, pair=["rank:1", f"rank:{len(order)}"])
    assert f"colour: {colours[best]} / {colours[last]}" in labels(pair.plot())
    assert f"<td>{shops[last]}</td>" in pair._repr_html_()
    assert all(cells in (0, 5) for cells in (row.count("<td") for row in model.explain(query)._repr_html_().split("<tr>")[1:]))
    assert "<td>green</td>" in data._repr_html_() or "<td>blue</td>" in data._repr_html_()
    pytest.importorskip("shap")
    shown = why.to_shap()
    assert shown.display_data[0] == colours[best] and shown.data[1] == shown.display_data[1]
    assert model.explain(query).to_shap().data is None
    found = model.attributions(query)
    assert found.to_shap().display_data[:, 0].tolist() == colours
    assert found.to_dict()["data"][0][2] == shops[0]
    assert set(labels(found.plot("dependence", "colour"), "x")) == set(colours)
    legend = found.plot("dependence", "price", "colour").get_legend()
    assert {text.get_text() for text in legend.get_texts()} == set(colours)


def test_dependence_names_categories():
    pytest.importorskip("matplotlib").use("agg")
    data = gr.Dataset(FRAME, "y", **ROLES)
    model = train(data)
    for kind in ("pdp", "ice"):
        assert {"red", "blue", "green"} <= set(labels(model.dependence(data, "colour", kind=kind).plot()))
    both = model.dependence(data, ["colour", "shop"]).plot()
    assert {"red", "blue", "green"} <= set(labels(both, "x")) and {"3", "11"} <= set(labels(both))
    assert labels(both).count("others") <= 1 and labels(both, "x")[0] != "others"
