"""The 22 measures against golden values, the formulas of the paper and each other."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.sparse import csr_array

from expectation import SHARED
from foreart.errors import ForeartError
from foreart.features import Tfidf
from foreart.index.measures.measure_scores import pair_scores, pair_values
from foreart.index.measures.measures import MEASURES, Parameters, measure

TEXTS = ["the cat sat on the mat", "the cat ate the rat", "a dog sat on a log 42 17"]
GOLDEN = {
    "linear": 0.2975972243,
    "polynomial": 0.0885641079,
    "sigmoidal": 0.2891122077,
    "histogram-intersection": 0.6762023566,
    "gaussian": 0.7038419944,
    "simpson": 0.3563359013,
    "braun-blanquet": 0.3321592754,
    "kulczynski": 0.3442475884,
    "jaccard": 0.2076004721,
    "czekanowski": 0.3438231052,
    "otsuka": 0.3440352813,
    "sokal-sneath": 0.1158226550,
}
RECIPROCAL = {
    "manhattan": 0.3874426697,
    "euclidean": 0.7118422895,
    "minkowski": 1.1638946712,
    "canberra": 0.1938747807,
    "chi2": 0.4041696744,
    "hellinger": 0.4049180871,
    "jensen-shannon": 0.5836941482,
}
Row = np.ndarray


def over(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def summed(terms: Callable[[float, float], float]) -> Callable[[Row, Row], float]:
    return lambda x, y: math.fsum(terms(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True))


def coefficient(formula: Callable[[float, float, float], float]) -> Callable[[Row, Row], float]:
    """The paper's a, b and c: shared, only in x, only in y."""

    def value(x: Row, y: Row) -> float:
        a = math.fsum(np.minimum(x, y))
        return formula(a, math.fsum(np.maximum(x - y, 0)), math.fsum(np.maximum(y - x, 0)))

    return value


def divergence(x: float, y: float) -> float:
    return sum(w * math.log(2 * w / (x + y)) for w in (x, y) if w)


def cosine(x: Row, y: Row) -> float:
    return over(dot(x, y), math.sqrt(dot(x, x)) * math.sqrt(dot(y, y)))


dot = summed(lambda x, y: x * y)
squared = summed(lambda x, y: (x - y) ** 2)
# Table 5 of the paper, term by term over all columns.
FORMULAS: dict[str, Callable[[Row, Row], float]] = {
    "cosine": cosine,
    "braun-blanquet": coefficient(lambda a, b, c: over(a, max(a + b, a + c))),
    "czekanowski": coefficient(lambda a, b, c: over(2 * a, 2 * a + b + c)),
    "jaccard": coefficient(lambda a, b, c: over(a, a + b + c)),
    "kulczynski": coefficient(lambda a, b, c: over(a, 2 * (a + b)) + over(a, 2 * (a + c))),
    "otsuka": coefficient(lambda a, b, c: over(a, math.sqrt((a + b) * (a + c)))),
    "simpson": coefficient(lambda a, b, c: over(a, min(a + b, a + c))),
    "sokal-sneath": coefficient(lambda a, b, c: over(a, a + 2 * (b + c))),
    "linear": dot,
    "gaussian": lambda x, y: math.exp(-squared(x, y) / 4),
    "histogram-intersection": summed(min),
    "polynomial": lambda x, y: dot(x, y) ** 2,
    "sigmoidal": lambda x, y: math.tanh(dot(x, y)),
    "canberra": summed(lambda x, y: over(abs(x - y), x + y)),
    "chebyshev": lambda x, y: max(np.abs(x - y).tolist(), default=0.0),
    "euclidean": squared,
    "geodesic": lambda x, y: math.acos(min(1.0, cosine(x, y))) if x.any() or y.any() else 0.0,
    "hellinger": summed(lambda x, y: (math.sqrt(x) - math.sqrt(y)) ** 2),
    "jensen-shannon": summed(divergence),
    "manhattan": summed(lambda x, y: abs(x - y)),
    "minkowski": summed(lambda x, y: abs(x - y) ** 3),
    "chi2": summed(lambda x, y: over((x - y) ** 2, x + y)),
}


