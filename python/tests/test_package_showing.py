"""What results look like: pictures, HTML, the report; and commands of the program from Python."""
import html.parser
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import glassrank as gr
from glassrank.effects import Effect
from glassrank.plots._cells import axis_of, slices

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

import matplotlib.pyplot as plt  # noqa: E402


@pytest.fixture(autouse=True)
def figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def curves(shop):
    return gr.Ilmart(num_trees=60, num_interactions=2, num_leaves=4, learning_rate=0.2, patience=0).train(shop[0])


@pytest.fixture(scope="module")
def bagged(shop):
    return gr.Ebm(bags=3, max_rounds=60).train(shop[0], shop[1])


def results(shop, forest, curves, bagged):
    train, _, test = shop
    query = test[0]
    name, other = list(forest.attributions(test).importance())[:2]
    found = forest.attributions(test)
    return {
        "beeswarm": lambda: found.plot(),
        "bar": lambda: found.plot("bar", top=5),
        "dependence on values": lambda: found.plot("dependence", name, other),
        "decision": lambda: found.plot("decision"),
        "heat map": lambda: found.plot("heat-map", test.queries[0]),
        "waterfall": lambda: forest.explain(query, document="rank:1").plot(),
        "force": lambda: forest.explain(query, document="rank:1").plot("force"),
        "pair": lambda: forest.explain(query, pair=["rank:1", "rank:3"]).plot(),
        "ranking": lambda: forest.explain(query).plot(),
        "chosen features": lambda: forest.explain(query, "greedy", k=3).plot(),
        "learning curve": lambda: forest.training.plot(),
        "curve": lambda: next(e for e in bagged.effects.by_importance() if not e.is_surface).plot(),
        "surface": lambda: next(e for e in curves.effects.values() if e.is_surface).plot(),
        "gains": lambda: forest.importance().plot(),
        "drops": lambda: forest.importance(test, repeats=2).plot(),
        "pdp": lambda: forest.dependence(test, name).plot(),
        "ice": lambda: forest.dependence(test, name, kind="ice").plot(),
        "ale": lambda: forest.dependence(test, name, kind="ale").plot(),
        "pdp of two": lambda: forest.dependence(test, [name, other]).plot(),
        "validity": lambda: forest.audit(test[:4], ["tree-shap", "random"], k=3, sizes=[1, 2, 3], seeds=1).plot(),
        "comparison": lambda: gr.compare({"a": forest, "b": curves}, test).plot(),
        "queries": lambda: forest.evaluate(test).plot(),
        "summary": lambda: forest.summary(test).plot(),
    }


def assert_all_inside(ax):
    """Nothing is cut off at the edge of the picture."""
    figure = ax.figure
    figure.canvas.draw()
    drawn, room = figure.get_tightbbox(), figure.bbox_inches.padded(0.03)
    assert room.x0 <= drawn.x0 and drawn.x1 <= room.x1 and room.y0 <= drawn.y0 and drawn.y1 <= room.y1, (drawn, room)
    plt.close(figure)


def test_every_picture_is_drawn_with_words_and_marks(shop, forest, curves, bagged, tmp_path):
    for name, draw in results(shop, forest, curves, bagged).items():
        ax = draw()
        assert ax.get_xlabel() or ax.figure.get_suptitle(), name
        assert ax.lines or ax.patches or ax.collections or ax.images or ax.texts, name
        ax.figure.savefig(tmp_path / "picture.png")
        assert (tmp_path / "picture.png").stat().st_size > 3000, name
        assert_all_inside(ax)


def test_pictures_draw_into_axes_that_are_given(forest, shop):
    _, axes = plt.subplots(1, 2)
    assert forest.training.plot(ax=axes[0]) is axes[0]
    assert forest.attributions(shop[2]).plot("bar", ax=axes[1]) is axes[1]


def test_pictures_show_the_numbers(forest, curves, shop):
    query = shop[2][0]
    found = forest.explain(query, document="rank:1")
    ax = found.plot(top=100)
    widths = sorted(round(patch.get_width(), 9) for patch in ax.patches)
    assert widths == sorted(round(e.attribution, 9) for e in found.features)
    last = max(ax.patches, key=lambda patch: patch.get_y())
    assert last.get_x() + last.get_width() == pytest.approx(found.value)
    effect = curves.effects.by_importance()[0]
    if not effect.is_surface:
        steps = effect.plot().patches[0].get_data()
        assert np.array_equal(steps.values, effect.values[:-1])
    means = forest.attributions(shop[2]).importance()
    bars = forest.attributions(shop[2]).plot("bar", top=3).patches
    assert [bar.get_width() for bar in bars] == pytest.approx(list(means.values())[:3])


