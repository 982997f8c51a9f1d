"""Runs the commands of guides that begin from nothing: every `$` line of their console blocks, in order."""
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
GUIDES = ["clean.md", "explaining.md", "glass-box.md", "inspect.md", "report.md", "what-if.md"]


def commands(text: str):
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
        yield from (line[2:] for line in block.splitlines() if line.startswith("$ "))


@pytest.mark.parametrize("guide", GUIDES)
def test_every_command_of_a_guide_works(guide, program, tmp_path):
    environment = os.environ | {"PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}"}
    lines = list(commands((ROOT / "docs" / "guide" / guide).read_text()))
    assert len(lines) >= 3
    for line in lines:
        done = subprocess.run(["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("guide", GUIDES)
def test_every_link_of_a_guide_leads_somewhere(guide):
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "docs" / "guide" / guide).read_text())
    assert links
    assert [link for link in links if not (ROOT / "docs" / "guide" / link).exists()] == []