def grid(one: Row, other: Row) -> tuple[np.ndarray, np.ndarray]:
    return np.repeat(np.arange(len(one)), len(other)), np.tile(np.arange(len(other)), len(one))


def assert_equals_formula(x: Row, y: Row) -> None:
    """Values within 1e-12 of the summed magnitudes; the angle as precise as a cosine near 1 allows."""
    pairs = grid(x, y)
    found = pair_values(csr_array(x), csr_array(y), pairs)
    assert list(found) == list(MEASURES)
    size = max(float(x.shape[1]), *(float((rows + rows**3).sum(axis=1).max(initial=0.0)) for rows in (x, y)))
    for name, formula in FORMULAS.items():
        expected = np.array([formula(x[a], y[b]) for a, b in zip(*pairs, strict=True)])
        if name == "geodesic":
            assert np.allclose(np.cos(found[name]), np.cos(expected), rtol=0, atol=1e-12)
        else:
            assert np.allclose(found[name], expected, rtol=1e-12, atol=1e-14 * size), name


def random_rows(rows: int, columns: int, density: float, seed: int) -> Row:
    rng = np.random.default_rng(seed)
    return np.where(rng.random((rows, columns)) < density, rng.lognormal(-2.0, 1.5, (rows, columns)), 0.0)


@pytest.mark.parametrize("as_published", [False, True])
def test_golden_values_of_the_paper(as_published: bool) -> None:
    rows = Tfidf(norm="length", as_published=as_published).fit_encode(TEXTS)
    found = {name: float(values[0]) for name, values in pair_values(rows, rows, (np.array([0]), np.array([1]))).items()}
    for name, value in GOLDEN.items():
        assert found[name] == pytest.approx(value, abs=1e-10), name
    for name, value in RECIPROCAL.items():
        assert 1.0 / found[name] == pytest.approx(value, abs=1e-10), name
    assert 1.0 - found["chebyshev"] == pytest.approx(0.2845250848, abs=1e-10)
    assert found["cosine"] == pytest.approx(0.2975972243, abs=1e-10)
    assert found["geodesic"] == pytest.approx(math.acos(0.2975972243), abs=1e-9)


# The values for two empty rows, and for an empty row and (3, 4): 0/0 is 0, and identical rows have distance 0.
EMPTY = {
    "cosine": (0, 0), "braun-blanquet": (0, 0), "czekanowski": (0, 0), "jaccard": (0, 0), "kulczynski": (0, 0),
    "otsuka": (0, 0), "simpson": (0, 0), "sokal-sneath": (0, 0), "linear": (0, 0), "gaussian": (1, math.exp(-25 / 4)),
    "histogram-intersection": (0, 0), "polynomial": (0, 0), "sigmoidal": (0, 0), "canberra": (0, 2),
    "chebyshev": (0, 4), "euclidean": (0, 25), "geodesic": (0, math.pi / 2),
    "hellinger": (0, 7), "jensen-shannon": (0, 7 * math.log(2)),
    "manhattan": (0, 7), "minkowski": (0, 27 + 64), "chi2": (0, 7),
}  # fmt: skip


@pytest.mark.parametrize("name", MEASURES)
def test_empty_texts(name: str) -> None:
    rows = np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]])
    pairs = np.array([0, 0, 1]), np.array([2, 1, 2])
    for form in (csr_array, np.asarray) if MEASURES[name].dense else (csr_array,):
        found = pair_values(form(rows), form(rows), pairs, measures=[name])[name]
        assert found == pytest.approx([EMPTY[name][0], EMPTY[name][1], EMPTY[name][1]], abs=1e-12)
    if MEASURES[name].distance:
        assert (
            pair_values(csr_array(rows), csr_array(rows), (np.arange(3),) * 2, measures=[name])[name].tolist()
            == [0] * 3
        )


