"""Training that is killed and resumed ends in the very file of training that was left alone."""
import pathlib
import signal
import subprocess
import time

import pytest

ROUNDS = 600  # a second or more: long enough to be hit between the first and the last checkpoint
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


def command(program, books, out, settings, *more):
    return [program, "train", "--train", books / "train.txt", "--valid", books / "valid.txt", "--num-trees", ROUNDS,
            "--num-leaves", "8", "--checkpoint-every", "5", "--quiet", "--out", out, *settings, *more]


def start(arguments, folder):
    return subprocess.Popen(list(map(str, arguments)), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)


def wait_for_change(path: pathlib.Path, process, before=None):
    """Until the file is there and is another one than before."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if path.exists() and path.stat().st_ino != before:
            return path.stat().st_ino
        assert process.poll() is None, f"training ended too early: {process.stderr.read()}"
        time.sleep(0.002)
    raise AssertionError(f"no {path}")


@pytest.mark.parametrize("name", SETTINGS)
def test_killed_and_interrupted_training_ends_in_the_same_file(program, books, tmp_path, name):
    settings = SETTINGS[name]
    whole = tmp_path / "whole.txt"
    subprocess.run(list(map(str, command(program, books, whole, settings, "--threads", "2", "--learning-curve", "whole.tsv"))),
                   cwd=tmp_path, check=True, capture_output=True)

    out = tmp_path / "model.txt"
    checkpoint = tmp_path / "model.txt.checkpoint"
    killed = start(command(program, books, out, settings, "--threads", "1"), tmp_path)
    first = wait_for_change(checkpoint, killed)
    killed.send_signal(signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    assert not out.exists(), "a killed run leaves no model, least of all half a one"

    interrupted = start(command(program, books, out, settings, "--threads", "2", "--resume"), tmp_path)
    wait_for_change(checkpoint, interrupted, before=first)
    interrupted.send_signal(signal.SIGINT)
    message = interrupted.communicate()[1]
    assert interrupted.returncode == 130, message
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
    killed = start(command(program, books, out, settings, "--threads", "1"), tmp_path)
    first = wait_for_change(base, killed)
    killed.send_signal(signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    assert not out.exists() and not final.exists()

    interrupted = start(command(program, books, out, settings, "--threads", "2", "--resume"), tmp_path)
    wait_for_change(base, interrupted, before=first)
    interrupted.send_signal(signal.SIGINT)
    message = interrupted.communicate()[1]
    assert interrupted.returncode == 130, message
    assert "rounds of the base model of cleaning; --resume goes on" in message
    assert not out.exists()

    killed = start(command(program, books, out, settings, "--threads", "1", "--resume"), tmp_path)
    wait_for_change(final, killed)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    last = start(command(program, books, out, settings, "--threads", "4", "--resume", "--learning-curve", "model.tsv"), tmp_path)
    assert last.wait() == 0, last.stderr.read()
    assert out.read_bytes() == whole.read_bytes()
    assert (tmp_path / "model.tsv").read_bytes() == (tmp_path / "whole.tsv").read_bytes()
    assert not base.exists() and not final.exists()


def test_terminated_training_writes_a_checkpoint_however_rare_they_are(program, books, tmp_path):
    out = tmp_path / "model.txt"
    arguments = command(program, books, out, ["--patience", "0"])
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
    process = start(command(program, books, out, SETTINGS["plain"]), tmp_path)
    wait_for_change(tmp_path / "model.txt.checkpoint", process)
    process.kill()
    process.wait()
    for more, differs in [
        (["--num-leaves", "9"], "params.num_leaves was '8' and is '9'"),
        (["--seed", "5"], "seed was '0' and is '5'"),
        (["--train", books / "test.txt"], "train.digest was '"),
        (["--valid", books / "test.txt"], "valid.digest was '"),
    ]:
        other = start(command(program, books, out, SETTINGS["plain"], "--resume", *more), tmp_path)
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
