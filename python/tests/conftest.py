"""Data that tests of the package share: the invented book shop, small and the same every time."""
import pathlib
import subprocess

import pytest

import glassrank as gr

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="session")
def shop():
    """Training, validation and test data."""
    return gr.bookshop(queries=80, documents_per_query=15)


@pytest.fixture(scope="session")
def forest(shop):
    return gr.Lambdamart(num_trees=30, num_leaves=8, learning_rate=0.2).train(shop[0], shop[1])


@pytest.fixture(scope="session")
def glass(shop):
    return gr.Ilmart(num_trees=40, num_interactions=2, num_leaves=4, learning_rate=0.2).train(shop[0], shop[1])


@pytest.fixture(scope="session")
def files(shop, tmp_path_factory):
    """The same data as text."""
    folder = tmp_path_factory.mktemp("shop")
    for name, data in zip(("train", "valid", "test"), shop):
        data.save(folder / f"{name}.txt")
    return folder


@pytest.fixture(scope="session")
def program():
    path = ROOT / "build" / "glassrank"
    assert path.exists(), "build the program first: make build"

    def run(*arguments, cwd=None):
        done = subprocess.run([path, *map(str, arguments)], cwd=cwd, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
