"""The 22 measures of Helmers et al. (2019) by name, as formulas over the shared terms of two rows.

For rows x and y without negative weights, S the terms of both: every measure follows from a few sums over S and from
sums of each row alone, so all of them cost one pass. Distances are without roots ("Euclidean" is squared), as in the
paper; negative results of cancellation become 0, and 0/0 is 0.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from foreart.errors import ForeartError

COEFFICIENTS, KERNELS, DISTANCES = "Similarity coefficients", "Kernel functions", "Distance functions"


@dataclass(frozen=True, slots=True)
class Parameters:
    """Θ of the polynomial and the sigmoidal kernel, p of the former, σ of the Gaussian, p of Minkowski's distance."""

    theta: float = 0.0
    degree: int = 2
    sigma: float = math.sqrt(2.0)
    power: float = 3.0

    def __post_init__(self) -> None:
        if self.degree < 1 or self.degree != int(self.degree):
            raise ForeartError(f"the degree of the polynomial kernel is {self.degree}; it must be 1, 2, 3, …")
        if not self.sigma > 0:
            raise ForeartError(f"sigma of the Gaussian kernel is {self.sigma}; it must be above 0")
        if not 1 <= self.power < math.inf:
            raise ForeartError(f"the power of Minkowski's distance is {self.power}; it must be 1 or more")


@dataclass(frozen=True)
class Own:
    """Sums of one row of each pair, computed on access."""

    take: Callable[[str], np.ndarray]

    @cached_property
    def terms(self) -> np.ndarray:
        """The number of terms."""
        return self.take("terms")

    @cached_property
    def total(self) -> np.ndarray:
        """Σx."""
        return self.take("total")

    @cached_property
    def squares(self) -> np.ndarray:
        """Σx²."""
        return self.take("squares")

    @cached_property
    def powers(self) -> np.ndarray:
        """Σx^p."""
        return self.take("powers")


def _none() -> np.ndarray:
    return np.empty(0)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Sums over the shared terms of each pair, empty if not computed.

    `product` sums xy, `minimum` min(x, y), `overlap` 1 + 2·min/(x+y), `harmonic` xy/(x+y), `root` √(xy), `entropy`
    (x+y)·log2(x+y) − x·log2 x − y·log2 y, `power` x^p + y^p − |x−y|^p. `max_difference` is the largest |x−y| of all
    terms, shared or not.
    """

    x: Own
    y: Own
    product: np.ndarray = field(default_factory=_none)
    minimum: np.ndarray = field(default_factory=_none)
    overlap: np.ndarray = field(default_factory=_none)
    harmonic: np.ndarray = field(default_factory=_none)
    root: np.ndarray = field(default_factory=_none)
    entropy: np.ndarray = field(default_factory=_none)
    power: np.ndarray = field(default_factory=_none)
    max_difference: np.ndarray = field(default_factory=_none)


Sum = Literal["product", "minimum", "overlap", "harmonic", "root", "entropy", "power", "max_difference"]
Formula = Callable[[Overlap, Parameters], np.ndarray]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure; `needs` names the sum over shared terms that its formula uses."""

    name: str
    label: str
    group: str
    needs: Sum
    formula: Formula
    aliases: tuple[str, ...] = ()

    @property
    def distance(self) -> bool:
        """Whether smaller values mean more similar rows; the score is then the negative."""
        return self.group == DISTANCES

    @property
    def dense(self) -> bool:
        """Whether it is defined for rows with negative values, as dense rows have."""
        return self.needs == "product"

    def score(self, values: np.ndarray) -> np.ndarray:
        """Values with the sign for which higher is better."""
        return 0.0 - values if self.distance else values


def measure(name: str) -> Measure:
    """A measure by its name, an alias or the paper's label; case, accents and hyphens do not matter."""
    try:
        return _BY_KEY[_key(name)]
    except KeyError:
        raise ForeartError(f"unknown measure {name!r}; choose one of {', '.join(MEASURES)}") from None


def _cosine(o: Overlap, _: Parameters) -> np.ndarray:
    cosines: np.ndarray = np.clip(_ratio(o.product, np.sqrt(o.x.squares * o.y.squares)), -1.0, 1.0)
    return cosines


def _geodesic(o: Overlap, p: Parameters) -> np.ndarray:
    """The angle; 0 between two empty rows, which are identical, though their cosine is 0/0."""
    empty = (o.x.squares == 0) & (o.y.squares == 0)
    angles: np.ndarray = np.where(empty, 0.0, np.arccos(_cosine(o, p)))
    return angles


def _euclidean(o: Overlap, _: Parameters) -> np.ndarray:
    return _nonnegative(o.x.squares + o.y.squares - 2.0 * o.product)


def _gaussian(o: Overlap, p: Parameters) -> np.ndarray:
    similarity: np.ndarray = np.exp(-_euclidean(o, p) / (2.0 * p.sigma**2))
    return similarity


