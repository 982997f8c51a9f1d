"""Training on samples of the negatives: time per tree against all rows and LightGBM, and test NDCG@10.

Parts: `istella`, lists of thousands of documents with 0.2 % positives, at a tenth of Istella-X's size;
`mslr`, the MSLR-shaped data of train_bench; `quality`, NDCG@10 on it. Times are per tree, without reading and
binning, and without the first round, in which samplers of negatives see every row.

    python bench/peers/sample_bench.py PART [ROUNDS]     adds interleaved rounds to those measured before

`run.py sample` measures every part from the beginning.
"""
import json
import pathlib
import statistics
import subprocess
import sys

import measure
import train_bench

ROOT = train_bench.ROOT
WORK = train_bench.WORK
PROGRAMS = train_bench.PROGRAMS
THREADS = train_bench.THREADS
QUERIES = 1000  # a tenth of Istella-X: 2.7 million rows of 220 features
TREES = 20

SELECTIVE = {"sample.method": "selective", "sample.top": 0.01}
HIGH_LOW = {"sample.method": "high-low", "sample.top": 0.01, "sample.bottom": 0.02}
ALL_ACTIVE = ", active all"  # histograms of every row that was kept, not of a share drawn by gradient
# What the paper has for MSLR besides its 1000 trees.
MSLR_TREES = {"num_leaves": 400, "learning_rate": 0.02, "min_leaf_rows": 50}
MSLR_HIGH_LOW = {"sample.method": "high-low", "sample.top": 0.2, "sample.bottom": 0.4}


def make_istella() -> tuple[str, str]:
    """Prefixes of the training set and of a small test set that only the peers' script asks for."""
    folder = WORK / f"sample_{QUERIES}"
    for name, queries, seed in (("train", QUERIES, 1), ("test", 5, 2)):
        if (folder / f"{name}.sizes").exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        # Fixed sizes: LightGBM refuses queries of more than 10,000 documents.
        synth = ["data", "synth", "--shape", "istella-x", "--queries", str(queries), "--sizes", "fixed"]
        synth += ["--grading", "within-query", "--seed", str(seed), "--out", folder / f"{name}.cache"]
        subprocess.run([ROOT / "build" / "glassrank", *synth], check=True, capture_output=True)
        subprocess.run([PROGRAMS / "dump_program", folder / f"{name}.cache", folder / name], check=True)
    return str(folder / "train"), str(folder / "test")


def ours(data, trees, **params):
    result = train_bench.ours(data, trees, **params)
    return result | {"ms_per_tree": result["later_ms_per_tree"]}


def istella_contenders(data) -> dict:
    return {
        "all rows": lambda: ours(data, TREES),
        "selective 1 %": lambda: ours(data, TREES, **SELECTIVE),
        "high-low 1 %, 2 %": lambda: ours(data, TREES, **HIGH_LOW),
        "lightgbm": lambda: train_bench.peer("lightgbm", data, 4, binned_file=data[0] + ".lightgbm"),
    }


def mslr_contenders(data) -> dict:
    samplers = {
        "all rows": {},
        "high-low 20 %, 40 %": MSLR_HIGH_LOW,
        "selective 20 %": {"sample.method": "selective", "sample.top": 0.2},
    }
    contenders = {}
    for active, ending in (("share", ""), ("all", ALL_ACTIVE)):
        for name, params in samplers.items():
            settings = {"active": active} | MSLR_TREES | params
            contenders[name + ending] = lambda settings=settings: ours(data, TREES, **settings)
    return contenders


def share(results: list) -> str:
    """Rows of the sampled rounds; the first one of `trees` sees all."""
    if "row_share" not in results[0]:
        return "100 %"
    trees = results[0]["num_trees"]
    return f"{100 * (results[0]['row_share'] * trees - 1) / (trees - 1):.1f} %"


