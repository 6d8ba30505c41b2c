"""The largest eigenvalues of a large symmetric matrix and their vectors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Multiply = Callable[[np.ndarray], np.ndarray]

# Up to this size LAPACK is used.
_SMALL = 2000
# Relative residual at which a vector has converged; the error of its eigenvalue is about the square.
_TOLERANCE = 1e-3
_MAX_ROUNDS = 20
# Limit of the growth of the first vector relative to the last in one round, so that rounding does not erase the last.
_SPREAD = 1e12
# Eigenvalues below this share of the largest are rounding errors.
_NEGLIGIBLE = 1e-10


def leading(multiply: Multiply, size: int, count: int, *, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """At most `count` positive eigenvalues, largest first, and their eigenvectors as columns.

    `multiply` returns the product of the matrix, which is symmetric and has no negative eigenvalue, with columns. The
    largest entry of each vector is positive.
    """
    wanted = min(count, size)
    if size <= _SMALL:
        from scipy.linalg import eigh  # takes 0.1 s to import and is needed for fitting only

        values, vectors = eigh(multiply(np.eye(size)), subset_by_index=[size - wanted, size - 1])
        values, vectors = values[::-1], vectors[:, ::-1]
    else:
        values, vectors = subspace(multiply, size, wanted, seed=seed)
    kept = values > max(_NEGLIGIBLE * values[0], np.finfo(float).tiny)
    return values[kept], _signed(vectors[:, kept])


def subspace(multiply: Multiply, size: int, count: int, *, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Subspace iteration for large sizes, from a random start.

    Each round applies a Chebyshev polynomial, small on the unwanted eigenvalues and steep above them (Zhou, Saad et
    al. 2006): with the flat spectrum of texts it needs a fraction of the products of the power method.
    """
    width = min(size, count + max(10, count // 4))
    basis = _orthogonal(np.random.default_rng(seed).standard_normal((size, width)))
    for _ in range(_MAX_ROUNDS):
        image = multiply(basis)
        values, turn = np.linalg.eigh(basis.T @ image)
        values, turn = values[::-1], np.ascontiguousarray(turn[:, ::-1])
        basis = basis @ turn
        image = image @ turn
        if values[0] <= 0.0 or _converged(basis, image, values, count):
            break
        basis = _orthogonal(_filtered(multiply, basis, image, values))
    return values[:count], basis[:, :count]


def _orthogonal(columns: np.ndarray) -> np.ndarray:
    """An orthonormal basis of the columns, computed in place: numpy's `qr` makes four copies."""
    from scipy.linalg import qr  # takes 0.1 s to import and is needed for fitting only

    basis: np.ndarray = qr(columns, mode="economic", overwrite_a=True, check_finite=False)[0]
    return basis


def _converged(basis: np.ndarray, image: np.ndarray, values: np.ndarray, count: int) -> bool:
    residuals = np.linalg.norm(image[:, :count] - basis[:, :count] * values[:count], axis=0)
    return bool((residuals <= _TOLERANCE * np.maximum(values[:count], 1e-8 * values[0])).all())


def _filtered(multiply: Multiply, basis: np.ndarray, image: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The polynomial of the matrix times the basis, with unit columns; overwrites `image`, their product."""
    cut = max(float(values[-1]), _NEGLIGIBLE * float(values[0]))
    degree = int(np.arccosh(_SPREAD) / np.arccosh(max(2.0 * values[0] / cut - 1.0, 1.5)))
    image *= 2.0 / cut
    image -= basis
    before, last = basis, image
    for _ in range(degree - 1):
        following = multiply(last)
        following *= 4.0 / cut
        for term in (last, last, before):  # in place: these arrays are large
            following -= term
        before, last = last, following
    lengths = np.linalg.norm(last, axis=0)
    last /= np.where(lengths > 0, lengths, 1.0)
    return last


def _signed(vectors: np.ndarray) -> np.ndarray:
    """Flips the sign of columns so that the first of their largest entries is positive."""
    if not vectors.size:
        return vectors
    sizes = np.abs(vectors)
    # With a tolerance: of two entries that differ by rounding only, always the first decides.
    first = np.argmax(sizes >= (1.0 - 1e-6) * sizes.max(axis=0), axis=0)
    signed: np.ndarray = vectors * np.sign(vectors[first, np.arange(vectors.shape[1])])
    return signed
