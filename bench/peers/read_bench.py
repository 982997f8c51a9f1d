"""Reading LETOR text: ours against XGBoost, LightGBM and scikit-learn on the same MSLR-shaped file.

LightGBM always bins while it reads and keeps no floats, so it is compared with what does the same
here: text straight to bins (stream); by way of the float matrix (bin) is shown too. LightGBM's text
reader knows no qid, so it gets the same rows without them and a .query file. So does scikit-learn:
with query ids its reader takes minutes (it grows an array by one element a line).
"""
import pathlib
import subprocess

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "bench"

XGBOOST = """
import xgboost
def load(path, threads):
    return xgboost.DMatrix(path + "?format=libsvm", nthread=int(threads))
"""
LIGHTGBM = """
import lightgbm
def load(path, threads):
    return lightgbm.Dataset(path, params={"num_threads": int(threads), "verbosity": -1, "max_bin": 255}).construct()
"""
SKLEARN = """
import sklearn.datasets
def load(path, threads):
    return sklearn.datasets.load_svmlight_file(path, dtype="float32")
"""


def make_data(rows: int) -> tuple[pathlib.Path, pathlib.Path]:
    """The text file, and the same without qid for LightGBM."""
    WORK.mkdir(parents=True, exist_ok=True)
    text = WORK / f"mslr_{rows}.txt"
    plain = WORK / f"mslr_{rows}_noqid.txt"
    if not text.exists():
        subprocess.run(
            [ROOT / "build" / "glassrank", "data", "synth", "--shape", "mslr", "--rows", str(rows), "--out", text]
            + ["--counts", "0.1", "--mostly-zero", "0.05"],
            check=True,
        )
    if not plain.exists():
        sizes, last = [], None
        with open(text, "rb") as source, open(plain, "wb") as target:
            for line in source:
                grade, query, rest = line.split(b" ", 2)
                if query != last:
                    sizes.append(0)
                    last = query
                sizes[-1] += 1
                target.write(grade + b" " + rest.split(b" #")[0].rstrip() + b"\n")
        pathlib.Path(f"{plain}.query").write_text("".join(f"{size}\n" for size in sizes))
    return text, plain


def main(rounds: int = 3, rows: int = 700_000, threads: int = 2) -> str:
    text, plain = make_data(rows)
    cache = WORK / "mslr.cache"
    subprocess.run([ROOT / "build" / "glassrank", "data", "cache", text, "--out", cache], check=True, capture_output=True)
    program = ROOT / "build-bench" / "read_program"
    peaks = {}

    def ours(mode, path):
        def run():
            result = measure.run_json([program, path, mode, threads])
            peaks[f"glassrank {mode}"] = result
            return result["seconds"]

        return run

    def theirs(name, code, path):
        def run():
            result = measure.python_seconds(code, path, threads)
            peaks[name] = result
            return result["seconds"]

        return run

    size = text.stat().st_size / 1e6
    seconds = measure.interleave(
        {
            "glassrank load": ours("load", text),
            "glassrank bin": ours("bin", text),
            "glassrank stream": ours("stream", text),
            "glassrank cache": ours("cache", cache),
            "xgboost": theirs("xgboost", XGBOOST, text),
            "lightgbm": theirs("lightgbm", LIGHTGBM, plain),
            "scikit-learn": theirs("scikit-learn", SKLEARN, plain),
        },
        rounds,
    )
    shape = peaks["glassrank load"]
    matrix = shape["rows"] * shape["features"] * 4 / 2**20
    lines = [
        f"Reading {size:.0f} MB of LETOR text, {shape['rows']:,} x {shape['features']}, {threads} threads, "
        f"{rounds} interleaved rounds, file in the page cache. {measure.machine()}.",
        "",
        "| contender | MB/s (median) | seconds | peak memory MB | of the float matrix |",
        "|---|---|---|---|---|",
    ]
    for name, values in seconds.items():
        middle = sorted(values)[len(values) // 2]
        peak = peaks[name]["peak_mb"]
        lines.append(f"| {name} | {size / middle:.0f} | {middle:.3f} | {peak:.0f} | {peak / matrix:.2f} |")
    lines += ["", "| peer | against | ours is faster by | range |", "|---|---|---|---|"]
    for peer, mine in [("xgboost", "load"), ("lightgbm", "stream"), ("lightgbm", "bin"), ("scikit-learn", "load")]:
        middle, low, high = measure.ratios(seconds, f"glassrank {mine}", peer)
        lines.append(f"| {peer} | glassrank {mine} | {middle:.1f}x | {low:.1f}x to {high:.1f}x |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(main())
