"""Runs the comparisons with peers and writes bench/results/<name>.md, each with its command.

    python bench/peers/run.py [name ...]      names: those in BENCHES; all of them unless told
"""
import importlib
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
RESULTS = FOLDER.parent / "results"
BENCHES = ["read", "metrics", "significance", "train", "sample", "score", "gam", "clean", "glassbox", "ebm", "shap", "explainers", "bags", "ranklib", "python",
           "serve", "report", "categories", "memory"]


def main() -> int:
    sys.path.insert(0, str(FOLDER))
    for name in sys.argv[1:] or BENCHES:
        print(f"== {name}", flush=True)
        text = importlib.import_module(f"{name}_bench").main()
        print(text, flush=True)
        RESULTS.mkdir(exist_ok=True)
        command = f"build/venv/bin/python bench/peers/run.py {name}"
        (RESULTS / f"{name}.md").write_text(f"<!-- {command} -->\n\n{text}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
