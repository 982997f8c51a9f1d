"""The methods as estimators of scikit-learn: its own checks, folds, searches, pipelines, routing."""
import pickle
import warnings

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.impute import SimpleImputer  # noqa: E402
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402
from sklearn.utils.validation import _num_samples  # noqa: E402

import glassrank as gr  # noqa: E402
from glassrank import sklearn as gs  # noqa: E402

RANKERS = [name for name in gs.__all__ if name != "Ranker"]


class HalvesRanker:
    """The checks know no queries; methods that hold one out get the two halves of the rows as two."""

    def fit(self, X, y, sample_weight=None):
        num_rows = 0 if y is None else _num_samples(y)
        super().fit(X, y, qid=np.arange(num_rows) >= num_rows // 2, sample_weight=sample_weight)
        self.has_queries_ = False
        return self


class EbmOfHalves(HalvesRanker, gs.EbmRanker):
    pass


class RankgamOfHalves(HalvesRanker, gs.RankgamRanker):
    pass


#: small settings, and the checks that cannot hold, with the reason
ONE_ROW = {"check_fit2d_1sample": "learns from pairs of documents of different grades, of which one row has none, and says that"}
REPEATED = "a row twice is another list: other pairs, other means of the features; a weight changes neither"
ONE_VALUE = {"check_fit2d_1sample": "no feature of one row has two values, and that is said"}
WEIGHTS = {
    "check_sample_weight_equivalence_on_dense_data": REPEATED,
    "check_sample_weight_equivalence_on_sparse_data": REPEATED,
}
HALVES = {
    "check_methods_sample_order_invariance": "other rows are in the halves then",
    "check_fit2d_1sample": "one row has no halves",
}
CHECKED = {
    "lambdamart": (gs.LambdamartRanker(num_trees=5), {}),
    "mart": (gs.MartRanker(num_trees=5), {}),
    "ilmart": (gs.IlmartRanker(num_trees=5, num_interactions=0), {}),
    "ebm": (EbmOfHalves(bags=2, max_rounds=10), {**WEIGHTS, **HALVES}),
    "rankgam": (RankgamOfHalves(max_epochs=2), {**WEIGHTS, **HALVES}),
    "rankboost": (gs.RankboostRanker(num_rounds=3), {**WEIGHTS, **ONE_ROW}),
    "linear": (gs.LinearRanker(), {**WEIGHTS, **ONE_VALUE}),
    "coordinate-ascent": (gs.CoordinateAscentRanker(restarts=1, iterations=2), {**WEIGHTS, **ONE_ROW}),
    "ranknet": (gs.RanknetRanker(epochs=2), {**WEIGHTS, **ONE_ROW}),
    "random-forest": (gs.RandomForestRanker(num_trees=3), {**WEIGHTS, **ONE_VALUE}),
    "tree": (gs.TreeRanker(), {**WEIGHTS, **ONE_VALUE}),
}


@pytest.mark.parametrize("name", CHECKED)
def test_scikit_learn_s_own_checks(name):
    estimator, expected = CHECKED[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = check_estimator(estimator, on_fail=None, on_skip=None, expected_failed_checks=expected)
    failed = {each["check_name"]: each["exception"] for each in found if each["status"] == "failed"}
    assert not failed
    # Skipped is only what needs settings of the process (array API).
    skipped = {each["check_name"] for each in found if each["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}


def test_there_is_one_for_every_method():
    methods = set(gr.choices("methods"))
    assert {getattr(gs, name).method_class.method for name in RANKERS} == methods
    assert set(CHECKED) == methods


@pytest.mark.parametrize("name", RANKERS)
def test_parameters_are_those_of_the_method(name):
    ranker = getattr(gs, name)()
    assert set(ranker.get_params()) == set(ranker.method_class().get_params())
    assert clone(ranker).get_params() == ranker.get_params()


@pytest.fixture
def arrays(shop):
    train = shop[0]
    return np.array(train.X), np.array(train.y), np.repeat(np.arange(len(train)), train.group)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def test_the_model_is_that_of_the_method(arrays, shop):
    X, y, qid = arrays
    ranker = gs.LambdamartRanker(num_trees=5, num_leaves=8).fit(X, y, qid=qid)
    model = gr.Lambdamart(num_trees=5, num_leaves=8).train(gr.Dataset(X, y, qid=qid))
    assert ranker.model_ == model
    assert np.array_equal(ranker.predict(X), model.predict(X))
    assert ranker.score(X, y, qid=qid) == model.evaluate(gr.Dataset(X, y, qid=qid))["ndcg@10"]
    valid = shop[1]
    stopped = gs.LambdamartRanker(num_trees=30).fit(X, y, qid=qid, valid=(np.array(valid.X), valid.y, valid.qid))
    assert stopped.model_.training.best_round <= 30 and "valid ndcg@10" in stopped.model_.training.curve
    assert stopped.feature_importances_.sum() == pytest.approx(1)
    glass = gs.IlmartRanker(num_trees=5, num_interactions=0).fit(X, y, qid=qid)
    used = {feature for effect in glass.model_.effects.values() for feature in effect.indices}
    assert set(np.flatnonzero(glass.feature_importances_)) <= used and used
    assert not hasattr(gs.LinearRanker().fit(X, y, qid=qid), "feature_importances_")


def test_rows_of_a_query_need_not_be_together(arrays):
    X, y, qid = arrays
    shuffled = np.random.default_rng(0).permutation(len(X))
    ranker = gs.LambdamartRanker(num_trees=5).fit(X[shuffled], y[shuffled], qid=qid[shuffled])
    assert ranker.score(X[shuffled], y[shuffled], qid=qid[shuffled]) == pytest.approx(ranker.score(X, y, qid=qid), abs=1e-9)
    assert np.array_equal(ranker.predict(X[shuffled]), ranker.predict(X)[shuffled])


def test_score_without_queries_is_refused_where_fit_had_them(arrays):
    X, y, qid = arrays
    ranker = gs.LambdamartRanker(num_trees=2).fit(X, y, qid=qid)
    with pytest.raises(gr.UsageError, match="set_score_request"):
        ranker.score(X, y)
    with pytest.raises(ValueError, match="does not exist|unknown|must be"):
        gs.LambdamartRanker(objective="lambdarnak").fit(X, y, qid=qid)
    with pytest.raises(TypeError, match="no parameter 'num_tree'"):
        gs.LambdamartRanker(num_tree=3)


def test_cross_validation_by_groups_with_routing(arrays, routing):
    X, y, qid = arrays
    ranker = gs.LambdamartRanker(num_trees=5).set_fit_request(qid=True).set_score_request(qid=True)
    found = cross_validate(ranker, X, y, params={"qid": qid, "groups": qid}, cv=GroupKFold(3), return_estimator=True)
    assert (found["test_score"] > 0.3).all()
    for (_, test), score, fitted in zip(GroupKFold(3).split(X, y, qid), found["test_score"], found["estimator"]):
        data = gr.Dataset(X[test], y[test], qid=qid[test])
        assert score == pytest.approx(fitted.model_.evaluate(data)["ndcg@10"])


def test_searches_reach_parameters_and_those_of_samplers(arrays, routing):
    X, y, qid = arrays
    ranker = gs.LambdamartRanker(num_trees=5, sample=gr.HighLow(0.2, 0.4))
    ranker.set_fit_request(qid=True).set_score_request(qid=True)
    grid = GridSearchCV(ranker, {"num_leaves": [4, 8], "sample__top": [0.2, 0.5]}, cv=GroupKFold(3))
    grid.fit(X, y, qid=qid, groups=qid)
    assert len(grid.cv_results_["params"]) == 4
    best = grid.best_estimator_
    assert best.sample.get_params()["top"] == grid.best_params_["sample__top"]
    assert best.model_.provenance["params.sample.top"] == str(grid.best_params_["sample__top"])
    assert ranker.sample == gr.HighLow(0.2, 0.4)  # clones do not share it


def test_pipelines_pass_the_queries_on(arrays, routing):
    X, y, qid = arrays
    steps = make_pipeline(SimpleImputer(), gs.IlmartRanker(num_trees=5, num_interactions=1).set_fit_request(qid=True).set_score_request(qid=True))
    steps.fit(X, y, qid=qid)
    assert steps.score(X, y, qid=qid) > 0.3
    again = pickle.loads(pickle.dumps(steps))
    assert np.array_equal(again.predict(X), steps.predict(X))


def test_frames_keep_their_names(shop):
    train = shop[0]
    frame = train.to_pandas()
    X, y, qid = frame.drop(columns=["query", "document", "grade"]), frame["grade"], frame["query"]
    ranker = gs.LambdamartRanker(num_trees=3).fit(X, y, qid=qid)
    assert ranker.feature_names_in_.tolist() == train.feature_names
    assert ranker.model_ == gr.Lambdamart(num_trees=3).train(gr.Dataset(X, y, qid=qid))
    with pytest.raises(ValueError, match="feature names"):
        ranker.predict(X[X.columns[::-1]])
    with pytest.raises(gr.InputError, match="column 'price' has dtype"):
        gs.LambdamartRanker().fit(X.assign(price=X["price"].astype(str)), y, qid=qid)


def test_tables_of_other_packages_and_masks(arrays, shop):
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    sparse = pytest.importorskip("scipy.sparse")
    X, y, qid = arrays
    frame = polars.DataFrame({name: X[:, place] for place, name in enumerate(shop[0].feature_names)})
    scores = gs.LambdamartRanker(num_trees=3).fit(frame, y, qid=qid).predict(frame)
    lazy = gs.LambdamartRanker(num_trees=3).fit(frame.lazy(), polars.Series(y), qid=polars.Series(qid))
    assert np.array_equal(lazy.predict(frame.lazy()), scores)
    assert lazy.feature_names_in_.tolist() == shop[0].feature_names
    arrow = gs.LambdamartRanker(num_trees=3).fit(frame.to_arrow(), pyarrow.array(y), qid=pyarrow.array(qid))
    assert np.array_equal(arrow.predict(frame.to_arrow()), scores)
    assert arrow.feature_names_in_.tolist() == shop[0].feature_names
    brands = frame.with_columns(brand=polars.Series(["a", "b", None] * len(y))[: len(y)].cast(polars.Categorical))
    for table in (brands, brands.to_arrow()):
        named = gs.LambdamartRanker(num_trees=3).fit(table, y, qid=qid)
        assert set(named.model_.categories["brand"]) == {"a", "b"} and len(named.predict(table)) == len(y)
    masked = np.ma.masked_invalid(X)
    assert np.array_equal(gs.LambdamartRanker(num_trees=3).fit(masked, y, qid=qid).predict(masked), scores)
    full = np.nan_to_num(X)
    wanted = gs.LambdamartRanker(num_trees=3).fit(full, y, qid=qid).predict(full)
    assert np.array_equal(gs.LambdamartRanker(num_trees=3).fit(sparse.csr_array(full), y, qid=qid).predict(sparse.csr_array(full)), wanted)
    with pytest.raises(gr.InputError, match="y of row 0 is masked"):
        gs.LambdamartRanker().fit(X, np.ma.array(y, mask=np.arange(len(y)) == 0), qid=qid)


def test_functions_of_python_are_parameters(arrays):
    X, y, qid = arrays

    def difference(scores, grades, query):
        return scores - grades, np.ones(len(scores))

    def first_grade(grades):
        return float(grades[0])

    ranker = clone(gs.LambdamartRanker(num_trees=3, objective=difference, metric=[first_grade])).fit(X, y, qid=qid)
    assert ranker.model_.provenance["params.objective"] == "difference"
    assert ranker.score(X, y, qid=qid) == ranker.model_.evaluate(gr.Dataset(X, y, qid=qid), first_grade)["first_grade"]
