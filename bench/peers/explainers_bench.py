"""Times of explainers that sample or search, on forests of 64 leaves and 136 features, against the times we hold ourselves to.

A forest of 500 and one of 1000 trees, and one of 1000 trees on 46 features for the optimum, trained on MSLR-shaped
data. greedy-cover-eps is also done through masked rows: by our scorer and by plain traversal of the trees. It must
name the same features.

    build/venv/bin/python bench/peers/run.py explainers                        everything
    build/venv/bin/python bench/peers/explainers_bench.py measure greedy       one piece; kept until a report is made
"""
import json
import pathlib
import statistics
import subprocess
import sys

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "bench" / "explainers"
ROUNDS, REPEATS = 5, 3
THREADS = (1, 2)
MODELS = {"500": (500, 136), "1000": (1000, 136), "1000-46": (1000, 46)}  # trees, features
# piece: models, task of mask_program, whether one thread and one round are enough
PIECES = {
    "sampled-500": ("500", "sampled", False),
    "sampled-1000": ("1000", "sampled", False),
    "greedy": ("1000", "greedy", False),
    "greedy-plain": ("1000", "greedy-plain", True),
    "optimum": ("1000-46", "optimum", False),
}
# The first that a name begins with; milliseconds.
TARGETS = {"kernel-shap mode=shap": 20, "lirme": 20, "exs": 20, "ranking-shap": 100, "greedy-cover-eps, 120": 15,
           "optimum, 20": 50}  # fmt: skip


def run_glassrank(*arguments) -> None:
    command = [ROOT / "build" / "glassrank", *arguments]
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def prepare() -> None:
    """Data and models, each once."""
    WORK.mkdir(parents=True, exist_ok=True)
    for features in sorted({features for _, features in MODELS.values()}):
        for name, rows, seed in (("train", 60_000, 1), ("test", 4500, 2)):
            out = WORK / f"{name}-{features}.txt"
            if not out.exists():
                run_glassrank("data", "synth", "--shape", "mslr", "--rows", rows, "--seed", seed, "--set",
                              f"features={features}", "--out", out)  # fmt: skip
    for name, (trees, features) in MODELS.items():
        if not (WORK / f"{name}.glassrank").exists():
            run_glassrank("train", "--train", WORK / f"train-{features}.txt", "--num-trees", trees, "--num-leaves", 64,
                          "--out", WORK / f"{name}.glassrank")  # fmt: skip


def run_ours(piece: str, threads: int) -> list[dict]:
    model, task, is_long = PIECES[piece]
    program = ROOT / "build-bench" / "mask_program"
    command = [program, WORK / f"{model}.glassrank", WORK / f"test-{MODELS[model][1]}.txt", threads, 1 if is_long else REPEATS]
    done = subprocess.run(list(map(str, [*command, task])), check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def measure_piece(piece: str) -> None:
    prepare()
    is_long = PIECES[piece][2]
    times, answers = {}, {}
    for number in range(1 if is_long else ROUNDS):
        for threads in THREADS[:1] if is_long else THREADS:
            name = ""
            for line in run_ours(piece, threads):
                if "what" in line:
                    name = line["what"]
                    times.setdefault(f"{name}|{threads}", []).append(line["median_ms"])
                    print(f"  round {number + 1} {name}, {threads}: {line['median_ms']:.2f} ms", file=sys.stderr, flush=True)
                else:
                    answers[name] = [line["features"], line["value"]]
    result = {"times": times, "answers": answers, "machine": measure.machine()}
    (WORK / f"{piece}.result.json").write_text(json.dumps(result))


def table(result: dict) -> list[str]:
    lines = ["| explainer | wanted, ms | ms, one thread | range | ms, two threads | range |", "|---|---|---|---|---|---|"]
    for name in dict.fromkeys(key.partition("|")[0] for key in result["times"]):
        cells = []
        for threads in THREADS:
            values = result["times"].get(f"{name}|{threads}")
            cells += [f"{statistics.median(values):.3g}", f"{min(values):.3g} to {max(values):.3g}"] if values else ["", ""]
        target = next((limit for start, limit in TARGETS.items() if name.startswith(start)), None)
        wanted = f"under {target}" if target and "prepare" not in name else ""
        lines.append(f"| {name} | {wanted} | {' | '.join(cells)} |")
    return lines


def against_plain(fast: dict, plain: dict) -> str:
    """How much faster the flip events are; the answers must be the same."""
    (name,) = fast["answers"]
    mine = statistics.median(fast["times"][f"{name}|1"])
    parts = []
    for slow, answer in plain["answers"].items():
        if answer != fast["answers"][name]:
            raise ValueError(f"{slow} answers {answer}, flip events {fast['answers'][name]}")
        (milliseconds,) = plain["times"][f"{slow}|1"]
        way = slow.rpartition(", masked rows ")[2]
        parts.append(f"{milliseconds / mine:.0f}x as fast as masked rows scored {way} ({milliseconds:.0f} ms)")
    return f"On one thread greedy-cover-eps is {' and '.join(parts)}; features and validity are the same."


def main() -> str:
    for piece in PIECES:
        if not (WORK / f"{piece}.result.json").exists():
            subprocess.run([sys.executable, __file__, "measure", piece], check=True)
    results = {piece: json.loads((WORK / f"{piece}.result.json").read_text()) for piece in PIECES}
    lines = [f"One document, or one query of 120 documents; medians of {ROUNDS} rounds of {REPEATS} calls each. "
             f"{results['greedy']['machine']}."]  # fmt: skip
    for piece, result in results.items():
        if PIECES[piece][2]:
            continue
        trees, features = MODELS[PIECES[piece][0]]
        lines += [f"\n**{trees} trees of 64 leaves, {features} features**\n", *table(result)]
        if piece == "greedy":
            lines += ["", against_plain(result, results["greedy-plain"])]
    for piece in PIECES:
        (WORK / f"{piece}.result.json").unlink()
    return "\n".join(lines)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["measure", piece]:
            measure_piece(piece)
        case _:
            print(main())
