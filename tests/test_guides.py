"""Runs the commands of guides that begin from nothing: every `$` line of their console blocks, in order."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
GUIDES = ["guide/clean.md", "guide/deploy.md", "guide/explaining.md", "guide/glass-box.md", "guide/inspect.md", "guide/report.md", "guide/what-if.md", "tutorial/first-ranker.md"]
PAGES = [str(page.relative_to(ROOT)) for page in sorted(DOCS.rglob("*.md"))] + ["README.md"]


def commands(text: str):
    """The `$` lines of console blocks, with the lines of a here-document that one of them begins."""
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
        end = None
        for line in block.splitlines():
            if end is not None:
                command += "\n" + line
                if line == end:
                    yield command
                    end = None
            elif line.startswith("$ "):
                command, here = line[2:], re.search(r"<<'(\w+)'", line)
                if here:
                    end = here[1]
                else:
                    yield command


def options_there_are() -> set[str]:
    reference = (DOCS / "reference" / "commands.md").read_text()
    names = {name.replace("_", "-") for name in re.findall(r"^\| `([\w.\-]+)`", reference, re.M)}
    peers = "".join((ROOT / "glassrank" / "methods" / "lambdamart" / name).read_text() for name in ("peer_names.cpp", "lightgbm_table.cpp"))
    names |= {name.replace("_", "-") for name in re.findall(r"[a-z_]+", peers)}
    return names | {"no-" + name for name in names} | set(re.findall(r"--([a-z][\w.\-]*\w)", reference))


def run_all(lines, program, folder):
    # mpirun as root in a container, and with more machines than cores.
    environment = os.environ | {"PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                                "OMPI_MCA_hwloc_base_binding_policy": "none"}
    for line in lines:
        done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_of_a_guide_works(guide, program, tmp_path):
    lines = list(commands((DOCS / guide).read_text()))
    assert len(lines) >= 3
    run_all(lines, program, tmp_path)


def test_every_command_of_the_clusters_guide_writes_the_same_files_on_any_number_of_machines(program, tmp_path):
    if shutil.which("mpirun") is None:
        pytest.skip("there is no mpirun")
    lines = list(commands((DOCS / "guide" / "clusters.md").read_text()))
    assert sum("mpirun -n " in line for line in lines) >= 8
    written = {}
    for machines in (1, 2, 3, 4):
        folder = tmp_path / str(machines)
        folder.mkdir()
        run_all([re.sub(r"mpirun -n \d+", f"mpirun -n {machines}", line) for line in lines], program, folder)
        written[machines] = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        assert len(written[machines]) >= 8
        assert written[machines] == written[1], f"{machines} machines"


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_leads_somewhere(page):
    text = re.sub(r"```.*?```|`[^`]*`", "", (ROOT / page).read_text(), flags=re.S)
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
    assert [link for link in links if not ((ROOT / page).parent / link).exists()] == []


@pytest.mark.parametrize("page", ["docs/guide/coming-from.md", "docs/guide/data.md", "docs/guide/training.md"])
def test_every_option_a_page_names_exists(page):
    text = re.sub(r"`-[^`]*fstr[^`]*`|`fstr [^`]*`", "", (ROOT / page).read_text())
    named = set(re.findall(r"(?<![\w-])--([a-z][a-z0-9.\-]*[a-z0-9])", text))
    assert len(named) > 5
    assert named - options_there_are() == set()
