"""How many relevant documents are still unread: a Gamma–Poisson estimate from chances and finds.

Relevant documents are a Poisson process over documents whose rate is chance · g; g ~ Gamma differs between matters.
After r were found where E were expected, the number M among documents where U are expected is negative binomial
(a Cox process; Stevenson and Bin-Hezam, TOIS 42(3), 2024).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_Numbers = float | np.ndarray


@dataclass(frozen=True, slots=True)
class GammaPrior:
    """The distribution of g before anything is read: the mean is shape / rate."""

    shape: float
    rate: float

    def posterior(self, found: _Numbers, expected: _Numbers) -> tuple[_Numbers, _Numbers]:
        """Shape and rate of g after so many were found where so many were expected."""
        return self.shape + found, self.rate + expected


def unread_mean(prior: GammaPrior, found: _Numbers, read: _Numbers, unread: _Numbers) -> np.ndarray:
    """The mean of M. `read` and `unread` are sums of chances, numbers or arrays."""
    shape, rate = prior.posterior(found, read)
    return np.asarray(shape * unread / rate, dtype=np.float64)


def unread_at_most(prior: GammaPrior, found: _Numbers, read: _Numbers, unread: _Numbers, count: _Numbers) -> np.ndarray:
    """The probability that M is at most a count; 0 below 0."""
    from scipy.special import betainc

    shape, rate = prior.posterior(found, read)
    share = rate / (rate + unread)
    counts = np.asarray(count, dtype=np.float64)
    return np.where(counts < 0, 0.0, betainc(shape, np.maximum(counts, 0.0) + 1.0, share))


def unread_quantile(
    prior: GammaPrior, found: _Numbers, read: _Numbers, unread: _Numbers, level: _Numbers
) -> np.ndarray:
    """The smallest count that M does not exceed with probability `level`, which is below 1."""
    shape = np.broadcast(found, read, unread, level).shape
    low, high = np.full(shape, -1.0), np.full(shape, 1.0)
    while (short := unread_at_most(prior, found, read, unread, high) < level).any():
        low, high = np.where(short, high, low), np.where(short, 2.0 * high, high)
    while (high - low > 1.0).any():
        middle = np.floor((low + high) / 2.0)
        enough = unread_at_most(prior, found, read, unread, middle) >= level
        open_ = high - low > 1.0
        high = np.where(open_ & enough, middle, high)
        low = np.where(open_ & ~enough, middle, low)
    return high


def log_likelihood(
    prior: GammaPrior, found: np.ndarray, read: np.ndarray, unread: np.ndarray, left: np.ndarray
) -> np.ndarray:
    """The logarithm of the probability that exactly `left` are unread."""
    from scipy.special import gammaln

    shape, rate = prior.posterior(found, read)
    total = rate + unread
    return np.asarray(
        gammaln(shape + left)
        - gammaln(shape)
        - gammaln(left + 1.0)
        + shape * np.log(rate / total)
        + left * np.log(np.maximum(unread, 1e-300) / total),
        dtype=np.float64,
    )
