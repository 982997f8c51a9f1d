"""Training that is killed and resumed ends in the very file of training that was left alone."""
import pathlib
import signal
import subprocess
import time

import pytest

ROUNDS = 600  # a second or more: usually hit between the first and the last checkpoint
FOREVER = 1_000_000  # rounds of a training that nobody waits for
ATTEMPTS = 30  # on a busy machine a training may be over before the test wakes up
SETTINGS = {
    "plain": ["--patience", "0"],
    "goss": ["--sample", "goss", "--feature-fraction", "0.5", "--patience", "500"],
    "queries": ["--sample", "queries", "--sample.every", "3", "--patience", "500"],
    "selective": ["--sample", "selective", "--sample.every", "7", "--sample.adaptive", "mix", "--sample.random", "0.1",
                  "--sample.window", "20", "--patience", "500"],
    "high-low": ["--sample", "high-low", "--patience", "500"],
    "random-negatives": ["--sample", "random-negatives", "--sample.every", "4", "--patience", "500"],
    "early": ["--sample", "rows", "--learning-rate", "0.3", "--patience", "400"],
}


@pytest.fixture(scope="module")
def books(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("books")
    subprocess.run([program, "data", "synth", "--scenario", "bookshop", "--bookshop.queries", "200", "--out", folder],
                   check=True, capture_output=True)
    return folder


def command(program, books, out, settings, *more, rounds=ROUNDS):
    return [program, "train", "--train", books / "train.txt", "--valid", books / "valid.txt", "--num-trees", rounds,
            "--num-leaves", "8", "--checkpoint-every", "5", "--quiet", "--out", out, *settings, *more]


def with_option(arguments, name, value):
    """The same command, with another value of an option."""
    if name not in arguments:
        return [*arguments, name, value]
    at = arguments.index(name) + 1
    return [*arguments[:at], value, *arguments[at + 1:]]


def start(arguments, folder):
    return subprocess.Popen(list(map(str, arguments)), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def version_of(path: pathlib.Path):
    """Another one after every save; None: there is no such file."""
    try:
        status = path.stat()
        return status.st_ino, status.st_mtime_ns
    except FileNotFoundError:
        return None


def wait_for_save(path: pathlib.Path, process, before=None):
    """Whether the file was there, and another one than before, while the process ran."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if version_of(path) not in (None, before):
            return True
        if process.poll() is not None:
            return False
        time.sleep(0.002)
    raise AssertionError(f"no {path}")


def contents(folder):
    return {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def hit(arguments, folder, checkpoint, number, is_in_time=lambda message: True):
    """Sends the signal to a training once it has saved the checkpoint, and returns what it said. A training that had
    gone on too far before the signal came is begun again from the same files."""
    before = contents(folder)
    for _ in range(ATTEMPTS):
        process = start(arguments, folder)
        if wait_for_save(checkpoint, process, version_of(checkpoint)):
            process.send_signal(number)
        message = process.communicate(timeout=60)[1]
        expected = -number if number == signal.SIGKILL else 130
        if process.returncode == expected and is_in_time(message):
            return message
        assert process.returncode in (0, expected), message
        for path in contents(folder):
            path.unlink()
        for path, data in before.items():
            path.write_bytes(data)
    raise AssertionError(f"{ATTEMPTS} trainings had gone on too far before they could be hit")


@pytest.mark.parametrize("name", SETTINGS)
def test_killed_and_interrupted_training_ends_in_the_same_file(program, books, tmp_path, name):
    settings = SETTINGS[name]
    whole = tmp_path / "whole.txt"
    subprocess.run(list(map(str, command(program, books, whole, settings, "--threads", "2", "--learning-curve", "whole.tsv"))),
                   cwd=tmp_path, check=True, capture_output=True)

    out = tmp_path / "model.txt"
    checkpoint = tmp_path / "model.txt.checkpoint"
    hit(command(program, books, out, settings, "--threads", "1"), tmp_path, checkpoint, signal.SIGKILL,
        lambda _: not out.exists())
    assert not out.exists(), "a killed run leaves no model, least of all half a one"

    message = hit(command(program, books, out, settings, "--threads", "2", "--resume"), tmp_path, checkpoint,
                  signal.SIGINT, lambda message: "the best model so far" in message)
    assert "the best model so far" in message and "--resume goes on" in message
    assert "interrupted\tstopped after" in out.read_text()
    subprocess.run([program, "predict", "--model", out, "--data", books / "test.txt", "--out", tmp_path / "scores"],
                   check=True, capture_output=True)

    last = start(command(program, books, out, settings, "--threads", "4", "--resume", "--learning-curve", "model.tsv"), tmp_path)
    assert last.wait() == 0, last.stderr.read()
    assert out.read_bytes() == whole.read_bytes()
    assert (tmp_path / "model.tsv").read_bytes() == (tmp_path / "whole.tsv").read_bytes()
    assert not checkpoint.exists()


CLEANERS = {
    "sour": ["--clean", "sour", "--clean.start", "100", "--patience", "500"],
    "curr-sour": ["--clean", "curr-sour", "--clean.stages", "40,150,300", "--sample", "goss", "--patience", "500"],
}


@pytest.mark.parametrize("name", CLEANERS)
def test_cleaning_killed_in_either_training_ends_in_the_same_file(program, books, tmp_path, name):
    settings = CLEANERS[name]
    whole = tmp_path / "whole.txt"
    subprocess.run(list(map(str, command(program, books, whole, settings, "--threads", "2", "--learning-curve", "whole.tsv"))),
                   cwd=tmp_path, check=True, capture_output=True)

    out = tmp_path / "model.txt"
    base, final = tmp_path / "model.txt.base.checkpoint", tmp_path / "model.txt.checkpoint"
    hit(command(program, books, out, settings, "--threads", "1"), tmp_path, base, signal.SIGKILL,
        lambda _: not final.exists())
    assert not out.exists() and not final.exists()

    hit(command(program, books, out, settings, "--threads", "2", "--resume"), tmp_path, base, signal.SIGINT,
        lambda message: "rounds of the base model of cleaning; --resume goes on" in message)
    assert not out.exists()

    hit(command(program, books, out, settings, "--threads", "1", "--resume"), tmp_path, final, signal.SIGKILL)
    last = start(command(program, books, out, settings, "--threads", "4", "--resume", "--learning-curve", "model.tsv"), tmp_path)
    assert last.wait() == 0, last.stderr.read()
    assert out.read_bytes() == whole.read_bytes()
    assert (tmp_path / "model.tsv").read_bytes() == (tmp_path / "whole.tsv").read_bytes()
    assert not base.exists() and not final.exists()


def test_terminated_training_writes_a_checkpoint_however_rare_they_are(program, books, tmp_path):
    out = tmp_path / "model.txt"
    arguments = command(program, books, out, ["--patience", "0"], rounds=FOREVER)
    arguments[arguments.index("--checkpoint-every") + 1] = 0
    arguments[arguments.index("--quiet")] = "--log-every=1"
    process = start(arguments, tmp_path)
    while not process.stderr.readline().startswith("[3]"):
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert process.wait() == 130
    assert out.exists() and (tmp_path / "model.txt.checkpoint").exists()


def test_resuming_another_run_says_what_differs(program, books, tmp_path):
    out = tmp_path / "model.txt"
    hit(command(program, books, out, SETTINGS["plain"], rounds=FOREVER), tmp_path, tmp_path / "model.txt.checkpoint",
        signal.SIGKILL)
    for more, differs in [
        (["--num-leaves", "9"], "params.num_leaves was '8' and is '9'"),
        (["--seed", "5"], "seed was '0' and is '5'"),
        (["--train", books / "test.txt"], "train.digest was '"),
        (["--valid", books / "test.txt"], "valid.digest was '"),
    ]:
        other = start(with_option(command(program, books, out, SETTINGS["plain"], "--resume", rounds=FOREVER), *more),
                      tmp_path)
        message = other.communicate()[1]
        assert other.returncode == 2
        assert "model.txt.checkpoint is of another run: " in message and differs in message


# What is logged when there is something worth keeping, and what the message then says.
GLASS_BOXES = {
    "ilmart": (["--num-interactions", "0", "--patience", "0", "--num-trees", "100000", "--num-leaves", "4"], "[3]",
               "stopped after ", " trees, is "),
    "ilmart in bags": (["--num-interactions", "0", "--patience", "0", "--num-trees", "30", "--bags", "10000"],
                       "[3] bag 2 of 10000, main effects", "stopped after ", " of 10000 bags, is model.txt; --resume goes on\n"),
    "ebm": (["--max-rounds", "100000", "--patience", "0", "--bags", "2"], "[3] bag 1 curves",
            "stopped while boosting curves", " of 2 bags, is "),
    "rankgam": (["--max-epochs", "100000", "--patience", "0"], "[3] loss", "stopped after ",
                "epoch "),
}


@pytest.mark.parametrize("method", GLASS_BOXES)
def test_interrupted_glass_boxes_are_written_as_tables(program, books, tmp_path, method):
    settings, line, where, kept = GLASS_BOXES[method]
    process = start([program, "train", "--method", method.split()[0], "--train", books / "train.txt", "--log-every", "1",
                     "--out", "model.txt", *settings], tmp_path)
    while not (printed := process.stderr.readline()).startswith(line):
        assert process.poll() is None, printed
    process.send_signal(signal.SIGINT)
    message = process.communicate()[1]
    assert process.returncode == 130, message
    assert f"glassrank: {where}" in message and "; the best model so far, " in message and kept in message
    assert "written as trees" not in message
    assert f"interrupted\t{where}" in (tmp_path / "model.txt").read_text()
    shown = subprocess.run([program, "inspect", "--model", "model.txt", "--json"], cwd=tmp_path, check=True,
                           capture_output=True, text=True).stdout
    assert '"effects"' in shown
