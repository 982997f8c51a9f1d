"""Models and black boxes: loading, evaluating, comparing, explaining, editing."""
import json
import pickle
import subprocess
import sys

import lightgbm as lgb
import numpy as np
import pytest
import xgboost as xgb

import glassrank as gr


def test_saved_models_load_and_score_the_same(forest, glass, shop, tmp_path):
    for model, formats in ((forest, ["native", "lightgbm", "xgboost"]), (glass, ["native", "gam-json", "lightgbm"])):
        want = model.predict(shop[2])
        for format in formats:
            model.save(tmp_path / "model", format)
            again = gr.load(tmp_path / "model")
            assert np.allclose(again.predict(shop[2].X), want, atol=1e-5), format
            assert model.convert(format) == (tmp_path / "model").read_bytes()
    assert not gr.load(tmp_path / "model").has_training
    with pytest.raises(gr.UsageError, match="comes from a file"):
        gr.load(tmp_path / "model").training
    with pytest.raises(OSError, match="cannot open"):
        gr.load(tmp_path / "none")
    with pytest.raises(gr.InputError, match="not a model in a known format"):
        gr.load_bytes(b"nothing of the kind")
    with pytest.raises(gr.UsageError, match="did you mean 'lightgbm'"):
        forest.save(tmp_path / "x", "lightgmb")
    assert forest.convert("lightgbm", check=shop[2])


def test_missing_values_are_zeros_in_ranklib(forest, shop, tmp_path):
    X = np.array(shop[2].X)
    assert np.isnan(X).any()
    with pytest.warns(gr.GlassrankWarning, match="RankLib has no missing values") as caught:
        forest.save(tmp_path / "model", "ranklib")
    assert caught[0].filename == __file__
    again = gr.load(tmp_path / "model")
    assert np.allclose(again.predict(X), forest.predict(np.nan_to_num(X)), atol=1e-5)
    assert not np.allclose(again.predict(X), forest.predict(X), atol=1e-5)


def test_models_of_lightgbm_and_xgboost(shop):
    train, valid, test = shop
    ranker = lgb.LGBMRanker(n_estimators=10, num_leaves=7, verbose=-1, min_child_samples=5)
    ranker.fit(np.array(train.X), np.array(train.y), group=train.group)
    X = np.array(test.X)
    assert np.allclose(gr.from_lightgbm(ranker).predict(X), ranker.predict(X), atol=1e-12)
    assert np.allclose(gr.from_lightgbm(ranker.booster_).predict(X), ranker.predict(X), atol=1e-12)
    data = xgb.DMatrix(np.array(train.X), np.array(train.y), group=train.group)
    booster = xgb.train({"objective": "rank:ndcg", "max_depth": 3}, data, 10)
    theirs = booster.predict(xgb.DMatrix(X), output_margin=True)
    assert np.allclose(gr.from_xgboost(booster).predict(X), theirs, atol=1e-5)
    estimator = xgb.XGBRanker(n_estimators=5, max_depth=3).fit(np.array(train.X), np.array(train.y), group=train.group)
    assert np.allclose(gr.from_xgboost(estimator).predict(X), estimator.predict(X), atol=1e-5)
    with pytest.raises(gr.UsageError, match="is no Booster of LightGBM"):
        gr.from_lightgbm(booster)
    with pytest.raises(gr.UsageError, match="is no Booster of XGBoost"):
        gr.from_xgboost(3)


def test_shap_values_are_those_of_lightgbm_and_xgboost(shop):
    train, _, test = shop
    X = np.array(test.X)
    ranker = lgb.LGBMRanker(n_estimators=10, num_leaves=7, verbose=-1).fit(
        np.array(train.X), np.array(train.y), group=train.group
    )
    theirs = ranker.predict(X, pred_contrib=True)
    ours = gr.from_lightgbm(ranker).attributions(X)
    assert np.allclose(ours.values, theirs[:, :-1], atol=1e-9)
    assert np.allclose(ours.base_values, theirs[:, -1], atol=1e-9)
    booster = xgb.train({"max_depth": 3}, xgb.DMatrix(np.array(train.X), np.array(train.y)), 10)
    theirs = booster.predict(xgb.DMatrix(X), pred_contribs=True)
    assert np.allclose(gr.from_xgboost(booster).attributions(X).values, theirs[:, :-1], atol=1e-4)