def table(results: dict) -> list[str]:
    lines = ["| trees grown on | rows | ms per tree | range | against all rows | against lightgbm |", "|---" * 6 + "|"]
    for name, rounds in results.items():
        own = train_bench.times(results)[name]
        faster = [
            train_bench.ratio(results, name, other) if other in results and other != name else ""
            for other in ("all rows" + (ALL_ACTIVE if name.endswith(ALL_ACTIVE) else ""), "lightgbm")
        ]
        lines.append(
            f"| {'lightgbm, all rows' if name == 'lightgbm' else name} | {share(rounds)} | {statistics.median(own):.1f} "
            f"| {min(own):.1f} to {max(own):.1f} | {faster[0]} | {faster[1]} |"
        )
    parts = ["gradients", "quantise", "histograms", "splits", "partition", "leaf_values"]
    lines += ["", "| ms per tree, first round included | " + " | ".join(parts) + " |", "|---" * (len(parts) + 1) + "|"]
    for name, rounds in results.items():
        if name != "lightgbm":
            middles = [statistics.median(r[part] for r in rounds) for part in parts]
            lines.append(f"| {name} | " + " | ".join(f"{value:.1f}" for value in middles) + " |")
    return lines


def speed_text(results: dict, title: str) -> str:
    rounds = len(results["all rows"])
    return "\n".join([f"{title} {THREADS} threads, {rounds} interleaved rounds; `x` is faster by.", "", *table(results)])


def quality_seed(data, seed: int, trees: int = 100) -> dict:
    return {
        name: train_bench.ours(data, trees, seed=seed, **params)
        for name, params in [("all rows", {}), ("high-low 20 %, 40 %", MSLR_HIGH_LOW)]
    }


def quality_text(results: dict) -> str:
    lines = ["Test NDCG@10 on the MSLR-shaped data, 100 trees, 64 leaves, learning rate 0.1, one seed a round.", ""]
    lines += ["| trees grown on | NDCG@10 | range |", "|---|---|---|"]
    for name, rounds in results.items():
        values = [r["ndcg@10"] for r in rounds]
        lines.append(f"| {name} | {statistics.mean(values):.4f} | {min(values):.4f} to {max(values):.4f} |")
    return "\n".join(lines)


TITLES = {
    "istella": "Istella-X-shaped: 1000 queries of 2679 documents x 220 features, 0.2 % positives; 64 leaves.",
    "mslr": "MSLR-shaped: the data of [train.md](train.md), trees of the paper (400 leaves of at least 50 rows); with `active all` histograms are of every row that was kept,\n"
    "otherwise of a share drawn by gradient, which seldom has the rows that samplers drop.",
}


def kept(part: str) -> pathlib.Path:
    return WORK / f"sample_{part}.json"


def add_rounds(part: str, rounds: int) -> None:
    before = json.loads(kept(part).read_text()) if kept(part).exists() else {}
    data = make_istella() if part == "istella" else train_bench.make_data(train_bench.QUERIES)
    for number in range(rounds):
        if part == "quality":
            fresh = quality_seed(data, 1 + len(next(iter(before.values()), [])))
        else:
            contenders = istella_contenders(data) if part == "istella" else mslr_contenders(data)
            fresh = {name: one[0] for name, one in train_bench.interleaved(contenders, 1).items()}
        for name, result in fresh.items():
            before.setdefault(name, []).append(result)
        kept(part).write_text(json.dumps(before))


def text() -> str:
    texts = [f"Samplers of negatives. {measure.machine()}."]
    for part in ("istella", "mslr", "quality"):
        if kept(part).exists():
            results = json.loads(kept(part).read_text())
            texts.append(quality_text(results) if part == "quality" else speed_text(results, TITLES[part]))
    return "\n\n".join(texts)


def main() -> str:
    for part, rounds in (("istella", 3), ("mslr", 5), ("quality", 5)):
        kept(part).unlink(missing_ok=True)
        add_rounds(part, rounds)
    return text()


if __name__ == "__main__":
    add_rounds(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    command = "for part in istella mslr quality; do build/venv/bin/python bench/peers/sample_bench.py $part ROUNDS; done"
    (ROOT / "bench" / "results" / "sample.md").write_text(f"<!-- {command} -->\n\n{text()}\n")
