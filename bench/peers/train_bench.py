"""Training LambdaMART on MSLR-shaped data: ours with all rows and with a share of active rows against peers.

Same rows, 255 bins, leaves, learning rate, threads and rounds; one test set for all. Times are per tree,
without reading and binning. Parts: speed, shapes, threads, quality, long, memory, and real for
folders of folds in GLASSRANK_FOLDS; `run.py train` measures them all,
`python bench/peers/train_bench.py PART ...` those named, and puts them into the results beside the others.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys

import ebm_bench
import measure
import numpy
import read_bench

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "bench"
PROGRAMS = ROOT / "build-bench"
QUERIES = 7777  # three quarters of them train: about 700,000 rows
THREADS = 2
QUANTISED = {"use_quantized_grad": True, "num_grad_quant_bins": 16}


def make_data(queries: int) -> tuple[str, str]:
    """Prefixes of the training and the test set: PREFIX.cache for us, PREFIX.features and so on for peers."""
    folder = WORK / f"train_{queries}"
    if not (folder / "test.features").exists():
        folder.mkdir(parents=True, exist_ok=True)
        glassrank = ROOT / "build" / "glassrank"
        whole = folder / "all.txt"
        synth = ["data", "synth", "--shape", "mslr", "--queries", str(queries), "--seed", "1", "--out", whole]
        split = ["data", "split", "--data", whole, "--fractions", "0.75,0.25", "--seed", "1", "--out", folder]
        for command in (synth, split):
            subprocess.run([glassrank, *command], check=True, capture_output=True)
        for name in ("train", "test"):
            cache = ["data", "cache", folder / f"{name}.txt", "--out", folder / f"{name}.cache"]
            subprocess.run([glassrank, *cache], check=True, capture_output=True)
            subprocess.run([PROGRAMS / "dump_program", folder / f"{name}.cache", folder / name], check=True)
            (folder / f"{name}.txt").unlink()
        whole.unlink()
    return str(folder / "train"), str(folder / "test")


def ours(data, trees, threads=THREADS, **params):
    settings = [f"{name}={value}" for name, value in params.items()]
    train, test = data
    return measure.run_json(
        [PROGRAMS / "train_program", f"{train}.cache", f"{test}.cache", threads, f"num_trees={trees}", *settings]
    )


def peer(name, data, trees, threads=THREADS, **params):
    script = pathlib.Path(__file__).with_name("train_peers.py")
    return measure.run_json([sys.executable, script, name, *data, threads, trees, json.dumps(params)])


def interleaved(contenders: dict, rounds: int) -> dict:
    """name -> results, one a round."""
    results = {name: [] for name in contenders}
    for number in range(rounds):
        for name, run in contenders.items():
            results[name].append(run())
            took = results[name][-1]["ms_per_tree"]
            print(f"  round {number + 1}/{rounds} {name}: {took:.1f} ms", file=sys.stderr, flush=True)
    return results


def times(results: dict) -> dict:
    return {name: [r["ms_per_tree"] for r in rounds] for name, rounds in results.items()}


def ratio(results: dict, mine: str, other: str) -> str:
    middle, low, high = measure.ratios(times(results), mine, other)
    return f"{middle:.1f}x ({low:.1f} to {high:.1f})"


def speed_part() -> str:
    data, trees, rounds = make_data(QUERIES), 20, 5
    results = interleaved(
        {
            "glassrank all": lambda: ours(data, trees, active="all"),
            "glassrank share": lambda: ours(data, trees, active="share"),
            "lightgbm": lambda: peer("lightgbm", data, trees),
            "lightgbm quantised": lambda: peer("lightgbm", data, trees, **QUANTISED),
            "xgboost": lambda: peer("xgboost", data, trees),
            "catboost": lambda: peer("catboost", data, trees),
        },
        rounds,
    )
    lines = [f"64 leaves, {trees} trees, {THREADS} threads, {rounds} interleaved rounds.", ""]
    lines += ["| contender | ms per tree | range | against all rows | against a share | peak MB |", "|---" * 6 + "|"]
    for name, rounds_of in results.items():
        own = times(results)[name]
        theirs = name if not name.startswith("glassrank") else None
        lines.append(
            f"| {name} | {statistics.median(own):.1f} | {min(own):.1f} to {max(own):.1f} "
            + f"| {ratio(results, 'glassrank all', theirs) if theirs else ''} "
            + f"| {ratio(results, 'glassrank share', theirs) if theirs else ''} "
            + f"| {max(r['peak_mb'] for r in rounds_of):.0f} |"
        )
    parts = ["gradients", "quantise", "histograms", "splits", "partition", "leaf_values"]
    lines += ["", "| ms per tree (median) | " + " | ".join(parts) + " |", "|---" * (len(parts) + 1) + "|"]
    for name in ("glassrank all", "glassrank share"):
        middles = [statistics.median(r[part] for r in results[name]) for part in parts]
        lines.append(f"| {name} | " + " | ".join(f"{value:.1f}" for value in middles) + " |")
    return "\n".join(lines)


def shapes_part() -> str:
    rounds = 3
    lines = [f"Other shapes, {THREADS} threads, {rounds} interleaved rounds; ms per tree (median).", ""]
    lines += ["| shape | glassrank all | glassrank share | lightgbm | all rows faster by | share faster by |"]
    lines.append("|---" * 6 + "|")
    for name, queries, leaves, trees in [
        ("255 leaves", QUERIES, 255, 10),
        ("400 leaves", QUERIES, 400, 10),
        ("a tenth of the rows", QUERIES // 10, 64, 60),
    ]:
        data = make_data(queries)
        results = interleaved(
            {
                "all": lambda: ours(data, trees, active="all", num_leaves=leaves),
                "share": lambda: ours(data, trees, active="share", num_leaves=leaves),
                "lightgbm": lambda: peer("lightgbm", data, trees, num_leaves=leaves),
            },
            rounds,
        )
        middles = [f"{statistics.median(values):.1f}" for values in times(results).values()]
        ratios = [ratio(results, mine, "lightgbm") for mine in ("all", "share")]
        lines.append("| " + " | ".join([name, *middles, *ratios]) + " |")
    return "\n".join(lines)


def of_limit(limits: list, name: str, results: dict, updates: float, middle) -> str:
    """What an addition takes in histograms and by itself (`update_limit`)."""
    least = middle(one[name] for one in limits)
    taken = middle(one["histograms"] for one in results["all, 1"]) / updates
    return f"{taken:.2f} ns where `update_limit` takes {least:.2f} ({100 * least / taken:.0f} %)"


def threads_part() -> str:
    """Scaling with threads, and how near the histograms come to the limit of their additions."""
    data, trees, rounds = make_data(QUERIES), 20, 11
    limits = []

    def limit():
        limits.append(measure.run_json([PROGRAMS / "update_limit", THREADS]))
        return {"ms_per_tree": 1}

    results = interleaved(
        {
            "limit": limit,
            "all, 1": lambda: ours(data, trees, 1, active="all"),
            "all, 2": lambda: ours(data, trees, 2, active="all"),
            "share, 1": lambda: ours(data, trees, 1, active="share"),
            "share, 2": lambda: ours(data, trees, 2, active="share"),
        },
        rounds,
    )
    lines = [f"Two threads against one, {rounds} interleaved rounds: all rows {ratio(results, 'all, 2', 'all, 1')}, "]
    lines[0] += f"a share {ratio(results, 'share, 2', 'share, 1')}."
    updates = results["all, 1"][0]["updates_per_tree"] * 1e-6
    every = ours(data, trees, precision="full")["updates_per_tree"] * 1e-6
    shares = [
        middle(one[name] for one in limits) * every / middle(one["histograms"] for one in results["all, 1"])
        for name, middle in (("one", statistics.median), ("best", min))
    ]
    lines += [
        "",
        f"Histograms of all rows, one thread: {updates:.0f} million additions a tree, each "
        f"{of_limit(limits, 'one', results, updates, statistics.median)} by medians, "
        f"{of_limit(limits, 'best', results, updates, min)} in the quietest moments of both. Rows whose gradient and "
        f"hessian were rounded to 0 are not added; trees that add every row (`precision=full`, so not the same ones) "
        f"need {every:.0f} million, and the time `update_limit` would take for those is {100 * shares[0]:.0f} % and "
        f"{100 * shares[1]:.0f} % of ours.",
    ]
    return "\n".join(lines)


def quality_part(trees: int = 100) -> str:
    data = make_data(QUERIES)
    lines = [f"Test NDCG@10 of {trees} trees, 64 leaves, learning rate 0.1; ours over 5 seeds, the others draw nothing.", ""]
    lines += ["| contender | NDCG@10 | range |", "|---|---|---|"]
    for active in ("all", "share"):
        values = [ours(data, trees, active=active, seed=seed)["ndcg@10"] for seed in range(1, 6)]
        lines.append(f"| glassrank {active} | {statistics.mean(values):.4f} | {min(values):.4f} to {max(values):.4f} |")
    for name, contender, extra in [
        ("lightgbm", "lightgbm", {}),
        ("lightgbm quantised", "lightgbm", QUANTISED),
        ("xgboost", "xgboost", {}),
    ]:
        lines.append(f"| {name} | {peer(contender, data, trees, **extra)['ndcg@10']:.4f} | |")
    return "\n".join(lines)


def long_part() -> str:
    return quality_part(600)


def real_part() -> str:
    """Folders of folds (Fold1/train.txt and test.txt, ...) that GLASSRANK_FOLDS names, colon-separated."""
    import lightgbm

    lines = ["Real data, test NDCG@10 of 100 trees of 31 leaves, learning rate 0.1, the same bins and truncation; mean over "
             "the folds, ours over 5 seeds (range of the means). LightGBM draws nothing.", ""]
    lines += ["| data | folds | lightgbm | glassrank all | glassrank share | glassrank full |", "|---" * 6 + "|"]
    for folder in (pathlib.Path(name) for name in os.environ["GLASSRANK_FOLDS"].split(":")):
        folds = sorted(folder.glob("Fold*"))
        peers, mine = [], {name: [[] for _ in range(5)] for name in ("all", "share", "full")}
        for fold in folds:
            values, grades, queries = ebm_bench.load(fold / "train.txt")
            test = ebm_bench.load(fold / "test.txt", values.shape[1])
            sizes = numpy.diff(numpy.flatnonzero(numpy.r_[True, queries[1:] != queries[:-1], True]))
            model = lightgbm.train(
                {"objective": "lambdarank", "num_leaves": 31, "learning_rate": 0.1, "deterministic": True, "verbose": -1},
                lightgbm.Dataset(values, grades, group=sizes), 100)
            peers.append(ebm_bench.ndcg(test[1], model.predict(test[0]), test[2]))
            for name, seeds in mine.items():
                how = ["--precision", "full"] if name == "full" else ["--active", name]
                for seed, found in enumerate(seeds):
                    out = WORK / "real_model.txt"
                    ebm_bench.glassrank("train", "--train", fold / "train.txt", *how, "--seed", seed, "--quiet", "--out", out)
                    text = ebm_bench.glassrank("evaluate", "--model", out, "--data", fold / "test.txt", "--metric", "ndcg@10",
                                               "--convention", "lightgbm", "--json")
                    found.append(json.loads(text)["metrics"][0]["mean"])
        cells = []
        for seeds in mine.values():
            means = [statistics.mean(found) for found in seeds]
            cells.append(f"{statistics.mean(means):.4f} ({min(means):.4f} to {max(means):.4f})")
        lines.append(f"| {folder.name} | {len(folds)} | {statistics.mean(peers):.4f} | " + " | ".join(cells) + " |")
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


LIGHTGBM_FROM_TEXT = """
import lightgbm
def load(path, threads, trees):
    params = {"objective": "lambdarank", "num_leaves": 64, "num_threads": int(threads), "verbosity": -1}
    return lightgbm.train(params, lightgbm.Dataset(path, params=params), int(trees))
