"""A disk without room: every command that writes ends with an error and leaves nothing half."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
import faults as injected  # noqa: E402


@pytest.fixture(scope="module")
def faults(program, tmp_path_factory):
    assert injected.INJECTOR.exists(), "build it first: make build"
    return injected.Faults(tmp_path_factory.mktemp("full"))


# A full disk stays full: nothing can be written from the first piece, from the middle, or from the last one on.
@pytest.mark.parametrize("command", injected.WRITING)
def test_a_full_disk_is_an_error_that_leaves_nothing_half(faults, command):
    faults.measure(command)
    count = faults.counts[command]["write"]
    numbers = {1, (count + 1) // 2} | (set() if command in injected.SLOW else {count})
    for number in numbers:
        assert faults.problem(injected.Fault(command, "write", number, goes_on=True)) == ""