def test_attributions_add_up_and_become_shap_s(forest, shop):
    shap = pytest.importorskip("shap")
    found = forest.attributions(shop[2])
    assert np.allclose(found.values.sum(axis=1) + found.base_values, forest.predict(shop[2]), atol=1e-9)
    theirs = found.to_shap()
    assert isinstance(theirs, shap.Explanation) and theirs.values.shape == found.values.shape
    assert list(found.importance()) and found.to_pandas().shape == found.values.shape


def test_evaluation(forest, shop, program, files):
    found = forest.evaluate(shop[2], ["ndcg@10", "err@20", "p(rel=2)@5"])
    forest.save(files / "m.txt")
    told = json.loads(
        program("evaluate", "--json", "--model", "m.txt", "--data", "test.txt", "--metric", "ndcg@10,err@20,p(rel=2)@5", cwd=files)
    )
    assert found.to_dict() == told
    assert found["err@20"] == found.means["err@20"]
    assert found.per_query().shape == (len(shop[2]), 3)
    assert found.to_pandas()["metric"].tolist() == ["ndcg@10", "err@20", "p(rel=2)@5"]
    y, qid, scores = shop[2].y, shop[2].qid, forest.predict(shop[2])
    assert gr.evaluate(y, scores, qid=qid)["ndcg@10"] == found["ndcg@10"]
    assert forest.evaluate(shop[2], convention="trec_eval")["ndcg@10"] != found["ndcg@10"]
    with pytest.raises(gr.UsageError, match="gain belongs to metric ndcg or dcg; here metric is map"):
        gr.evaluate(y, scores, "map", qid=qid, convention={"gain": "linear"})
    with pytest.raises(gr.UsageError, match="max_grade belongs to metric err or pfound; here metric is ndcg@10"):
        forest.importance(shop[2], convention={"max_grade": 4})
    with pytest.raises(gr.UsageError, match="one per row"):
        gr.evaluate(y, scores[:3], qid=qid)
    with pytest.raises(gr.UsageError, match="evaluate needs queries and grades"):
        forest.evaluate(np.array(shop[2].X))


def test_comparison(forest, glass, shop):
    found = gr.compare({"trees": forest, "glass": glass, "noise": np.arange(shop[2].num_rows)}, shop[2], ["ndcg@10", "map"])
    assert found.systems == ["trees", "glass", "noise"]
    assert "trees" in str(found) and "booktabs" not in str(found) and "toprule" in found.to_latex()
    assert found.to_pandas().shape[0] == 6 and found.to_pandas("pairs").shape[0] == 6
    with pytest.raises(gr.UsageError, match="needs two or more systems"):
        gr.compare({"a": forest}, shop[2])


EXPLAINERS = list(gr.explainers())


@pytest.mark.parametrize("method", EXPLAINERS)
def test_every_explainer_explains_a_ranking(method, forest, shop):
    found = forest.explain(shop[2][0], method, k=2, background=shop[0])
    assert found.explainer == method and found.target == "ranking"
    assert len(found.chosen) <= 2 and set(found.chosen) <= set(forest.feature_names)
    assert method in str(found)