"""


def peak_of(command) -> float:
    """MB that a program had in memory at most."""
    child = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL)
    _, status, use = os.wait4(child.pid, 0)
    if status != 0:
        raise RuntimeError(f"{command[0]} ended with status {status}")
    return use.ru_maxrss / 1024


def memory_part(rows: int = 711_629, trees: int = 10) -> str:
    """Peak memory of a whole training from a text file, reading included. The rows are MSLR-WEB30K's."""
    text, plain = read_bench.make_data(rows)
    train = ["train", "--train", text, "--num-trees", trees, "--num-leaves", 64, "--threads", THREADS, "--quiet"]
    mine = peak_of([ROOT / "build" / "glassrank", *train, "--out", WORK / "memory_model.txt"])
    theirs = measure.python_seconds(LIGHTGBM_FROM_TEXT, plain, THREADS, trees)["peak_mb"]
    library = measure.python_seconds("import lightgbm\ndef load(): pass")["peak_mb"]
    matrix = rows * 136 * 4 / 2**20
    lines = [f"Peak memory of training from text: {rows:,} x 136, {text.stat().st_size / 1e6:.0f} MB, {trees} trees of 64 leaves.", ""]
    lines += ["| contender | peak MB | of the float matrix | of lightgbm |", "|---" * 4 + "|"]
    for name, peak in (("glassrank", mine), ("lightgbm", theirs)):
        lines.append(f"| {name} | {peak:.0f} | {peak / matrix:.2f} | {peak / theirs:.2f} |")
    return "\n".join([*lines, "", f"Of lightgbm's, {library:.0f} MB are Python and its import."])


