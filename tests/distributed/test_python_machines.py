"""Machines that Python starts end with the model of a single one, to the byte."""
import os
import pathlib
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import glassrank as gr
from glassrank import distributed

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from python_machine import METHODS, share  # noqa: E402


def single(method):
    train, valid, _ = gr.bookshop(queries=80)
    return METHODS[method]().train(train, valid).to_bytes()


def start(rank, size, folder, method):
    return subprocess.Popen(
        [sys.executable, str(HERE / "python_machine.py"), str(rank), str(size), str(folder), method],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


@pytest.mark.parametrize("method", [name for name in METHODS if name != "long"])
def test_processes_joined_by_gloo_make_the_model_of_one(method, tmp_path):
    if not distributed._core.has_gloo:
        pytest.skip("built without Gloo")
    size = 3
    processes = [start(rank, size, tmp_path, method) for rank in range(size)]
    for process in processes:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    expected = single(method)
    for rank in range(size):
        assert (tmp_path / f"model.{rank}").read_bytes() == expected


class Threads:
    """Machines as threads of this process: the calls that glassrank.distributed.machines asks for."""

    def __init__(self, size):
        self.barrier = threading.Barrier(size)
        self.parts = [None] * size

    def at(self, rank):
        return ThreadMachine(self, rank, len(self.parts))


class ThreadMachine:
    def __init__(self, threads, rank, size):
        self._threads, self.rank, self.size = threads, rank, size

    def _exchange(self, own):
        self._threads.parts[self.rank] = own
        self._threads.barrier.wait(60)
        parts = list(self._threads.parts)
        self._threads.barrier.wait(60)
        return parts

    def sum(self, values):
        values[:] = np.sum(self._exchange(values.copy()), axis=0, dtype=values.dtype)

    def max(self, values):
        values[:] = np.max(self._exchange(values.copy()), axis=0)

    def gather(self, own):
        return self._exchange(own)

    def broadcast(self, own, root):
        return self._exchange(own)[root]

    def sum_scatter(self, values, sizes, own):
        self.sum(values)
        begin = sum(sizes[: self.rank])
        own[:] = values[begin : begin + sizes[self.rank]]


def on_threads(size, work):
    threads, ended = Threads(size), [None] * size

    def run(rank):
        try:
            ended[rank] = work(distributed.machines(threads.at(rank)))
        except BaseException as error:  # noqa: BLE001
            ended[rank] = error

    started = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for each in started:
        each.start()
    for each in started:
        each.join(120)
    return ended


@pytest.mark.parametrize("size", [1, 2, 4])
def test_machines_of_the_users_own_make_the_model_of_one(size):
    train, valid, _ = gr.bookshop(queries=80)

    def work(machines):
        own = share(train, machines.rank, size), share(valid, machines.rank, size)
        return METHODS["lambdamart"]().train(*own, machines=machines).to_bytes()

    assert on_threads(size, work) == [single("lambdamart")] * size


def test_what_one_machine_refuses_all_refuse():
    train, _, _ = gr.bookshop(queries=20)

    def work(machines):
        own = share(train, machines.rank, 2)
        if machines.rank == 1:
            own = gr.Dataset(np.ones((4, 3), np.float32), np.arange(4), qid=[1, 1, 2, 2])
        return gr.Lambdamart(num_trees=2, threads=1).train(own, machines=machines)

    first, second = on_threads(2, work)
    assert isinstance(first, gr.Error) and isinstance(second, gr.Error)
    assert str(first) == str(second)


def test_a_call_that_raises_is_an_error_with_its_words():
    class Broken(ThreadMachine):
        def gather(self, own):
            raise ConnectionError("the cable is out")

        sum = max = gather

    train, _, _ = gr.bookshop(queries=20)
    with pytest.raises(gr.FileError, match="a call between machines failed.*the cable is out"):
        gr.Lambdamart(num_trees=2).train(train, machines=distributed.machines(Broken(Threads(2), 0, 2)))


def test_a_lost_machine_ends_the_others(tmp_path):
    if not distributed._core.has_gloo:
        pytest.skip("built without Gloo")
    processes = [start(rank, 2, tmp_path, "long") for rank in range(2)]
    while not all((tmp_path / f"joined.{rank}").exists() for rank in range(2)):
        assert processes[1].poll() is None
        time.sleep(0.05)
    time.sleep(1)
    processes[1].kill()
    _, errors = processes[0].communicate(timeout=60)
    assert processes[0].returncode == 1
    assert "a machine is lost or cannot be reached" in errors


def test_ranks_are_checked():
    with pytest.raises(gr.UsageError, match="rank 3 of 2 machines"):
        distributed.connect(3, 2, "127.0.0.1", lambda own: [own])
    with pytest.raises(gr.UsageError, match="rank 2 of 2 machines"):
        distributed.machines(ThreadMachine(Threads(2), 2, 2))