def _kulczynski(o: Overlap, _: Parameters) -> np.ndarray:
    mean: np.ndarray = (_ratio(o.minimum, o.x.total) + _ratio(o.minimum, o.y.total)) / 2.0
    return mean


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    quotients: np.ndarray = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return quotients


def _nonnegative(distances: np.ndarray) -> np.ndarray:
    clipped: np.ndarray = np.maximum(distances, 0.0)
    return clipped


_TABLE = (
    Measure("cosine", "Cosine", COEFFICIENTS, "product", _cosine, ("cos",)),
    Measure(
        "braun-blanquet", "Braun-Blanquet", COEFFICIENTS, "minimum",
        lambda o, _: _ratio(o.minimum, np.maximum(o.x.total, o.y.total)),
    ),
    Measure(
        "czekanowski", "Czekanowski, Sørensen-Dice", COEFFICIENTS, "minimum",
        lambda o, _: _ratio(2.0 * o.minimum, o.x.total + o.y.total), ("dice", "sorensen"),
    ),
    Measure(
        "jaccard", "Jaccard", COEFFICIENTS, "minimum",
        lambda o, _: _ratio(o.minimum, o.x.total + o.y.total - o.minimum), ("ruzicka",),
    ),
    Measure("kulczynski", "Kulczynski", COEFFICIENTS, "minimum", _kulczynski),
    Measure(
        "otsuka", "Otsuka, Ochiai", COEFFICIENTS, "minimum",
        lambda o, _: _ratio(o.minimum, np.sqrt(o.x.total * o.y.total)), ("otsuka-ochiai",),
    ),
    Measure(
        "simpson", "Simpson", COEFFICIENTS, "minimum",
        lambda o, _: _ratio(o.minimum, np.minimum(o.x.total, o.y.total)),
    ),
    Measure(
        "sokal-sneath", "Sokal-Sneath, Anderberg", COEFFICIENTS, "minimum",
        lambda o, _: _ratio(o.minimum, o.minimum + 2.0 * (o.x.total - o.minimum + (o.y.total - o.minimum))),
    ),
    Measure("linear", "Linear", KERNELS, "product", lambda o, _: o.product, ("dot", "dot-product")),
    Measure("gaussian", "Gaussian", KERNELS, "product", _gaussian, ("rbf",)),
    Measure(
        "histogram-intersection", "Histogram intersection", KERNELS, "minimum",
        lambda o, _: o.minimum, ("intersection",),
    ),
    Measure("polynomial", "Polynomial", KERNELS, "product", lambda o, p: (o.product + p.theta) ** p.degree, ("poly",)),
    Measure("sigmoidal", "Sigmoidal", KERNELS, "product", lambda o, p: np.tanh(o.product + p.theta), ("sigmoid",)),
    Measure("canberra", "Canberra", DISTANCES, "overlap", lambda o, _: _nonnegative(o.x.terms + o.y.terms - o.overlap)),
    Measure("chebyshev", "Chebyshev", DISTANCES, "max_difference", lambda o, _: o.max_difference),
    Measure("euclidean", "Euclidean", DISTANCES, "product", _euclidean, ("euclid", "squared-euclidean")),
    Measure("geodesic", "Geodesic", DISTANCES, "product", _geodesic, ("angle",)),
    Measure(
        "hellinger", "Hellinger", DISTANCES, "root",
        lambda o, _: _nonnegative(o.x.total + o.y.total - 2.0 * o.root), ("hellinger²",),
    ),
    Measure(
        "jensen-shannon", "Jensen-Shannon", DISTANCES, "entropy",
        lambda o, _: math.log(2.0) * _nonnegative(o.x.total + o.y.total - o.entropy), ("js",),
    ),
    Measure(
        "manhattan", "Manhattan", DISTANCES, "minimum",
        lambda o, _: _nonnegative(o.x.total + o.y.total - 2.0 * o.minimum), ("cityblock", "l1"),
    ),
    Measure(
        "minkowski", "Minkowski", DISTANCES, "power",
        lambda o, _: _nonnegative(o.x.powers + o.y.powers - o.power), ("minkowski p=3", "minkowski^p"),
    ),
    Measure(
        "chi2", "χ²", DISTANCES, "harmonic",
        lambda o, _: _nonnegative(o.x.total + o.y.total - 4.0 * o.harmonic), ("chi-squared", "chi-square"),
    ),
)  # fmt: skip

MEASURES: Mapping[str, Measure] = {each.name: each for each in _TABLE}


def _key(name: str) -> str:
    plain = name.casefold().replace("ø", "o").replace("χ", "chi")
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", plain))


_BY_KEY = {
    _key(name): each
    for each in _TABLE
    for name in (each.name, each.label, *each.label.split(","), *each.aliases)
}  # fmt: skip
