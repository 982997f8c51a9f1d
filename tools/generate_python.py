#!/usr/bin/env python3
"""Writes what of the Python package follows from the engine's declarations; --check only compares.

methods.py: classes of methods, samplers and cleaners with signatures and docstrings, so that what a
Python user reads about a parameter is never typed twice. sklearn.pyi and __init__.pyi: the same for
type checkers and editors, which do not see classes that are made, and names that are loaded, when
they are first used.
"""
import importlib
import json
import keyword
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "glassrank"

HEAD = '''"""Methods, samplers and cleaners with their parameters.

Made by tools/generate_python.py from the engine itself; do not edit.
"""
from __future__ import annotations

from typing import Any, Callable, Sequence

from glassrank.training import Cleaner, Method, Sampler

__all__ = [
%s]
'''

TYPES = {"int": "int", "float": "float", "bool": "bool", "text": "str", "choice": "str"}

# What is given first, without its name, as in HighLow(0.2, 0.4) and Sour("neg").
POSITIONAL = {"top", "bottom", "fraction", "type"}

# What may also be a function of Python, with the words for it.
FUNCTIONS = {
    "objective": (
        "str | Callable[..., Any]",
        "; or function(scores, grades, query) for every query, which returns (gradients, hessians)",
    ),
    "metric": (
        "str | Callable[..., float] | Sequence[str | Callable[..., float]]",
        "; functions of the grades in the order of the ranking, best first, may stand among the names",
    ),
    "stop_metric": ("str | Callable[..., float]", ""),
}

# Groups that have classes of their own; any other one is a dict of its parameters.
GROUPS = {
    "sample": ("Sampler | str", "a sampler, as HighLow(0.2, 0.4): which rows a tree sees; all without one"),
    "clean": ("Cleaner | str", 'a cleaner, as Sour("neg"): documents that are dropped before training; none without one'),
}


def class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def python_type(param: dict) -> str:
    if param["name"] in FUNCTIONS:
        return FUNCTIONS[param["name"]][0]
    kind = param["type"]
    if param["is_list"]:
        item = TYPES.get(kind.removeprefix("list of ").strip(), "str")
        return f"Sequence[{item}]" + (f" | {item}" if item == "str" else "")
    return TYPES.get(kind, "int" if kind.startswith("int") else "float" if kind.startswith("float") else "str")


def default_text(param: dict) -> str:
    value = param["default"]
    if param["is_list"]:
        return "[" + ", ".join(value) + "]" if value else "none"
    return value if value != "" else "none"


def doc_of(param: dict) -> list[str]:
    facts = [f"default {default_text(param)}"]
    if param["choices"]:
        facts.append("one of " + ", ".join(param["choices"]))
    if param["range"]:
        facts.append(param["range"])
    lines = [f"    {param['python']} : {python_type(param)}, {'; '.join(facts)}"]
    doc = param["doc"] + FUNCTIONS.get(param["name"], ("", ""))[1]
    return lines + textwrap.wrap(doc, 100, initial_indent="        ", subsequent_indent="        ")


def group_type(group: str) -> str:
    return GROUPS[group][0] if group in GROUPS else "dict[str, Any] | str"


def group_doc(group: str, params: list[dict]) -> list[str]:
    if group in GROUPS:
        return [f"    {group} : {group_type(group)}", f"        {GROUPS[group][1]}"]
    lines = [f"    {group} : {group_type(group)}", "        A text is its method; keys of the dict:"]
    for param in params:
        own = {**param, "python": param["name"].partition(".")[2]}
        lines += ["    " + line for line in doc_of(own)]
    return lines


def parameter(name: str, kind: str) -> str:
    return f"        {name}: {kind} | None = None,"


