"""Exact Shapley values of a forest's scores on one thread: ours against LightGBM, XGBoost, shap, shapiq and fasttreeshap.

One model for all: 500 trees of 64 leaves on 136 features, trained by us on MSLR-shaped data and brought to LightGBM
and XGBoost with `glassrank convert`. Every peer must give our values before it is timed. Peers that are slow explain
fewer rows; times are per row and tree.

Peers live in environments of their own, made when missing: fasttreeshap needs an old NumPy.

    build/venv/bin/python bench/peers/run.py shap                          everything
    build/venv/bin/python bench/peers/shap_bench.py measure values         one piece; kept until a report is made
"""
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WORK = ROOT / "build" / "bench" / "shap"
TREES, LEAVES, FEATURES, BACKGROUND, ROUNDS = 500, 64, 136, 500, 5
OURS = "glassrank"
# Python to make them with, then what is installed in each. XGBoost with fast values and the newest shapiq want 3.12.
ENVIRONMENTS = {
    "shap-venv": ["python3.13", ["numpy==2.5.4", "scipy==1.18.1", "scikit-learn==1.9.1", "lightgbm==4.7.0",
                                 "shap==0.54.1", "shapiq[tree]==1.8.0", "xgboost-cpu==3.4.1"]],
    "fasttreeshap-venv": [
        "python3.11",
        ["numpy==1.26.4", "scikit-learn<1.5", "lightgbm==4.3.0", "shap<0.46", "pandas", "cython", "setuptools", "wheel"],
        ["--no-deps", "--no-build-isolation", "fasttreeshap==0.1.6"],
    ],
}
# piece: what is asked for, rows of ours, then peer: (environment, rows, largest difference allowed)
PIECES = {
    "values": (4000, {
        "LightGBM": ("shap-venv", 40, 1e-9), "XGBoost": ("shap-venv", 1000, 1e-4), "shap": ("shap-venv", 40, 1e-9)}),
    "values-more": (4000, {
        "shapiq": ("shap-venv", 200, 1e-9), "fasttreeshap v1": ("fasttreeshap-venv", 40, 1e-9),
        "fasttreeshap v2": ("fasttreeshap-venv", 500, 1e-9)}),
    "query": (120, {"LightGBM": ("shap-venv", 120, 1e-9), "XGBoost": ("shap-venv", 120, 1e-4)}),
    "interactions": (200, {"XGBoost": ("shap-venv", 50, 1e-4), "shapiq": ("shap-venv", 20, 1e-9), "shap": ("shap-venv", 1, 1e-9)}),
    "interventional": (1000, {"shapiq": ("shap-venv", 200, 1e-6), "shap": ("shap-venv", 20, 1e-6)}),
}  # fmt: skip
PEERS = "LightGBM 4.7.0, XGBoost 3.4.1, shap 0.54.1, shapiq 1.8.0, fasttreeshap 0.1.6"
TITLES = {
    "values": "Path-dependent values, a batch of rows",
    "values-more": "Path-dependent values, a batch of rows, more peers",
    "query": "Path-dependent values, one query of 120 documents",
    "interactions": "Path-dependent interactions",
    "interventional": f"Interventional values, {BACKGROUND} background rows",
}


def run_glassrank(*arguments) -> None:
    command = [ROOT / "build" / "glassrank", *arguments]
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def find_python(name: str) -> str:
    """A Python of that name that runs: a shim in the path may have none behind it."""
    installed = (pathlib.Path.home() / ".pyenv" / "versions").glob(f"{name.removeprefix('python')}*/bin/python")
    for candidate in (shutil.which(name), *map(str, sorted(installed, reverse=True)), sys.executable):
        try:
            if candidate and subprocess.run([candidate, "--version"], capture_output=True).returncode == 0:
                return candidate
        except OSError:
            continue
    raise SystemExit(f"no {name} found")


def prepare() -> None:
    """Environments, data and models, each once."""
    for name, (python, *steps) in ENVIRONMENTS.items():
        folder = ROOT / "build" / name
        if folder.exists():
            continue
        subprocess.run([find_python(python), "-m", "venv", folder], check=True)
        for step in steps:
            subprocess.run([folder / "bin" / "pip", "install", "-q", *step], check=False)
    WORK.mkdir(parents=True, exist_ok=True)
    if not (WORK / "model.json").exists():
        for name, rows, seed in (("train", 60_000, 1), ("test", 4000 + BACKGROUND, 2)):
            run_glassrank("data", "synth", "--shape", "mslr", "--rows", rows, "--seed", seed, "--out", WORK / f"{name}.txt")
        model = WORK / "model.glassrank"
        run_glassrank("train", "--train", WORK / "train.txt", "--num-trees", TREES, "--num-leaves", LEAVES, "--out", model)
        run_glassrank("convert", "--model", model, "--to", "lightgbm", "--out", WORK / "model.txt")
        run_glassrank("convert", "--model", model, "--to", "xgboost", "--out", WORK / "model.json")
    if not (WORK / "background.f32").exists():
        subprocess.run([ROOT / "build" / "shap-venv" / "bin" / "python", __file__, "rows"], check=True)


