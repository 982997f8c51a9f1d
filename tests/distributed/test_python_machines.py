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


@pytest.mark.parametrize("method", ["lambdamart", "ilmart"])
def test_processes_of_mpi4py_make_the_model_of_one(mpirun, method, tmp_path):
    pytest.importorskip("mpi4py")
    command = mpirun(3, [HERE / "python_machine.py", "mpi", tmp_path, method], started=sys.executable)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr
    assert [(tmp_path / f"model.{rank}").read_bytes() for rank in range(3)] == [single(method)] * 3


# GLASSRANK_TORCH_PYTHON: a Python with PyTorch, which need not be the one of the tests.
@pytest.mark.skipif(not os.environ.get("GLASSRANK_TORCH_PYTHON"), reason="GLASSRANK_TORCH_PYTHON is not set")
@pytest.mark.parametrize("method", ["lambdamart", "sampled", "cleaned"])
def test_processes_of_torch_make_the_model_of_one(method, tmp_path):
    command = [os.environ["GLASSRANK_TORCH_PYTHON"], "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "3"]
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(gr.__file__).absolute().parents[1]), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, str(HERE / "python_machine.py"), "torch", str(tmp_path), method], capture_output=True, text=True, timeout=240, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert [(tmp_path / f"model.{rank}").read_bytes() for rank in range(3)] == [single(method)] * 3


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


def names_of(data):
    return [name for name in data.to_pandas().columns if name not in ("grade", "query", "document")]


@pytest.mark.parametrize("kind", ["slice", "frame", "nothing"])
def test_a_machine_may_have_no_rows(kind):
    train, valid, _ = gr.bookshop(queries=80)

    def work(machines):
        if machines.rank == 1:
            frame = train.to_pandas()[names_of(train)].head(0)
            own = {
                "slice": train[:0],
                "frame": gr.Dataset(frame, [], qid=[]),
                "nothing": gr.Dataset(np.zeros((0, 0), np.float32), [], qid=[]),
            }[kind]
            return METHODS["lambdamart"]().train(own, own, machines=machines).to_bytes()
        rank = min(machines.rank, 1)
        return METHODS["lambdamart"]().train(share(train, rank, 2), share(valid, rank, 2), machines=machines).to_bytes()

    assert on_threads(3, work) == [single("lambdamart")] * 3


def test_machines_may_hold_their_rows_in_other_ways():
    train, valid, _ = gr.bookshop(queries=80)

    def work(machines):
        own = share(train, machines.rank, 3)
        if machines.rank > 0:
            frame = own.to_pandas()
            values = frame[names_of(train)].astype(np.float64 if machines.rank == 1 else np.float32)
            own = gr.Dataset(values, frame["grade"], qid=frame["query"], name=f"part {machines.rank}")
        else:
            METHODS["lambdamart"]().train(own)  # its bins are not those of all rows
        return METHODS["lambdamart"]().train(own, share(valid, machines.rank, 3), machines=machines).to_bytes()

    assert on_threads(3, work) == [single("lambdamart")] * 3


def test_queries_that_are_only_counted_are_numbered_through_all_machines():
    frame = gr.bookshop(queries=40)[0].to_pandas()
    X, grades = frame[names_of(gr.bookshop(queries=40)[0])], frame["grade"]
    sizes = frame.groupby("query", sort=False).size().tolist()
    cut = sum(sizes[:15])
    method = gr.Lambdamart(num_trees=5, num_leaves=8, threads=1)

    def work(machines):
        rows = slice(0, cut) if machines.rank == 0 else slice(cut, None)
        group = sizes[:15] if machines.rank == 0 else sizes[15:]
        own = gr.Dataset(X[rows], grades[rows], group=group, name="counted")
        return method.train(own, machines=machines).to_bytes()

    assert on_threads(2, work) == [method.train(gr.Dataset(X, grades, group=sizes, name="counted")).to_bytes()] * 2


