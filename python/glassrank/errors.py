"""What the package raises.

Each error is also one of Python's own, so that code that knows nothing of this package can catch
it: wrong parameters and wrong data are a ValueError, files that cannot be read or written an
OSError, Ctrl-C a KeyboardInterrupt.
"""
from __future__ import annotations

import errno
import os
import re
from typing import Any


class Error(Exception):
    """Base of every error of the engine."""


class UsageError(Error, ValueError):
    """Something was asked for that does not exist or does not fit together."""


class InputError(Error, ValueError):
    """The content of a file or array is wrong."""


class FileError(Error, OSError):
    """The system refused: no such file, disk full, no permission. ``errno`` is the system's number for it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.errno = errno_in(message)
        self.strerror = os.strerror(self.errno) if self.errno else None
        named = re.match(r"cannot [\w ]+ '(.*)': ", message)
        self.filename = named[1] if named else None

    def __str__(self) -> str:
        return str(self.args[0])


def errno_in(message: str) -> int | None:
    """The number of the system's error that a message ends with."""
    return next((code for code in errno.errorcode if message.endswith(os.strerror(code))), None)


class Interrupted(Error, KeyboardInterrupt):
    """Work was stopped by Ctrl-C. A training keeps its best model so far in ``model``."""

    #: the best model so far, a ``Model``
    model: Any = None


class GlassrankWarning(UserWarning):
    """A result may not be what it seems."""


_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)*)")


def made_from(kind: type, message: str) -> Error:
    """The error with options of the command line written as arguments: --valid-share, valid_share."""
    return kind(_OPTION.sub(lambda match: match.group(1).replace("-", "_"), message))
