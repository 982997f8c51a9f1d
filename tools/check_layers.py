#!/usr/bin/env python3
"""Fails when a module includes one it must not know: upward, sideways, or a library that is hidden; or
looks into what belongs to one file.

The table is the design's: a module may include the ones listed for it and nothing else of ours.
"""
import pathlib
import re
import subprocess
import sys

ALLOWED = {
    "base": set(),
    "math": {"base"},
    "mpi": {"base"},
    "gloo": {"base"},
    "data": {"base", "math"},
    "metrics": {"base", "math", "data"},
    "models": {"base", "math", "data"},
    "evaluation": {"base", "math", "data", "metrics", "models"},
    "objectives": {"base", "math", "data", "metrics"},
    "boosting": {"base", "math", "data", "metrics", "models", "evaluation", "objectives"},
    "methods": {"base", "math", "data", "metrics", "models", "evaluation", "objectives", "boosting"},
    "studies": {"base", "math", "data", "metrics", "models", "evaluation", "objectives", "boosting", "methods"},
    "explain": {"base", "math", "data", "metrics", "models", "evaluation"},
    "report": {"base", "math", "data", "metrics", "models", "evaluation", "objectives", "boosting", "methods", "studies", "explain"},
}
ALLOWED["cli"] = set(ALLOWED) | {"cli"}
ALLOWED["python"] = set(ALLOWED) | {"python"}

# Libraries behind a door of ours: only these files include them.
HIDDEN = {
    r"nlohmann/": {"glassrank/base/json.h", "glassrank/base/json_fwd.h"},
    r"toml\+\+/": {"glassrank/base/toml.cpp"},
    r"pugixml": {"glassrank/models/io/xml_ensemble.cpp"},
    r"tbb/|oneapi/": {"glassrank/base/threads.cpp"},
    r"CLI/": {"cli/arguments.cpp"},
    r"mpi\.h": {"glassrank/mpi/mpi_machines.cpp"},
    r"gloo/": {"glassrank/gloo/gloo_communicator.cpp"},
    r"httplib": {"glassrank/report/server/http_server.cpp"},
}

# What only these files may do, and what to do instead.
RESERVED = {
    r"\b(get|get_if|holds_alternative)<(Forest|Gam|Linear|Mlp)>|\bvisit\(.*\bbody\b": (
        {"glassrank/models/model.h"}, "match() or require_...() of models/model.h: the kinds of model are its own"),
}

# What goes into a model has the same bits on every processor (glassrank/base/elementary.h).
TRAINING = re.compile(r"glassrank/(objectives|boosting|methods)/.*(?<!_test)\.(h|cpp)$")
OF_THE_C_LIBRARY = re.compile(r"\bstd::(exp|exp2|expm1|log|log2|log10|log1p|pow|sin|cos|tan|tanh|cbrt)\(")

INCLUDE = re.compile(r'^\s*#include\s+[<"]([^">]+)[">]')


def module_of(path: str) -> str | None:
    parts = path.split("/")
    if parts[0] == "glassrank" and len(parts) > 2:
        return parts[1]
    return parts[0] if parts[0] in ("cli", "python") else None


def problems(path: str) -> list[str]:
    found = []
    module = module_of(path)
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        for pattern, (owners, instead) in RESERVED.items():
            if re.search(pattern, line) and path not in owners:
                found.append(f"{path}:{number}: use {instead}")
        if TRAINING.match(path) and OF_THE_C_LIBRARY.search(line):
            found.append(f"{path}:{number}: use glassrank/base/elementary.h: the C library's have other bits on other processors")
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match.group(1)
        other = module_of(target)
        if target.startswith("testing/") and not path.startswith(("testing/", "fuzz/")) and not path.endswith("_test.cpp"):
            found.append(f"{path}:{number}: {target} is for tests only")
        if module and other and other != module and other not in ALLOWED.get(module, set()):
            found.append(f"{path}:{number}: {module} must not include {other} ({target})")
        for pattern, doors in HIDDEN.items():
            if re.match(pattern, target) and path not in doors:
                found.append(f"{path}:{number}: include {', '.join(sorted(doors))} instead of {target}")
    return found


def main() -> int:
    files = subprocess.run(["git", "ls-files", "*.h", "*.cpp"], check=True, capture_output=True, text=True)
    found = [problem for path in files.stdout.split() if pathlib.Path(path).exists() for problem in problems(path)]
    print("\n".join(found) if found else "layers: every include goes downward")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