PARTS = {
    "speed": speed_part,
    "shapes": shapes_part,
    "threads": threads_part,
    "quality": quality_part,
    "long": long_part,
    "memory": memory_part,
    "real": real_part,
}
USUAL = tuple(name for name in PARTS if name != "real" or "GLASSRANK_FOLDS" in os.environ)


def main(parts=USUAL) -> str:
    """The parts, measured now, among those measured before."""
    kept = {name: WORK / f"train_{name}.md" for name in PARTS}
    WORK.mkdir(parents=True, exist_ok=True)
    for name in parts:
        kept[name].write_text(f"{PARTS[name]()}\n\n({measure.machine()})")
    texts = [f"Training on {QUERIES * 3 // 4} MSLR-shaped queries x 136 features, 255 bins."]
    texts.append("`all` draws rows below half the mean gradient by chance, `share` most rows (docs/design/decisions.md, 13).")
    texts += [path.read_text() for path in kept.values() if path.exists()]
    return "\n\n".join(texts)


if __name__ == "__main__":
    text = main(tuple(sys.argv[1:]) or USUAL)
    measured = [name for name in PARTS if (WORK / f"train_{name}.md").exists()]
    command = " ".join(["build/venv/bin/python bench/peers/train_bench.py", *measured])
    (ROOT / "bench" / "results" / "train.md").write_text(f"<!-- {command} -->\n\n{text}\n")
