"""Functions of the user in a training: objectives, metrics, callbacks; black boxes that see the query."""
import pickle
import signal

import numpy as np
import pytest

import glassrank as gr


def difference(scores, grades, query):
    return scores - grades, np.ones(len(scores))


def first_grade(grades):
    return float(grades[0])


def own_listnet(scores, grades, query):
    """The engine's, in numpy: cross-entropy of the softmax of the grades and that of the scores."""
    target, found = (np.exp(each - each.max()) for each in (grades.astype(float), scores))
    target, found = target / target.sum(), found / found.sum()
    return found - target, found * (1 - found)


def test_an_objective_of_python_trains_the_model_of_its_twin(shop):
    train, _, test = shop
    settings = {"num_trees": 6, "num_leaves": 6, "precision": "full"}
    own = gr.Lambdamart(objective=own_listnet, **settings).train(train)
    twin = gr.Lambdamart(objective="listnet", **settings).train(train)
    assert own.provenance["params.objective"] == "own_listnet"
    assert np.allclose(own.predict(test), twin.predict(test), atol=1e-5)


def test_an_objective_sees_scores_grades_and_its_query(shop):
    train = shop[0][:5]
    seen = []

    def watch(scores, grades, query):
        seen.append((query, scores.copy(), grades.copy()))
        return difference(scores, grades, query)

    gr.Lambdamart(objective=watch, num_trees=2, min_leaf_rows=5).train(train)
    assert len(seen) == 10
    for query, scores, grades in seen:
        assert train.queries[query.number] == query.id
        assert np.array_equal(grades, train.query(query.id).y)
        assert (scores == 0).all() if query.round == 0 else query.round == 1
    assert {query.id for query, _, _ in seen} == set(train.queries)


def test_lambdarank_written_in_python_ranks_as_well_as_the_engine_s(shop):
    train, valid, test = shop

    def by_gain(scores, grades, query):
        gain = 2.0**grades - 1
        rank = np.argsort(np.argsort(-scores, kind="stable"))
        discount = 1 / np.log2(rank + 2)
        best = (np.sort(gain)[::-1] / np.log2(np.arange(len(gain)) + 2)).sum()
        if best == 0:
            return np.zeros(len(scores)), np.zeros(len(scores))
        change = np.abs(np.subtract.outer(gain, gain) * np.subtract.outer(discount, discount)) / best
        better = np.greater.outer(grades, grades)
        rho = 1 / (1 + np.exp(np.subtract.outer(scores, scores)))
        slope, curvature = change * rho * better, change * rho * (1 - rho) * better
        return slope.sum(axis=0) - slope.sum(axis=1), curvature.sum(axis=0) + curvature.sum(axis=1)

    own = gr.Lambdamart(objective=by_gain, num_trees=20, num_leaves=8).train(train, valid)
    engine = gr.Lambdamart(num_trees=20, num_leaves=8, norm=False, pair_truncation=0).train(train, valid)
    assert own.evaluate(test)["ndcg@10"] == pytest.approx(engine.evaluate(test)["ndcg@10"], abs=0.04)


@pytest.mark.parametrize("make", [gr.Ilmart, gr.Ranknet, gr.Ebm, gr.Linear], ids=lambda make: make.method)
def test_other_methods_take_objectives_too(make, shop):
    extra = {"num_trees": 4, "num_interactions": 1} if make is gr.Ilmart else {"bags": 2, "max_rounds": 20} if make is gr.Ebm else {"epochs": 2}
    called = []

    def watch(scores, grades, query):
        called.append(query.id)
        return difference(scores, grades, query)

    model = make(objective=watch, **extra).train(shop[0][:10], shop[1][:5])
    assert called and model.provenance["params.objective"] == "watch"
    assert np.isfinite(model.predict(shop[2])).all()


WRONG_OBJECTIVES = {
    "length": (lambda s, g, q: (s[:-1], s), "gave gradients of shape"),
    "one array": (lambda s, g, q: s, "must return \\(gradients, hessians\\)"),
    "not finite": (lambda s, g, q: (s * np.nan, s), "not finite for query"),
    "negative hessian": (lambda s, g, q: (s, s - 1), "negative hessian for query"),
}


@pytest.mark.parametrize("what", WRONG_OBJECTIVES)
def test_wrong_objectives_say_what_is_wrong(what, shop):
    function, message = WRONG_OBJECTIVES[what]
    with pytest.raises(gr.InputError, match=message):
        gr.Lambdamart(objective=function, num_trees=2).train(shop[0])


def test_what_an_objective_raises_comes_out(shop):
    def fail(scores, grades, query):
        raise LookupError(f"in {query.id}")

    with pytest.raises(LookupError, match="in "):
        gr.Lambdamart(objective=fail, num_trees=2).train(shop[0])
    with pytest.raises(gr.UsageError, match="mart has one of its own|no parameter|unknown"):
        method = gr.Mart()
        method._params["objective"] = difference
        method.train(shop[0])

    def lambdarank(scores, grades, query):
        return difference(scores, grades, query)

    with pytest.raises(gr.UsageError, match="the engine has an objective 'lambdarank' itself"):
        gr.Lambdamart(objective=lambdarank)
    # Afterwards all is as before.
    assert gr.Lambdamart(num_trees=2).train(shop[0]).num_parts == 2


