"""Which cleaner, sampler or `peer_alpha` helps on which data? Test NDCG@10 against plain lambdarank, by share of
flipped grades and by data set.

    python bench/peers/choices_bench.py alpha|choices [FOLDER ...]

Without folders only data that `glassrank data synth` makes is used: book shops of two sizes, and long lists with few
relevant documents. A folder has train, valid (or vali) and test files, .txt, .txt.gz or .txt.zst, or S1 to S5, of which
three train, one validates and one tests. Grades of training and validation data are flipped with `data noise`; test
data stays as it is. A cell is the mean difference over SEEDS, each with its own flips (and its own data, if synthetic;
its own parts of S1 to S5), with its standard error.
What was measured is kept in WORK; delete it when the program has changed. To add a system: one line in PARTS.
"""
import concurrent.futures
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "bench" / "choices"
GLASSRANK = ROOT / "build" / "glassrank"
SEEDS = range(1, 6)
TRAIN = "--num-trees 500 --num-leaves 16 --learning-rate 0.05 --patience 50 --no-train-metric --quiet --json --threads 1"
PLAIN = "--objective lambdarank"
# Part -> (shares of flipped grades, system -> options of `glassrank train`).
PARTS = {
    "alpha": ((0, 0.1, 0.2, 0.4), {f"{alpha:g}": f"--objective peer --peer-alpha {alpha:g}" for alpha in (0.03, 0.1, 0.2, 0.3, 0.5, 1)}),
    "choices": ((0, 0.1, 0.2), {
        "sour, neg": "--clean sour --clean.type neg",
        "sour, tuned": "--clean sour --tune",
        "last-sour": "--clean last-sour",
        "isolation forest": "--clean isolation-forest",
        "peer, alpha 0.1": "--objective peer --peer-alpha 0.1",
        "selective": "--sample selective",
        "high-low": "--sample high-low",
        "goss": "--sample goss",
        "queries": "--sample queries",
        "8 bags": "--bags 8",
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


def made_parts(name: str, seed: int, work: pathlib.Path):
    parts = [work / f"{part}.txt" for part in ("train", "valid", "test")]
    if not parts[-1].exists():
        if "--scenario" in MADE[name]:
            run("data", "synth", *MADE[name], "--seed", seed, "--out", work)
        else:
            run("data", "synth", *MADE[name], "--seed", seed, "--out", work / "all.txt")
            run("data", "split", "--data", work / "all.txt", "--out", work, "--fractions", "0.5,0.2,0.3")
    return parts


def flipped(path: pathlib.Path, rate: float, seed: int, out: pathlib.Path) -> pathlib.Path:
    if rate == 0:
        return path
    if not out.exists():
        run("data", "noise", "--data", path, "--out", out, "--probability", rate, "--seed", seed)
    return out


def measure(name: str, folder: pathlib.Path | None, rate: float, seed: int, systems: dict) -> dict:
    """NDCG@10 of plain lambdarank ("") and of every system."""
    work = WORK / f"{name.replace(' ', '_')}_{rate}_{seed}"
    kept = work / "kept.json"
    values = json.loads(kept.read_text()) if kept.exists() else {}
    wanted = {PLAIN, *systems.values()} - values.keys()
    if wanted:
        work.mkdir(parents=True, exist_ok=True)
        train, valid, test = real_parts(folder, seed, work) if folder else made_parts(name, seed, work)
        train, valid = flipped(train, rate, seed, work / "noisy_train.txt"), flipped(valid, rate, seed, work / "noisy_valid.txt")
        for options in sorted(wanted):
            run("train", *options.split(), "--train", train, "--valid", valid, "--seed", seed, *TRAIN.split(), "--out", work / "model.txt")
            result = json.loads(run("evaluate", "--model", work / "model.txt", "--data", test, "--metric", "ndcg@10", "--quiet", "--json"))
            values[options] = result["metrics"][0]["mean"]
        kept.write_text(json.dumps(values))
    return {"": values[PLAIN]} | {system: values[options] for system, options in systems.items()}


def main():
    rates, systems = PARTS[sys.argv[1]]
    folders = [pathlib.Path(folder) for folder in sys.argv[2:]]
    data = [(name, None) for name in MADE] + [(folder.parent.name if folder.name.startswith("Fold") else folder.name, folder) for folder in folders]
    jobs = [(name, folder, rate, seed, systems) for name, folder in data for rate in rates for seed in SEEDS]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = dict(zip([(job[0], job[2], job[3]) for job in jobs], pool.map(lambda job: measure(*job), jobs)))
    print(f"| data | flipped | lambdarank | {' | '.join(systems)} |")
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
