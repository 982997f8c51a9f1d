"""A sample of `make faults`: the system fails at some calls of some commands."""
import pytest

import faults as injected


@pytest.fixture(scope="module")
def faults(program, tmp_path_factory):
    assert injected.INJECTOR.exists(), "build it first: make build"
    return injected.Faults(tmp_path_factory.mktemp("faults"))


@pytest.mark.parametrize("command", injected.SAMPLE)
def test_a_fault_is_an_error_or_nothing(faults, command):
    problems = {fault.text(): problem for fault in faults.faults_of(command, injected.KINDS, 4)
                if (problem := faults.problem(fault))}
    assert not problems


def test_a_file_cut_while_it_is_read_is_named(faults):
    folder = faults.fresh_folder()
    done = injected.run(folder, "data stats", FAULT="truncate:1")
    assert done.returncode == 1
    assert done.stderr.decode() == (f"glassrank: cannot read '{folder}/train.txt': it became shorter, or its disk "
                                    "failed, while it was read\n")


def test_work_goes_on_with_the_threads_there_are(faults):
    faults.measure("train lambdamart")
    expected, printed = faults.expected["train lambdamart"]
    folder = faults.fresh_folder()
    done = injected.run(folder, "train lambdamart", FAULT="thread:1+")
    assert done.returncode == 0 and done.stdout == printed
    assert injected.contents(folder) == expected


def test_a_folder_is_synced_after_a_rename(faults):
    """One for the file, one for its folder."""
    faults.measure("convert xgboost")
    assert faults.counts["convert xgboost"]["rename"] == 1
    assert faults.counts["convert xgboost"]["fsync"] == 2


def test_what_a_search_leaves_is_the_model_or_all_three(faults):
    """Parameters and trials stand beside a model that is there; hours of search are not lost for want of them."""
    faults.measure("train search")
    expected, _ = faults.expected["train search"]
    new = {name for name in expected if name not in faults.before}
    assert new == {"new.txt", "new.txt.toml", "new.txt.trials.tsv"}
    for number in range(1, faults.counts["train search"]["write"] + 1):
        folder = faults.fresh_folder()
        done = injected.run(folder, "train search", FAULT=f"write:{number}")
        left = {name for name in injected.contents(folder) if name not in faults.before}
        assert done.returncode == 1 and left in (set(), {"new.txt"}), f"write:{number} left {left}"
