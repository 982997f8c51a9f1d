"""Which cleaner, sampler or default helps on which data? Test NDCG@10 against a plain training, by share of flipped
grades and by data set.

    python bench/peers/choices_bench.py alpha|choices|length|ilmart|stages [FOLDER ...]

Without folders only data that `glassrank data synth` makes is used: book shops of two sizes, and long lists with few
relevant documents. A folder has train, valid (or vali) and test files, .txt, .txt.gz or .txt.zst, or S1 to S5, of which
three train, one validates and one tests. Grades of training and validation data are flipped with `data noise`; test
data stays as it is. A cell is the mean difference over SEEDS, each with its own flips (and its own data, if synthetic;
its own parts of S1 to S5), with its standard error.
What was measured is kept in WORK; delete it when the program has changed. To add a system: one line in PARTS.
`length`, `ilmart` and `stages` are what the defaults of num_trees, patience, ILMART's num_leaves and curr-sour's stages
were chosen by.
"""
import concurrent.futures
import dataclasses
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "bench" / "choices"
GLASSRANK = ROOT / "build" / "glassrank"
SEEDS = range(1, 6)
EVERY = "--no-train-metric --quiet --json --threads 1"
SMALL = "--num-trees 500 --num-leaves 16 --learning-rate 0.05 --patience 50"


@dataclasses.dataclass
class Part:
    rates: tuple  # shares of flipped grades
    base: str  # the column that others are compared with
    plain: str  # options of `glassrank train` of the base ...
    systems: dict  # ... and of every system
    more: dict = dataclasses.field(default_factory=dict)  # data that is made for this part only


PARTS = {
    "alpha": Part((0, 0.1, 0.2, 0.4), "lambdarank", SMALL, {
        f"{alpha:g}": f"{SMALL} --objective peer --peer-alpha {alpha:g}" for alpha in (0.03, 0.1, 0.2, 0.3, 0.5, 1)}),
    "choices": Part((0, 0.1, 0.2), "lambdarank", SMALL, {
        "sour, neg": f"{SMALL} --clean sour --clean.type neg",
        "sour, tuned": f"{SMALL} --clean sour --tune",
        "last-sour": f"{SMALL} --clean last-sour",
        "isolation forest": f"{SMALL} --clean isolation-forest",
        "peer, alpha 0.1": f"{SMALL} --objective peer --peer-alpha 0.1",
        "selective": f"{SMALL} --sample selective",
        "high-low": f"{SMALL} --sample high-low",
        "goss": f"{SMALL} --sample goss",
        "queries": f"{SMALL} --sample queries",
        "8 bags": f"{SMALL} --bags 8",
    }),
    "length": Part((0, 0.1), "100 trees, patience 100", "--num-trees 100 --patience 100", {
        f"{trees}, {patience}": f"--num-trees {trees} --patience {patience}"
        for trees, patience in ((500, 50), (1000, 25), (1000, 50), (1000, 100), (3000, 100))},
        {"book shop, 3000 queries": ["--scenario", "bookshop", "--bookshop.queries", "3000"]}),
    "ilmart": Part((0, 0.1), "31 leaves", "--method ilmart --num-trees 1000 --patience 50 --num-leaves 31", {
        f"{leaves} leaves": f"--method ilmart --num-trees 1000 --patience 50 --num-leaves {leaves}" for leaves in (3, 4, 6, 8, 16)}),
    "stages": Part((0, 0.1), "no cleaning, 300 trees", "--num-trees 300 --patience 50", {
        "300, stages 15,60,150,240,270": "--num-trees 300 --patience 50 --clean curr-sour --clean.type neg --clean.stages 15,60,150,240,270",
        "1000, stages 50,200,500,800,900": "--num-trees 1000 --patience 50 --clean curr-sour --clean.type neg --clean.stages 50,200,500,800,900",
        "1000, no cleaning": "--num-trees 1000 --patience 50",
    }),
}
MADE = {
    "book shop": ["--scenario", "bookshop"],
    "book shop, 100 queries": ["--scenario", "bookshop", "--bookshop.queries", "100"],
    "long lists": ["--queries", "150", "--documents-per-query", "200", "--features", "30", "--interactions", "3", "--skew", "0.95"],
}


