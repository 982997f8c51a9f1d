"""The order of the ILMART paper's Table 1 on real data: ILMART_i above EBM_i above Neural RankGAM on NDCG@10.
Beside them, with our settings, the black box and an EBM_i that learns to rank.

Five folds of each data set. In every fold each system tries its settings (GRID) with one seed, and the one with the
best NDCG@10 on that fold's validation data is trained with all SEEDS and meets the test data, once. Test queries of
the five folds are all queries of the data, each once: p values are over them, a query's value is its mean over seeds.

A data set is a folder with S1 to S5 (LETOR: fold i trains on three, validates and tests on the next two), or with
train, test and perhaps valid or vali files, which are joined and cut into five folds by query; .txt, .txt.gz or
.txt.zst, or .qid.txt for LightGBM's example with its queries written into the rows.
Folds run side by side, one thread each. What a system gave in a fold is kept in a file of the fold, RESULT: a run that
was cut short goes on there, and only what has changed in the settings is trained again (delete WORK when the program
has changed).
There are two sets of settings: GRID, ours, and PAPER_GRID, what the paper and its program tried.
A small data set depends much on how it is cut: report_cuts cuts it anew CUTS times, with the same settings.
To add a setting: one line in GRID.
"""
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "bench" / "glassbox_order"
GLASSRANK = ROOT / "build" / "glassrank"
NUM_FOLDS = 5
SEEDS = (1, 2, 3)
CUTS = range(2, 12)  # seeds of the cuts; 1 is the one of `report`
QUIET = ["--no-train-metric", "--quiet", "--json", "--threads", "1"]
RESULT = "result_{}{}.json"
ENDINGS = ("txt", "txt.gz", "txt.zst")

