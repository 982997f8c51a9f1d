"""Runs every command of README.md, in order, from the root: the blocks marked `sh` and the two make
commands, but for `make test`, which is what runs this test.
"""
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def commands():
    text = (ROOT / "README.md").read_text()
    yield from (f"make {name}" for name in re.findall(r"^    make (\w+)", text, re.M) if name != "test")
    for block in re.findall(r"```sh\n(.*?)```", text, re.S):
        for line in block.replace("\\\n", " ").splitlines():
            line = line.split(" # ")[0].strip()
            if line and line != "make test":
                yield line


def test_every_command_of_the_readme_works():
    lines = list(commands())
    assert len(lines) >= 5
    for line in lines:
        done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"


def test_every_link_of_the_readme_leads_somewhere():
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text())
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
