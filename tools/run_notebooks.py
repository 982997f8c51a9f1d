#!/usr/bin/env python3
"""Runs the notebooks of examples/ without Jupyter; --write keeps their outputs, as text, HTML and PNG.

    PYTHONPATH=build/python build/venv/bin/python tools/run_notebooks.py --write [NOTEBOOK ...]

Cells are run in order in one namespace. What a cell prints, its last expression and the figures it
draws become its outputs, as a notebook program would have them. A cell that raises ends the run.
"""
import ast
import base64
import contextlib
import hashlib
import io
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


#: What draws the pictures and tables of notebooks.
DRAWING = sorted((ROOT / "python" / "glassrank" / "plots").glob("*.py")) + [ROOT / "python" / "glassrank" / "_html.py"]


def drawn_by() -> str:
    """Which version of the drawing code made the outputs: pictures cannot be compared byte by byte."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in DRAWING)).hexdigest()[:16]


def lines(text: str) -> list:
    return text.splitlines(keepends=True)


def shown(value) -> dict:
    """A value as a notebook shows it."""
    data = {"text/plain": lines(repr(value))}
    if hasattr(value, "_repr_html_"):
        html = value._repr_html_()
        if html is not None:
            data["text/html"] = lines(html)
    return data


def figures(count: int) -> list:
    """The figures that are open, which are then closed."""
    import matplotlib.pyplot as plt

    outputs = []
    for number in plt.get_fignums():
        picture = io.BytesIO()
        plt.figure(number).savefig(picture, format="png", dpi=65, metadata={"Software": None})
        data = {"image/png": base64.b64encode(picture.getvalue()).decode(), "text/plain": ["<Figure>"]}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    plt.close("all")
    return outputs


def run_cell(source: str, names: dict, count: int) -> list:
    """Runs one cell; its outputs."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = None
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(tree, f"cell {count}", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), names)
    outputs = []
    if said.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines(said.getvalue())})
    pictures = figures(count)
    if value is not None and not (pictures and type(value).__module__.startswith("matplotlib")):
        outputs.append({"output_type": "execute_result", "execution_count": count, "data": shown(value), "metadata": {}})
    return outputs + pictures


def run(notebook: dict) -> dict:
    """The notebook with the outputs of its cells."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    plt.close("all")  # figures of whoever called
    names: dict = {"__name__": "__main__"}
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        cell["execution_count"] = count
        cell["outputs"] = run_cell("".join(cell["source"]), names, count)
    return notebook


def main() -> int:
    given = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    paths = [pathlib.Path(each) for each in given] or sorted((ROOT / "examples").glob("*.ipynb"))
    for path in paths:
        notebook = run(json.loads(path.read_text(encoding="utf-8")))
        if "--write" in sys.argv[1:]:
            notebook["metadata"]["drawn_by"] = drawn_by()
            path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{path.name}: ran")
    return 0


if __name__ == "__main__":
    sys.exit(main())