def test_pictures_that_cannot_be_drawn_say_why(forest, shop):
    test = shop[2]
    with pytest.raises(gr.UsageError, match="no plot 'pie'; there are beeswarm"):
        forest.attributions(test).plot("pie")
    with pytest.raises(gr.UsageError, match="say which"):
        forest.attributions(test).plot("heat-map")
    with pytest.raises(gr.UsageError, match="did you mean 'price'"):
        forest.attributions(test).plot("dependence", "prize")
    with pytest.raises(gr.UsageError, match="names features and gives no attributions or gains"):
        forest.explain(test[0], "random", k=2).plot("waterfall")


def test_lines_of_a_force_picture_cross_no_label(forest, shop):
    ax = forest.explain(shop[2][0], document="rank:1").plot("force")
    labels = [text for text in ax.texts if text.get_va() == "bottom"]
    assert len(labels) > 2
    by_place = sorted(labels, key=lambda text: text.get_position()[0])
    assert [text.get_position()[1] for text in by_place] == sorted(text.get_position()[1] for text in labels)


@pytest.mark.parametrize("target", [{}, {"document": "rank:1"}, {"pair": ["rank:1", "rank:2"]}])
def test_every_explanation_draws_itself(forest, shop, target):
    for method in ("random", "optimum", "tree-shap"):
        why = forest.explain(shop[2][0], method, k=2, **target)
        texts = [text.get_text() for text in why.plot().texts] + ticks(why.plot(), "y")
        assert any(why.chosen[0] in text for text in texts), method


def test_greedy_explanations_draw_what_each_step_gains(forest, shop):
    why = forest.explain(shop[2].query(shop[2].queries[4]), method="greedy-cover-eps", k=5, background=shop[0])
    assert why.gains is not None and why.attributions is None
    assert why.base_value == 0 and why.gains.sum() == pytest.approx(why.value)
    bars = why.plot().patches
    assert [bar.get_width() for bar in bars] == pytest.approx([entry.gain for entry in why.features])
    assert why.plot("waterfall").patches and "gain" in why.to_dict()["features"][0]