def test_documents_and_pairs(forest, shop):
    query = shop[2].query(shop[2].queries[3])
    scores = forest.predict(query)
    best = int(np.argmax(scores))
    one = forest.explain(query, document=best)
    assert one.value == pytest.approx(scores[best])
    assert one.base_value + one.attributions.sum() == pytest.approx(scores[best])
    assert forest.explain(query, document="rank:1").documents[0].document == one.documents[0].document
    assert forest.explain(query, document=query.documents[best]).value == one.value
    pair = forest.explain(shop[2], query=shop[2].queries[3], pair=["rank:1", "rank:2"])
    assert pair.target == "pair" and len(pair.documents) == 2
    assert pair.to_pandas()["feature"].tolist()
    assert json.dumps(pair.to_dict())
    several = forest.explain(shop[2][:3])
    assert len(several) == 3 and several[1].query == shop[2].queries[1]
    assert set(several.to_pandas()["query"]) == set(shop[2].queries[:3])
    with pytest.raises(gr.UsageError, match="is of one query, and the data has"):
        forest.explain(shop[2], document=0)
    with pytest.raises(gr.UsageError, match="there is no document 99"):
        forest.explain(query, document=99)
    with pytest.raises(gr.UsageError, match="did you mean 'tree-shap'"):
        forest.explain(query, "tree-shop")
    with pytest.raises(gr.UsageError, match="sampels"):
        forest.explain(query, "kernel-shap", sampels=3)


def test_explanations_equal_the_program_s(forest, shop, files, program):
    forest.save(files / "m.txt")
    told = json.loads(program("explain", "--json", "--model", "m.txt", "--data", "test.txt", "--background", "train.txt", cwd=files))
    found = gr.load(files / "m.txt").explain(gr.read(files / "test.txt")[0], background=files / "train.txt")
    assert found.to_dict() == told["explanations"][0]


def test_audit(forest, shop):
    found = forest.audit(shop[2][:5], ["tree-shap", "random"], background=shop[0], k=3, seeds=1)
    assert [method.method for method in found.methods] == ["tree-shap", "random"]
    assert found.k == 3 and "validity" in str(found)
    table = found.to_pandas()
    assert set(table["method"]) == {"tree-shap", "random"}
    assert len(found.cases()) > 0


def test_counterfactual(forest, shop):
    query = shop[2][1]
    last = int(np.argmin(forest.predict(query)))
    found = forest.counterfactual(query, last, top=3, background=shop[0])
    assert found.rank_before == query.num_rows and found.is_reached
    row = np.array(query.X)
    for change in found.changes:
        row[last, query.feature_names.index(change.feature)] = change.to
    after = forest.predict(row)
    assert (after > after[last]).sum() < 3
    assert str(found) == found.text
    other = shop[2][0]
    far = forest.counterfactual(other, int(np.argmin(forest.predict(other))), top=3, max_features=1, background=shop[0])
    assert not far.is_reached and far.optimality == "impossible" and far.rank_after > 3
    with pytest.raises(gr.UsageError, match="give above, a document to pass, or top"):
        forest.counterfactual(query, last)


def test_importance_and_dependence(forest, shop):
    plain = forest.importance()
    assert plain.importance[0].gain > 0 and plain.permutation is None
    full = forest.importance(shop[2], metric="ndcg@5", repeats=2)
    assert full.permutation.num_queries == len(shop[2])
    name = full.importance[0].feature
    assert full.to_pandas().shape[0] == forest.num_features
    for kind in ("pdp", "ice", "ale"):
        found = forest.dependence(shop[2], name, kind=kind)
        assert found.axes[0].feature == name and len(found.to_pandas()) > 0
    two = forest.dependence(shop[2], full.to_pandas()["feature"].tolist()[:2])
    assert len(two.axes) == 2


def test_effects_are_the_model(glass, shop):
    X = np.array(shop[2].X)
    names = glass.feature_names
    total = np.zeros(len(X))
    for effect in glass.effects.values():
        total += effect(*[X[:, names.index(feature)] for feature in effect.features])
    scores = glass.predict(shop[2])
    assert np.allclose(total - total.mean(), scores - scores.mean(), atol=1e-9)
    surface = next(effect for effect in glass.effects.values() if effect.is_surface)
    assert surface.values.shape == tuple(len(edges) + 2 for edges in surface.edges)
    assert len(surface.to_pandas()) == surface.values.size
    assert glass.effects.by_importance()[0].importance > 0
    with pytest.raises(KeyError, match="did you mean"):
        glass.effects[next(iter(glass.effects)) + "s"]


