# What is installed on other machines: the container has the libraries that the program needs.

import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
IN_EVERY_IMAGE = {"libc6", "libstdc++6", "libgcc-s1"}


def packages_of(program):
    """The packages of the libraries that the program names itself; these bring their own."""
    headers = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    found = set()  # without those of 32-bit programs
    for library in re.findall(r"NEEDED.*\[(.+)\]", headers):
        owners = subprocess.run(["dpkg", "-S", f"*/{library}"], capture_output=True, text=True).stdout
        found |= {line.split(":")[0] for line in owners.splitlines() if line.endswith("/" + library) and "lib32" not in line}
    return found - IN_EVERY_IMAGE


@pytest.mark.skipif(not shutil.which("dpkg") or not shutil.which("readelf"), reason="needs dpkg and readelf")
def test_the_container_has_the_libraries_of_the_program(program):
    last_stage = (ROOT / "Containerfile").read_text().split("FROM ")[-1]
    installed = set(re.search(r"--no-install-recommends ([^\\]+)", last_stage)[1].split())
    assert packages_of(program) == installed
