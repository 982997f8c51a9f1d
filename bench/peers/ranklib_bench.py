"""Every ranker of RankLib against ours: time of a whole run and NDCG@10, with RankLib's default parameters.

RankLib is RankyMcRankFace (tools/install_deps puts it into build/peers). A run is the program as a user starts it:
reads training, validation and test text, trains, keeps the best on the validation data, writes the model. Times are
interleaved; ours are on one thread and on all. Models are written to memory where there is /dev/shm: we wait until a
model is on the disk (two fsyncs and a rename), RankLib does not, and that is a third of our shortest run. NDCG@10
counts queries without a relevant document as 0, as RankLib does, and is measured by RankLib for its models and by us
for ours. RankLib's networks, climbs and forests differ from run to run: its values are the mean over the rounds, with
their range where they differ. Ours are the same every time.
Data: MQ2008-like synthetic data, and folders with train.txt, vali.txt and test.txt in GLASSRANK_DATA (colon-separated).
"""
import os
import pathlib
import re
import statistics
import subprocess
import time

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "bench" / "ranklib"
MEMORY = pathlib.Path("/dev/shm")
MODELS = MEMORY if os.access(MEMORY, os.W_OK) and not os.environ.get("GLASSRANK_ON_DISK") else WORK
GLASSRANK = ROOT / "build" / "glassrank"
ROUNDS = int(os.environ.get("GLASSRANK_ROUNDS", "3"))

# RankLib's numbers of its rankers, and our options for its defaults. Its trees: 256 thresholds, a leaf of one document;
# trained for NDCG@10, pairs with one of the ten documents on top; no normalisation.
TREES = ["--num-trees", 1000, "--num-leaves", 10, "--learning-rate", 0.1, "--min-leaf-rows", 1, "--min-leaf-hessian", 0,
         "--patience", 100]
RANKERS = {
    "linear regression": (9, ["--method", "linear", "--normalise", "none"]),
    "RankNet": (1, ["--method", "ranknet", "--preset", "ranklib"]),
    "RankBoost": (2, ["--method", "rankboost"]),
    "coordinate ascent": (4, ["--method", "coordinate-ascent", "--normalise", "none"]),
    "MART": (0, ["--method", "mart", *TREES]),
    "LambdaMART": (6, ["--method", "lambdamart", *TREES, "--no-norm", "--pair-truncation", 10]),
    "random forests": (8, ["--method", "random-forest"]),
}


def jar() -> pathlib.Path:
    found = sorted((ROOT / "build" / "peers").glob("RankyMcRankFace-*.jar"))
    if not found:
        raise SystemExit("no RankLib in build/peers: tools/install_deps test")
    return found[-1]


def synthetic() -> pathlib.Path:
    """The size of MQ2008's first fold."""
    if not (WORK / "test.txt").exists():
        WORK.mkdir(parents=True, exist_ok=True)
        subprocess.run([GLASSRANK, "data", "synth", "--shape", "mslr", "--features", "46", "--queries", "784",
                        "--documents-per-query", "19", "--seed", "1", "--out", WORK / "all.txt"], check=True,
                       capture_output=True)
        subprocess.run([GLASSRANK, "data", "split", "--data", WORK / "all.txt", "--fractions", "0.6,0.2,0.2", "--out",
                        WORK], check=True, capture_output=True)
        if (WORK / "valid.txt").exists():
            (WORK / "valid.txt").rename(WORK / "vali.txt")
    return WORK


def timed(command: list) -> tuple[float, str]:
    start = time.perf_counter()
    done = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    return time.perf_counter() - start, done.stdout


def files(folder: pathlib.Path) -> list:
    return [folder / f"{name}.txt" for name in ("train", "vali", "test")]


def run_theirs(number, folder, found):
    train, vali, test = files(folder)
    WORK.mkdir(parents=True, exist_ok=True)
    seconds, text = timed(["java", "-jar", jar(), "-train", train, "-validate", vali, "-test", test, "-ranker", number,
                           "-metric2t", "NDCG@10", "-save", MODELS / "ranklib-theirs.txt"])
    for name, value in re.findall(r"NDCG@10 on (\w+) data: ([\d.]+)", text):
        found.setdefault("theirs", {}).setdefault(name, []).append(float(value))
    return seconds


def run_ours(options, threads, folder, found):
    train, vali, test = files(folder)
    seconds, _ = timed([GLASSRANK, "train", *options, "--train", train, "--valid", vali, "--test", test, "--threads",
                        threads, "--out", MODELS / "ranklib-ours.txt", "--quiet"])
    if threads == 0:
        for name, data in (("training", train), ("validation", vali), ("test", test)):
            _, text = timed([GLASSRANK, "evaluate", "--model", MODELS / "ranklib-ours.txt", "--data", data, "--metric", "ndcg@10",
                             "--convention", "ranklib", "--json"])
            found.setdefault("ours", {})[name] = float(re.search(r'"mean": ([\d.]+)', text).group(1))
    return seconds


def quality(values: list) -> str:
    """The mean; with the range where runs differ."""
    mean = f"{statistics.mean(values):.4f}"
    return mean if len(set(values)) == 1 else f"{mean} ({min(values):.4f} to {max(values):.4f})"


def compare(folder: pathlib.Path, rankers: dict) -> str:
    lines = [
        "| ranker | RankLib s | ours, one thread s | faster by | ours, all threads s | faster by "
        "| NDCG@10 test: RankLib | ours | training: RankLib | ours | validation: RankLib | ours |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, (number, options) in rankers.items():
        found = {}
        seconds = measure.interleave(
            {
                "RankLib": lambda: run_theirs(number, folder, found),
                "one": lambda: run_ours(options, 1, folder, found),
                "all": lambda: run_ours(options, 0, folder, found),
            },
            ROUNDS,
        )
        cells = [name, f"{sorted(seconds['RankLib'])[ROUNDS // 2]:.2f}"]
        for mine in ("one", "all"):
            middle, low, high = measure.ratios(seconds, mine, "RankLib")
            cells += [f"{sorted(seconds[mine])[ROUNDS // 2]:.3f}", f"{middle:.1f}x ({low:.1f}x to {high:.1f}x)"]
        for part in ("test", "training", "validation"):
            cells += [quality(found["theirs"][part]), f"{found['ours'][part]:.4f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> str:
    given = [pathlib.Path(name) for name in os.environ.get("GLASSRANK_DATA", "").split(":") if name]
    wanted = os.environ.get("GLASSRANK_RANKERS")
    rankers = {name: value for name, value in RANKERS.items() if not wanted or name in wanted.split(",")}
    parts = [f"# RankLib\n\n{measure.machine()}. {ROUNDS} interleaved rounds of whole runs of the programs, "
             f"RankLib's default parameters, metric NDCG@10; models written to {MODELS}."]
    for folder in given or [synthetic()]:
        name = folder.parent.name if folder.name.startswith("Fold") else folder.name
        parts.append(f"## {name}\n\n{compare(folder, rankers)}")
    return "\n\n".join(parts)
