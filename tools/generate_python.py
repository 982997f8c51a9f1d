#!/usr/bin/env python3
"""Writes python/glassrank/methods.py from the engine's declarations; --check only compares.

Classes of methods, samplers and cleaners with signatures and docstrings: what a Python user reads
about a parameter is never typed twice.
"""
import json
import keyword
import pathlib
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "python" / "glassrank" / "methods.py"

HEAD = '''"""Methods, samplers and cleaners with their parameters.

Made by tools/generate_python.py from the engine itself; do not edit.
"""
from __future__ import annotations

from typing import Any, Sequence

from glassrank.training import Cleaner, Method, Sampler

__all__ = [
%s]
'''

TYPES = {"int": "int", "float": "float", "bool": "bool", "text": "str", "choice": "str"}

# What is given first, without its name, as in HighLow(0.2, 0.4) and Sour("neg").
POSITIONAL = {"top", "bottom", "fraction", "type"}

# Groups that have classes of their own; any other one is a dict of its parameters.
GROUPS = {
    "sample": ("Sampler | str", "a sampler, as HighLow(0.2, 0.4): which rows a tree sees; all without one"),
    "clean": ("Cleaner | str", 'a cleaner, as Sour("neg"): documents that are dropped before training; none without one'),
}


def class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def python_type(param: dict) -> str:
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
    return lines + textwrap.wrap(param["doc"], 100, initial_indent="        ", subsequent_indent="        ")


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


def page() -> str:
    declared = json.loads(
        subprocess.run([ROOT / "build" / "write_reference", "--declarations"], check=True, capture_output=True).stdout
    )
    parts = [("methods", "Method"), ("samplers", "Sampler"), ("cleaners", "Cleaner")]
    names = [class_name(entry["name"]) for kind, _ in parts for entry in declared[kind]]
    text = HEAD % "".join(f'    "{name}",\n' for name in names)
    for kind, base in parts:
        for entry in declared[kind]:
            text += "\n\n" + class_text(entry, base)
    return text


def main() -> int:
    made = page()
    if "--check" in sys.argv[1:]:
        if not PAGE.exists() or PAGE.read_text() != made:
            print(f"{PAGE.relative_to(ROOT)} is out of date; run make reference")
            return 1
        print(f"{PAGE.relative_to(ROOT)} is up to date")
        return 0
    PAGE.write_text(made)
    print(f"{PAGE.relative_to(ROOT)} written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
