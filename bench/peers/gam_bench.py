"""Scoring with an additive model on one thread: our tables against our forest scorer and LightGBM.

LightGBM trains trees of one feature, then trees of a pair (interaction constraints; the pairs share
no feature, since LightGBM constrains branches and not trees). `glassrank convert` distils the file
to tables. Contenders are the tables, our forest scorer on LightGBM's file, and LightGBM's predict,
interleaved. The tables must agree with LightGBM to rounding before anything is timed: their sum is
grouped by effect.

    build/venv/bin/python bench/peers/run.py gam
"""
import json
import pathlib
import statistics
import subprocess
import sys

import measure
import score_bench

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "bench" / "gam"
OURS, FOREST = "tables", "our forest scorer"
# name -> trees of one feature, trees of a pair, pairs, leaves of a tree
SHAPES = {"main effects": (900, 0, 0, 64), "main effects and 46 pairs": (900, 450, 46, 64), "small": (300, 100, 20, 16)}
CALLS = score_bench.CALLS
ROUNDS, NUM_FEATURES = 5, 136


def train(name: str, file: pathlib.Path) -> None:
    import lightgbm

    one, two, num_pairs, num_leaves = SHAPES[name]
    features, grades, sizes = score_bench.make_rows("train", 100_000, 1)
    data = lightgbm.Dataset(features, grades, group=sizes, free_raw_data=False)
    params = dict(objective="lambdarank", num_leaves=num_leaves, learning_rate=0.1, num_threads=1, verbosity=-1)
    alone = [[f] for f in range(NUM_FEATURES)]
    booster = lightgbm.train(params | {"interaction_constraints": alone}, data, one)
    if two:
        used = booster.feature_importance().argsort(kind="stable")[::-1][: 2 * num_pairs]
        pairs = [sorted(map(int, used[2 * i : 2 * i + 2])) for i in range(num_pairs)]
        booster = lightgbm.train(params | {"interaction_constraints": pairs}, data, two, init_model=booster)
    booster.save_model(str(file))


def prepare(name: str) -> tuple[pathlib.Path, pathlib.Path]:
    WORK.mkdir(parents=True, exist_ok=True)
    score_bench.WORK.mkdir(parents=True, exist_ok=True)
    rows = score_bench.WORK / "rows.f32"
    if not rows.exists():
        score_bench.make_rows("test", score_bench.NUM_ROWS, 2)[0].tofile(rows)
    forest = WORK / f"{name.replace(' ', '-')}.txt"
    tables = forest.with_suffix(".gam")
    if not forest.exists():
        train(name, forest)
    json_file = forest.with_suffix(".json")
    steps = [] if tables.exists() else [(forest, "gam-json", json_file), (json_file, "native", tables)]
    for source, form, out in steps:
        command = [ROOT / "build" / "glassrank", "convert", "--model", source, "--to", form, "--out", out]
        subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
    return forest, tables


def check_scores(tables, rows, call) -> None:
    import numpy

    out = WORK / "ours.f64"
    score_bench.run_ours(tables, NUM_FEATURES, "batch", 0, out)
    worst = numpy.max(numpy.abs(numpy.fromfile(out) - call(rows)))
    if worst > 1e-9:
        raise ValueError(f"scores differ by {worst}")


def describe(tables) -> str:
    effects = json.loads(tables.with_suffix(".json").read_text())["effects"]
    cells = sum(len(effect["values"]) * (len(effect["values"][0]) if len(effect["features"]) == 2 else 1) for effect in effects)
    pairs = sum(len(effect["features"]) == 2 for effect in effects)
    return f"{len(effects) - pairs} curves and {pairs} surfaces of {8 * cells / 2**20:.2f} MB"


def measure_shape(name: str) -> list[str]:
    import numpy

    forest, tables = prepare(name)
    rows = numpy.fromfile(score_bench.WORK / "rows.f32", dtype=numpy.float32).reshape(score_bench.NUM_ROWS, -1)
    call = score_bench.lightgbm_call(forest, rows)
    check_scores(tables, rows, call)
    one, two, _, num_leaves = SHAPES[name]
    lines = [f"\n**{name}: {one + two} trees of at most {num_leaves} leaves, {describe(tables)}**\n"]
    for mode in CALLS:
        size = CALLS[mode] or len(rows)
        parts = [rows[start : start + size] for start in range(0, len(rows) - size + 1, size)]
        seconds = measure.interleave({
            OURS: lambda mode=mode: score_bench.run_ours(tables, NUM_FEATURES, mode, 0.3)["seconds"],
            FOREST: lambda mode=mode: score_bench.run_ours(forest, NUM_FEATURES, mode, 0.3)["seconds"],
            "LightGBM": lambda parts=parts: score_bench.median_seconds(call, parts),
        }, ROUNDS)  # fmt: skip
        lines += [f"\n{'batch of 20,480 rows' if mode == 'batch' else 'one query of 120 documents'}\n"]
        lines += ["| scorer | ns a row | range | tables are faster by | range |", "|---|---|---|---|---|"]
        for scorer, values in seconds.items():
            middle, low, high = measure.ratios(seconds, OURS, scorer)
            ns = [1e9 * value / size for value in values]
            lines.append(
                f"| {scorer} | {statistics.median(ns):.0f} | {min(ns):.0f} to {max(ns):.0f} "
                + ("| | |" if scorer == OURS else f"| {middle:.1f}x | {low:.1f}x to {high:.1f}x |")
            )
    return lines


def main() -> str:
    lines = [f"Scoring with an additive model on one thread, {ROUNDS} interleaved rounds; models trained by LightGBM on "
             f"MSLR-shaped data and distilled to tables. {measure.machine()}."]  # fmt: skip
    for name in SHAPES:
        lines += measure_shape(name)
    return "\n".join(lines)


if __name__ == "__main__":
    print("\n".join(measure_shape(sys.argv[1])) if sys.argv[1:] else main())