ILMART = "--method ilmart --num-trees 5000 --min-leaf-rows 50 --patience 100 --stop-on bag"
PAPER = f"{ILMART} --num-leaves 32 --learning-rate 0.1 --pair-truncation 10 --num-interactions 50"
SMALL = f"{ILMART} --num-leaves 3 --learning-rate 0.05 --pair-selection fast"
PAIRS = "--num-interactions 50 --interaction-leaves 6"
SAMPLED = "--sample queries --sample.fraction 0.5 --feature-fraction 0.3"
EBM = "--method ebm --bags"
EBM_RANKING = "--objective lambdarank"
LAMBDAMART = "--num-trees 2000 --min-leaf-rows 50 --patience 100"
RANKGAM = "--method rankgam --batch-queries 8 --max-epochs 60 --patience 20"
# System -> setting -> options of `glassrank train` besides files and seed. The first of ILMART is in the paper's grid,
# with the authors' other options; like all of ILMART here, and EBM but for one setting, it is stopped by queries held
# out of the training data: a model stopped by the validation data looks better on them than it is, and would be
# chosen for that. EBM with 5, 10 and 15 bags is the paper's. Batches of RankGAM are smaller than the paper's 128
# queries: these data sets have 60 to 1000 for training. Its first rate is the paper's.
GRID = {
    "ilmart_i": {
        "paper": PAPER,
        "paper, 8 bags": f"{PAPER} --bags 8",
        "8 bags": f"{SMALL} {PAIRS} --bags 8",
        "8 bags, sampled": f"{SMALL} {PAIRS} {SAMPLED} --bags 8",
        "16 bags, sampled": f"{SMALL} {PAIRS} {SAMPLED} --bags 16",
        "8 bags, sampled, 20 pairs": f"{SMALL} --num-interactions 20 --interaction-leaves 4 {SAMPLED} --bags 8",
        "8 bags of two thirds, sampled": f"{SMALL} {PAIRS} {SAMPLED} --bags 8 --valid-share 0.33",
    },
    "ebm_i": {
        "5 bags": f"{EBM} 5 --num-interactions 50",
        "10 bags": f"{EBM} 10 --num-interactions 50",
        "15 bags": f"{EBM} 15 --num-interactions 50",
        "20 pairs": f"{EBM} 10 --num-interactions 20",
        "stopped by valid": f"{EBM} 10 --num-interactions 50 --stop-on valid",
        "leaves of 50": f"{EBM} 10 --num-interactions 50 --min-leaf-rows 50",
        "20 pairs, leaves of 50": f"{EBM} 10 --num-interactions 20 --min-leaf-rows 50",
    },
    "rankgam": {"rate 0.05": RANKGAM, "rate 0.2": f"{RANKGAM} --learning-rate 0.2"},
    "ebm_i, ranking": {
        "10 bags": f"{EBM} 10 --num-interactions 50 {EBM_RANKING}",
        "20 pairs": f"{EBM} 10 --num-interactions 20 {EBM_RANKING}",
        "leaves of 50": f"{EBM} 10 --num-interactions 50 --min-leaf-rows 50 {EBM_RANKING}",
    },
    "lambdamart": {
        "32 leaves": f"{LAMBDAMART} --num-leaves 32 --learning-rate 0.05",
        "8 leaves": f"{LAMBDAMART} --num-leaves 8 --learning-rate 0.05",
        "32 leaves, sampled": f"{LAMBDAMART} --num-leaves 32 --learning-rate 0.05 {SAMPLED}",
        "8 leaves, sampled": f"{LAMBDAMART} --num-leaves 8 --learning-rate 0.05 {SAMPLED}",
        "8 leaves, sampled, rate 0.02": f"{LAMBDAMART} --num-leaves 8 --learning-rate 0.02 {SAMPLED}",
    },
    "lambdamart, mean of 8": {
        "32 leaves, sampled": f"{LAMBDAMART} --num-leaves 32 --learning-rate 0.05 {SAMPLED}",
        "8 leaves, sampled": f"{LAMBDAMART} --num-leaves 8 --learning-rate 0.05 {SAMPLED}",
    },
}
# Glass boxes have bags of their own. These are models of other seeds, whose scores are averaged.
NUM_MODELS = {"lambdamart, mean of 8": 8}
# The grid of the authors' program for ILMART, 2000 trees stopped by the validation data; EBM stopped by rows of the
# training data, whatever their query; RankGAM as it is by default. Pairs are chosen as the paper has it.
AUTHORS = "--method ilmart --num-trees 2000 --min-leaf-rows 50 --min-leaf-hessian 0 --patience 100 --pair-truncation 10"
PAPER_GRID = {
    "ilmart_i": {
        f"{leaves} leaves, rate {rate}": f"{AUTHORS} --num-interactions 50 --num-leaves {leaves} --learning-rate {rate}"
        for rate in (0.001, 0.01, 0.1)
        for leaves in (32, 64, 128)
    },
    "ebm_i": {f"{bags} bags": f"{EBM} {bags} --num-interactions 50 --split row" for bags in (5, 10, 15)},
    "rankgam": {"paper": "--method rankgam"},
}
GRIDS = {"": GRID, "paper_": PAPER_GRID}
PAIRS_COMPARED = (
    *[("ilmart_i", "ebm_i"), ("ebm_i", "rankgam"), ("ilmart_i", "rankgam")],
    *[("ilmart_i", "ebm_i, ranking"), ("ebm_i, ranking", "rankgam"), ("ebm_i, ranking", "ebm_i")],
    *[("lambdamart", "ilmart_i"), ("lambdamart", "ebm_i"), ("lambdamart", "rankgam")],
    *[("lambdamart, mean of 8", "ilmart_i"), ("lambdamart, mean of 8", "ebm_i")],
)