def write_rows() -> None:
    """The test data as plain float32 files, one for each number of rows."""
    import numpy
    from sklearn.datasets import load_svmlight_file

    rows = load_svmlight_file(str(WORK / "test.txt"), n_features=FEATURES, dtype="float32")[0].toarray()
    for ours, peers in PIECES.values():
        for size in {ours, *(rows for _, rows, _ in peers.values())}:
            numpy.ascontiguousarray(rows[:size]).tofile(WORK / f"{size}.f32")
    numpy.ascontiguousarray(rows[-BACKGROUND:]).tofile(WORK / "background.f32")


def run_ours(piece: str, rows: int, seconds: float, out="", cover="count") -> dict:
    task = "interactions" if piece == "interactions" else "values"
    command = [ROOT / "build-bench" / "shap_program", WORK / "model.glassrank", WORK / f"{rows}.f32", FEATURES]
    command += [f"{task}:{cover}", 1, seconds, out or "/dev/null"]
    return measure.run_json(command + ([WORK / "background.f32"] if piece == "interventional" else []))


# What the peers do; each gives a function of the rows. These run in the peers' environments.


def lightgbm_call(piece: str):
    import lightgbm

    booster = lightgbm.Booster(model_file=str(WORK / "model.txt"))
    return lambda rows: booster.predict(rows, pred_contrib=True, num_threads=1)[:, :FEATURES]


def xgboost_call(piece: str):
    import xgboost

    booster = xgboost.Booster(model_file=str(WORK / "model.json"))
    booster.set_param({"nthread": 1})
    if piece == "interactions":
        return lambda rows: booster.predict(
            xgboost.DMatrix(rows, nthread=1), pred_interactions=True, validate_features=False
        )[:, :FEATURES, :FEATURES]
    return lambda rows: booster.predict(
        xgboost.DMatrix(rows, nthread=1), pred_contribs=True, validate_features=False)[:, :FEATURES]  # fmt: skip


def shap_call(piece: str):
    import lightgbm
    import numpy
    import shap

    booster = lightgbm.Booster(model_file=str(WORK / "model.txt"))
    if piece == "interventional":
        background = numpy.fromfile(WORK / "background.f32", dtype=numpy.float32).reshape(-1, FEATURES)
        masker = shap.maskers.Independent(background.astype(float), max_samples=BACKGROUND)
        explainer = shap.TreeExplainer(booster, masker, feature_perturbation="interventional")
    else:
        explainer = shap.TreeExplainer(booster, feature_perturbation="tree_path_dependent")
        explainer.model.model_type = "internal"  # its own code, not LightGBM's pred_contrib again
    if piece == "interactions":
        return lambda rows: explainer.shap_interaction_values(rows.astype(float))
    return lambda rows: explainer.shap_values(rows.astype(float), check_additivity=False)


def shapiq_call(piece: str):
    import lightgbm
    import numpy
    import shapiq

    booster = lightgbm.Booster(model_file=str(WORK / "model.txt"))
    booster.params["objective"] = "lambdarank"  # it looks for the name and wants no more
    options = {"index": "SV", "max_order": 1}
    if piece == "interventional":
        background = numpy.fromfile(WORK / "background.f32", dtype=numpy.float32).reshape(-1, FEATURES)
        options |= {"mode": "interventional", "reference_dataset": background.astype(float)}
    if piece == "interactions":
        options = {"index": "k-SII", "max_order": 2}
    explainer = shapiq.TreeExplainer(booster, **options)

    def values(rows):
        found = explainer.explain_X(rows.astype(float)).values
        array = numpy.zeros((len(rows), FEATURES))
        for (feature,), value in found.items():
            array[:, feature] = value
        return array

    def interactions(rows):
        """As shap has them: half of a pair's value in either place, the rest of a feature on the diagonal."""
        array = numpy.zeros((len(rows), FEATURES, FEATURES))
        for key, value in explainer.explain_X(rows.astype(float)).values.items():
            array[:, key[0], key[-1]] += value if len(key) == 1 else value / 2
            if len(key) == 2:
                array[:, key[1], key[0]] += value / 2
        return array

    return interactions if piece == "interactions" else values


def fasttreeshap_call(version: str):
    import fasttreeshap
    import lightgbm

    booster = lightgbm.Booster(model_file=str(WORK / "model.txt"))
    explainer = fasttreeshap.TreeExplainer(booster, algorithm=version, n_jobs=1, shortcut=False)
    return lambda rows: explainer.shap_values(rows.astype(float), check_additivity=False)


CALLS = {"LightGBM": lightgbm_call, "XGBoost": xgboost_call, "shap": shap_call, "shapiq": shapiq_call,
         "fasttreeshap v1": lambda _: fasttreeshap_call("v1"), "fasttreeshap v2": lambda _: fasttreeshap_call("v2")}  # fmt: skip