def refused(work, size=2):
    """The message that every machine has."""
    ended = on_threads(size, work)
    assert all(isinstance(each, gr.Error) for each in ended), ended
    assert len({str(each) for each in ended}) == 1
    return str(ended[0])


def test_a_query_on_two_machines_is_named():
    train, valid, _ = gr.bookshop(queries=20)

    def work(machines):
        own = train[: len(train) // 2 + 1] if machines.rank == 0 else train[len(train) // 2 :]
        gr.Lambdamart(num_trees=2, threads=1).train(own, machines=machines)

    query = train.to_pandas()["query"].unique()[len(train) // 2]
    assert f"the training data: query '{query}' is on machine 1 and on machine 2" in refused(work)

    def work_on_all_of_valid(machines):
        gr.Lambdamart(num_trees=2, threads=1).train(share(train, machines.rank, 2), valid, machines=machines)

    assert f"the validation data: query '{valid.to_pandas()['query'].iloc[0]}' is on machine 1 and on machine 2" in refused(work_on_all_of_valid)


def test_other_columns_on_a_machine_are_named():
    def work(machines):
        frame = gr.bookshop(queries=20)[0].to_pandas()
        names = [each for each in frame.columns if each not in ("grade", "query", "document")]
        own = names if machines.rank == 0 else [*names[1:], names[0]]
        half = frame["query"].isin(frame["query"].unique()[machines.rank :: 2])
        data = gr.Dataset(frame[half][own], frame[half]["grade"], qid=frame[half]["query"])
        gr.Lambdamart(num_trees=2, threads=1).train(data, machines=machines)

    names = names_of(gr.bookshop(queries=20)[0])
    assert f"machine 2 has '{names[1]}' where machine 1 has '{names[0]}'" in refused(work)


def test_other_parameters_on_a_machine_are_named():
    train, _, _ = gr.bookshop(queries=20)

    def work(machines):
        leaves = 8 if machines.rank == 2 else 16
        gr.Lambdamart(num_trees=2, num_leaves=leaves, threads=1).train(share(train, machines.rank, 3), machines=machines)

    assert "machine 3 of 3 was told num_leaves = 8 where machine 1 was told num_leaves = 16" in refused(work, 3)

    def work_without_valid(machines):
        valid = train if machines.rank == 0 else None
        gr.Lambdamart(num_trees=2, threads=1).train(share(train, machines.rank, 2), valid, machines=machines)

    assert "machine 2 of 2 was told validation data = none" in refused(work_without_valid)

    starts = [gr.Lambdamart(num_trees=trees, threads=1).train(train) for trees in (1, 2)]

    def work_from_another_model(machines):
        gr.Lambdamart(num_trees=2, threads=1).train(
            share(train, machines.rank, 2), start=starts[machines.rank], machines=machines
        )

    assert "machine 2 of 2 was told a start model of digest = " in refused(work_from_another_model)


@pytest.mark.parametrize("empty", [False, True])
def test_machines_go_on_from_a_model(empty):
    train, _, _ = gr.bookshop(queries=40)
    first = gr.Lambdamart(num_trees=3, num_leaves=8, threads=1).train(train[:20])
    method = gr.Lambdamart(num_trees=3, num_leaves=8, threads=1)

    def work(machines):
        own = train if machines.rank == 0 else train[:0]
        return method.train(own if empty else share(train, machines.rank, 2), start=first, machines=machines).to_bytes()

    assert on_threads(2, work) == [method.train(train, start=first).to_bytes()] * 2


def test_a_file_that_one_machine_lacks_ends_all():
    train, _, _ = gr.bookshop(queries=20)

    def work(machines):
        own = share(train, machines.rank, 2) if machines.rank == 0 else "nowhere.txt"
        gr.Lambdamart(num_trees=2, threads=1).train(own, machines=machines)

    first, second = on_threads(2, work)
    assert isinstance(second, gr.FileError) and "nowhere.txt" in str(second)
    assert isinstance(first, gr.InputError) and str(first) == f"{second} (on machine 2 of 2)"


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