def class_text(entry: dict, base: str) -> str:
    is_method = base == "Method"
    params: list[dict] = []
    groups: dict[str, list[dict]] = {}
    for param in entry["params"]:
        group, _, rest = param["name"].partition(".")
        if rest:
            groups.setdefault(group, []).append(param)
            continue
        name = param["name"]
        params.append({**param, "python": name + "_" if keyword.iskeyword(name) else name})
    lines = [f"class {class_name(entry['name'])}({base}):", f'    """{entry["doc"][0].upper()}{entry["doc"][1:]}.']
    if params or groups:
        lines += ["", "    Parameters", "    ----------"]
    for param in params:
        lines += doc_of(param)
    for group, own in groups.items():
        lines += group_doc(group, own)
    if is_method:
        lines += [
            "    seed : int, default 0",
            "        Random numbers follow from it.",
            "    threads : int, default 0",
            "        0: one per core. The model does not depend on it.",
        ]
    lines += ['    """', "", f'    {"method" if is_method else "_name"} = "{entry["name"]}"']
    plain = [group for group in groups if group not in GROUPS]
    if plain:
        lines += [f"    _groups = ({', '.join(json.dumps(group) for group in plain)},)"]
    lines += ["", "    def __init__("]
    lines += ["        self,"]
    first = [param for param in params if not is_method and param["python"] in POSITIONAL]
    rest = [param for param in params if param not in first]
    lines += [parameter(param["python"], python_type(param)) for param in first]
    if rest or groups or is_method:
        lines += ["        *,"]
    lines += [parameter(param["python"], python_type(param)) for param in rest]
    lines += [parameter(group, group_type(group)) for group in groups]
    if is_method:
        lines += ["        seed: int = 0,", "        threads: int = 0,"]
    lines += ["    ) -> None:"]
    names = [param["python"] for param in params] + list(groups) + (["seed", "threads"] if is_method else [])
    lines += ["        super().__init__(", "            {"]
    lines += [f'                "{name.rstrip("_")}": {name},' for name in names]
    lines += ["            }", "        )"]
    return "\n".join(lines) + "\n"


def methods_page(declared: dict) -> str:
    parts = [("methods", "Method"), ("samplers", "Sampler"), ("cleaners", "Cleaner")]
    names = [class_name(entry["name"]) for kind, _ in parts for entry in declared[kind]]
    text = HEAD % "".join(f'    "{name}",\n' for name in names)
    for kind, base in parts:
        for entry in declared[kind]:
            text += "\n\n" + class_text(entry, base)
    return text


SKLEARN_HEAD = """# Made by tools/generate_python.py; do not edit.
from typing import Any, Callable, Sequence

import numpy as np
from sklearn.base import BaseEstimator

from glassrank._functions import Callback
from glassrank.dataset import Dataset
from glassrank.methods import *
from glassrank.model import Model
from glassrank.training import Cleaner, Method, Sampler

class Ranker(BaseEstimator):
    method_class: type[Method]
    model_: Model
    has_queries_: bool
    n_features_in_: int
    feature_names_in_: np.ndarray
    def method(self) -> Method: ...
    def fit(
        self,
        X: Any,
        y: Any,
        qid: Any = None,
        sample_weight: Any = None,
        *,
        valid: Dataset | Sequence[Any] | None = None,
        callbacks: Callback | Sequence[Callback] | None = None,
        progress: Any = None,
    ) -> Ranker: ...
    def predict(self, X: Any) -> np.ndarray: ...
    def score(self, X: Any, y: Any, qid: Any = None, sample_weight: Any = None) -> float: ...
    @property
    def score_metric(self) -> Any: ...
    @property
    def feature_importances_(self) -> np.ndarray: ...
"""


def sklearn_page(methods: str) -> str:
    """Estimators with the constructors of the methods."""
    made = SKLEARN_HEAD
    for name, signature in re.findall(r"^class (\w+)\(Method\):.*?def __init__\((.*?)\) -> None:", methods, re.S | re.M):
        made += f"\nclass {name}Ranker(Ranker):\n    def __init__({signature}) -> None: ...\n"
    return made


RESULTS_HEAD = '''"""The attributes of results, as docs/reference/results.md lists them.

Made by tools/generate_python.py from that page; do not edit. At run time these classes only say that
an object which is absent is None.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from glassrank._results import Result
'''

# Classes of results.py by the parts of the page: the heading, the words above the table if there are
# several of them below it, and the keys if not all are meant ("check." is the object of that name).
RESULTS: dict[str, list[tuple]] = {
    "Training": [("train", "One training:")],
    "CrossValidation": [("train", "With `--folds`:")],
    "Search": [("train", "With `--search`:")],
    "Record": [("train", "The file of `--record`:")],
    "Evaluation": [("evaluate", "")],
    "Comparison": [("compare", "")],
    "Explanation": [("explain", "", "explanations[].")],
    "Audit": [("audit", "")],
    "Counterfactual": [("counterfactual", "")],
    "Dependence": [("dependence", "")],
    "Summary": [("summary", "")],
    "Importance": [("inspect", "For every kind of model:", ("importance", "permutation"))],
    "Inspection": [("inspect", part) for part in (
        "For every kind of model:",
        "Of a forest:",
        "Of a additive model:",
        "Of a linear model:",
        "Of a neural network:",
    )],
    "Verification": [("inspect", "With `--verify`:")],
    "Stats": [("data stats", "")],
    "Parity": [("convert", "", "check.")],
    "Clean": [("clean", "")],
}