def test_interrupts_in_an_objective_keep_the_model(shop):
    def interrupt(scores, grades, query):
        if query.round == 3:
            signal.raise_signal(signal.SIGINT)
        return difference(scores, grades, query)

    with pytest.raises(gr.Interrupted) as caught:
        gr.Lambdamart(objective=interrupt, num_trees=50, patience=0, threads=1).train(shop[0])
    assert caught.value.model.num_parts == 3


def test_metrics_of_python_are_watched_and_stop(shop):
    train, valid, test = shop
    model = gr.Lambdamart(num_trees=15, metric=["ndcg@10", first_grade], stop_metric=first_grade).train(train, valid, test)
    curve = model.training.curve
    assert list(curve) == ["round", "train ndcg@10", "train first_grade", "valid ndcg@10", "valid first_grade"]
    best = int(np.argmax(curve["valid first_grade"])) + 1
    assert model.training.best_round == best == model.num_parts
    assert model.training.test["first_grade"] == pytest.approx(model.evaluate(test, first_grade)["first_grade"])


def test_a_metric_gets_the_grades_in_the_order_of_the_ranking(forest, shop):
    test = shop[2]
    scores = forest.predict(test)
    found = forest.evaluate(test, ["ndcg@10", first_grade])
    begins = np.concatenate([[0], np.cumsum(test.group)[:-1]])
    best = [test.y[b + np.argmax(scores[b : b + n])] for b, n in zip(begins, test.group)]
    assert found.values["first_grade"].tolist() == pytest.approx(best)

    def dcg(grades):
        return float(((2.0**grades - 1) / np.log2(np.arange(len(grades)) + 2)).sum())

    both = forest.evaluate(test, ["dcg", lambda grades: dcg(grades)])
    assert both.values["lambda"].tolist() == pytest.approx(both.values["dcg"].tolist(), rel=1e-12)
    compared = gr.compare({"a": forest, "b": scores * 0}, test, [first_grade])
    assert compared.metrics[0].metric == "first_grade"
    with pytest.raises(gr.InputError, match="must return a number"):
        forest.evaluate(test, lambda grades: "much")
    with pytest.raises(ZeroDivisionError):
        forest.evaluate(test, lambda grades: 1 / 0)
    with pytest.raises(gr.UsageError, match="ties cannot be averaged"):
        forest.evaluate(test, first_grade, convention={"ties": "average"})

    def ndcg(grades):
        return 0.0

    with pytest.raises(gr.UsageError, match="two metrics are called 'ndcg'"):
        forest.evaluate(test, ndcg)


def test_folds_and_searches_use_the_functions(shop):
    folds = gr.Lambdamart(num_trees=3, objective=difference, metric=first_grade).cross_validate(shop[0], 3)
    assert set(folds.test) == {"first_grade"}
    found, model = gr.Lambdamart(num_trees=3, objective=difference).search({"num_leaves": [4, 8]}, shop[0], shop[1])
    assert model.provenance["params.objective"] == "difference" and len(found.trials) == 2


LONG = {
    gr.Ebm: {"bags": 1, "max_rounds": 50},
    gr.Rankgam: {"max_epochs": 50},
    gr.Rankboost: {"num_rounds": 50},
    gr.CoordinateAscent: {"restarts": 50},
    gr.RandomForest: {"num_trees": 50},
    gr.Linear: {"objective": "lambdarank", "epochs": 50},
}


@pytest.mark.parametrize("make", LONG, ids=lambda make: make.__name__)
def test_every_method_of_rounds_calls_back(shop, make):
    seen = []
    model = make(**LONG[make]).train(shop[0], shop[1], callbacks=lambda round: seen.append(round) or round.number == 3)
    assert [round.number for round in seen] == [1, 2, 3]
    assert all(round.metrics for round in seen) and model.predict(shop[2]).any()
    with pytest.raises(LookupError, match="of the callback"):
        make(**LONG[make]).train(shop[0], shop[1], callbacks=lambda round: (_ for _ in ()).throw(LookupError("of the callback")))


def test_metrics_may_see_the_query(shop):
    train, valid, test = shop
    numbers = {query: number for number, query in enumerate(test.queries)}

    def place(grades, query):
        assert numbers[query.id] == query.number and len(query.missed) == 0
        assert len(grades) == test.group[query.number]
        return float(query.number)

    model = gr.Lambdamart(num_trees=3).train(train)
    assert model.evaluate(test, place).values["place"].tolist() == list(range(len(test)))

    def weighted(grades, query, depth=3):
        return float(grades[:depth].sum()) * (1 + query.number % 2)

    watched = gr.Lambdamart(num_trees=3, metric=["ndcg@10", weighted]).train(train, valid)
    best = watched.training.curve["valid weighted"][watched.num_parts - 1]
    assert best == pytest.approx(watched.evaluate(valid, weighted)["weighted"])


