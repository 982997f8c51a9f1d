"""Largest differences to each peer, printed at the end of a run."""

import os
import pathlib

import pytest

_differences = {}


class Parity:
    """Collects and asserts differences between our values and a peer's."""

    def check(self, peer, measure, ours, theirs, tolerance=1e-12):
        difference = abs(ours - theirs)
        key = (peer, measure, tolerance)
        _differences[key] = max(_differences.get(key, 0.0), difference)
        assert difference <= tolerance, f"{peer} {measure}: ours {ours!r}, theirs {theirs!r}"


@pytest.fixture
def parity():
    return Parity()


@pytest.fixture(scope="session")
def glassrank():
    root = pathlib.Path(__file__).resolve().parents[2]
    program = pathlib.Path(os.environ.get("GLASSRANK", root / "build" / "glassrank"))
    assert program.exists(), f"{program} is not there; build it or set GLASSRANK"
    return str(program)


def pytest_terminal_summary(terminalreporter):
    if not _differences:
        return
    terminalreporter.write_line("largest difference to each peer (tolerance)")
    for (peer, measure, tolerance), difference in sorted(_differences.items()):
        terminalreporter.write_line(f"  {peer:<14} {measure:<24} {difference:.1e} ({tolerance:g})")
