"""Runs every command of README.md: the blocks marked `sh`, line by line, in order, from the root.

`make test` is left out: it is what runs this test.
"""
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def commands():
    for block in re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.S):
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