def test_callbacks_see_every_round_and_stop(shop):
    train, valid, _ = shop
    seen = []
    model = gr.Lambdamart(num_trees=30, patience=0).train(
        train, valid, callbacks=[seen.append, lambda round: round.number == 7]
    )
    assert [each.number for each in seen] == list(range(1, 8)) and model.num_parts == 7
    assert seen[-1].metrics["valid ndcg@10"] == model.training.curve["valid ndcg@10"][-1]
    assert seen[0].training == "" and "round 1" in repr(seen[0])
    bagged = []
    gr.Lambdamart(num_trees=2, bags=2).train(train, callbacks=bagged.append)
    assert {each.training for each in bagged} == {"bag 1 of 2", "bag 2 of 2"}
    epochs = []
    gr.Ranknet(epochs=5).train(train, callbacks=lambda round: epochs.append(round.number) or round.number == 3)
    assert epochs == [1, 2, 3]
    assert gr.Lambdamart(num_trees=10**5).train(train, callbacks=gr.callbacks.Seconds(0)).num_parts == 1
    with pytest.raises(gr.UsageError, match="tree as it is set has none; methods that have: lambdamart, ilmart, ebm, "):
        gr.Tree().train(train, callbacks=print)
    with pytest.raises(gr.UsageError, match="cannot be called"):
        gr.Lambdamart().train(train, callbacks=[3])
    with pytest.raises(LookupError, match="of the callback"):
        gr.Lambdamart(num_trees=5).train(train, callbacks=lambda round: (_ for _ in ()).throw(LookupError("of the callback")))


class Trial:
    """What Optuna's trials offer to callbacks."""

    def __init__(self, prune_at):
        self.reported = []
        self.prune_at = prune_at

    def report(self, value, step):
        self.reported.append((step, value))

    def should_prune(self):
        return len(self.reported) >= self.prune_at


def test_optuna_prunes_trials(shop):
    optuna = pytest.importorskip("optuna")
    train, valid, _ = shop
    trial = Trial(prune_at=4)
    with pytest.raises(optuna.TrialPruned, match="round 4"):
        gr.Lambdamart(num_trees=20).train(train, valid, callbacks=gr.callbacks.OptunaPruning(trial))
    assert [step for step, _ in trial.reported] == [1, 2, 3, 4]

    def goal(trial):
        method = gr.Lambdamart(num_trees=8, num_leaves=trial.suggest_int("num_leaves", 2, 16))
        model = method.train(train, valid, callbacks=gr.callbacks.OptunaPruning(trial))
        return model.training.valid["ndcg@10"]

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(
        direction="maximize", sampler=optuna.samplers.RandomSampler(seed=1), pruner=optuna.pruners.MedianPruner(n_startup_trials=2)
    )
    study.optimize(goal, n_trials=6)
    assert len(study.trials) == 6 and study.best_value > 0
    with pytest.raises(gr.UsageError, match="needs validation data"):
        gr.Lambdamart(num_trees=2).train(train, callbacks=gr.callbacks.OptunaPruning(Trial(9)))
    with pytest.raises(gr.UsageError, match="is no trial of Optuna"):
        gr.callbacks.OptunaPruning(3)


def test_a_black_box_may_see_the_query(shop, forest):
    test = shop[2]
    asked = []

    def scores(rows, query):
        asked.append(query)
        return forest.predict(rows) + len(query)

    box = gr.BlackBox(scores, feature_names=forest.feature_names, sees_query=True)
    want = forest.predict(test) + np.repeat([len(each) for each in test.queries], test.group)
    assert np.array_equal(box.predict(test), want)
    assert asked == test.queries
    assert box.evaluate(test)["ndcg@10"] == forest.evaluate(test)["ndcg@10"]
    found = box.explain(test[:2], "greedy", k=2, background=shop[0])
    assert [each.query for each in found] == test.queries[:2]
    assert found[0].chosen == forest.explain(test[0], "greedy", k=2, background=shop[0]).chosen
    with pytest.raises(gr.UsageError, match="one query at a time"):
        box.audit(test[:2], ["greedy"])


def test_methods_with_functions_show_and_pickle(shop):
    method = gr.Lambdamart(num_trees=3, objective=difference, metric=[first_grade])
    again = pickle.loads(pickle.dumps(method))
    assert again == method and again.params()["objective"] == "difference"
    assert "difference" in repr(method)
    method.set_params(num_trees=4)
    assert method.get_params()["num_trees"] == 4
    with pytest.raises(gr.UsageError, match="no parameter 'num_tree'"):
        method.set_params(num_tree=4)
    with pytest.raises(ValueError, match="out of range"):
        method.set_params(learning_rate=-1)
