"""Studies and cleaning alone: results of the engine's functions, as the program gives them."""
import json

import numpy as np
import pandas as pd
import pytest

import glassrank as gr

SMALL = {"num_trees": 4, "num_leaves": 4}
STUDIES = {
    "ranks": lambda m, s: {"model": m, "data": s[0], "query": s[0].queries[3]},
    "outliers": lambda m, s: {"model": m, "data": s[0], "steps": 3},
    "hourglass": lambda m, s: {"model": m, "data": s[0], "type": "neg"},
    "breakdown": lambda m, s: {"model": {"a": m, "b": m}, "data": s[2], "base": m, "type": "neg"},
    "leaf-scores": lambda m, s: {"model": m, "data": s[2]},
    "curves": lambda m, s: {"model": m, "data": {"valid": s[1], "test": s[2]}},
    "explainers": lambda m, s: {"model": m, "data": s[2], "methods": ["tree-shap", "random"], "queries": 2},
    "noise": lambda m, s: {"train": s[0], "valid": s[1], "test": s[2], "rates": [0.2], "clean": gr.Sour("pos", end=4), **SMALL},
    "sampling": lambda m, s: {"train": s[0], "valid": s[1], **SMALL},
    "interactions": lambda m, s: {"train": s[0], "valid": s[1], "test": s[2], "counts": [0, 1], **SMALL},
}


@pytest.mark.parametrize("name", STUDIES)
def test_studies(name, shop, forest, tmp_path):
    found = gr.study(name, **STUDIES[name](forest, shop), out=tmp_path / "made")
    assert found.to_dict() and str(found).strip() and len(found.to_pandas())
    assert found._repr_html_().startswith("<svg") and (tmp_path / "made.svg").read_text() == found.svg
    assert len(pd.read_csv(tmp_path / "made.tsv", sep="\t")) == len(found.to_pandas())


def test_studies_are_those_of_the_program(shop, forest, files, program, tmp_path):
    forest.save(tmp_path / "model.txt")
    told = json.loads(program("study", "ranks", "--model", tmp_path / "model.txt", "--data", files / "test.txt",
                              "--query", shop[2].queries[1], "--out", tmp_path / "ranks", "--json"))
    found = gr.study("ranks", model=tmp_path / "model.txt", data=files / "test.txt", query=shop[2].queries[1])
    assert {**found.to_dict(), "out": told["out"], "picture": told["picture"]} == told
    assert (tmp_path / "ranks.svg").read_text() == found.svg


def test_studies_say_what_they_need(shop, forest):
    with pytest.raises(gr.UsageError, match="did you mean 'ranks'"):
        gr.study("rank", model=forest, data=shop[0])
    with pytest.raises(gr.UsageError, match="study ranks needs model and data"):
        gr.study("ranks", model=forest)
    with pytest.raises(gr.UsageError, match="study noise needs train, valid and test"):
        gr.study("noise", train=shop[0])
    with pytest.raises(gr.UsageError, match="give two or more"):
        gr.study("breakdown", model=forest, data=shop[0])
    with pytest.raises(gr.UsageError, match="model is a int; a study is of models"):
        gr.study("ranks", model=3, data=shop[0])


def test_cleaning_alone(shop, files, program, tmp_path):
    cleaned = gr.Sour("neg", end=5).clean(shop[0], learner=gr.Lambdamart(num_trees=5))
    assert cleaned.data.num_rows == shop[0].num_rows - len(cleaned.dropped) < shop[0].num_rows
    told = json.loads(program("clean", "--train", files / "train.txt", "--method", "sour", "--clean.type", "neg",
                              "--clean.end", "5", "--num-trees", "5", "--out", tmp_path / "c.txt", "--json"))
    assert told["num_dropped"] == len(cleaned.dropped)
    assert np.array_equal(gr.read(tmp_path / "c.txt").X, cleaned.data.X, equal_nan=True)
    assert list(cleaned.dropped) == ["query", "document", "row", "grade", "evidence"]
    with pytest.raises(gr.UsageError, match="leaves other documents out as training goes on"):
        gr.CurrSour().clean(shop[0])
