#!/usr/bin/env python3
"""Writes docs/reference from the program's own declarations; --check only compares."""
import filecmp
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs" / "reference"


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / "build" / "write_reference", folder], check=True)
        made = sorted(path.name for path in pathlib.Path(folder).iterdir())
        there = sorted(path.name for path in REFERENCE.glob("*.md"))
        if "--check" in sys.argv[1:]:
            _, differ, missing = filecmp.cmpfiles(folder, REFERENCE, made, shallow=False)
            stale = sorted(set(differ) | set(missing) | (set(there) - set(made)))
            if stale:
                print(f"docs/reference is out of date ({', '.join(stale)}); run make reference")
                return 1
            print(f"docs/reference: {len(made)} pages are up to date")
            return 0
        REFERENCE.mkdir(parents=True, exist_ok=True)
        for name in there:
            (REFERENCE / name).unlink()
        for name in made:
            shutil.copy(pathlib.Path(folder) / name, REFERENCE / name)
        print(f"docs/reference: {len(made)} pages written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