def test_every_measure_has_a_reference_formula() -> None:
    assert list(FORMULAS) == list(MEASURES)
    assert len(MEASURES) == 22


@pytest.mark.parametrize("density", [0.05, 0.4, 1.0])
def test_random_rows_equal_the_formula(density: float) -> None:
    assert_equals_formula(random_rows(9, 120, density, seed=1), random_rows(11, 120, density, seed=2))


def test_long_rows_equal_the_formula() -> None:
    rows = random_rows(4, 4000, 0.5, seed=3)
    assert_equals_formula(rows, rows)


def test_disjoint_empty_and_equal_rows_equal_the_formula() -> None:
    one = np.array([[1.0, 0.5, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0.2, 0, 0, 0, 0, 7.0]])
    other = np.array([[0, 0, 0.25, 3.0, 0, 0], [0, 0, 0, 0, 0, 0], [0.2, 0, 0, 0, 0, 7.0], [0, 0, 0, 0, 1e-9, 0]])
    assert_equals_formula(one, other)
    assert_equals_formula(np.zeros((2, 5)), np.zeros((3, 5)))
    assert_equals_formula(np.ones((2, 1)), np.ones((2, 1)))


weights = st.one_of(st.just(0.0), st.floats(1e-6, 4.0), st.sampled_from([0.25, 1.0, 3.0]))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_generated_rows_equal_the_formula(data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 40))
    x, y = (data.draw(arrays.arrays(np.float64, (data.draw(st.integers(1, 4)), width), elements=weights)) for _ in "xy")
    assert_equals_formula(x, y)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 300), st.integers(0, 2**32 - 1))
def test_equal_rows_are_exactly_equal(width: int, seed: int) -> None:
    rows = csr_array(random_rows(3, width, 0.7, seed))
    filled = np.flatnonzero(np.diff(rows.indptr))
    found = pair_values(rows, rows.copy(), (filled, filled))
    for each in MEASURES.values():
        if each.distance:
            assert (found[each.name] == 0.0).all(), each.name
        elif each.group == "Similarity coefficients" or each.name == "gaussian":
            assert (found[each.name] == 1.0).all(), each.name


def test_values_are_symmetric() -> None:
    rows = csr_array(random_rows(30, 500, 0.3, seed=4))
    left, right = grid(np.arange(30), np.arange(30))
    one, other = pair_values(rows, rows, (left, right)), pair_values(rows, rows, (right, left))
    for name, values in one.items():
        assert (values == other[name]).all(), name


def ranks(scores: np.ndarray) -> np.ndarray:
    """The rank of each score; scores that differ by rounding share one."""
    order = np.argsort(scores)
    steps = np.diff(scores[order], prepend=scores[order[0]]) > 1e-12 * np.abs(scores).max()
    ranked = np.empty(len(scores), dtype=np.int64)
    ranked[order] = np.cumsum(steps)
    return ranked


@pytest.mark.parametrize(
    ("norm", "names"),
    [
        ("max", ("jaccard", "czekanowski", "sokal-sneath")),
        ("max", ("gaussian", "euclidean")),
        ("max", ("linear", "polynomial", "sigmoidal")),
        ("length", ("linear", "cosine", "euclidean", "geodesic", "gaussian")),
    ],
)
def test_measures_with_equal_order(norm: str, names: tuple[str, ...]) -> None:
    rng = np.random.default_rng(5)
    rows = random_rows(40, 200, 0.2, seed=6)
    rows /= (np.linalg.norm(rows, axis=1) if norm == "length" else rows.max(axis=1))[:, None]
    pairs = rng.integers(0, 20, 300), rng.integers(20, 40, 300)
    found = pair_scores(csr_array(rows), csr_array(rows), pairs, measures=names)
    first = ranks(found[names[0]])
    assert first.max() > 100
    for name in names[1:]:
        assert (ranks(found[name]) == first).all(), name
    assert (ranks(pair_scores(csr_array(rows), csr_array(rows), pairs)["canberra"]) != first).any()


