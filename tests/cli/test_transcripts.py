"""Runs the transcripts beside this file: what a user types and what the program answers.

A transcript is a text file. A line `$ command` is run by bash in a folder of the transcript's own;
the lines below it, up to the next command, are what it prints (standard output and error together).
`[exit N]` after the output names the exit code when it is not 0. A line `...` stands for any lines,
`<...>` within a line for any text. Lines starting with `#` before the first command are prose.
"""
import os
import pathlib
import re
import subprocess

import pytest

FOLDER = pathlib.Path(__file__).parent


def steps(text: str):
    """[(command, expected lines, exit code)] of a transcript."""
    found = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], [], 0])
        elif not found:
            assert not line or line.startswith("#"), f"text before the first command: {line!r}"
        elif match := re.fullmatch(r"\[exit (\d+)\]", line):
            found[-1][2] = int(match.group(1))
        else:
            found[-1][1].append(line)
    for step in found:
        while step[1] and not step[1][-1]:
            step[1].pop()
    return found


def pattern(lines) -> str:
    parts = []
    for line in lines:
        if line == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(".*?".join(re.escape(piece) for piece in line.split("<...>")) + r"[ ]*\n")
    return "".join(parts)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.transcript")), ids=lambda path: path.stem)
def test_transcript(path, program, tmp_path):
    environment = os.environ | {"PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}"}
    for command, expected, code in steps(path.read_text()):
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        printed = done.stdout if not done.stdout or done.stdout.endswith("\n") else done.stdout + "\n"
        while printed.endswith("\n\n"):
            printed = printed[:-1]
        assert re.fullmatch(pattern(expected), printed), f"$ {command}\n{printed}\nexpected:\n" + "\n".join(expected)
        assert done.returncode == code, f"$ {command}\n{printed}"