# What only the program's results have: files that it wrote or read.
FILES = {"model", "data", "tsv", "plot", "out", "curve", "list", "picture", "config", "all_trials"}

VALUES = {
    "text": "str",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "list of text": "list[str]",
    "list of int": "np.ndarray",
    "list of float": "np.ndarray",
    "object of text": "dict[str, str]",
    "object of float": "dict[str, float]",
}


def result_keys() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """The keys of every table of the page, with their types."""
    tables: dict[tuple[str, str], list[tuple[str, str]]] = {}
    heading = part = ""
    for line in (ROOT / "docs" / "reference" / "results.md").read_text().splitlines():
        if line.startswith("## "):
            heading, part = line.removeprefix("## glassrank "), ""
        elif line.endswith(":") and not line.startswith("|"):
            part = line
        elif line.startswith("| `"):
            key, kind = (cell.strip() for cell in line.split("|")[1:3])
            tables.setdefault((heading, part), []).append((key.strip("`"), kind))
    return tables


def result_classes(name: str, keys: list[tuple[str, str]]) -> str:
    """A class for these keys, after one for every object among them."""
    made = ""
    fields = []
    for key, kind in keys:
        if "." in key.replace("[]", ""):
            continue
        plain, is_optional = kind.removesuffix(", or no key"), kind.endswith(", or no key")
        if plain in ("object", "list of objects"):
            own = name.removesuffix("Fields") + "".join(word.capitalize() for word in key.split("_"))
            start = key + ("[]." if plain == "list of objects" else ".")
            made += result_classes(own, [(k[len(start) :], t) for k, t in keys if k.startswith(start)])
            kind = own if plain == "object" else f"list[{own}]"
        else:
            kind = VALUES[plain]
        if keyword.iskeyword(key):
            continue  # by item: result["from"]
        fields.append(f"    {key}: {kind}" + (" | None = None" if is_optional else ""))
    return made + "\n\n" + "\n".join([f"class {name}(Result):", *(fields or ["    pass"])]) + "\n"


def results_page() -> str:
    tables = result_keys()
    made = RESULTS_HEAD
    for name, parts in RESULTS.items():
        keys: dict[str, str] = {}
        for heading, part, *only in parts:
            for key, kind in tables[heading, part]:
                is_file = key in FILES or (heading, key) == ("summary", "method")
                if only and not key.startswith(*only) or is_file and kind.startswith("text"):
                    continue
                # What only some kinds have may be absent.
                optional = len(parts) > 1 and part != parts[0][1] and "." not in key and "or no key" not in kind
                within = only[0] if only and isinstance(only[0], str) else ""
                keys.setdefault(key.removeprefix(within), kind + (", or no key" if optional else ""))
        made += result_classes(name + "Fields", list(keys.items()))
    return made


def init_page() -> str:
    """Every name of the package from its module."""
    sys.path.insert(0, str(PACKAGE.parent))
    names = vars(importlib.import_module("glassrank"))
    made = "# Made by tools/generate_python.py; do not edit.\n"
    for module in names["_PARTS"]:
        made += f"from glassrank import {module} as {module}\n"
    for module, own in names["_PLACES"].items():
        made += "".join(f"from {module} import {name} as {name}\n" for name in own)
    return made + "\n__version__: str\n__all__: list[str]\n"


def method_names_page(methods: str) -> str:
    """Apart from the classes, so that importing the package does not load them."""
    names = "".join(f'    "{name}",\n' for name in re.findall(r"^class (\w+)", methods, re.M))
    return f"""# Made by tools/generate_python.py; do not edit.\nNAMES = [\n{names}]\n"""


def main() -> int:
    declared = json.loads(
        subprocess.run([ROOT / "build" / "write_reference", "--declarations"], check=True, capture_output=True).stdout
    )
    methods = methods_page(declared)
    pages = {
        "methods.py": lambda: methods,
        "_method_names.py": lambda: method_names_page(methods),
        "sklearn.pyi": lambda: sklearn_page(methods),
        "__init__.pyi": init_page,  # reads _method_names.py
        "_result_types.py": results_page,
    }
    is_current = True
    for name, page in pages.items():
        path = PACKAGE / name
        made = page()
        if "--check" not in sys.argv[1:]:
            path.write_text(made)
            print(f"{path.relative_to(ROOT)} written")
        elif not path.exists() or path.read_text() != made:
            print(f"{path.relative_to(ROOT)} is out of date; run make reference")
            is_current = False
        else:
            print(f"{path.relative_to(ROOT)} is up to date")
    return 0 if is_current else 1


if __name__ == "__main__":
    sys.exit(main())
