"""Training LambdaMART: ours with all rows and with active rows against LightGBM, on MSLR-shaped data.

Same rows, 255 bins, 64 leaves, threads and rounds; one test set for all. Times are per tree, without
reading and binning. NDCG@10 counts queries without gain as 1 everywhere.
"""
import pathlib
import subprocess
import sys

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "bench"

LIGHTGBM = """
import json, sys, time
import lightgbm, numpy
from sklearn.datasets import load_svmlight_file

def read(path):
    features, grades, queries = load_svmlight_file(path, query_id=True, dtype="float32")
    return features.toarray(), grades, numpy.unique(queries, return_counts=True)[1]

def ndcg(grades, scores, sizes):
    discounts, total, begin = 1 / numpy.log2(numpy.arange(2, 12)), 0, 0
    for size in sizes:
        own = 2.0 ** grades[begin : begin + size] - 1
        best = numpy.sort(own)[::-1][:10]
        found = own[numpy.argsort(-scores[begin : begin + size], kind="stable")[:10]]
        ideal = (best * discounts[: len(best)]).sum()
        total += (found * discounts[: len(found)]).sum() / ideal if ideal > 0 else 1
        begin += size
    return total / len(sizes)

train, test, threads, trees = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
params = dict(objective="lambdarank", num_leaves=64, max_bin=255, learning_rate=0.1, num_threads=threads,
              verbosity=-1, **json.loads(sys.argv[5]))
features, grades, sizes = read(train)
data = lightgbm.Dataset(features, grades, group=sizes, params=params)
booster = lightgbm.Booster(params, data)
del features
start = time.perf_counter()
for _ in range(trees):
    booster.update()
seconds = time.perf_counter() - start
features, grades, sizes = read(test)
print(json.dumps({"ms_per_tree": seconds / trees * 1e3, "ndcg@10": ndcg(grades, booster.predict(features), sizes)}))
"""


def make_data(name: str, queries: int, seed: int) -> pathlib.Path:
    WORK.mkdir(parents=True, exist_ok=True)
    text = WORK / f"train_{name}_{queries}.txt"
    if not text.exists():
        command = [ROOT / "build" / "glassrank", "data", "synth", "--shape", "mslr", "--queries", str(queries)]
        subprocess.run([*command, "--seed", str(seed), "--out", text], check=True)
    return text


def main(rounds: int = 3, queries: int = 5833, threads: int = 2, trees: int = 100) -> str:
    train, test = make_data("rows", queries, 1), make_data("test", queries // 3, 2)
    program = ROOT / "build-bench" / "train_program"
    quality = {}

    def ours(active):
        def run():
            result = measure.run_json([program, train, test, threads, f"num_trees={trees}", f"active={active}"])
            quality[f"glassrank {active}"] = result
            return result["ms_per_tree"] / 1e3

        return run

    def lightgbm(name, extra):
        def run():
            quality[name] = measure.run_json([sys.executable, "-c", LIGHTGBM, train, test, threads, trees, extra])
            return quality[name]["ms_per_tree"] / 1e3

        return run

    seconds = measure.interleave(
        {
            "glassrank all": ours("all"),
            "glassrank share": ours("share"),
            "lightgbm": lightgbm("lightgbm", "{}"),
            "lightgbm quantised": lightgbm("lightgbm quantised", '{"use_quantized_grad": true, "num_grad_quant_bins": 16}'),
        },
        rounds,
    )
    lines = [
        f"Training {trees} trees of 64 leaves on {queries} MSLR-shaped queries, {threads} threads, {rounds} interleaved "
        f"rounds; seconds per tree. {measure.machine()}.",
        "",
        measure.table(seconds, "glassrank all"),
        "",
        "| contender | test NDCG@10 |",
        "|---|---|",
    ]
    lines += [f"| {name} | {result['ndcg@10']:.4f} |" for name, result in quality.items()]
    parts = ["gradients", "quantise", "histograms", "splits", "partition", "leaf_values"]
    lines += ["", "| ms per tree | " + " | ".join(parts) + " |", "|---" * (len(parts) + 1) + "|"]
    for name in ("glassrank all", "glassrank share"):
        lines.append(f"| {name} | " + " | ".join(f"{quality[name][part]:.1f}" for part in parts) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(main())
