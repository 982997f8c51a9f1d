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


def test_every_picture_is_drawn_with_words_and_marks(shop, forest, curves, bagged, tmp_path):
    for name, draw in results(shop, forest, curves, bagged).items():
        ax = draw()
        assert ax.get_xlabel() or ax.get_title() or ax.get_title("left"), name
        assert ax.lines or ax.patches or ax.collections or ax.images or ax.texts, name
        ax.figure.savefig(tmp_path / "picture.png")
        assert (tmp_path / "picture.png").stat().st_size > 3000, name
        plt.close(ax.figure)


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


def test_an_effect_with_one_edge_is_two_bars(curves):
    effect = next(e for e in curves.effects.values() if not e.is_surface and len(e.edges[0]) == 1)
    ax = effect.plot()
    assert [bar.get_height() for bar in ax.patches[:2]] == list(effect.values[:2])
    assert [label.get_text().split()[0] for label in ax.get_xticklabels()[:2]] == ["at", "above"]