def test_default_parameters_are_those_of_the_paper() -> None:
    x, y = csr_array([[0.5, 0.25, 0.0]]), csr_array([[0.5, 0.0, 1.0]])
    pair = np.array([0]), np.array([0])
    found = pair_values(x, y, pair, parameters=Parameters(theta=1.0, degree=3, sigma=2.0, power=1.5))
    assert found["polynomial"][0] == pytest.approx(1.25**3, rel=1e-14)
    assert found["sigmoidal"][0] == pytest.approx(math.tanh(1.25), rel=1e-14)
    assert found["gaussian"][0] == pytest.approx(math.exp(-1.0625 / 8), rel=1e-14)
    assert found["minkowski"][0] == pytest.approx(0.25**1.5 + 1.0, rel=1e-14)
    assert Parameters() == Parameters(theta=0.0, degree=2, sigma=math.sqrt(2), power=3.0)


@pytest.mark.parametrize("wrong", [{"degree": 0}, {"degree": 1.5}, {"sigma": 0.0}, {"power": 0.5}, {"power": math.nan}])
def test_invalid_parameters_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ForeartError, match="it must be"):
        Parameters(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("sorensen-dice", "czekanowski"),
        ("Sørensen–Dice", "czekanowski"),
        ("Czekanowski, Sørensen-Dice", "czekanowski"),
        ("OCHIAI", "otsuka"),
        ("Anderberg", "sokal-sneath"),
        ("χ²", "chi2"),
        ("chi-squared", "chi2"),
        ("Euclid", "euclidean"),
        ("Histogram intersection", "histogram-intersection"),
        ("histogram_intersection", "histogram-intersection"),
        ("Hellinger²", "hellinger"),
        ("Minkowski p=3", "minkowski"),
        ("rbf", "gaussian"),
        ("Braun Blanquet", "braun-blanquet"),
    ],
)
def test_measures_are_found_by_name_alias_or_label(alias: str, name: str) -> None:
    assert measure(alias) is MEASURES[name]


def test_names_are_unique() -> None:
    for each in MEASURES.values():
        for name in (each.name, each.label, *each.label.split(", "), *each.aliases):
            assert measure(name) is each


def test_unknown_measure_is_refused_with_the_choices() -> None:
    with pytest.raises(ForeartError, match=r"unknown measure 'tanimoto'; choose one of cosine, braun-.*, chi2$"):
        measure("tanimoto")
    with pytest.raises(ForeartError, match="unknown measure ''"):
        measure("")


def test_measures_have_the_groups_of_the_paper() -> None:
    """By hand, so that a clone without the table of the paper tests the same; the table lacks cosine and geodesic."""
    distances = "canberra chebyshev euclidean geodesic hellinger jensen-shannon manhattan minkowski chi2"
    kernels = "linear gaussian histogram-intersection polynomial sigmoidal"
    coefficients = "cosine braun-blanquet czekanowski jaccard kulczynski otsuka simpson sokal-sneath"
    assert {name: each.group for name, each in MEASURES.items()} == {
        **dict.fromkeys(distances.split(), "Distance functions"),
        **dict.fromkeys(coefficients.split(), "Similarity coefficients"),
        **dict.fromkeys(kernels.split(), "Kernel functions"),
    }


@pytest.mark.skipif(not (SHARED.parent / "paper").is_dir(), reason="the paper's table is not beside the project")
def test_groups_and_names_equal_the_table_of_the_paper() -> None:
    with (SHARED.parent / "paper" / "table7.csv").open(encoding="utf-8") as file:
        groups = {line["measure"]: line["class"] for line in csv.DictReader(file)}
    assert {measure(name).name for name in groups} == set(MEASURES) - {"cosine", "geodesic"}
    assert all(measure(name).group == group for name, group in groups.items())