def run(*arguments) -> str:
    done = subprocess.run([GLASSRANK, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"glassrank {' '.join(map(str, arguments))}\n{done.stderr}")
    return done.stdout


def existing(folder: pathlib.Path, *names: str) -> pathlib.Path:
    for name in names:
        for ending in ("txt", "txt.gz", "txt.zst"):
            if (folder / f"{name}.{ending}").exists():
                return folder / f"{name}.{ending}"
    sys.exit(f"{folder}: none of {', '.join(names)} is there")


def joined(paths: list[pathlib.Path], out: pathlib.Path) -> pathlib.Path:
    if not out.exists():
        text = [subprocess.run(["zstdcat", "-f", path], check=True, capture_output=True).stdout for path in paths]
        out.write_bytes(b"".join(text))
    return out


def real_parts(folder: pathlib.Path, seed: int, work: pathlib.Path):
    if any(folder.glob("S1.txt*")):
        fold = [existing(folder, f"S{(seed + place) % 5 + 1}") for place in range(5)]
        return joined(fold[:3], work / "train.txt"), fold[3], fold[4]
    return existing(folder, "train"), existing(folder, "valid", "vali"), existing(folder, "test")


def made_parts(how: list[str], seed: int, work: pathlib.Path):
    parts = [work / f"{part}.txt" for part in ("train", "valid", "test")]
    if not parts[-1].exists():
        if "--scenario" in how:
            run("data", "synth", *how, "--seed", seed, "--out", work)
        else:
            run("data", "synth", *how, "--seed", seed, "--out", work / "all.txt")
            run("data", "split", "--data", work / "all.txt", "--out", work, "--fractions", "0.5,0.2,0.3")
    return parts


def flipped(path: pathlib.Path, rate: float, seed: int, out: pathlib.Path) -> pathlib.Path:
    if rate == 0:
        return path
    if not out.exists():
        run("data", "noise", "--data", path, "--out", out, "--probability", rate, "--seed", seed)
    return out


def measure(name: str, folder: pathlib.Path | None, rate: float, seed: int, part: Part) -> dict:
    """NDCG@10 of the plain training ("") and of every system."""
    work = WORK / f"{name.replace(' ', '_')}_{rate}_{seed}"
    kept = work / "kept.json"
    values = json.loads(kept.read_text()) if kept.exists() else {}
    wanted = {part.plain, *part.systems.values()} - values.keys()
    if wanted:
        work.mkdir(parents=True, exist_ok=True)
        train, valid, test = real_parts(folder, seed, work) if folder else made_parts((MADE | part.more)[name], seed, work)
        train, valid = flipped(train, rate, seed, work / "noisy_train.txt"), flipped(valid, rate, seed, work / "noisy_valid.txt")
        for options in sorted(wanted):
            run("train", *options.split(), "--train", train, "--valid", valid, "--seed", seed, *EVERY.split(), "--out", work / "model.txt")
            result = json.loads(run("evaluate", "--model", work / "model.txt", "--data", test, "--metric", "ndcg@10", "--quiet", "--json"))
            values[options] = result["metrics"][0]["mean"]
        kept.write_text(json.dumps(values))
    return {"": values[part.plain]} | {system: values[options] for system, options in part.systems.items()}


def main():
    part = PARTS[sys.argv[1]]
    rates, systems = part.rates, part.systems
    folders = [pathlib.Path(folder) for folder in sys.argv[2:]]
    data = [(name, None) for name in MADE | part.more] + [(folder.parent.name if folder.name.startswith("Fold") else folder.name, folder) for folder in folders]
    jobs = [(name, folder, rate, seed, part) for name, folder in data for rate in rates for seed in SEEDS]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = dict(zip([(job[0], job[2], job[3]) for job in jobs], pool.map(lambda job: measure(*job), jobs)))
    print(f"| data | flipped | {part.base} | {' | '.join(systems)} |")
    print("|---" * (len(systems) + 3) + "|")
    means = {system: [] for system in systems}
    for name, _ in data:
        for rate in rates:
            rows = [results[name, rate, seed] for seed in SEEDS]
            cells = [f"{statistics.mean(row[''] for row in rows):.4f}"]
            for system in systems:
                gains = [row[system] - row[""] for row in rows]
                means[system].append(statistics.mean(gains))
                cells.append(f"{means[system][-1]:+.4f} ± {statistics.stdev(gains) / len(gains) ** 0.5:.4f}")
            print(f"| {name} | {rate:.0%} | {' | '.join(cells)} |")
    print("| mean of the rows | | | " + " | ".join(f"{statistics.mean(means[system]):+.4f}" for system in systems) + " |")
    print("| worst row | | | " + " | ".join(f"{min(means[system]):+.4f}" for system in systems) + " |")


if __name__ == "__main__":
    main()
