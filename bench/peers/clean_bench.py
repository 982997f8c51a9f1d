"""Cleaning: what SOUR finds of flipped grades, what its model gains, and what following outliers costs.

Noise study as in the SOUR paper, section 5.5: in training and validation data documents of grade 0 become grade 4
with probability n; the test set stays as it is. Parts: noise, tracker; `run.py clean` measures both.
"""
import csv
import json
import pathlib
import statistics
import subprocess
import sys

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "bench"
GLASSRANK = ROOT / "build" / "glassrank"
SEEDS = range(1, 6)
NOISE = (0.05, 0.075, 0.1)
SHAPE = ["--shape", "mslr", "--queries", "5000", "--documents-per-query", "60", "--features", "40"]
TRAINING = ["--num-trees", "300", "--num-leaves", "32", "--patience", "50", "--no-train-metric", "--quiet"]
POSITIVES = ["--clean.type", "pos"]
# Only the grades 3 and 4 count as relevant: who looks for books praised by mistake need not ask whether a grade 1 is one.
HIGH = [*POSITIVES, "--clean.negative-grade", "2"]
# The paper's choice for this noise: relevant documents, from the first tree on.
CLEANERS = {
    "sour pos": ["--clean", "sour", *POSITIVES],
    "sour pos, released test": ["--clean", "sour", *POSITIVES, "--clean.definition", "released"],
    "sour all": ["--clean", "sour", "--clean.type", "all"],
    "sour pos, relevant = 3 and 4": ["--clean", "sour", *HIGH],
    "p-sour .5 pos, relevant = 3 and 4": ["--clean", "p-sour", "--clean.p", "0.5", *HIGH],
}


def glassrank(*arguments) -> str:
    done = subprocess.run([str(GLASSRANK), *map(str, arguments)], check=True, capture_output=True, text=True)
    return done.stdout


def make_data(seed: int) -> pathlib.Path:
    """Folder with train, valid and test.cache."""
    folder = WORK / f"clean_{seed}"
    if not (folder / "test.cache").exists():
        folder.mkdir(parents=True, exist_ok=True)
        glassrank("data", "synth", *SHAPE, "--seed", seed, "--out", folder / "all.txt")
        split = ["--fractions", "0.4,0.2,0.4", "--seed", seed, "--out", folder]
        glassrank("data", "split", "--data", folder / "all.txt", *split)
        for part in ("train", "valid", "test"):
            glassrank("data", "cache", folder / f"{part}.txt", "--out", folder / f"{part}.cache")
        (folder / "all.txt").unlink()
    return folder


def add_noise(folder: pathlib.Path, probability: float, seed: int) -> set:
    """Writes noisy train and valid files; the flipped rows of the training part.

    Rows have one draw each by their number: the two parts need seeds of their own.
    """
    flipped = set()
    for part, number in (("valid", 2 * seed + 1), ("train", 2 * seed)):
        log = folder / "flips.tsv"
        noise = ["--probability", probability, "--mode", "lowest-to-highest", "--seed", number, "--log", log]
        glassrank("data", "noise", "--data", folder / f"{part}.cache", "--out", folder / f"noisy_{part}.cache", *noise)
        flipped = column(log, "row")
    return flipped


def column(path: pathlib.Path, name: str) -> set:
    with open(path, newline="") as file:
        return {int(row[name]) for row in csv.DictReader(file, delimiter="\t")}


def train(folder: pathlib.Path, seed: int, name: str, cleaner: list) -> dict:
    """Trees, dropped rows and values per query of the test set."""
    out = folder / "model.txt"
    dropped = ["--dropped", folder / "dropped.tsv"] if cleaner else []
    files = ["--train", folder / "noisy_train.cache", "--valid", folder / "noisy_valid.cache", "--out", out]
    result = json.loads(glassrank("train", *files, *TRAINING, *cleaner, *dropped, "--seed", seed, "--json"))
    values = folder / f"{name.translate(str.maketrans(' ', '_', ',=.'))}.tsv"
    test = ["--model", out, "--data", folder / "test.cache", "--metric", "ndcg@10"]
    glassrank("evaluate", *test, "--per-query", values, "--quiet")
    return {
        "trees": result["num_trees"],
        "dropped": column(folder / "dropped.tsv", "row") if cleaner else set(),
        "values": values.read_text().splitlines(),
    }


def num_eligible(folder: pathlib.Path, cleaner: list) -> int:
    """Documents the cleaner may drop: those of its type."""
    kind = cleaner[cleaner.index("--clean.type") + 1]
    above = float(cleaner[cleaner.index("--clean.negative-grade") + 1]) if "--clean.negative-grade" in cleaner else 0
    stats = json.loads(glassrank("data", "stats", folder / "noisy_train.cache", "--json", "--quiet"))
    return sum(
        grade["num_rows"] for grade in stats["grades"] if kind == "all" or (grade["grade"] > above) == (kind == "pos")
    )


def compare(folder: pathlib.Path, plain: list, cleaned: list) -> dict:
    """Means, gain and Fisher p of two lists of per-query lines; p_less: that the cleaned one is not better."""
    paths = []
    for name, lines in (("plain", plain), ("cleaned", cleaned)):
        paths.append(folder / f"compare_{name}.tsv")
        paths[-1].write_text("\n".join(lines) + "\n")
    arguments = ["--per-query", paths[0], "--per-query", paths[1], "--json", "--quiet"]
    (metric,) = json.loads(glassrank("compare", *arguments))["metrics"]
    (pair,) = metric["pairs"]
    means = [system["mean"] for system in metric["systems"]]
    return {"plain": means[0], "cleaned": means[1], "gain": means[1] - means[0], "p": pair["p"]}