def time_peer(piece: str, peer: str, out: str) -> None:
    import numpy

    size = PIECES[piece][1][peer][1]
    rows = numpy.fromfile(WORK / f"{size}.f32", dtype=numpy.float32).reshape(size, FEATURES)
    call = CALLS[peer](piece)
    call(rows[:1])
    start = time.perf_counter()
    values = call(rows)
    seconds = time.perf_counter() - start
    if out:
        numpy.asarray(values, dtype=float).tofile(out)
    print(json.dumps({"seconds": seconds}))


def run_peer(piece: str, peer: str, out="") -> float:
    """Microseconds per row and tree."""
    environment, rows, _ = PIECES[piece][1][peer]
    python = ROOT / "build" / environment / "bin" / "python"
    seconds = measure.run_json([python, "-W", "ignore", __file__, "peer", piece, peer, out])["seconds"]
    return 1e6 * seconds / rows / TREES


def read_floats(path) -> list[float]:
    import array

    values = array.array("d")
    values.frombytes(pathlib.Path(path).read_bytes())
    return values


def check_peer(piece: str, peer: str) -> float:
    """The largest difference to ours."""
    _, rows, allowed = PIECES[piece][1][peer]
    cover = "hessian" if peer == "XGBoost" else "count"
    run_ours(piece, rows, 0, WORK / "ours.f64", cover)
    run_peer(piece, peer, str(WORK / "peer.f64"))
    ours, theirs = read_floats(WORK / "ours.f64"), read_floats(WORK / "peer.f64")
    worst = max(abs(a - b) for a, b in zip(ours, theirs, strict=True))
    if worst > allowed:
        raise ValueError(f"values differ by {worst:.2g}")
    return worst


def measure_piece(piece: str) -> None:
    prepare()
    rows, peers = PIECES[piece]
    differences, failures = {}, {}
    for peer in peers:
        try:
            differences[peer] = check_peer(piece, peer)
        except Exception as error:  # a peer that does not work here is reported, not hidden
            failures[peer] = str(getattr(error, "stderr", None) or error).strip().splitlines()[-1]
    contenders = {OURS: lambda: 1e6 * run_ours(piece, rows, 0.5)["seconds"] / rows / TREES}
    contenders |= {peer: lambda peer=peer: run_peer(piece, peer) for peer in peers if peer not in failures}
    result = {"times": measure.interleave(contenders, ROUNDS), "differences": differences, "failures": failures,
              "making_ms": run_ours(piece, rows, 0)["making_ms"], "machine": measure.machine()}  # fmt: skip
    (WORK / f"{piece}.result.json").write_text(json.dumps(result))


def table(piece: str, result: dict) -> list[str]:
    times, sizes = result["times"], PIECES[piece]
    lines = [f"\n**{TITLES[piece]}**\n", "| explainer | rows | µs per row and tree | range | ours is faster by | range "
             "| largest difference |", "|---|---|---|---|---|---|---|"]  # fmt: skip
    for name, values in times.items():
        middle, low, high = measure.ratios(times, OURS, name)
        size = sizes[0] if name == OURS else sizes[1][name][1]
        lines.append(
            f"| {name} | {size} | {statistics.median(values):.3g} | {min(values):.3g} to {max(values):.3g} "
            + ("| | | |" if name == OURS
               else f"| {middle:.0f}x | {low:.0f}x to {high:.0f}x | {result['differences'][name]:.1g} |")
        )  # fmt: skip
    return lines + [f"\n{name} does not work here: {why}" for name, why in result["failures"].items()]


def main() -> str:
    for piece in PIECES:
        if not (WORK / f"{piece}.result.json").exists():
            subprocess.run([sys.executable, __file__, "measure", piece], check=True)
    results = {piece: json.loads((WORK / f"{piece}.result.json").read_text()) for piece in PIECES}
    lines = [
        f"Exact Shapley values of {TREES} trees of {LEAVES} leaves on {FEATURES} features, one thread, {ROUNDS} "
        f"interleaved rounds; the model is trained by us and converted. {PEERS}. {results['values']['machine']}."
    ]
    for piece, result in results.items():
        lines += table(piece, result)
    made = ", ".join(f"{piece} {result['making_ms']:.0f} ms" for piece, result in results.items())
    lines += ["", f"Making the engine from the model, once: {made}. XGBoost's values are by hessian, in float32, and so "
              "are ours where the two are compared; shap is made to use its own code and not LightGBM's."]  # fmt: skip
    for piece in PIECES:
        (WORK / f"{piece}.result.json").unlink()
    return "\n".join(lines)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["rows"]:
            write_rows()
        case ["peer", piece, peer, out]:
            time_peer(piece, peer, out)
        case ["measure", piece]:
            measure_piece(piece)
        case _:
            print(main())
