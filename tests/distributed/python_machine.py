"""One machine of a training in Python; writes model.RANK into the folder.

python_machine.py RANK SIZE FOLDER METHOD    machines pass their addresses around as files of the folder
python_machine.py mpi FOLDER METHOD          started by mpirun
python_machine.py torch FOLDER METHOD        started by torchrun
"""
import atexit
import pathlib
import sys
import time

import glassrank as gr
from glassrank import distributed

METHODS = {
    "lambdamart": lambda: gr.Lambdamart(num_trees=8, num_leaves=8, threads=1),
    "ilmart": lambda: gr.Ilmart(num_trees=6, num_leaves=4, num_interactions=3, threads=1),
    "sampled": lambda: gr.Lambdamart(num_trees=8, num_leaves=8, sample=gr.HighLow(0.2, 0.4), threads=2),
    "cleaned": lambda: gr.Lambdamart(num_trees=8, num_leaves=8, clean=gr.Sour("neg"), threads=1),
    "long": lambda: gr.Lambdamart(num_trees=100_000, num_leaves=8, patience=0, threads=1),
    "bags": lambda: gr.Lambdamart(num_trees=4, num_leaves=8, bags=3, threads=1),
}


def share(data, rank, size):
    """The queries of one machine."""
    count = len(data)
    return data[rank * count // size : (rank + 1) * count // size]


def exchange_in(folder, rank, size):
    def exchange(own):
        part = folder / f"address.{rank}.part"
        part.write_bytes(own)
        part.rename(folder / f"address.{rank}")
        while not all((folder / f"address.{each}").exists() for each in range(size)):
            time.sleep(0.01)
        return [(folder / f"address.{each}").read_bytes() for each in range(size)]

    return exchange


def join(how, folder):
    if how == ["mpi"]:
        return distributed.mpi()
    if how == ["torch"]:
        import torch.distributed

        torch.distributed.init_process_group("gloo")
        atexit.register(torch.distributed.destroy_process_group)  # or torch aborts
        return distributed.torch()
    rank, size = map(int, how)
    machines = distributed.connect(rank, size, "127.0.0.1", exchange_in(folder, rank, size), timeout=60)
    assert (machines.rank, machines.size) == (rank, size)
    return machines


def main():
    *how, folder, method = sys.argv[1:]
    folder = pathlib.Path(folder)
    train, valid, _ = gr.bookshop(queries=80)
    machines = join(how, folder)
    rank, size = machines.rank, machines.size
    (folder / f"joined.{rank}").touch()
    model = METHODS[method]().train(share(train, rank, size), share(valid, rank, size), machines=machines)
    (folder / f"model.{rank}").write_bytes(model.to_bytes())


if __name__ == "__main__":
    main()
