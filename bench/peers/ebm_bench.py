"""EBM against interpret: training time and NDCG@10 with the same data, bags and settings.

Settings are those of interpret 0.2.7 on both sides: 8 bags, 15 % of the queries held out, 256 and 32 bins, learning
rate 0.01, 3 leaves, at most 5000 rounds, patience 50. Today's interpret gets its own bags by query through `bags`; the
queries are drawn on either side, so the models differ by chance as two seeds do. Times are of training alone on all
cores, data in memory; interpret's includes starting its worker processes once.
Data: synthetic, the shape of MSLR, and any folders with train.txt and test.txt in GLASSRANK_DATA (colon-separated).
"""
import json
import os
import pathlib
import statistics
import subprocess
import time
import warnings

import measure
import numpy as np
from sklearn.datasets import load_svmlight_file

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "bench"
GLASSRANK = ROOT / "build" / "glassrank"
SEEDS = range(3)
INTERACTIONS = (0, 20)
SHAPE = ["--shape", "mslr", "--queries", "600", "--documents-per-query", "60", "--features", "40"]


def glassrank(*arguments) -> str:
    done = subprocess.run([str(GLASSRANK), *map(str, arguments)], check=True, capture_output=True, text=True)
    return done.stdout


def synthetic() -> pathlib.Path:
    folder = WORK / "ebm"
    if not (folder / "test.txt").exists():
        folder.mkdir(parents=True, exist_ok=True)
        glassrank("data", "synth", *SHAPE, "--seed", 1, "--out", folder / "all.txt")
        glassrank("data", "split", "--data", folder / "all.txt", "--fractions", "0.5,0.1,0.4", "--out", folder)
    return folder


def folders() -> list:
    given = [pathlib.Path(name) for name in os.environ.get("GLASSRANK_DATA", "").split(":") if name]
    return [synthetic(), *given]


def name_of(folder: pathlib.Path) -> str:
    if folder == WORK / "ebm":
        return "synthetic"
    return folder.parent.name if folder.name.startswith("Fold") else folder.name


def load(path: pathlib.Path, num_features=None):
    values, grades, queries = load_svmlight_file(str(path), n_features=num_features, query_id=True, zero_based=False)
    return np.asarray(values.todense(), np.float32), grades, queries


def ndcg(grades, scores, queries, cutoff=10) -> float:
    found = []
    for query in np.unique(queries):
        mine = queries == query
        gains = 2.0 ** grades[mine] - 1
        discounts = 1 / np.log2(np.arange(2, 2 + min(cutoff, len(gains))))
        ideal = np.sort(gains)[::-1][:cutoff] @ discounts
        ranked = gains[np.argsort(-scores[mine], kind="stable")][:cutoff] @ discounts
        found.append(ranked / ideal if ideal > 0 else 1.0)
    return float(np.mean(found))


def bags_of(queries, seed, count=8, share=0.15):
    random = np.random.default_rng(seed)
    names = np.unique(queries)
    held_out = [random.permutation(names)[: round(len(names) * share)] for _ in range(count)]
    return np.stack([np.where(np.isin(queries, bag), -1, 1) for bag in held_out], axis=1).astype(np.int8)


def run_interpret(train, test, interactions, seed):
    from interpret.glassbox import ExplainableBoostingRegressor

    values, grades, queries = train
    model = ExplainableBoostingRegressor(
        feature_types=["continuous"] * values.shape[1], max_bins=256, max_interaction_bins=32,
        interactions=interactions, outer_bags=8, inner_bags=0, learning_rate=0.01, greedy_ratio=0, cyclic_progress=True,
        smoothing_rounds=0, interaction_smoothing_rounds=0, max_rounds=5000, early_stopping_rounds=50,
        early_stopping_tolerance=1e-4, min_samples_leaf=2, max_leaves=3, gain_scale=1.0, n_jobs=-1, random_state=seed)
    bags = bags_of(queries, seed)
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(values, grades, bags=bags)
    seconds = time.perf_counter() - started
    return seconds, ndcg(test[1], model.predict(test[0]), test[2])


def run_ours(folder, interactions, seed):
    model = WORK / "ebm_model.txt"
    started = time.perf_counter()
    glassrank("train", "--method", "ebm", "--train", folder / "train.txt", "--num-interactions", interactions,
              "--seed", seed, "--quiet", "--out", model)
    seconds = time.perf_counter() - started
    text = glassrank("evaluate", "--model", model, "--data", folder / "test.txt", "--metric", "ndcg@10", "--json")
    return seconds, json.loads(text)["metrics"][0]["mean"]


def main() -> str:
    lines = ["# EBM: training time and quality beside interpret", "", __doc__.split("\n\n", 1)[1].strip(), "",
             "Ours is the whole program, reading text and writing the model; means over seeds, NDCG@10 on test data.",
             "", "| data | pairs | ours s | interpret s | ours is faster by | range | ours | interpret | difference |",
             "|---|---|---|---|---|---|---|---|---|"]
    for folder in folders():
        train = load(folder / "train.txt")
        test = load(folder / "test.txt", train[0].shape[1])
        for interactions in INTERACTIONS:
            ours, theirs = [], []
            for seed in SEEDS:
                ours.append(run_ours(folder, interactions, seed))
                theirs.append(run_interpret(train, test, interactions, seed))
            ratios = [t[0] / o[0] for o, t in zip(ours, theirs)]
            mine, peer = (statistics.mean(v[1] for v in values) for values in (ours, theirs))
            lines.append(
                f"| {name_of(folder)} ({len(train[1]):,} rows, {train[0].shape[1]} features) | {interactions} "
                f"| {statistics.median(v[0] for v in ours):.2f} | {statistics.median(v[0] for v in theirs):.2f} "
                f"| {statistics.median(ratios):.1f}x | {min(ratios):.1f}x to {max(ratios):.1f}x | {mine:.4f} | {peer:.4f} | {mine - peer:+.4f} |")
            print(lines[-1], flush=True)
    lines += ["", measure.machine()]
    return "\n".join(lines)
