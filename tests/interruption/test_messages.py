"""Messages that cannot be written never cost the work they are about."""
import subprocess

import pytest

TRAIN = ["train", "--train", "data.txt", "--num-trees", "12", "--log-every", "1", "--out"]


@pytest.fixture
def data(glassrank, tmp_path):
    glassrank("data", "synth", "--queries", 60, "--features", 8, "--out", "data.txt")
    glassrank(*TRAIN, "expected.txt")
    return (tmp_path / "expected.txt").read_bytes()


# The shell closes or fills standard error before the program starts.
@pytest.mark.parametrize("redirection", ["2> /dev/full", "2>&-", "2>&- < /dev/null", "<&- 2>&-"])
def test_training_ends_where_standard_error_cannot_be_written(data, program, tmp_path, redirection):
    command = " ".join([program, *TRAIN, "model.txt", redirection])
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0
    assert "12 trees kept" in done.stdout
    assert (tmp_path / "model.txt").read_bytes() == data


@pytest.mark.parametrize("redirection", ["2> /dev/full", "2>&-"])
def test_errors_keep_their_exit_code(program, tmp_path, redirection):
    command = f"{program} train --train nowhere.txt --out model.txt {redirection}"
    assert subprocess.run(["bash", "-c", command], cwd=tmp_path).returncode == 1
    assert subprocess.run(["bash", "-c", f"{program} trian {redirection}"]).returncode == 2


def test_a_closed_standard_output_is_an_error(data, program, tmp_path):
    command = f"{program} data stats data.txt >&-"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "cannot write to 'standard output'" in done.stderr