def test_edits_and_verification(glass, forest, shop):
    feature = next(effect.features[0] for effect in glass.effects.by_importance() if not effect.is_surface)
    edited = glass.edit(f"monotone up {feature}", data=shop[0])
    assert edited.provenance["edit.1"] == f"monotone up {feature}"
    change = next(each for each in edited.verify().directions if each.feature == feature)
    assert change.direction == "never falls"
    assert glass.verify().additive and not forest.verify().additive
    assert "edit.1" not in glass.provenance
    with pytest.raises(gr.UsageError, match="did you mean 'monotone'"):
        glass.edit(f"monoton up {feature}")
    with pytest.raises(ValueError):
        forest.effects
    dropped = glass.edit(f"drop {feature}", data=shop[0])
    assert feature not in dropped.effects


def test_black_boxes(forest, shop):
    calls = []

    def scores(rows):
        assert rows.dtype == np.float32 and rows.flags.c_contiguous
        calls.append(len(rows))
        return forest.predict(rows)

    box = gr.BlackBox(scores, feature_names=forest.feature_names)
    assert np.array_equal(box.predict(shop[2]), forest.predict(shop[2]))
    assert box.evaluate(shop[2])["ndcg@10"] == forest.evaluate(shop[2])["ndcg@10"]
    found = box.explain(shop[2][0], "greedy-cover-eps", k=3, background=shop[0])
    assert found.chosen == forest.explain(shop[2][0], "greedy-cover-eps", k=3, background=shop[0]).chosen
    assert box.audit(shop[2][:2], ["greedy"], background=shop[0][:5], seeds=1).methods[0].explainer == "greedy"
    assert box.importance(shop[2][:4], repeats=1).permutation.num_queries == 4
    with pytest.raises(gr.UsageError, match="only the scores of this one are known"):
        box.explain(shop[2][0], "tree-shap")
    by_scores = box.explain(shop[2][0], document="rank:1", background=shop[0][:5], samples=100, seeds=1)
    assert by_scores.explainer == "kernel-shap"
    with pytest.raises(gr.InputError, match="gave 1 scores"):
        gr.BlackBox(lambda rows: [0.0]).predict(shop[2])
    with pytest.raises(gr.InputError, match="finite"):
        gr.BlackBox(lambda rows: np.full(len(rows), np.nan)).predict(shop[2])
    with pytest.raises(KeyError, match="inside"):
        gr.BlackBox(lambda rows: {}["inside"]).predict(shop[2])


def test_results_pickle_and_show(forest, shop):
    found = forest.evaluate(shop[2])
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again["ndcg@10"] == found["ndcg@10"]
    assert "ndcg@10" in str(found) and "Evaluation(" in repr(found)
    assert repr(forest) == f"<glassrank.Model lambdamart: forest, {forest.num_parts} trees, 40 features>"


def test_import_is_light():
    code = "import sys, glassrank; assert 'numpy' not in sys.modules and 'glassrank._core' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_public_name_is_there():
    for name in gr.__all__:
        assert getattr(gr, name) is not None
    assert set(gr.__all__) <= set(dir(gr))
    with pytest.raises(AttributeError, match="no attribute 'lambdamart'"):
        gr.lambdamart


def test_the_command_is_the_program(program):
    here = subprocess.run([sys.executable, "-m", "glassrank", "list", "methods"], capture_output=True, text=True)
    assert here.returncode == 0 and here.stdout == program("list", "methods")
    wrong = subprocess.run([sys.executable, "-m", "glassrank", "trian"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "train" in wrong.stderr


def test_warnings_are_python_s(shop):
    with pytest.warns(gr.GlassrankWarning, match="no tree could be grown") as caught:
        gr.Lambdamart(num_trees=1).train(gr.Dataset(np.zeros((4, 1), np.float32), [0, 1, 0, 1], group=[2, 2]))
    assert caught[0].filename == __file__
