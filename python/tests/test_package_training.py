"""Training, and what comes with it."""
import os
import pickle
import signal
import threading

import numpy as np
import pytest

import glassrank as gr

METHODS = [
    gr.Lambdamart(num_trees=3),
    gr.Mart(num_trees=3),
    gr.Ilmart(num_trees=3, num_interactions=1),
    gr.Ebm(bags=2, max_rounds=20),
    gr.Rankgam(max_epochs=2),
    gr.Rankboost(num_rounds=5),
    gr.Linear(),
    gr.CoordinateAscent(restarts=1, iterations=3),
    gr.Ranknet(epochs=2),
    gr.RandomForest(num_trees=3),
    gr.Tree(),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.method)
def test_every_method_trains_and_pickles(method, shop):
    train, valid, test = (part[:6] for part in shop)
    model = method.train(train, valid, test)
    assert model.provenance["method"] == method.method
    scores = model.predict(test)
    assert scores.shape == (test.num_rows,) and np.isfinite(scores).all()
    assert model.training.test["ndcg@10"] == pytest.approx(model.evaluate(test)["ndcg@10"])
    again = pickle.loads(pickle.dumps(model))
    assert again == model
    assert np.array_equal(again.predict(test), scores)


def test_the_same_bytes_as_the_program(files, program, monkeypatch):
    monkeypatch.chdir(files)
    settings = {"num_trees": 12, "num_leaves": 8, "learning_rate": 0.2}
    options = [part for name, value in settings.items() for part in (f"--{name.replace('_', '-')}", value)]
    program("train", "--train", "train.txt", "--valid", "valid.txt", "--seed", 5, *options, "--out", "cli.txt", cwd=files)
    model = gr.Lambdamart(**settings, seed=5).train(gr.read("train.txt"), gr.read("valid.txt"))
    model.save("python.txt")
    assert (files / "python.txt").read_bytes() == (files / "cli.txt").read_bytes()
    assert gr.Lambdamart(**settings, seed=5, threads=1).train("train.txt", "valid.txt") == model
    program(
        "train", "--method", "ilmart", "--train", "train.txt", "--valid", "valid.txt", "--num-trees", 10, "--sample",
        "high-low", "--sample.top", 0.3, "--clean", "sour", "--clean.type", "neg", "--clean.end", 5, "--out", "glass.txt", cwd=files,
    )  # fmt: skip
    glass = gr.Ilmart(num_trees=10, sample=gr.HighLow(0.3), clean=gr.Sour("neg", end=5)).train("train.txt", "valid.txt")
    assert glass.to_bytes() == (files / "glass.txt").read_bytes()


def test_scores_equal_those_of_the_program(files, program, forest):
    forest.save(files / "model.txt")
    text = program("predict", "--model", "model.txt", "--data", "test.txt", cwd=files)
    assert forest.predict(files / "test.txt").tolist() == [float(line) for line in text.split()]


def test_arrays_give_the_model_of_the_file(files, shop):
    settings = gr.Lambdamart(num_trees=5)
    from_file = settings.train(gr.read(files / "train.txt"))
    train = shop[0]
    from_array = settings.train(
        gr.Dataset(np.array(train.X), train.y, qid=train.qid, feature_names=train.feature_names, document=train.documents)
    )
    assert from_array.convert("lightgbm") == from_file.convert("lightgbm")
    assert from_array.provenance["train.digest"] == from_file.provenance["train.digest"]


def test_curve_report_and_record(forest, shop):
    training = forest.training
    assert list(training.curve) == ["round", "train ndcg@10", "valid ndcg@10"]
    assert len(training.curve["round"]) == training.num_rounds == 30
    assert training.valid["ndcg@10"] == pytest.approx(forest.evaluate(shop[1])["ndcg@10"])
    assert training.record.run["params.num_trees"] == "30"
    assert len(training.record.rounds) == 30
    assert training.curve_to_pandas().shape == (30, 3)
    assert "trees" in str(training)