def glassrank(*arguments) -> str:
    done = subprocess.run([str(GLASSRANK), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"glassrank {' '.join(map(str, arguments))}\n{done.stderr}")
    return done.stdout


def find(folder: pathlib.Path, *names: str) -> pathlib.Path | None:
    paths = [folder / f"{name}.{ending}" for name in names for ending in ENDINGS]
    return next((path for path in paths if path.exists()), None)


def join(paths: list, out: pathlib.Path) -> pathlib.Path:
    """Packed files may be joined as they are: gzip and zstd files are sequences of frames."""
    ending = next(ending for ending in ENDINGS if paths[0].name.endswith(f".{ending}"))
    out = out.with_name(f"{out.name}.{ending}")
    out.write_bytes(b"".join(path.read_bytes() for path in paths))
    return out


def cache(source: pathlib.Path, fold: pathlib.Path, part: str):
    glassrank("data", "cache", source, "--out", fold / f"{part}.cache", "--quiet")
    source.unlink()


def data_name(folder: pathlib.Path) -> str:
    """Of mq2007/Fold1: mq2007."""
    folder = folder.resolve()
    return folder.parent.name if folder.name.startswith("Fold") else folder.name


def make_folds(folder: pathlib.Path, cut: int = 1) -> list:
    """Folders with train, valid and test.cache."""
    work = WORK / data_name(folder) / (f"cut{cut}" if cut > 1 else "")
    folds = [work / f"Fold{number + 1}" for number in range(NUM_FOLDS)]
    if (folds[-1] / "test.cache").exists():
        return folds
    for fold in folds:
        fold.mkdir(parents=True, exist_ok=True)
    parts = [find(folder, f"S{number + 1}") for number in range(NUM_FOLDS)]
    if all(parts) and cut == 1:
        for number, fold in enumerate(folds):
            turned = parts[number:] + parts[:number]
            for part, paths in (("train", turned[:3]), ("valid", turned[3:4]), ("test", turned[4:])):
                cache(join(paths, fold / part), fold, part)
        return folds
    files = [find(folder, "train", "train.qid"), find(folder, "valid", "vali"), find(folder, "test", "test.qid")]
    files = parts if all(parts) else files
    if not files[0] or not files[2]:
        raise SystemExit(f"{folder}: neither S1 to S5 nor train and test files")
    whole = join([path for path in files if path], work / "all")
    glassrank("data", "split", "--data", whole, "--folds", NUM_FOLDS, "--seed", cut, "--out", work, "--quiet")
    whole.unlink()
    for fold in folds:
        for part in ("train", "valid", "test"):
            cache(fold / f"{part}.txt", fold, part)
    return folds


def ndcg(models: list, fold: pathlib.Path, part: str) -> dict:
    """Query -> NDCG@10 of the mean score. The last line of the file is the mean, of the query "all"."""
    data, scores, values = fold / f"{part}.cache", fold / "scores.txt", fold / "values.tsv"
    of_models = [glassrank("predict", "--model", model, "--data", data, "--quiet").split() for model in models]
    means = [statistics.fmean(map(float, row)) for row in zip(*of_models)]
    scores.write_text("".join(f"{mean!r}\n" for mean in means))
    arguments = ["--scores", scores, "--data", data, "--metric", "ndcg@10", "--per-query", values]
    glassrank("evaluate", *arguments, "--quiet")
    lines = [line.split("\t") for line in values.read_text().splitlines()]
    return {query: float(value) for _, query, value in lines if query != "all"}


def train(fold: pathlib.Path, seed: int, options: str, name: str, num_models: int) -> list:
    """The files of the models."""
    models = [fold / f"{name}_{number}.txt" for number in range(num_models)]
    for number, model in enumerate(models):
        files = ["--train", fold / "train.cache", "--valid", fold / "valid.cache", "--out", model]
        glassrank("train", *files, *options.split(), *QUIET, "--seed", seed + 1000 * number)
    return models


def choose(fold: pathlib.Path, settings: dict, num_models: int) -> tuple[str, float, list]:
    """The setting with the best NDCG@10 on the validation data (the first of equal ones), that, and its models."""
    found = []
    for number, (name, options) in enumerate(settings.items()):
        models = train(fold, SEEDS[0], options, f"setting{number}", num_models)
        found.append((name, statistics.mean(ndcg(models, fold, "valid").values()), models))
        print(f"  {fold.parent.name} {fold.name}, {name}: valid {found[-1][1]:.4f}", file=sys.stderr, flush=True)
    return max(found, key=lambda each: each[1])


def run_fold(fold: pathlib.Path, grid: str, system: str, seeds: tuple = SEEDS) -> dict:
    settings = GRIDS[grid][system]
    kept = fold / RESULT.format(grid, system)
    if kept.exists() and (known := json.loads(kept.read_text()))["grid"] == settings:
        return known
    num_models = NUM_MODELS.get(system, 1)
    name, valid, models = choose(fold, settings, num_models)
    tests = [ndcg(models, fold, "test")]
    for seed in seeds[1:]:
        tests.append(ndcg(train(fold, seed, settings[name], "model", num_models), fold, "test"))
    values = {query: statistics.mean(test[query] for test in tests) for query in tests[0]}
    means = [statistics.mean(test.values()) for test in tests]
    text = f"{name}, test {statistics.mean(means):.4f}"
    print(f"  {fold.parent.name} {fold.name} {system}: {text}", file=sys.stderr, flush=True)
    result = {"setting": name, "valid": valid, "tests": means, "values": values, "grid": settings}
    kept.write_text(json.dumps(result))
    return result


def run_folds(folds: list, grid: str, system: str, seeds: tuple = SEEDS) -> list:
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(lambda fold: run_fold(fold, grid, system, seeds), folds))


