"""Programs that mpirun starts several times on this machine."""
import shutil
import subprocess

import pytest

# As root in a container, more machines than cores, and no core for one machine alone.
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,vader",
          "--mca", "btl_vader_single_copy_mechanism", "none"]


@pytest.fixture(scope="session")
def mpirun(program):
    """mpirun(4, ["train", ...]) gives the arguments of a process."""
    if shutil.which("mpirun") is None:
        pytest.skip("there is no mpirun")

    def command(machines, arguments, *others, before=(), started=program):
        """`others`: further (machines, arguments, before) that start together with the first ones."""
        whole = list(MPIRUN)
        for n, own, prefix in [(machines, arguments, before), *others]:
            if len(whole) > len(MPIRUN):
                whole.append(":")
            whole += ["-n", str(n), *map(str, prefix), str(started), *map(str, own)]
        return whole

    return command


@pytest.fixture(scope="session")
def books(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("books")
    subprocess.run([program, "data", "synth", "--scenario", "bookshop", "--bookshop.queries", "200", "--out", folder],
                   check=True, capture_output=True)
    return folder
