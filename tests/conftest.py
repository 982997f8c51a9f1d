"""Where the program is, for every test that runs it; GLASSRANK_PROGRAM names another one."""
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def program() -> str:
    path = pathlib.Path(os.environ.get("GLASSRANK_PROGRAM", ROOT / "build" / "glassrank")).absolute()
    assert path.exists(), "build the program first: make build"
    return str(path)


@pytest.fixture
def glassrank(program, tmp_path):
    """Runs the program in a fresh folder; returns the finished process."""

    def run(*arguments, check=True, **options):
        done = subprocess.run(
            [program, *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True, **options
        )
        if check:
            assert done.returncode == 0, done.stderr
        return done

    return run
