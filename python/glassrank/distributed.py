"""Training on several machines: every machine holds some of the queries, all end with the same model.

Whoever starts the machines also connects them: MPI (``mpi``), torchrun, Ray Train or Kubeflow
(``torch``), Spark (glassrank.spark), Dask (glassrank.dask), or anything else that can pass a text
around once (``connect``). Every machine then makes the same call::

    machines = glassrank.distributed.mpi()
    model = glassrank.Lambdamart(num_trees=300).train(own_rows, own_valid, machines=machines)

The rows of all machines, in the order of their ranks, are the training data; the model is, to the
byte, the one that a single machine would train on them.
"""
from __future__ import annotations

import contextlib
from typing import Any, Callable, Iterator, Protocol, Sequence

import numpy as np

from glassrank import _core
from glassrank.errors import Error, UsageError

#: Machines that train together: ``rank`` (0 to size - 1) and ``size``.
Machines = _core.Machines


class Calls(Protocol):
    """What machines do together. Every machine makes the same calls, in the same order.

    Sums are of int32 or int64 and wrap; they are exact, so their order does not matter.
    """

    rank: int
    size: int

    def sum(self, values: np.ndarray) -> None:
        """Every value becomes its sum over the machines, in place."""

    def max(self, values: np.ndarray) -> None:
        """Every value (float64) becomes the largest of the machines, in place."""

    def gather(self, own: bytes) -> Sequence[bytes]:
        """The bytes of every machine, by rank."""

    def broadcast(self, own: bytes, root: int) -> bytes:
        """The bytes of machine ``root``."""

    def sum_scatter(self, values: np.ndarray, sizes: Sequence[int], own: np.ndarray) -> None:
        """``values`` are blocks of ``sizes``, one per machine; ``own`` becomes this machine's, summed."""


def machines(calls: Calls) -> Machines:
    """Machines whose calls are yours."""
    if not 0 <= calls.rank < calls.size:
        raise UsageError(f"rank {calls.rank} of {calls.size} machines; ranks are 0 to size - 1")
    return _core.machines_of(calls)


def connect(
    rank: int,
    size: int,
    host: str,
    exchange: Callable[[bytes], Sequence[bytes]],
    *,
    timeout: float = 1800,
) -> Machines:
    """Machines that talk over TCP, with Gloo.

    Parameters
    ----------
    rank, size : int
        Which machine this is, of how many.
    host : str
        Name or address under which the others reach this machine.
    exchange : function
        Called once on every machine, with its address: must give those of all machines, by rank.
    timeout : float
        Seconds to wait for a machine that neither answers nor is gone.

    Nothing is encrypted: for networks that are trusted.
    """
    if not _core.has_gloo:
        raise UsageError("this build of glassrank has no Gloo; build it where libgloo-dev is installed, or use mpi() or torch()")
    if not 0 <= rank < size:
        raise UsageError(f"rank {rank} of {size} machines; ranks are 0 to size - 1")
    return _core.connect(rank, size, host, exchange, timeout)


@contextlib.contextmanager
def together(machines: Machines | None) -> Iterator[None]:
    """What one machine cannot do, no machine goes on with.

    ``with together(machines): rows = read_own_rows()`` raises on every machine if it does on one, which
    the others would wait for in their next call. Every machine comes here.
    """
    try:
        yield
    except Exception as error:
        if machines is not None:
            with contextlib.suppress(Error):  # the others raise it
                machines.agree(str(error) or type(error).__name__)
        raise
    if machines is not None:
        machines.agree("")


class _Mpi:
    def __init__(self, comm: Any) -> None:
        from mpi4py import MPI

        self._mpi = MPI
        self._comm = comm
        self.rank = comm.Get_rank()
        self.size = comm.Get_size()

    def sum(self, values: np.ndarray) -> None:
        self._comm.Allreduce(self._mpi.IN_PLACE, values, op=self._mpi.SUM)

    def max(self, values: np.ndarray) -> None:
        self._comm.Allreduce(self._mpi.IN_PLACE, values, op=self._mpi.MAX)

    def gather(self, own: bytes) -> list[bytes]:
        return self._comm.allgather(own)

    def broadcast(self, own: bytes, root: int) -> bytes:
        return self._comm.bcast(own, root)

    def sum_scatter(self, values: np.ndarray, sizes: Sequence[int], own: np.ndarray) -> None:
        self._comm.Reduce_scatter(values, own, recvcounts=list(sizes), op=self._mpi.SUM)


def mpi(comm: Any = None) -> Machines:
    """The machines of an mpi4py communicator; MPI.COMM_WORLD unless one is given."""
    if comm is None:
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
    return machines(_Mpi(comm))


class _Torch:
    def __init__(self, group: Any) -> None:
        import torch
        import torch.distributed as distributed

        if not distributed.is_initialized():
            raise UsageError("torch.distributed has no process group yet; call init_process_group(\"gloo\") first")
        self._torch = torch
        self._distributed = distributed
        self._group = group
        self.rank = distributed.get_rank(group)
        self.size = distributed.get_world_size(group)

    def _reduce(self, values: np.ndarray, op: Any) -> None:
        self._distributed.all_reduce(self._torch.from_numpy(values), op=op, group=self._group)

    def sum(self, values: np.ndarray) -> None:
        self._reduce(values, self._distributed.ReduceOp.SUM)

    def max(self, values: np.ndarray) -> None:
        self._reduce(values, self._distributed.ReduceOp.MAX)

    def gather(self, own: bytes) -> list[bytes]:
        parts: list[Any] = [None] * self.size
        self._distributed.all_gather_object(parts, own, group=self._group)
        return parts

    def broadcast(self, own: bytes, root: int) -> bytes:
        return self.gather(own if self.rank == root else b"")[root]

    def sum_scatter(self, values: np.ndarray, sizes: Sequence[int], own: np.ndarray) -> None:
        # Gloo's process group has no reduce_scatter of unequal blocks.
        self.sum(values)
        begin = sum(sizes[: self.rank])
        own[:] = values[begin : begin + sizes[self.rank]]


def torch(group: Any = None) -> Machines:
    """The machines of a torch.distributed process group on CPUs ("gloo"); the default one unless given."""
    return machines(_Torch(group))
