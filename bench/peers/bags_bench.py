"""The mean of eight LambdaMARTs against one model of each peer at equal training time: test NDCG@10, with p.

Five folds: three parts train, one validates, one tests, rotating. Every contender chooses its setting by the
validation part, out of the same grid of leaves and learning rates; XGBoost also chooses its least hessian of a leaf
(its default suits few data sets), and CatBoost between its symmetric trees and trees of our shape. Ours goes first; the
processor time of its chosen training, reading the files included, is what each peer may use for one training, of
which only its updates count. Peers stop early on the validation part, as ours does: they rarely use all of that time.
Time is of the processor, so that other work on the machine does not count.

    python bench/peers/bags_bench.py PART1 PART2 PART3 PART4 PART5     LETOR text, for example MQ2008's S1 to S5
    python bench/peers/bags_bench.py next PART1 ...                    one fold more, kept in build/bench

`run.py bags` uses synthetic parts of the MSLR's shape.
"""
import hashlib
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import measure
import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "glassrank"
THREADS = 2
BAGS = 8
TREES = 300
PATIENCE = 50
GRID = [(leaves, rate) for leaves in (8, 16, 31) for rate in (0.05, 0.1)]
SWAPS = 100_000
MIN_ROWS = 20
SYNTHETIC_ROWS = 60_000


def processor_seconds(who=resource.RUSAGE_SELF) -> float:
    use = resource.getrusage(who)
    return use.ru_utime + use.ru_stime


class Part:
    """Rows of a LETOR file as arrays; documents of a query stand together."""

    def __init__(self, files):
        texts = [line for file in files for line in open(file)]
        self.grades = numpy.zeros(len(texts), "f4")
        queries, cells = [], []
        for number, text in enumerate(texts):
            words = text.split("#")[0].split()
            self.grades[number] = float(words[0])
            queries.append(words[1])
            cells.append([word.split(":") for word in words[2:]])
        width = max(int(row[-1][0]) for row in cells)
        self.features = numpy.zeros((len(texts), width), "f4")
        for number, row in enumerate(cells):
            for feature, value in row:
                self.features[number, int(feature) - 1] = float(value)
        borders = [n for n in range(len(queries)) if n == 0 or queries[n] != queries[n - 1]]
        self.sizes = numpy.diff(borders + [len(queries)])

    def widened(self, width):
        short = width - self.features.shape[1]
        self.features = numpy.pad(self.features, ((0, 0), (0, max(short, 0))))[:, :width]
        return self


def ndcg_by_query(part, scores) -> numpy.ndarray:
    """NDCG@10 of every query; NaN without a relevant document."""
    discounts, values, begin = 1 / numpy.log2(numpy.arange(2, 12)), [], 0
    for size in part.sizes:
        gains = 2.0 ** part.grades[begin : begin + size] - 1
        best = numpy.sort(gains)[::-1][:10]
        found = gains[numpy.argsort(-scores[begin : begin + size], kind="stable")[:10]]
        ideal = (best * discounts[: len(best)]).sum()
        values.append((found * discounts[: len(found)]).sum() / ideal if ideal > 0 else numpy.nan)
        begin += size
    return numpy.array(values)


def p_of(difference, generator) -> float:
    """Fisher's randomisation test, two-sided."""
    own, extreme, done = abs(difference.mean()), 0, 0
    while done < SWAPS:
        signs = generator.integers(0, 2, (1000, len(difference))) * 2 - 1
        extreme += int((abs((signs * difference).mean(axis=1)) >= own - 1e-12).sum())
        done += 1000
    return (extreme + 1) / (done + 1)


def ours(files, bags, folder):
    """(validation NDCG@10, its processor seconds, scores of the test part) of the best setting."""
    best = None
    for leaves, rate in GRID:
        model = folder / "model.txt"
        command = [PROGRAM, "train", "--train", files["train"], "--valid", files["valid"], "--out", model]
        command += ["--num-trees", TREES, "--num-leaves", leaves, "--learning-rate", rate, "--patience", PATIENCE]
        command += ["--bags", bags, "--min-leaf-rows", MIN_ROWS, "--threads", THREADS, "--quiet", "--json"]
        before = processor_seconds(resource.RUSAGE_CHILDREN)
        subprocess.run(list(map(str, command)), check=True, capture_output=True)
        seconds = processor_seconds(resource.RUSAGE_CHILDREN) - before
        scores = {}
        for name in ("valid", "test"):
            predict = [PROGRAM, "predict", "--model", model, "--data", files[name], "--out", folder / "scores.txt"]
            subprocess.run(list(map(str, predict)), check=True, capture_output=True)
            scores[name] = numpy.loadtxt(folder / "scores.txt")
        valid = numpy.nanmean(ndcg_by_query(files["parts"]["valid"], scores["valid"]))
        if best is None or valid > best[0]:
            best = (valid, seconds, scores["test"], (leaves, rate))
    return best


