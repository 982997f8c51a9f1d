"""kill -9 at any moment: inputs stay, outputs are whole or not there, and the next run is as if nothing had been."""
import pathlib
import shutil
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "faults"))
import faults as injected  # noqa: E402

NUM_KILLS = 3  # one of what takes long


@pytest.fixture(scope="module")
def setting(program, tmp_path_factory):
    return injected.Faults(tmp_path_factory.mktemp("killed"))


def arguments(command):
    return [str(injected.PROGRAM), *injected.COMMANDS[command].split(), "--threads", "2"]


@pytest.mark.parametrize("command", injected.WRITING)
def test_a_killed_command_leaves_nothing_half(setting, command):
    begin = time.monotonic()
    setting.measure(command)
    seconds = time.monotonic() - begin
    expected, _ = setting.expected[command]
    folder = setting.fresh_folder()
    num_kills = 1 if command in injected.SLOW else NUM_KILLS
    for kill in range(num_kills):
        process = subprocess.Popen(arguments(command), cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds * (kill + 1) / (num_kills + 1))
        process.kill()
        process.wait()
        for name, digest in injected.contents(folder).items():
            if name.endswith(".tmp") or "checkpoint" in name:
                continue  # of the killed one; the next one takes care of them
            assert expected[name] == digest, name
    done = subprocess.run(arguments(command), cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    # The checkpoint of a killed run is kept beside that of the next one.
    left = {name: digest for name, digest in injected.contents(folder).items() if not name.endswith(".checkpoint.old")}
    assert left == expected
    shutil.rmtree(folder)
