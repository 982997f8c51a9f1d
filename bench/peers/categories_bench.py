"""Ranking with categorical features beside LightGBM and CatBoost: NDCG@10 on data whose truth is known.

    python bench/peers/categories_bench.py [--times]

Data: glassrank data synth --scenario categories (brand, seller, colour, kind; most brands and sellers
are rare). Every learner has the same trees, learning rate and early stopping on the validation part,
one thread, and otherwise its defaults. "numbers" is told nothing: the codes are numbers. Test scores
are measured by one NDCG@10 for all. With --times, training seconds, the least of three runs; run it alone.
"""
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "glassrank"
QUERIES, SEEDS = 3000, (1, 2, 3)
CATEGORICAL = ["brand", "seller", "colour", "kind"]
TREES, PATIENCE, LEAVES, RATE, MIN_ROWS = 500, 50, 31, 0.1, 20


def read(path):
    with path.open() as file:
        table = list(csv.DictReader(file))
    names = [name for name in table[0] if name not in ("grade", "query")]
    return {
        "names": names,
        "grades": np.array([float(row["grade"]) for row in table]),
        "queries": np.array([int(row["query"][1:]) for row in table]),
        "columns": {name: [row[name] for row in table] for name in names},
    }


def encode(parts):
    """Texts to codes by first appearance in the training part; what it has not is a code of its own."""
    for name in CATEGORICAL:
        codes = {}
        for text in parts[0]["columns"][name]:
            codes.setdefault(text, len(codes))
        for part in parts:
            part["columns"][name] = [codes.get(text, len(codes)) for text in part["columns"][name]]
    for part in parts:
        part["rows"] = np.array([part["columns"][name] for name in part["names"]], dtype=float).T
        part["sizes"] = np.bincount(part["queries"] - part["queries"].min())


def write_numbers(path, part):
    with path.open("w") as file:
        print("grade,query," + ",".join(part["names"]), file=file)
        for grade, query, row in zip(part["grades"], part["queries"], part["rows"]):
            print(f"{grade:g},{query}," + ",".join(f"{value:.9g}" for value in row), file=file)


def glassrank(folder, prefix, *options):
    def run(number_of_run):
        begin = time.perf_counter()
        subprocess.run(
            [PROGRAM, "train", "--train", folder / f"{prefix}train.csv", "--valid", folder / f"{prefix}valid.csv",
             "--num-trees", str(TREES), "--patience", str(PATIENCE), "--num-leaves", str(LEAVES),
             "--learning-rate", str(RATE), "--min-leaf-rows", str(MIN_ROWS), "--threads", "1", "--quiet",
             "--out", folder / "model.txt", *options], check=True, capture_output=True)  # fmt: skip
        seconds = time.perf_counter() - begin
        done = subprocess.run([PROGRAM, "predict", "--model", folder / "model.txt", "--data",
                               folder / f"{prefix}test.csv", "--json"], check=True, capture_output=True)  # fmt: skip
        return np.array(json.loads(done.stdout)["scores"]), seconds

    return run


def lightgbm_run(parts, categorical):
    import lightgbm

    def run(number_of_run):
        train, valid, test = parts
        begin = time.perf_counter()
        columns = [train["names"].index(name) for name in CATEGORICAL] if categorical else []
        data = lightgbm.Dataset(train["rows"], train["grades"], group=train["sizes"], categorical_feature=columns)
        booster = lightgbm.train(
            {"objective": "lambdarank", "metric": "ndcg", "eval_at": [10], "num_leaves": LEAVES,
             "learning_rate": RATE, "min_data_in_leaf": MIN_ROWS, "num_threads": 1, "verbose": -1},
            data, TREES, [lightgbm.Dataset(valid["rows"], valid["grades"], group=valid["sizes"], reference=data)],
            callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)])  # fmt: skip
        seconds = time.perf_counter() - begin
        return booster.predict(test["rows"]), seconds

    return run


def catboost_run(parts):
    import catboost

    def run(number_of_run):
        columns = [parts[0]["names"].index(name) for name in CATEGORICAL]

        def pool(part):
            rows = [[int(v) if c in columns else v for c, v in enumerate(row)] for row in part["rows"]]
            return catboost.Pool(rows, part["grades"], group_id=part["queries"], cat_features=columns)

        train, valid, test = map(pool, parts)
        begin = time.perf_counter()
        model = catboost.CatBoost({
            "loss_function": "YetiRank", "eval_metric": "NDCG:top=10", "iterations": TREES, "learning_rate": RATE,
            "od_type": "Iter", "od_wait": PATIENCE, "thread_count": 1, "verbose": False, "allow_writing_files": False,
        })  # fmt: skip
        model.fit(train, eval_set=valid)
        seconds = time.perf_counter() - begin
        return model.predict(test), seconds

    return run


def ndcg(part, scores, k=10):
    values = []
    for query in np.unique(part["queries"]):
        own = part["queries"] == query
        gains = 2 ** part["grades"][own] - 1
        discount = 1 / np.log2(np.arange(2, k + 2))
        best = np.sort(gains)[::-1][:k]
        order = np.argsort(-scores[own], kind="stable")[:k]
        ideal = (best * discount[: len(best)]).sum()
        values.append((gains[order] * discount[: len(order)]).sum() / ideal if ideal > 0 else 1)
    return statistics.mean(values)


def learners(folder):
    parts = [read(folder / f"{name}.csv") for name in ("train", "valid", "test")]
    encode(parts)
    for name, part in zip(("train", "valid", "test"), parts):
        write_numbers(folder / f"numbers-{name}.csv", part)
    return parts[2], {
        "glassrank": glassrank(folder, "", "--read.categorical", ",".join(CATEGORICAL)),
        "glassrank, full": glassrank(folder, "", "--read.categorical", ",".join(CATEGORICAL), "--precision", "full"),
        "glassrank, numbers": glassrank(folder, "numbers-"),
        "LightGBM": lightgbm_run(parts, True),
        "LightGBM, numbers": lightgbm_run(parts, False),
        "CatBoost (YetiRank)": catboost_run(parts),
    }


def main(times=False) -> str:
    found = {}
    for seed in SEEDS[:1] if times else SEEDS:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            subprocess.run([PROGRAM, "data", "synth", "--scenario", "categories", "--categories.queries", str(QUERIES),
                            "--seed", str(seed), "--out", folder], check=True, capture_output=True)  # fmt: skip
            test, runs = learners(folder)
            for _ in range(3 if times else 1):
                for learner, run in runs.items():
                    scores, seconds = run(0)
                    found.setdefault(learner, []).append(seconds if times else ndcg(test, scores))
    if times:
        lines = ["| learner | seconds | spread |", "|---|---|---|"]
        lines += [f"| {name} | {min(s):.2f} | {max(s) - min(s):.2f} |" for name, s in found.items()]
    else:
        lines = [f"NDCG@10 on the test part, {QUERIES} queries of 25 offers in all, seeds {', '.join(map(str, SEEDS))}.",
                 "", "| learner | mean | " + " | ".join(f"seed {seed}" for seed in SEEDS) + " |",
                 "|---|---|" + "---|" * len(SEEDS)]  # fmt: skip
        for name, values in found.items():
            lines.append(f"| {name} | {statistics.mean(values):.4f} | " + " | ".join(f"{v:.4f}" for v in values) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(main("--times" in sys.argv[1:]))