def grow(update, predict, valid, budget):
    """Rounds until the time is used or patience ends; the number of rounds kept."""
    used, best, kept = 0.0, -1.0, 0
    for number in range(100_000):
        before = processor_seconds()
        update(number)
        used += processor_seconds() - before
        value = numpy.nanmean(ndcg_by_query(valid, predict(valid.features, number + 1)))
        if value > best:
            best, kept = value, number + 1
        if used > budget or number + 1 - kept >= PATIENCE:
            break
    return kept, best, used


def lightgbm(objective):
    def train(parts, leaves, rate, budget):
        import lightgbm

        params = {"objective": objective, "num_leaves": leaves, "learning_rate": rate, "verbosity": -1}
        params |= {"min_data_in_leaf": MIN_ROWS, "num_threads": THREADS, "max_bin": 255}
        train = parts["train"]
        data = lightgbm.Dataset(train.features, train.grades, group=train.sizes, params=params)
        booster = lightgbm.Booster(params, data)
        scores = {}

        def predict(rows, rounds):
            # Trees add up: only the newest one is asked for.
            newest = booster.predict(rows, raw_score=True, start_iteration=rounds - 1, num_iteration=1)
            scores[id(rows)] = scores.get(id(rows), 0) + newest
            return scores[id(rows)]

        kept, best, used = grow(lambda _: booster.update(), predict, parts["valid"], budget)
        return best, used, booster.predict(parts["test"].features, raw_score=True, num_iteration=kept)

    return train


def xgboost(least_hessian):
    def train(parts, leaves, rate, budget):
        import xgboost as peer

        params = {"objective": "rank:ndcg", "tree_method": "hist", "max_bin": 255, "eta": rate, "max_leaves": leaves}
        params |= {"grow_policy": "lossguide", "max_depth": 0, "nthread": THREADS, "lambdarank_pair_method": "topk"}
        params |= {"min_child_weight": least_hessian}
        data = {name: peer.DMatrix(part.features, part.grades, group=part.sizes) for name, part in parts.items()}
        booster = peer.Booster(params, [data["train"], data["valid"]])
        total = numpy.zeros(len(parts["valid"].grades))

        def predict(_, rounds):
            # The newest tree and a constant, which changes no order.
            total[:] += booster.predict(data["valid"], output_margin=True, iteration_range=(rounds - 1, rounds))
            return total

        kept, best, used = grow(lambda n: booster.update(data["train"], n), predict, parts["valid"], budget)
        return best, used, booster.predict(data["test"], output_margin=True, iteration_range=(0, kept))

    return train


def catboost(policy):
    return lambda *task: train_catboost(policy, *task)


def train_catboost(policy, parts, leaves, rate, budget):
    import catboost as peer

    class Clock:
        def __init__(self):
            self.start = processor_seconds()

        def after_iteration(self, _):
            return processor_seconds() - self.start < budget

    def pool(part):
        return peer.Pool(part.features, part.grades, group_id=numpy.repeat(numpy.arange(len(part.sizes)), part.sizes))

    # Symmetric trees have a depth, 3 to 5 here for 8 to 31 leaves.
    shape = {"grow_policy": policy, "depth": int(numpy.ceil(numpy.log2(leaves)))}
    if policy == "Lossguide":
        shape |= {"max_leaves": leaves, "min_data_in_leaf": MIN_ROWS, "depth": 16}
    model = peer.CatBoostRanker(
        loss_function="YetiRank", eval_metric="NDCG:top=10;type=Exp", iterations=5000, learning_rate=rate,
        thread_count=THREADS, **shape,
        early_stopping_rounds=PATIENCE, use_best_model=True, verbose=False, allow_writing_files=False, random_seed=1,
    )
    clock = Clock()
    model.fit(pool(parts["train"]), eval_set=pool(parts["valid"]), callbacks=[clock])
    used = processor_seconds() - clock.start
    best = numpy.nanmean(ndcg_by_query(parts["valid"], model.predict(pool(parts["valid"]))))
    return best, used, model.predict(pool(parts["test"]))


# What each peer chooses from besides leaves and rates.
PEERS = {
    "LightGBM lambdarank": [lightgbm("lambdarank")],
    "LightGBM xendcg": [lightgbm("rank_xendcg")],
    "XGBoost rank:ndcg": [xgboost(1), xgboost(0.1)],
    "CatBoost YetiRank": [catboost("SymmetricTree"), catboost("Lossguide")],
}


