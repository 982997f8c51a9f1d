"""Live comparisons with the packages that the users of this one have: shap, interpret, LightGBM."""
import lightgbm as lgb
import numpy as np
import pytest

import glassrank as gr

shap = pytest.importorskip("shap")
matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

import matplotlib.pyplot as plt  # noqa: E402


@pytest.fixture(scope="module")
def booster(shop):
    train = shop[0]
    ranker = lgb.LGBMRanker(n_estimators=12, num_leaves=8, min_child_samples=5, verbose=-1, n_jobs=1)
    return ranker.fit(np.array(train.X), np.array(train.y), group=train.group).booster_


def test_attributions_are_those_of_shap_s_tree_explainer(booster, shop):
    X = np.array(shop[2].X)
    theirs = shap.TreeExplainer(booster)(X)
    ours = gr.from_lightgbm(booster).attributions(X).to_shap()
    assert np.allclose(ours.values, theirs.values, atol=1e-8)
    assert np.allclose(ours.base_values, theirs.base_values, atol=1e-8)
    assert np.array_equal(ours.data, theirs.data, equal_nan=True)


PLOTS = {
    "beeswarm": lambda many, one: shap.plots.beeswarm(many, show=False),
    "bar": lambda many, one: shap.plots.bar(many, show=False),
    "heatmap": lambda many, one: shap.plots.heatmap(many, show=False),
    "scatter": lambda many, one: shap.plots.scatter(many[:, 0], show=False),
    "violin": lambda many, one: shap.plots.violin(many, show=False),
    "waterfall": lambda many, one: shap.plots.waterfall(one, show=False),
    "bar of one": lambda many, one: shap.plots.bar(one, show=False),
    "decision": lambda many, one: shap.plots.decision(float(np.mean(many.base_values)), many.values[:20], feature_names=many.feature_names, show=False),
    "force": lambda many, one: shap.plots.force(one, matplotlib=True, show=False),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PLOTS)
def test_shap_s_plots_draw_our_explanations(name, forest, shop):
    many = forest.attributions(shop[2]).to_shap()
    one = forest.explain(shop[2][0], document="rank:1", background=shop[0]).to_shap()
    assert one.base_values + one.values.sum() == pytest.approx(forest.predict(shop[2][0]).max())
    plt.figure()
    PLOTS[name](many, one)
    figure = plt.gcf()
    assert any(ax.patches or ax.collections or ax.lines or ax.images for ax in figure.axes)
    plt.close("all")


def test_shap_draws_the_gains_of_a_greedy_explanation(forest, shop):
    why = forest.explain(shop[2][0], "greedy", k=2)
    found = why.to_shap()
    assert found.values.sum() + found.base_values == pytest.approx(why.value)
    shap.plots.waterfall(found, show=False)
    plt.close("all")


def test_names_without_attributions_and_gains_have_no_shap_values(forest, shop):
    with pytest.raises(gr.UsageError, match="names features and gives no attributions or gains"):
        forest.explain(shop[2][0], "random", k=2).to_shap()


def test_partial_dependence_is_that_of_interpret(forest, shop):
    blackbox = pytest.importorskip("interpret.blackbox")
    test = shop[2]
    X = np.nan_to_num(np.array(test.X))
    theirs = blackbox.PartialDependence(forest.predict, X, feature_names=test.feature_names).explain_global()
    rows = gr.Dataset(X, test.y, qid=test.qid, feature_names=test.feature_names)
    for name in list(forest.attributions(test).importance())[:4]:
        found = theirs.data(test.feature_names.index(name))
        ours = forest.dependence(rows, name, centre="none")
        axis = ours.axes[0]
        assert axis.is_exact
        cells = np.searchsorted(axis.edges, np.float32(found["names"]), side="left")
        assert np.allclose(np.asarray(ours["values"])[cells], found["scores"], atol=1e-9)
        assert len(set(np.round(found["scores"], 9))) > 1


def test_any_regressor_of_scikit_learn_is_a_black_box(shop):
    linear_model = pytest.importorskip("sklearn.linear_model")
    train, _, test = shop
    ridge = linear_model.Ridge().fit(np.nan_to_num(train.X), train.y)
    box = gr.BlackBox(lambda rows: ridge.predict(np.nan_to_num(rows)), feature_names=train.feature_names)
    found = box.explain(test[0], "kernel-shap", document="rank:1", background=train[:10], samples=2000)
    row = np.nan_to_num(test[0].X[np.argmax(box.predict(test[0]))])
    means = np.nan_to_num(train[:10].X).mean(axis=0)
    exact = ridge.coef_ * (row - means)
    top = np.argsort(-np.abs(exact))[:3]
    assert np.allclose(found.attributions[top], exact[top], atol=0.02 * np.abs(exact).max())
