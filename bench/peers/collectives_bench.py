"""What carries the sums of machines: Gloo, torch.distributed or MPI, under the same training on the same two cores.

    PYTHONPATH=build/python build/venv/bin/python bench/peers/collectives_bench.py [ROUNDS]
    PYTHONPATH=build/python TORCH_PYTHON=/path/to/python ... [ROUNDS]      an environment with numpy and torch, if not this one

Two processes of one thread, half of the rows each; 64 leaves. "a tree" is the difference of a long and a short training.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

SIZE = 2
FEATURES = 136
ROWS = (60_000,)
TREES = (10, 60)
CARRIERS = ("gloo", "torch", "mpi")
NAMES = {"gloo": "Gloo, `distributed.connect`", "torch": "torch.distributed, `distributed.torch`", "mpi": "MPI, `distributed.mpi` (mpi4py)"}


def exchange_files(folder, rank):
    """Addresses go through a folder, as they go through Spark's barrier or Dask's scheduler."""

    def exchange(own):
        (folder / f"{rank}.part").write_bytes(own)
        (folder / f"{rank}.part").rename(folder / f"{rank}.address")
        files = [folder / f"{other}.address" for other in range(SIZE)]
        while not all(file.exists() for file in files):
            time.sleep(0.01)
        return [file.read_bytes() for file in files]

    return exchange


def connect(carrier, rank, folder):
    from glassrank import distributed

    if carrier == "gloo":
        return distributed.connect(rank, SIZE, "127.0.0.1", exchange_files(folder, rank))
    if carrier == "mpi":
        return distributed.mpi()
    import torch

    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/torch", rank=rank, world_size=SIZE)
    return distributed.torch()


def work(carrier, folder, rows):
    """What a process does: prints how it went if it is the first."""
    import numpy

    import glassrank

    start = time.perf_counter()
    machines = connect(carrier, int(os.environ.get("RANK", 0)), folder)
    connected = time.perf_counter() - start
    rank = machines.rank
    values = numpy.random.default_rng(rank)
    own = rows // SIZE
    data = glassrank.Dataset(
        values.random((own, FEATURES), dtype="f4"),
        values.integers(0, 5, own).astype("f4"),
        qid=rank * own + numpy.repeat(numpy.arange(own // 100), 100),
    )
    seconds = []
    for trees in (1, *TREES):  # the first prepares threads and memory
        start = time.perf_counter()
        method = glassrank.Lambdamart(num_trees=trees, num_leaves=64, train_metric=False, threads=1)
        model = method.train(data, machines=machines)
        seconds.append(time.perf_counter() - start)
    if rank == 0:
        model.save(folder / "model.txt")
        print(connected, *seconds)
    if carrier == "torch":
        import torch

        torch.distributed.destroy_process_group()


def run(carrier, rows):
    """Seconds to connect, milliseconds of a tree, the model's bytes."""
    with tempfile.TemporaryDirectory() as folder:
        python = os.environ.get("TORCH_PYTHON", sys.executable) if carrier == "torch" else sys.executable
        command = [python, __file__, "work", carrier, folder, str(rows)]
        environment = os.environ | {"OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        if carrier == "mpi":
            command = ["mpirun", "-n", str(SIZE), "--bind-to", "none", python, "-m", "mpi4py", *command[1:]]
            printed = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
        else:
            processes = [
                subprocess.Popen(command, env=environment | {"RANK": str(rank)}, stdout=subprocess.PIPE, text=True)
                for rank in range(SIZE)
            ]
            printed = [process.communicate()[0] for process in processes][0]
            if any(process.returncode for process in processes):
                raise RuntimeError(f"{carrier}: a process failed")
        connected, _, short, long = map(float, printed.split())
        model = pathlib.Path(folder, "model.txt").read_bytes()
    return connected, 1000 * (long - short) / (TREES[1] - TREES[0]), model


def main(rounds=5) -> str:
    lines = [f"{rounds} interleaved rounds, medians; the ratio to Gloo is that of a round, with its range.", "",
             "| rows of 136 features | | connecting, s | a tree, ms | ratio to Gloo |", "|---|---|---|---|---|"]  # fmt: skip
    for rows in ROWS:
        found = [{carrier: run(carrier, rows) for carrier in CARRIERS} for _ in range(rounds)]
        if len({model for each in found for *_, model in each.values()}) != 1:
            raise RuntimeError("the models differ")
        for carrier in CARRIERS:
            ratios = [each[carrier][1] / each["gloo"][1] for each in found]
            connecting, tree = (statistics.median(each[carrier][i] for each in found) for i in (0, 1))
            lines.append(f"| {rows:,} | {NAMES[carrier]} | {connecting:.2f} | {tree:.2f} | {statistics.median(ratios):.2f} "
                         f"({min(ratios):.2f} to {max(ratios):.2f}) |")  # fmt: skip
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["work"]:
        work(sys.argv[2], pathlib.Path(sys.argv[3]), int(sys.argv[4]))
    else:
        print(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
