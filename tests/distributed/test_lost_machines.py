"""Whatever happens to one machine, all of them end soon, with a message, and --resume goes on."""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time

import pytest

ROUNDS = 400
SOON = 60


def options(books, out, *more):
    return ["train", "--train", books / "train.txt", "--valid", books / "valid.txt", "--num-trees", ROUNDS, "--patience", "0",
            "--num-leaves", "8", "--checkpoint-every", "5", "--threads", "1", "--quiet", "--out", out, *more]


def run(command, folder):
    begin = time.monotonic()
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=SOON)
    assert time.monotonic() - begin < SOON
    return done


@pytest.fixture(scope="module")
def whole(program, books, tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    done = run([program, *options(books, "m.txt")], folder)
    assert done.returncode == 0, done.stderr
    return (folder / "m.txt").read_bytes()


def children(process):
    """The programs that mpirun has started."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            text = path.read_text()
        except OSError:
            continue
        if f"PPid:\t{process.pid}\n" in text and "Name:\tglassrank\n" in text:
            found.append(int(path.parent.name))
    return sorted(found)


@pytest.fixture(scope="module")
def seconds(mpirun, books, tmp_path_factory):
    """How long a training of three machines takes."""
    begin = time.monotonic()
    assert run(mpirun(3, options(books, "m.txt")), tmp_path_factory.mktemp("timed")).returncode == 0
    return time.monotonic() - begin


# GLASSRANK_KILLS=20 pytest -rP: twenty moments, and how far the training had come.
@pytest.mark.parametrize("moment", range(int(os.environ.get("GLASSRANK_KILLS", "4"))))
def test_a_machine_that_is_killed(mpirun, books, whole, seconds, tmp_path, moment):
    chance = random.Random(moment)
    machines = chance.choice([2, 3, 4])
    process = subprocess.Popen(list(map(str, mpirun(machines, options(books, "m.txt")))), cwd=tmp_path,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while len(children(process)) < machines:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    time.sleep(chance.uniform(0, seconds))
    running = children(process)
    if running:
        os.kill(chance.choice(running), signal.SIGKILL)
    message = process.communicate(timeout=SOON)[1]
    checkpoint = (tmp_path / "m.txt.checkpoint").exists()
    print(f"{machines} machines,", "done" if process.returncode == 0 else "a checkpoint" if checkpoint else "no checkpoint yet")
    if process.returncode != 0:
        assert "signal 9" in message
        if (tmp_path / "m.txt").exists():  # killed after all was done
            assert (tmp_path / "m.txt").read_bytes() == whole
        again = run(mpirun(chance.choice([1, 2, 3]), options(books, "m.txt", "--resume")), tmp_path)
        assert again.returncode == 0, again.stderr
    assert (tmp_path / "m.txt").read_bytes() == whole
    assert not (tmp_path / "m.txt.checkpoint").exists()


def test_a_machine_with_a_bad_file(mpirun, books, tmp_path):
    # The same rows, but for bad ones both in what the first machine parses and in what the second does.
    lines = (books / "train.txt").read_text().splitlines(keepends=True)
    rows = [number for number, line in enumerate(lines) if not line.startswith("#")]
    for number in rows[0], rows[-1]:
        lines[number] = " ".join(lines[number].split()[:2]) + " 3:7 2:8\n"
    bad = tmp_path / "bad.txt"
    bad.write_text("".join(lines))
    shutil.copy(books / "train.txt.names", tmp_path / "bad.txt.names")
    for good, other in ((books / "train.txt", bad), (bad, books / "train.txt")):
        command = mpirun(1, ["train", "--train", good, "--out", "m.txt"], (1, ["train", "--train", other, "--out", "m.txt"], ()))
        done = run(command, tmp_path)
        number = 1 if good == bad else 2
        assert done.returncode == 1
        assert f"features must ascend (on machine {number} of 2)" in done.stderr
        assert done.stderr.count("features must ascend") == 1
        assert not (tmp_path / "m.txt").exists()


def test_a_copy_of_the_data_that_differs(mpirun, books, tmp_path):
    lines = (books / "train.txt").read_text().splitlines(keepends=True)
    (tmp_path / "old.txt").write_text("".join(lines[:-3]))
    shutil.copy(books / "train.txt.names", tmp_path / "old.txt.names")
    command = mpirun(1, ["train", "--train", books / "train.txt", "--out", "m.txt"],
                     (1, ["train", "--train", tmp_path / "old.txt", "--out", "m.txt"], ()))
    done = run(command, tmp_path)
    assert done.returncode == 1
    assert "every machine must have the same file" in done.stderr and "machine 2 has" in done.stderr


def test_other_options_on_a_machine_are_named(mpirun, books, tmp_path):
    for first, second, expected in (
        (["--num-leaves", "8"], [], "told num_leaves = 31 where machine 1 was told num_leaves = 8"),
        ([], ["--seed", "7"], "told seed = 7 where machine 1 was told seed = 0"),
        ([], ["--folds", "3"], "told folds = 3 where machine 1 was told folds = 0"),
        ([], ["--method", "mart"], "told method = mart where machine 1 was told method = lambdamart"),
    ):
        usual = ["train", "--train", books / "train.txt", "--out", "m.txt"]
        done = run(mpirun(1, [*usual, *first], (1, [*usual, *second], ())), tmp_path)
        assert done.returncode == 2
        assert done.stderr.count(f"machine 2 of 2 was {expected}") == 1, done.stderr
        assert not (tmp_path / "m.txt").exists()


def test_a_file_that_only_one_machine_lacks(mpirun, books, tmp_path):
    command = mpirun(1, ["train", "--train", books / "train.txt", "--out", "m.txt"],
                     (2, ["train", "--train", tmp_path / "none.txt", "--out", "m.txt"], ()))
    done = run(command, tmp_path)
    assert done.returncode == 1
    assert "none.txt" in done.stderr and "(on machine 2 of 3)" in done.stderr


def test_a_wrong_option_is_said_once(mpirun, books, tmp_path):
    done = run(mpirun(3, ["train", "--train", books / "train.txt", "--out", "m.txt", "--num-tres", "5"]), tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("num-tres") == 1
    done = run(mpirun(3, ["train", "--train", books / "train.txt", "--out", "m.txt", "--method", "rankgam"]), tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("rankgam trains on one machine only") == 1
    done = run(mpirun(2, ["data", "stats", "--data", books / "train.txt"]), tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("mpirun is for train") == 1


# A device that every write to fails: the system says that no space is left.
@pytest.mark.parametrize("full", [0, 1])
def test_a_full_disk(mpirun, books, whole, tmp_path, full):
    first, second = ("/dev/full", "m.txt") if full == 0 else ("m.txt", "/dev/full")
    done = run(mpirun(1, options(books, first), (1, options(books, second), ())), tmp_path)
    if full == 1:  # it writes nothing
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "m.txt").read_bytes() == whole
        return
    assert done.returncode == 1
    assert "No space left on device" in done.stderr and "(on machine 1 of 2)" in done.stderr
    assert not (tmp_path / "m.txt").exists()


def test_a_machine_that_is_late(mpirun, books, whole, tmp_path):
    late = ["bash", "-c", 'sleep 4; exec "$@"', "bash"]
    done = run(mpirun(1, options(books, "m.txt"), (2, options(books, "m.txt"), late)), tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "m.txt").read_bytes() == whole


def test_all_stop_where_one_is_asked(mpirun, books, whole, tmp_path):
    process = subprocess.Popen(list(map(str, mpirun(3, options(books, "m.txt")))), cwd=tmp_path,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    checkpoint = tmp_path / "m.txt.checkpoint"
    while not checkpoint.exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    os.kill(children(process)[-1], signal.SIGTERM)
    message = process.communicate(timeout=SOON)[1]
    assert process.returncode == 130, message
    assert message.count("the best model so far") == 1
    again = run(mpirun(2, options(books, "m.txt", "--resume")), tmp_path)
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "m.txt").read_bytes() == whole
