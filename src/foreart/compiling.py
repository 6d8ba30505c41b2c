"""Compiles functions with numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compiles at the first call, caches on disk where possible and releases the GIL.

    Parallel work runs in Python threads: numba's own must not be started after a fork or from two threads at once.
    """
    try:
        return cast(Function, njit(cache=True, nogil=True, error_model="numpy")(function))
    except RuntimeError:  # no writable cache folder
        return cast(Function, njit(nogil=True, error_model="numpy")(function))
