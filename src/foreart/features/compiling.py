"""The one door to numba: loops over rows, compiled at the first call; without numba they stay Python."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])

try:
    if os.environ.get("FOREART_NO_NUMBA") == "1":
        raise ImportError("numba is not wanted")
    from numba import njit
except ImportError:
    HAVE_NUMBA = False
else:
    # Where it is False, a loop over millions of numbers takes a form of NumPy or SciPy with the same results.
    HAVE_NUMBA = True


def compiled(function: Function) -> Function:
    """Compiled at the first call, kept on disk where possible; Python's own threads run it side by side.

    numba's threads would be fewer lines, but must not be started after a fork or from two threads at once.
    """
    if not HAVE_NUMBA:
        return function
    try:
        return cast(Function, njit(cache=True, nogil=True, error_model="numpy")(function))
    except RuntimeError:  # there is no folder to keep it in
        return cast(Function, njit(nogil=True, error_model="numpy")(function))
