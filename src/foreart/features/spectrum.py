"""The greatest eigenvalues of a large matrix and their vectors, without all the others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Multiply = Callable[[np.ndarray], np.ndarray]

# Up to this size all eigenvalues are found at once, by LAPACK.
_SMALL = 2000
# A vector holds when what the matrix makes of it differs from its multiple by less than this share; its eigenvalue
# is then wrong by about the square of it.
_ENOUGH = 1e-3
_ROUNDS = 20
# How much more the first vector may grow than the last in one round, lest rounding swallows the last.
_SPREAD = 1e12
# Eigenvalues below this share of the greatest are rounding.
_NOTHING = 1e-10


def leading(multiply: Multiply, size: int, count: int, *, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """At most `count` eigenvalues above 0, greatest first, and a vector for each as a column; none may be negative.

    `multiply` gives the product of the symmetric matrix with columns. The greatest entry of each vector is positive.
    """
    wanted = min(count, size)
    if size <= _SMALL:
        from scipy.linalg import eigh  # a tenth of a second to import, and only what learns needs it

        values, vectors = eigh(multiply(np.eye(size)), subset_by_index=[size - wanted, size - 1])
        values, vectors = values[::-1], vectors[:, ::-1]
    else:
        values, vectors = subspace(multiply, size, wanted, seed=seed)
    kept = values > max(_NOTHING * values[0], np.finfo(float).tiny)
    return values[kept], _signed(vectors[:, kept])


def subspace(multiply: Multiply, size: int, count: int, *, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The same for large sizes: a random subspace is turned towards the greatest vectors, round after round.

    Each round applies a Chebyshev polynomial, small where the unwanted eigenvalues are and steep above (Zhou, Saad et
    al. 2006): with so flat a spectrum as that of texts it needs a fraction of the products of the power method.
    """
    width = min(size, count + max(10, count // 4))
    basis = _orthogonal(np.random.default_rng(seed).standard_normal((size, width)))
    for _ in range(_ROUNDS):
        image = multiply(basis)
        values, turn = np.linalg.eigh(basis.T @ image)
        values, turn = values[::-1], np.ascontiguousarray(turn[:, ::-1])
        basis = basis @ turn
        image = image @ turn
        if values[0] <= 0.0 or _settled(basis, image, values, count):
            break
        basis = _orthogonal(_filtered(multiply, basis, image, values))
    return values[:count], basis[:, :count]


def _orthogonal(columns: np.ndarray) -> np.ndarray:
    """Columns of length 1 at right angles that span the same; in place, as numpy's own makes four copies."""
    from scipy.linalg import qr  # a tenth of a second to import, and only what learns needs it

    found: np.ndarray = qr(columns, mode="economic", overwrite_a=True, check_finite=False)[0]
    return found


def _settled(basis: np.ndarray, image: np.ndarray, values: np.ndarray, count: int) -> bool:
    wrong = np.linalg.norm(image[:, :count] - basis[:, :count] * values[:count], axis=0)
    return bool((wrong <= _ENOUGH * np.maximum(values[:count], 1e-8 * values[0])).all())


def _filtered(multiply: Multiply, basis: np.ndarray, image: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The polynomial of the matrix times the basis, columns of length 1; `image`, their product, is used up."""
    cut = max(float(values[-1]), _NOTHING * float(values[0]))
    degree = int(np.arccosh(_SPREAD) / np.arccosh(max(2.0 * values[0] / cut - 1.0, 1.5)))
    image *= 2.0 / cut
    image -= basis
    before, last = basis, image
    for _ in range(degree - 1):
        following = multiply(last)
        following *= 4.0 / cut
        for less in (last, last, before):  # in place: each of these arrays is large
            following -= less
        before, last = last, following
    lengths = np.linalg.norm(last, axis=0)
    last /= np.where(lengths > 0, lengths, 1.0)
    return last


def _signed(vectors: np.ndarray) -> np.ndarray:
    """Every column times 1 or −1, so that the first of its greatest entries is positive."""
    if not vectors.size:
        return vectors
    sizes = np.abs(vectors)
    # "Of the greatest": two entries alike but for rounding must not take turns.
    first = np.argmax(sizes >= (1.0 - 1e-6) * sizes.max(axis=0), axis=0)
    signed: np.ndarray = vectors * np.sign(vectors[first, np.arange(vectors.shape[1])])
    return signed