def test_samplers_cleaners_bags_and_warm_starts(shop):
    train, valid, _ = shop
    cleaned = gr.Lambdamart(num_trees=8, sample=gr.Selective(0.3), clean=gr.Sour("neg", end=8)).train(train, valid)
    assert cleaned.provenance["params.sample.method"] == "selective"
    assert list(cleaned.training.dropped().columns) == ["query", "document", "row", "grade", "evidence"]
    bagged = gr.Lambdamart(num_trees=4, bags=3).train(train, valid)
    assert len(bagged.training.bags) == 3 and "bag" in bagged.training.curve
    longer = gr.Lambdamart(num_trees=4, patience=0).train(train, valid, start=gr.Lambdamart(num_trees=3).train(train))
    assert longer.num_parts == 7


def test_folds_and_search(shop):
    train, valid, test = shop
    folds = gr.Lambdamart(num_trees=5).cross_validate(train, 3)
    assert len(folds.folds) == 3 and 0 < folds.test["ndcg@10"].mean <= 1
    folds, model = gr.Lambdamart(num_trees=5).cross_validate(train, 3, model=True)
    assert model.num_parts <= 5
    found, model = gr.Lambdamart(num_trees=5).search({"num_leaves": [4, 8], "l2": [0, 1]}, train, valid, test)
    assert len(found.trials) == 4 and set(found.best) == {"num_leaves", "l2"}
    assert model.provenance["params.num_leaves"] == found.best["num_leaves"]
    assert "ndcg@10" in model.training.test
    assert found.to_pandas().shape[0] == 4


def test_progress_is_told(shop):
    told = []
    gr.Lambdamart(num_trees=5).train(shop[0], progress=lambda *step: told.append(step))
    assert ("rounds", 5) in {(step[1], step[2]) for step in told}
    assert told[-1][3] is None


def test_interrupts_keep_the_best_model(shop):
    train, valid, _ = shop
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        gr.Lambdamart(num_trees=10**6, learning_rate=1e-6, patience=0).train(train, valid)
    timer.join()
    assert isinstance(caught.value, gr.Interrupted)
    assert caught.value.model.num_parts > 0
    # Afterwards all is as before.
    assert gr.Lambdamart(num_trees=2).train(train).num_parts == 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_interrupts_while_progress_is_told_keep_the_model_too(shop):
    def tell(task, unit, total, done, detail):
        if done:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(gr.Interrupted) as caught:
        gr.Lambdamart(num_trees=10**6, learning_rate=1e-6, patience=0).train(shop[0], progress=tell)
    assert 0 < caught.value.model.num_parts < 10**6
    with pytest.raises(KeyboardInterrupt):
        gr.Lambdamart(num_trees=3).cross_validate(shop[0], 3, progress=tell)  # told of folds

    def fail(*step):
        raise LookupError("of the callback")

    with pytest.raises(LookupError, match="of the callback"):
        gr.Lambdamart(num_trees=10**6).train(shop[0], progress=fail)