def run_fold(paths, fold, folder):
    """Values by query and seconds of every contender in one fold."""
    roles = {"train": [paths[(fold + i) % 5] for i in range(3)], "valid": [paths[(fold + 3) % 5]]}
    roles["test"] = [paths[(fold + 4) % 5]]
    files, parts = {}, {}
    for name, sources in roles.items():
        files[name] = folder / f"{name}.txt"
        files[name].write_text("".join(pathlib.Path(source).read_text() for source in sources))
        parts[name] = Part([files[name]])
    width = parts["train"].features.shape[1]
    files["parts"] = {name: part.widened(width) for name, part in parts.items()}
    single = ours(files, 1, folder)
    bagged = ours(files, BAGS, folder)
    found = {"ours, one model": single[:3], f"ours, {BAGS} bags": bagged[:3]}
    budget = bagged[1]
    for name, trainings in PEERS.items():
        runs = [train(files["parts"], leaves, rate, budget) for train in trainings for leaves, rate in GRID]
        found[name] = max(runs, key=lambda run: run[0])
        print(f"  fold {fold + 1} {name}: valid {found[name][0]:.4f}, {found[name][1]:.2f} of {budget:.2f} s",
              file=sys.stderr, flush=True)
    # The peer that validation would choose.
    best = max(PEERS, key=lambda name: found[name][0])
    found["best peer"] = found[best]
    return {name: {"seconds": run[1], "values": ndcg_by_query(parts["test"], run[2])} for name, run in found.items()}


def synthetic_parts(folder):
    whole = folder / "all.txt"
    synth = ["data", "synth", "--shape", "mslr", "--rows", str(SYNTHETIC_ROWS), "--seed", "5", "--out", whole]
    subprocess.run([PROGRAM, *synth], check=True, capture_output=True)
    subprocess.run([PROGRAM, "data", "split", "--data", whole, "--out", folder / "folds", "--folds", "5"],
                   check=True, capture_output=True)
    return [str(folder / "folds" / f"Fold{i}" / "test.txt") for i in range(1, 6)]


def report(folds, about) -> str:
    ours_name = f"ours, {BAGS} bags"
    generator = numpy.random.default_rng(1)
    values = {name: numpy.concatenate([numpy.array(fold[name]["values"]) for fold in folds]) for name in folds[0]}
    counted = ~numpy.isnan(values[ours_name])
    lines = [f"# {BAGS} bags against one model of each peer, equal processor time", ""]
    lines += [f"{about} {measure.machine()}.", ""]
    lines += [f"{counted.sum()} queries with a relevant document; settings by validation in each fold "
              f"(leaves {sorted({g[0] for g in GRID})}, rates {sorted({g[1] for g in GRID})}).", ""]
    lines += ["| ranker | test NDCG@10 | seconds of a training | ours with bags is better by | p |", "|---" * 5 + "|"]
    for name in values:
        own = values[name][counted]
        seconds = [fold[name]["seconds"] for fold in folds]
        line = f"| {name} | {own.mean():.4f} | {numpy.mean(seconds):.2f} "
        if name == ours_name:
            lines.append(line + "| | |")
            continue
        difference = values[ours_name][counted] - own
        lines.append(line + f"| {difference.mean():+.4f} | {p_of(difference, generator):.2g} |")
    return "\n".join(lines)


def kept(paths, fold) -> pathlib.Path:
    name = hashlib.sha1("".join(pathlib.Path(path).read_text() for path in paths).encode()).hexdigest()[:12]
    return ROOT / "build" / "bench" / f"bags_{name}_{fold + 1}.json"


def next_fold(paths, folder) -> bool:
    """Runs the first fold that is not kept; whether there was one."""
    missing = [fold for fold in range(5) if not kept(paths, fold).exists()]
    if not missing:
        return False
    found = run_fold(paths, missing[0], folder)
    plain = {name: {"seconds": run["seconds"], "values": run["values"].tolist()} for name, run in found.items()}
    kept(paths, missing[0]).parent.mkdir(parents=True, exist_ok=True)
    kept(paths, missing[0]).write_text(json.dumps(plain))
    return True


def main(paths=None) -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        about = "Five folds of the parts given." if paths else f"Synthetic, the MSLR's shape, {SYNTHETIC_ROWS:,} rows."
        paths = paths or synthetic_parts(folder)
        while next_fold(paths, folder):
            pass
        folds = [json.loads(kept(paths, fold).read_text()) for fold in range(5)]
        text = report(folds, about)
        for fold in range(5):
            kept(paths, fold).unlink()
        return text


if __name__ == "__main__":
    if sys.argv[1:2] == ["next"]:
        with tempfile.TemporaryDirectory() as scratch:
            next_fold(sys.argv[2:], pathlib.Path(scratch))
    else:
        print(main(sys.argv[1:] or None))