class Page(html.parser.HTMLParser):
    """Whether tags are closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag not in ("rect", "line", "polyline", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def shown(thing):
    page = Page()
    page.feed(thing._repr_html_())
    assert not page.open
    return page


def test_notebooks_show_tables_and_small_charts(forest, curves, shop):
    train, _, test = shop
    query = test[0]
    assert "ndcg@10" in "".join(shown(forest.evaluate(test)).text)
    assert "rect" in shown(forest.explain(query)).seen
    assert "rect" in shown(forest.explain(query, pair=["rank:1", "rank:2"])).seen
    assert "rect" in shown(forest).seen and "rect" in shown(curves).seen
    assert "polyline" in shown(forest.training).seen
    assert test.queries[0] in shown(test).text
    for each in (
        forest.importance(),
        forest.attributions(query),
        forest.explain(test[:2]),
        forest.audit(test[:2], ["random"], seeds=1),
        gr.compare({"a": forest, "b": curves}, test),
        forest.counterfactual(query, query.num_rows - 1, top=3),
        forest.summary(test),
        forest.inspect(),
        curves.verify(),
        gr.Linear().train(train),
        train[:0],
    ):
        assert "table" in shown(each).seen


def test_text_is_escaped():
    bad = "<script>alert(1)</script>"
    data = gr.Dataset(np.array([[1], [2], [1], [3]], np.float32), [0, 1, 0, 1], qid=[bad, bad, "b", "b"], feature_names=[bad], name=bad)
    model = gr.Linear().train(data)
    for each in (data, model, model.explain(data[0]), model.importance(data, repeats=1)):
        assert "<script>" not in each._repr_html_() and "&lt;script&gt;" in each._repr_html_()


def test_the_report_is_that_of_the_program(forest, curves, shop, files, program, tmp_path):
    forest.save(files / "trees.txt")
    options = {"documents": 60, "audit_queries": 2, "list_queries": 2, "counterfactual_queries": 1, "repeats": 1}
    listed = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", value)]
    program("report", "--model", "trees.txt", "--data", "test.txt", "--train", "train.txt", *listed, "--out", "r.html", "--bundle", "b.json", cwd=files)
    theirs = json.loads((files / "b.json").read_text())
    made = gr.report({"trees": gr.load(files / "trees.txt")}, files / "test.txt", train=files / "train.txt", **options)
    assert forest.report(shop[2], **options).bundle["models"][0]["name"] == "lambdamart"
    ours = made.bundle
    assert ours["models"][0]["importance"] == theirs["models"][0]["importance"]
    assert ours["comparison"]["metrics"] == theirs["comparison"]["metrics"]
    assert ours["documents"] == theirs["documents"]
    made.save(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text() == made.html and made.html.startswith("<!")
    assert "iframe" in made._repr_html_()
    both = gr.report({"trees": forest, "glass": curves}, shop[2], **options)
    assert [each["name"] for each in both.bundle["models"]] == ["trees", "glass"]
    with pytest.raises(gr.UsageError, match="a report is about models"):
        gr.report({"box": gr.BlackBox(lambda rows: rows[:, 0])}, shop[2])
    with pytest.raises(gr.FileError):
        made.save(tmp_path / "no" / "r.html")


def test_summaries_and_inspection_are_those_of_the_program(forest, files, program):
    forest.save(files / "trees.txt")
    told = json.loads(program("summary", "--json", "--model", "trees.txt", "--data", "test.txt", "--by-query", cwd=files))
    test = gr.read(files / "test.txt")
    found = gr.load(files / "trees.txt").summary(test, by_query=True)
    ours = found.to_dict()
    assert ours["all"] == told["all"] and ours["groups"] == told["groups"]
    named = forest.summary(test, groups={"two": test.queries[:2]})
    assert named.groups[0].name == "two" and named.groups[0].num_queries == 2
    assert set(named.to_pandas()["group"]) == {"all", "two"}
    told = json.loads(program("inspect", "--json", "--model", "trees.txt", cwd=files))
    ours = gr.load(files / "trees.txt").inspect().to_dict()
    assert ours["importance"] == told["importance"] and ours["provenance"] == told["provenance"]
    assert "trees" in str(forest.inspect())


def test_what_there_is_to_choose_from(program):
    for topic in ("methods", "samplers", "cleaners", "objectives", "metrics", "explainers"):
        told = json.loads(program("list", topic, "--json"))
        assert list(gr.choices(topic)) == [entry["name"] for entry in told["entries"]]
    with pytest.raises(gr.UsageError, match="did you mean 'methods'"):
        gr.choices("method")


def test_commands_run_on_data_and_models(shop, forest, tmp_path):
    found = gr.command("data synth", shape="mslr", rows=500, out=tmp_path / "s.txt")
    assert found.num_rows == 500 and gr.read(tmp_path / "s.txt").num_rows == 500
    cleaned = gr.command("clean", train=shop[0], method="sour", out=tmp_path / "c.txt", num_trees=5, **{"clean.end": 5})
    assert cleaned.num_dropped == shop[0].num_rows - gr.read(tmp_path / "c.txt").num_rows
    checked = gr.command("evaluate", model=forest, data=shop[2], metric=["ndcg@10", "map"])
    assert checked.metrics[0].mean == forest.evaluate(shop[2])["ndcg@10"]
    with pytest.raises(gr.UsageError, match="did you mean 'ndcg'"):
        gr.command("evaluate", model=forest, data=shop[2], metric="ndgc@10")
    with pytest.raises(gr.FileError, match="no-such-file") as refused:
        gr.command("data stats", "no-such-file.txt")
    assert refused.value.errno == 2


def test_the_bar_is_that_of_tqdm_or_lines_of_text(shop, monkeypatch, capsys):
    """In a terminal and outside of one, with tqdm and without it."""
    from glassrank._progress import ProgressBar

    gr.Lambdamart(num_trees=3).train(shop[0], progress=True)
    assert "/3" in capsys.readouterr().err or "3 " in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    bar = ProgressBar()
    bar("training", "trees", 3, 1, "ndcg 0.5")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    bar("training", "trees", 3, 2, "ndcg 0.6")
    bar("training", "trees", 3, None, "")
    assert "training: 2 of 3 trees ndcg 0.6" in capsys.readouterr().err


def effect(**given):
    """An effect as a model gives it; of two cells unless told."""
    made = {"name": "flag", "features": ["flag"], "indices": [0], "edges": [np.array([0.5])], "categories": [None], "errors": None,
            "values": np.array([-0.1, 0.2, 0.0]), "weights": np.array([70.0, 30.0, 0.0]), "importance": 0.1}  # fmt: skip
    return Effect({**made, **given})


BRANDS = ["acme", "delta", "bolt", "others", "missing"]
SHOPS = ["south", "west", "others", "missing"]


def brands_and(feature, edges, names, count):
    return effect(
        name=f"brand x {feature}",
        features=["brand", feature],
        edges=[np.array([-0.5, 0.5, 1.5, 2.5]), np.array(edges)],
        categories=[[*BRANDS[:3], "others", "others", "missing"], names],
        values=np.arange(6.0 * count).reshape(6, count),
        weights=np.repeat([[1.0], [1], [1], [0], [1], [1]], count, axis=1),
    )


def ticks(ax, axis):
    return [label.get_text() for label in getattr(ax, f"get_{axis}ticklabels")()]


def test_cells_with_names_are_drawn_alike():
    ax = brands_and("shop", [0.5, 1.5], SHOPS, 4).plot()
    assert ticks(ax, "x") == BRANDS and ticks(ax, "y") == SHOPS
    assert ax.get_xlim() == (0, 5) and ax.get_ylim() == (0, 4)
    drawn = ax.collections[0].get_array()
    assert drawn.shape == (4, 5) and drawn[1, 2] == 2 * 4 + 1
    assert ticks(brands_and("flag", [0.5], None, 3).plot(), "y") == ["0", "1", "missing"]
    many = effect(
        features=["brand"],
        edges=[np.arange(100) + 0.5],
        categories=[[*map(str, range(100)), "others", "missing"]],
        values=np.arange(102.0),
        weights=np.arange(102.0),
    )
    assert len(ticks(many.plot(), "y")) == 42


def test_switches_are_0_and_1_and_other_cells_have_their_edge():
    ax = effect().plot()
    assert ticks(ax, "y") == ["0", "1"]
    assert ax.collections[0].get_offsets()[:, 0].tolist() == [-0.1, 0.2]
    assert ticks(effect(edges=[np.array([3.0])], weights=np.ones(3)).plot(), "y") == ["at most 3", "above 3", "missing"]


def test_what_has_errors_is_points_with_lines(forest, shop):
    ax = effect(errors=np.array([0.05, 0.1, 0.0])).plot()
    assert not ax.patches
    ends = [segment[:, 0].tolist() for segment in ax.collections[0].get_segments()]
    assert ends == [pytest.approx([-0.2, 0.0]), pytest.approx([0.0, 0.4])]
    assert not forest.importance(shop[2], repeats=2).plot().patches


def test_curves_end_where_values_end():
    edges = np.r_[0.5, 1.5, np.linspace(10, 10_000, 20)]
    counts = effect(edges=[edges], values=np.arange(24.0), weights=np.ones(24))
    assert counts.plot().patches[0].get_data().edges[0] == 0
    data = gr.Dataset(np.array([[0], [12_000]], np.float32), feature_names=["flag"])
    assert counts.plot(data=data).patches[0].get_data().edges[[0, -1]].tolist() == [0, 12_000]
    below = effect(edges=[-edges[::-1]], values=np.arange(24.0), weights=np.ones(24))
    assert below.plot().patches[0].get_data().edges[-1] == 0


def test_density_is_of_equal_slices_by_square_root():
    axis = axis_of("x", np.array([1.0, 2.0]), None, None, np.array([0.0, 4.0]))
    ends, heights = slices(axis, np.array([8.0, 4.0, 4.0]), 4)
    assert ends.tolist() == [0, 1, 2, 3, 4]
    assert heights == pytest.approx(np.sqrt([1, 0.5, 0.25, 0.25]))


def test_attributions_and_effects_go_into_lists_and_tables(forest, curves, shop):
    import json

    found = forest.attributions(shop[2][0])
    told = found.to_dict()
    json.dumps(told, allow_nan=False)
    assert np.array_equal(told["values"], found.values) and told["feature_names"] == found.feature_names
    assert told["documents"] == shop[2][0].documents and len(told["data"]) == len(found)
    effects = curves.effects
    told = effects.to_dict()
    json.dumps(told, allow_nan=False)
    first = effects.by_importance()[0]
    assert told[first.name]["values"] == first.values.tolist() and "errors" not in told[first.name]
    table = effects.to_pandas()
    assert len(table) == len(effects) and table["effect"][0] == first.name
    assert {"svg", "rect", "polyline"} <= set(shown(effects).seen)
    surface = next(each for each in effects.values() if each.is_surface)
    curve = next(each for each in effects.values() if not each.is_surface and len(each.edges[0]) > 1)
    assert "rect" in shown(surface).seen and "polyline" in shown(curve).seen
    assert {"0", "1"} <= set(shown(effect()).text)


def test_lists_in_tables_are_escaped_once():
    from glassrank._html import table

    assert "<td>a&lt;b, 1</td>" in table(["x"], [[["a<b", 1]]])


def test_a_report_takes_no_two_models_of_one_name(forest, shop):
    with pytest.raises(gr.UsageError, match="others has a model called 'lambdamart'"):
        forest.report(shop[2], others={"lambdamart": forest})


def test_long_names_are_cut_off(shop, forest):
    name = "a very long name of a document that goes on and on, about nothing at all, " * 3
    query = shop[2][0]
    data = gr.Dataset(query.X, query.y, qid=[name] * query.num_rows, document=[f"{d} {name}" for d in query.documents], feature_names=query.feature_names)
    for why in (forest.explain(data, document="rank:1"), forest.explain(data, pair=["rank:1", "rank:2"]), forest.explain(data)):
        for kind in ("waterfall", "force"):
            assert_all_inside(why.plot(kind))
        assert_all_inside(why.plot())
    assert_all_inside(forest.attributions(data).plot("heat-map"))
