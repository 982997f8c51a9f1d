"""LightGBM's parameters are all known: it is asked for their names itself."""
import subprocess

import lightgbm.basic
import pytest

ALIASES = lightgbm.basic._ConfigAliases._get_all_param_aliases()
UNKNOWN = "'{}' is not a parameter of LightGBM"


def said_of(name, program, folder):
    """What a config with this parameter alone is answered."""
    config = folder / f"{name}.conf"
    config.write_text(f"{name} = 1\n")
    done = subprocess.run([program, "train", "--from-lightgbm", config, "--train", folder / "none.txt",
                           "--out", folder / "out.txt"], capture_output=True, text=True)
    assert done.returncode != 0
    return done.stderr


def test_a_name_of_nobody_is_refused(program, tmp_path):
    assert UNKNOWN.format("num_leafs") in said_of("num_leafs", program, tmp_path)


@pytest.mark.parametrize("name", sorted({name for names in ALIASES.values() for name in names} | set(ALIASES)))
def test_every_name_of_lightgbm_is_known(name, program, tmp_path):
    assert UNKNOWN.format(name) not in said_of(name, program, tmp_path)
