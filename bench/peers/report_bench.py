"""Size of a report and how long it takes to open: 10,000 documents x 136 features x 3 explainers, in Chromium.

Opening is from going to the file until the first view is drawn; a view is from its address until it is drawn. Node and
Chromium are asked by web/tests/opening.mjs; web/node_modules must be there (make test-web).
"""
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "glassrank"
FEATURES, QUERIES, DOCUMENTS = 136, 110, 95  # of a query, on average
MOST = 10_500  # that the report holds; of queries as wholes, so that 10,000 and more are left
FEW = ("--list-queries", 20, "--counterfactual-queries", 4, "--audit-queries", 3, "--repeats", 1)


def run(*arguments) -> None:
    subprocess.run([PROGRAM, *map(str, arguments), "--quiet"], check=True, stdout=subprocess.DEVNULL)


def make_report(folder: pathlib.Path) -> pathlib.Path:
    data, model, report = (folder / name for name in ("data.txt", "model.txt", "report.html"))
    run("data", "synth", "--queries", QUERIES, "--documents-per-query", DOCUMENTS, "--features", FEATURES,
        "--out", data)
    run("train", "--train", data, "--num-trees", 300, "--num-leaves", 31, "--out", model)
    run("report", "--model", model, "--data", data, "--explainers", "tree-shap,decision-path,lirme", "--documents", MOST, *FEW,
        "--out", report)
    return report


def main(report: pathlib.Path | None = None) -> str:
    with tempfile.TemporaryDirectory() as folder:
        report = report or make_report(pathlib.Path(folder))
        size = report.stat().st_size
        text = report.read_text()
        start = text.index('type="application/json">') + len('type="application/json">')
        bundle = json.loads(text[start:text.index("</script>", start)])
        load = os.getloadavg()[0]
        opened = subprocess.run(["node", "tests/opening.mjs", report], cwd=ROOT / "web", check=True, capture_output=True,
                                text=True).stdout.strip()
    documents = len(bundle["documents"]["names"])
    explainers = [a["explainer"] for a in bundle["models"][0]["attributions"]]
    rows = [part.rsplit(" ", 2) for part in opened.replace("opened in", "opened").replace(";", ",").split(", ")]
    return "\n".join([
        f"A report that holds {documents:,} of {documents + bundle['documents']['num_left_out']:,} documents x "
        f"{len(bundle['features'])} features x {len(explainers)} explainers ({', '.join(explainers)}) of a forest of 300 trees "
        f"of 31 leaves; {len(bundle['models'][0]['sets'])} explanations of lists, an audit of "
        f"{bundle['audit']['num_queries']} rankings. Times are medians of five, from a disk, in headless Chromium, on "
        f"{os.cpu_count()} cores that {load:.1f} processes wanted just before{' (a shared machine)' if load > 2 else ''}. "
        f"{platform.machine()}, {platform.system()}, {time.strftime('%Y-%m-%d')}.", "",
        "Wanted: less than 10 MB, usable within 1 s of opening.", "",
        "| | |", "|---|---|", f"| size | {size / 1e6:.1f} MB |", *[f"| {name} | {value} {unit} |" for name, value, unit in rows]])


if __name__ == "__main__":
    print(main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None))
