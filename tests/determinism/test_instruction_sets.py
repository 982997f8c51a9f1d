"""A model file does not depend on the processor that trained it."""
import importlib.util
import os
import pathlib
import signal
import subprocess
import time

import pytest

SPEC = importlib.util.spec_from_file_location("instruction_sets",
                                              pathlib.Path(__file__).with_name("instruction_sets.py"))
sets = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(sets)


@pytest.fixture(scope="module")
def books(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("books")
    sets.make_data(program, folder)
    return folder


@pytest.mark.parametrize("configuration", sets.configurations(len(sets.MAKERS)), ids=lambda c: " ".join(c)[:60])
def test_models_are_the_same_bytes_with_any_instructions(program, books, configuration):
    found = sets.digests(program, books, configuration)
    assert len(found) > 1
    assert len(set(found.values())) == 1, found


def test_a_killed_run_goes_on_with_other_instructions(program, books, tmp_path):
    """As if it went on on another machine."""
    def command(out, *more):
        return [program, "train", "--train", "train.txt", "--valid", "valid.txt", "--patience", "0", "--num-trees", "600",
                "--num-leaves", "8", "--checkpoint-every", "5", "--quiet", "--out", str(tmp_path / out), *more]

    def environment(level):
        return os.environ | {"GLASSRANK_SIMD": level}

    best = sets.levels_of(program)[-1]
    subprocess.run(command("whole.txt"), cwd=books, env=environment(best), check=True, capture_output=True)
    checkpoint = tmp_path / "model.txt.checkpoint"
    for _ in range(30):  # on a busy machine it may be over before it is killed
        (tmp_path / "model.txt").unlink(missing_ok=True)
        killed = subprocess.Popen(command("model.txt"), cwd=books, env=environment("plain"))
        deadline = time.monotonic() + 60
        while not checkpoint.exists() and killed.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        killed.kill()
        if killed.wait() == -signal.SIGKILL and checkpoint.exists():
            break
    assert checkpoint.exists() and not (tmp_path / "model.txt").exists()
    subprocess.run(command("model.txt", "--resume"), cwd=books, env=environment(best), check=True, capture_output=True)
    assert (tmp_path / "model.txt").read_bytes() == (tmp_path / "whole.txt").read_bytes()


def test_unknown_instructions_are_an_error(program):
    done = subprocess.run([program, "list", "metrics"], capture_output=True, text=True,
                          env=os.environ | {"GLASSRANK_SIMD": "avx4"})
    assert done.returncode == 2
    assert done.stderr.startswith("glassrank: GLASSRANK_SIMD: unknown instruction set 'avx4'")
