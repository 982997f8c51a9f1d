"""Machines that were told different things: one message on all, at once, and nobody waits for ever."""
import subprocess

import pytest

SOON = 30


def run(command, folder):
    return subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=SOON)


@pytest.fixture(scope="module")
def data(program, books, tmp_path_factory):
    """Text, a cache of values, a cache of bins and a model of the same rows."""
    folder = tmp_path_factory.mktemp("data")
    for kind, name in ([], "values"), (["--binned"], "bins"):
        subprocess.run([program, "data", "cache", books / "train.txt", *kind, "--out", folder / name], check=True, capture_output=True)
    subprocess.run([program, "train", "--train", books / "train.txt", "--num-trees", "2", "--out", folder / "start.txt"],
                   check=True, capture_output=True)
    return {"text": books / "train.txt", "values": folder / "values", "bins": folder / "bins", "start": folder / "start.txt"}


def usual(books, *more):
    return ["train", "--train", books / "train.txt", "--num-trees", "5", "--out", "m.txt", *more]


@pytest.mark.parametrize("option", ["valid", "test", "start-model", "learning-curve", "record", "dropped"])
@pytest.mark.parametrize("has", [1, 2])
def test_a_file_that_one_machine_was_given(mpirun, books, data, tmp_path, option, has):
    value = {"valid": books / "valid.txt", "test": books / "test.txt", "start-model": data["start"]}.get(option, "beside.txt")
    clean = ["--clean", "isolation-forest"] if option == "dropped" else []
    both = [usual(books, *clean, f"--{option}", value), usual(books, *clean)]
    first, second = both if has == 1 else both[::-1]
    done = run(mpirun(1, first, (1, second, ())), tmp_path)
    assert done.returncode == 2, done.stderr
    name = option.replace("-", "_")
    told = [f"{name} = (nothing)", f"{name} = a file"] if has == 1 else [f"{name} = a file", f"{name} = (nothing)"]
    assert done.stderr.count(f"machine 2 of 2 was told {told[0]} where machine 1 was told {told[1]}") == 1, done.stderr
    assert not (tmp_path / "m.txt").exists()


@pytest.mark.parametrize("kinds", [("text", "bins"), ("bins", "text"), ("text", "values"), ("values", "bins")])
def test_one_name_for_files_of_other_kinds(mpirun, books, data, tmp_path, kinds):
    for number, kind in enumerate(kinds):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "t.txt").symlink_to(data[kind])
    options = ["train", "--train", "t.txt", "--num-trees", "5", "--out", "m.txt"]
    done = run(mpirun(1, options, (1, options, ["env", "-C", tmp_path / "1"]), before=["env", "-C", tmp_path / "0"]), tmp_path)
    assert done.returncode == 2, done.stderr
    words = {"text": "rows of text", "values": "a cache of values", "bins": "a cache of bins"}
    assert done.stderr.count(f"machine 2 of 2 was told the training data = {words[kinds[1]]} where machine 1 was told "
                             f"the training data = {words[kinds[0]]}") == 1, done.stderr


@pytest.mark.parametrize("option", ["valid", "test"])
def test_other_kinds_of_files_to_measure_on_are_no_matter(program, mpirun, books, tmp_path, option):
    """The rows are the same: a cache of values holds what the text says."""
    for number in range(2):
        (tmp_path / str(number)).mkdir()
    (tmp_path / "0" / "v.txt").symlink_to(books / "valid.txt")
    (tmp_path / "0" / "v.txt.names").symlink_to(books / "valid.txt.names")
    subprocess.run([program, "data", "cache", books / "valid.txt", "--out", tmp_path / "1" / "v.txt"], check=True, capture_output=True)
    options = usual(books, f"--{option}", "v.txt")
    done = run(mpirun(1, options, (1, options, ["env", "-C", tmp_path / "1"]), before=["env", "-C", tmp_path / "0"]), tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_config_that_names_a_file_on_one_machine(mpirun, books, tmp_path):
    for number, text in enumerate((f'valid = "{books / "valid.txt"}"\n', "")):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "c.toml").write_text("num_leaves = 8\n" + text)
    options = usual(books, "--config", "c.toml")
    done = run(mpirun(1, options, (1, options, ["env", "-C", tmp_path / "1"]), before=["env", "-C", tmp_path / "0"]), tmp_path)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("machine 2 of 2 was told valid = (nothing) where machine 1 was told valid = a file") == 1


def test_another_command_on_one_machine(mpirun, books, data, tmp_path):
    predict = ["predict", "--model", data["start"], "--data", books / "test.txt"]
    for other, name in (predict, "predict"), (["--help"], "(nothing)"), (["--version"], "(nothing)"):
        for machines in ((usual(books), other), (other, usual(books))):
            done = run(mpirun(1, machines[0], (1, machines[1], ())), tmp_path)
            assert done.returncode == 2, done.stderr
            told = [name, "train"] if machines[1] == other else ["train", name]
            assert done.stderr.count(f"machine 2 of 2 was told command = {told[0]} where machine 1 was told command = {told[1]}") == 1


def test_help_is_said_once(mpirun, tmp_path):
    done = run(mpirun(3, ["train", "--help"]), tmp_path)
    assert done.returncode == 0
    assert done.stdout.count("Usage: glassrank train") == 1


def test_an_error_has_one_form_and_is_said_once(mpirun, books, tmp_path):
    """Wherever it comes up, and also where machines call their files otherwise."""
    for first, second, expected in (
        (usual(books), usual(books, "--num-tres", "5"), "num-tres"),
        (usual(books), usual(books, "--valid-share", "0.15"), "--valid-share is for bags"),
        (usual(books), usual(books, "--memory", "much"), "memory"),
        (usual(books), ["train", "--train", "none.txt", "--num-trees", "5", "--out", "m.txt"], "none.txt"),
    ):
        done = run(mpirun(1, first, (1, second, ())), tmp_path)
        lines = [line for line in done.stderr.splitlines() if expected in line]
        assert len(lines) == 1 and lines[0].startswith("glassrank: ") and lines[0].endswith(" (on machine 2 of 2)"), done.stderr
    both = (["train", "--train", f"none{i}.txt", "--out", "m.txt"] for i in (1, 2))
    done = run(mpirun(1, next(both), (1, next(both), ())), tmp_path)
    assert done.stderr.count("glassrank: ") == 1 and "none1.txt" in done.stderr and "none2.txt" not in done.stderr, done.stderr