def p_value(first: dict, second: dict) -> float:
    """Fisher's two-sided p of two systems whose metric is `first` and `second`, by query."""
    WORK.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, values in (("a", first), ("b", second)):
        paths.append(WORK / f"compare_{name}.tsv")
        paths[-1].write_text("".join(f"ndcg@10\t{query}\t{value}\n" for query, value in values.items()))
    found = json.loads(glassrank("compare", "--per-query", paths[0], "--per-query", paths[1], "--json", "--quiet"))
    return found["metrics"][0]["pairs"][0]["p"]


def rows(name: str, system: str, folds: list) -> str:
    tests = [statistics.mean(fold["tests"]) for fold in folds]
    by_seed = [statistics.mean(fold["tests"][i] for fold in folds) for i in range(len(SEEDS))]
    chosen = "; ".join(fold["setting"] for fold in folds)
    return (
        f"| {name} | {system} | {statistics.mean(fold['valid'] for fold in folds):.4f} | {statistics.mean(tests):.4f} "
        f"| {min(by_seed):.4f} to {max(by_seed):.4f} | {min(tests):.4f} to {max(tests):.4f} | {chosen} |"
    )


def by_query(folds: list) -> dict:
    """The test queries of all folds: all queries of the data, each once."""
    values = {query: value for fold in folds for query, value in fold["values"].items()}
    if len(values) != sum(len(fold["values"]) for fold in folds):
        raise SystemExit("two queries of the data have the same name")
    return values


def difference(better: dict, worse: dict) -> str:
    gains = [value - worse[query] for query, value in better.items()]
    error = statistics.stdev(gains) / len(gains) ** 0.5
    return f"{statistics.mean(gains):+.4f} ± {error:.4f} (p = {p_value(better, worse):.2g})"


def differences(found: dict) -> list:
    """A table. `found`: data -> system -> query -> value."""
    sizes = {name: len(next(iter(systems.values()))) for name, systems in found.items()}
    lines = [
        "| difference | " + " | ".join(f"{name} ({size} queries)" for name, size in sizes.items()) + " |",
        "|---|" + "---|" * len(found),
    ]
    systems = set.intersection(*map(set, found.values()))
    for better, worse in PAIRS_COMPARED:
        if better in systems and worse in systems:
            cells = [difference(each[better], each[worse]) for each in found.values()]
            lines.append(f"| {better} - {worse} | " + " | ".join(cells) + " |")
    return lines


def report(folders: list, grid: str = "") -> str:
    lines = [
        "## Order on real data" + (", the paper's settings" if grid else ""),
        "",
        f"NDCG@10 (queries without relevant documents count 1), mean of {NUM_FOLDS} folds. Each fold chooses among the "
        f"settings below by its validation data; test with seeds {', '.join(map(str, SEEDS))}. p: Fisher randomisation, "
        "two-sided, over the test queries of all folds, a query's value being its mean over seeds; ±: standard error.",
        "",
        *[
            f"- {system}, {name}: `{options}`"
            for system, settings in GRIDS[grid].items()
            for name, options in settings.items()
        ],
        "",
        "| data | system | valid | test | of seeds | of folds | chosen in folds 1 to 5 |",
        "|---|---|---|---|---|---|---|",
    ]
    pooled = {}
    for folder in folders:
        folds = make_folds(folder)
        found = {system: run_folds(folds, grid, system) for system in GRIDS[grid]}
        name = folds[0].parent.name
        lines += [rows(name, system, results) for system, results in found.items()]
        pooled[name] = {system: by_query(results) for system, results in found.items()}
    return "\n".join([*lines, "", *differences(pooled)])


def report_cuts(folders: list) -> str:
    """One seed of every setting for each cut."""
    lines = [
        "## Order on real data, cut anew",
        "",
        f"The same settings on {len(CUTS)} other cuts into folds (seeds {CUTS[0]} to {CUTS[-1]}), each trained with one "
        "seed. A query's value is its mean over the cuts.",
        "",
        "| data | system | test | of cuts |",
        "|---|---|---|---|",
    ]
    pooled = {}
    for folder in folders:
        name = data_name(folder)
        pooled[name] = {}
        for system in GRID:
            cuts = [by_query(run_folds(make_folds(folder, cut), "", system, SEEDS[:1])) for cut in CUTS]
            means = [statistics.mean(values.values()) for values in cuts]
            pooled[name][system] = {query: statistics.mean(values[query] for values in cuts) for query in cuts[0]}
            lines.append(
                f"| {name} | {system} | {statistics.mean(means):.4f} | {min(means):.4f} to {max(means):.4f} |"
            )
    return "\n".join([*lines, "", *differences(pooled)])