def test_threads_train_side_by_side_on_one_dataset(shop):
    models = [None] * 4

    def work(place):
        models[place] = gr.Lambdamart(num_trees=5, max_bins=15 + place % 2).train(shop[0], shop[1])

    threads = [threading.Thread(target=work, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert models[0] == models[2] and models[1] == models[3] and models[0] != models[1]


def test_python_runs_while_the_engine_works(shop):
    train = shop[0]
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(1)
            done.wait(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    gr.Lambdamart(num_trees=200, patience=0).train(train)
    done.set()
    thread.join()
    assert len(counted) > 5


def test_a_group_of_parameters_is_a_dict(shop):
    chosen = gr.Ilmart(num_trees=3, num_interactions=2, pair_selection={"method": "contribution", "max_rounds": 7})
    assert chosen.params()["pair_selection.method"] == "contribution" and chosen.params()["pair_selection.max_rounds"] == "7"
    assert chosen.train(shop[0]).provenance["params.pair_selection.max_rounds"] == "7"
    assert gr.Ilmart(pair_selection="fast").params()["pair_selection.method"] == "fast"
    assert gr.Ilmart().params()["pair_selection.method"] == "paper"


WRONG = {
    "group": (lambda shop: gr.Ilmart(pair_selection=3), "pair_selection=3 is no dict of parameters"),
    "name in a group": (lambda shop: gr.Ilmart(pair_selection={"methd": "fast"}), "did you mean 'pair_selection.method'"),
    "range": (lambda shop: gr.Lambdamart(learning_rate=-1), "learning_rate = -1 is out of range"),
    "choice": (lambda shop: gr.Lambdamart(objective="lambdarnak"), "did you mean 'lambdarank'"),
    "sampler": (lambda shop: gr.Lambdamart(sample=3), "sample=3 is no sampler"),
    "metric": (lambda shop: gr.Lambdamart(num_trees=1, metric="ndgc@10").train(shop[0]), "unknown metric 'ndgc'"),
    "categories": (lambda shop: gr.Lambdamart(cat_smooth=3).train(shop[0]), "cat_smooth is for features of categories"),
    "unused in a group": (
        lambda shop: gr.Ilmart(pair_selection={"method": "fast", "max_rounds": 7}).train(shop[0]),
        "pair_selection.max_rounds belongs to pair_selection.method paper",
    ),
    "unused": (lambda shop: gr.Lambdamart(peer_alpha=0.3).train(shop[0]), "peer_alpha"),
    "data": (lambda shop: gr.Lambdamart().train([[1, 2]]), "train is a list; it must be a glassrank.Dataset"),
    "other features": (
        lambda shop: gr.Lambdamart(num_trees=1).train(
            shop[0], gr.Dataset(shop[1].X[:, 1:], shop[1].y, qid=shop[1].qid, feature_names=shop[1].feature_names[1:])
        ),
        "feature",
    ),
    "search without validation": (lambda shop: gr.Lambdamart().search({"num_leaves": [4, 8]}, shop[0]), "search needs valid or folds"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said(what, shop):
    wrong, message = WRONG[what]
    with pytest.raises(ValueError, match=message):
        wrong(shop)


def test_unknown_parameters_are_type_errors():
    with pytest.raises(TypeError, match="num_tree"):
        gr.Lambdamart(num_tree=3)


def test_columns_are_matched_by_name(shop, forest):
    test = shop[2]
    frame = test.to_pandas().drop(columns=["query", "document", "grade"])
    want = forest.predict(test)
    assert np.array_equal(forest.predict(frame), want)
    assert np.array_equal(forest.predict(frame[frame.columns[::-1]]), want)
    assert np.array_equal(forest.predict(frame.assign(extra=1)), want)
    with pytest.raises(gr.InputError, match=frame.columns[0]):
        forest.predict(frame.drop(columns=frame.columns[0]))
    # Validation data in another order of columns is put in order, too.
    other = gr.Dataset(frame[frame.columns[::-1]], test.y, qid=test.qid)
    assert gr.Lambdamart(num_trees=3).train(shop[0], other).convert("lightgbm") == gr.Lambdamart(num_trees=3).train(
        shop[0], test
    ).convert("lightgbm")


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.method)
def test_every_method_gives_the_bytes_of_the_program(method, files, program, monkeypatch):
    monkeypatch.chdir(files)
    given = {name: value for name, value in method.get_params().items() if value is not None and name != "threads"}
    options = [part for name, value in given.items() for part in (f"--{name.replace('_', '-')}", value)]
    program(
        "train", "--method", method.method, "--train", "train.txt", "--valid", "valid.txt", *options, "--out", "bytes.txt", cwd=files
    )  # fmt: skip
    model = method.train("train.txt", "valid.txt")
    assert model.to_bytes() == (files / "bytes.txt").read_bytes()
