"""The one door to numba: loops over rows, compiled at the first call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compiled at the first call, kept on disk where possible; Python's own threads run it side by side.

    numba's threads would be fewer lines, but must not be started after a fork or from two threads at once.
    """
    try:
        return cast(Function, njit(cache=True, nogil=True, error_model="numpy")(function))
    except RuntimeError:  # there is no folder to keep it in
        return cast(Function, njit(nogil=True, error_model="numpy")(function))
