"""The command ``glassrank``."""
import sys


def main() -> None:
    from glassrank import _core

    sys.exit(_core.run_program(["glassrank", *sys.argv[1:]]))