def pooled(results: list) -> list:
    """Values of all seeds as those of one set: queries get the seed in front."""
    lines = []
    for number, result in enumerate(results):
        for line in result["values"]:
            metric, query, value = line.split("\t")
            lines.append(f"{metric}\t{number}-{query}\t{value}")
    return lines


def odds(share: float) -> float:
    return share / (1 - share)


def noise_rows(probability: float) -> tuple[list, list]:
    """Two tables: what was found, what it gained."""
    runs = {name: [] for name in ("plain", *CLEANERS)}
    found = {name: [] for name in CLEANERS}
    for seed in SEEDS:
        folder = make_data(seed)
        flipped = add_noise(folder, probability, seed)
        for name in runs:
            result = train(folder, seed, name, CLEANERS.get(name, []))
            runs[name].append(result)
            if name == "plain":
                continue
            hits = len(result["dropped"] & flipped)
            chance = len(flipped) / num_eligible(folder, CLEANERS[name])
            found[name].append(
                (len(result["dropped"]), hits / max(1, len(result["dropped"])), hits / len(flipped), chance)
            )
            print(f"  n {probability} seed {seed} {name}: {found[name][-1]}", file=sys.stderr, flush=True)
    work = make_data(SEEDS[0])
    first, second = [], []
    for name in CLEANERS:
        dropped, precision, recall, chance = (statistics.mean(values) for values in zip(*found[name]))
        first.append(
            f"| {probability} | {name} | {dropped:.0f} | {precision:.3f} | {chance:.3f} | {odds(precision) / odds(chance):.1f} | {recall:.3f} |"
        )
        each = [compare(work, a["values"], b["values"]) for a, b in zip(runs["plain"], runs[name])]
        whole = compare(work, pooled(runs["plain"]), pooled(runs[name]))
        gains = ", ".join(f"{result['gain']:+.4f}" for result in each)
        worst = max(result["p"] for result in each)
        second.append(
            f"| {probability} | {name} | {whole['plain']:.4f} | {whole['cleaned']:.4f} | {whole['gain']:+.4f} | {whole['p']:.2g} | {gains} | {worst:.2g} |"
        )
    return first, second


def noise_part() -> str:
    found, gained = [], []
    for probability in NOISE:
        first, second = noise_rows(probability)
        found += first
        gained += second
    lines = [
        "## Flipped grades",
        "",
        f"`data synth {' '.join(SHAPE)}`, 40 % of the queries train, 20 % stop training, 40 % are the test set. In training "
        "and validation data grade 0 becomes grade 4 with probability n (`data noise --mode lowest-to-highest`). "
        f"`train {' '.join(TRAINING)}`; cleaners with `clean.start = 1`, `clean.end = 300`. "
        f"{len(SEEDS)} seeds, each with its own data; means over them.",
        "",
        "Of the dropped documents, how many had been flipped (precision; chance: their share of the "
        "documents the cleaner may choose from; the ratio of the odds of the two), "
        "and how many of the flipped ones were dropped (recall).",
        "",
        "| n | cleaner | dropped | precision | chance | odds ratio | recall |",
        "|---|---|---|---|---|---|---|",
        *found,
        "",
        "NDCG@10 on the clean test set, with and without cleaning. p: Fisher randomisation, two-sided, 100,000 permutations, "
        "over the queries of all seeds together, and the largest of the five p of single seeds.",
        "",
        "| n | cleaner | plain | cleaned | gain | p | gain of each seed | largest p of a seed |",
        "|---|---|---|---|---|---|---|---|",
        *gained,
    ]
    return "\n".join(lines)


def tracker_part() -> str:
    import train_bench

    data, _ = train_bench.make_data(train_bench.QUERIES)
    program = ROOT / "build-bench" / "track_program"
    lines = [
        "## What following outliers costs",
        "",
        "Training 30 trees of 64 leaves on MSLR-shaped data with and without an outlier tracker, interleaved, 5 rounds; "
        "no metric in either. *tracker*: the time measured inside it, a steadier number than the difference of two "
        "trainings on a shared machine.",
        "",
        "| threads | rows | ms per tree without | with | tracker | share | bytes a document |",
        "|---|---|---|---|---|---|---|",
    ]
    for threads in (1, 2):
        result = measure.run_json([program, f"{data}.cache", threads, 5, "num_trees=30"])
        middle = {name: statistics.median(result[name]) for name in ("without", "with", "tracker")}
        shares = [inside / (whole - inside) for inside, whole in zip(result["tracker"], result["with"])]
        lines.append(
            f"| {threads} | {result['rows']} | {middle['without']:.1f} | {middle['with']:.1f} | {middle['tracker']:.2f} "
            f"| {100 * statistics.median(shares):.1f} % ({100 * min(shares):.1f} to {100 * max(shares):.1f}) "
            f"| {result['bytes_per_document']:.2f} |"
        )
    return "\n".join(lines)


def main() -> str:
    return "\n\n".join(["# Cleaning", noise_part(), tracker_part(), measure.machine()])
