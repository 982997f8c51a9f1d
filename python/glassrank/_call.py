"""How the engine is called: threads, seed, where messages and progress go."""
from __future__ import annotations

import contextlib
import logging
import warnings
from typing import Callable, Iterator

from glassrank import _core
from glassrank.errors import GlassrankWarning

logger = logging.getLogger("glassrank")

#: progress(task, unit, total, done, detail); done is None when the task is over.
Progress = Callable[[str, str, int, "int | None", str], None]


@contextlib.contextmanager
def calling(
    threads: int = 0,
    seed: int = 0,
    progress: Progress | bool | None = None,
    machines: _core.Machines | None = None,
) -> Iterator[_core.Call]:
    """A Call of the engine; notices go to the logger, warnings to ``warnings`` when it is over."""
    told: list[str] = []

    def log(is_warning: bool, message: str) -> None:
        if is_warning:
            told.append(message)
        else:
            logger.info(message)

    if progress is True:
        from glassrank._progress import ProgressBar

        progress = ProgressBar()
    yield _core.Call(threads, seed, log, progress or None, machines)
    for message in told:
        # 1 is here, 2 the end of the with block, 3 the function that has it, 4 who called that.
        warnings.warn(message, GlassrankWarning, stacklevel=4)
