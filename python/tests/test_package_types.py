"""Types: stubs are current, and a type checker has nothing against the package and its guide."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

import glassrank as gr

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("page", ["README.md", "docs/guide/python.md"])
def test_the_blocks_of_the_page_have_right_types(page, tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)
    (tmp_path / "page.py").write_text("\n".join(blocks))
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", tmp_path / "page.py"],
        cwd=ROOT, capture_output=True, text=True,
    )
    assert done.returncode == 0, done.stdout


def test_the_package_has_right_types():
    done = subprocess.run([sys.executable, "-m", "mypy"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_stubs_are_current(tmp_path):
    """The types of the extension, and the pages that tools/generate_python.py makes."""
    made = tmp_path / "_core.pyi"
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "glassrank._core", "-o", made], check=True, env=os.environ)
    assert made.read_text() == (ROOT / "python" / "glassrank" / "_core.pyi").read_text(), "run make stubs"
    assert (ROOT / "python" / "glassrank" / "py.typed").exists()


def test_types_name_everything_that_is_public():
    text = (ROOT / "python" / "glassrank" / "__init__.pyi").read_text()
    for name in gr.__all__:
        assert f" as {name}\n" in text


def test_results_have_the_attributes_that_types_promise(forest, glass, shop):
    test = shop[2]
    single = forest.explain(test[0], "greedy", k=2)
    searched = gr.Lambdamart(num_trees=3).search({"num_leaves": [3, 4]}, shop[0], shop[1])[0]
    results = [
        forest.training,
        forest.training.record,
        glass.training,
        forest.evaluate(test),
        gr.compare({"a": forest, "b": glass}, test),
        single,
        single.features[0],
        forest.audit(test[:2], ["tree-shap"]),
        forest.counterfactual(test[0], 3, top=3),
        forest.dependence(test, test.feature_names[0]),
        forest.summary(test[:5]),
        forest.importance(test),
        forest.inspect(),
        glass.inspect(),
        glass.verify(),
        gr.Lambdamart(num_trees=3).cross_validate(shop[0], 3),
        searched,
        test.stats(),
    ]
    absent = [
        f"{type(result).__name__}.{name}"
        for result in results
        for kind in type(result).__mro__
        for name in getattr(kind, "__annotations__", {})
        if not name.startswith("_") and not hasattr(result, name)
    ]
    assert not absent, sorted(set(absent))
