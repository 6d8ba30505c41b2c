"""The sums that all measures follow from, for one query and all documents: compiled, straight from postings.

What a shared term adds to a sum is a power of the query's weight x times a function of the ratio y / x alone, for each
of the sums: x·y = x²·(y/x), min(x, y) = x·min(1, y/x), and so on. The logarithm of the ratio is a sum of three numbers
that are known for the term, the count and the document. So all functions lie in one table over that logarithm, as
polynomials of degree 2 for 64 steps an octave, and one posting costs an addition and one look at eight numbers. The
sums are right to six digits; where that is not enough, for documents that are nearly equal, `own_sums` takes them anew.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import numpy as np

from foreart.features.compiling import HAVE_NUMBA, compiled
from foreart.features.letters import frozen
from foreart.index.postings.kernels import Great, Lists, great_of, within
from foreart.index.postings.segment import GREAT

# What is summed, SHARE is min/(x+y) and NUMBER 1 for each shared term; and the greatest difference of any term.
PRODUCT, LEAST, SHARE, HARMONIC, ROOT, ENTROPY, POWER, NUMBER, WIDEST = range(9)
_SUMS = 8
# The table: steps an octave, octaves to both sides, numbers a step.
STEPS, OCTAVES = 64, 16
_LAST = 2 * STEPS * OCTAVES - 1
_ROW = 3 * _SUMS
# Terms that are added in single precision; then all goes to double precision.
_TERMS = 256


@lru_cache(maxsize=4)
def ratio_table(power: float) -> np.ndarray:
    """For each step of the ratio's logarithm, eight coefficients of 1, of the part of the step, and of its square."""
    nodes = (np.cos(np.pi * (2.0 * np.arange(3) + 1.0) / 6.0) + 1.0) / 2.0
    values = _functions(2.0 ** ((np.arange(_LAST + 1)[:, None] + nodes) / STEPS - OCTAVES), power)
    inverse = np.linalg.inv(np.vander(nodes, 3, increasing=True))
    return frozen(np.einsum("ij,sjk->sik", inverse, values).astype(np.float32).ravel())


def term_factors(x: np.ndarray, power: float) -> np.ndarray:
    """What the functions of the ratio are multiplied by for each term: eight numbers each, behind one another."""
    one = np.ones_like(x)
    return np.stack([x * x, x, one, x, x, x, x**power, one], axis=1).astype(np.float32).ravel()


def _functions(ratio: np.ndarray, power: float) -> np.ndarray:
    low, total = np.minimum(1.0, ratio), 1.0 + ratio
    share = low / total
    entropy = -total * (share * np.log2(share) + (1.0 - share) * np.log2(1.0 - share))
    powers = 1.0 + ratio**power - np.abs(1.0 - ratio) ** power
    harmonic, root = np.maximum(1.0, ratio) * share, np.sqrt(ratio)
    return np.stack([ratio, low, share, harmonic, root, entropy, powers, np.ones_like(ratio)], axis=-1)


if HAVE_NUMBA:
    from numba import types
    from numba.core.cgutils import ir  # type: ignore[attr-defined] # llvmlite's, which numba brings
    from numba.extending import intrinsic

    _EIGHT = ir.VectorType(ir.FloatType(), _SUMS)

    # `sums[place:place+8] += factors[first:first+8] * polynomial(part)`, the coefficients in `table[row:row+24]`, as
    # vectors: left to itself, the compiler adds one number after the other.
    def _add_eight(typing, sums, place, table, row, part, factors, first):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        def generate(context, builder, signature, given):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
            def at(array: int, index: int, more: int) -> Any:  # noqa: ANN401
                data = context.make_array(signature.args[array])(context, builder, given[array]).data
                place = builder.add(given[index], ir.Constant(given[index].type, more))
                return builder.bitcast(builder.gep(data, [place]), _EIGHT.as_pointer())

            def eight(array: int, index: int, more: int = 0) -> Any:  # noqa: ANN401
                return builder.load(at(array, index, more), align=4)

            nothing, zeros = (
                ir.Constant(_EIGHT, ir.Undefined),
                ir.Constant(ir.VectorType(ir.IntType(32), _SUMS), [0] * 8),
            )
            delta = builder.insert_element(nothing, given[4], ir.IntType(32)(0))
            delta = builder.shuffle_vector(delta, nothing, zeros)
            value = builder.fadd(builder.fmul(eight(2, 3, 2 * _SUMS), delta), eight(2, 3, _SUMS))
            value = builder.fadd(builder.fmul(value, delta), eight(2, 3))
            added = builder.fadd(eight(0, 1), builder.fmul(value, eight(5, 6)))
            builder.store(added, at(0, 1, 0), align=4)
            return context.get_dummy_value()

        return types.void(sums, place, table, row, part, factors, first), generate

    add_eight = cast("Callable[..., None]", intrinsic(_add_eight))


@compiled
def add_overlaps(
    lists: Lists, great: Great, codes_log: np.ndarray, table: np.ndarray, numbers: np.ndarray, terms_log: np.ndarray,
    factors: np.ndarray, documents_log: np.ndarray, span: tuple[int, int], out: np.ndarray,
) -> None:  # fmt: skip
    """Adds the terms of a query to the sums of the documents of a span.

    The logarithms, in steps, of what codes are worth, of each term's idf / x, and of each document's scale, add up to
    that of the ratio. Great counts have theirs in the fourth array of `great`.
    """
    sums = np.zeros(out.shape[1] * _SUMS, np.float32)
    for start in range(0, len(numbers), _TERMS):
        for place in range(start, min(start + _TERMS, len(numbers))):
            _add_list(
                lists, codes_log, table, numbers[place], terms_log[place], factors, place, documents_log, span, sums
            )
            first, last = great_of(great, numbers[place])
            for each in range(first, last):
                if span[0] <= great[2][each] < span[1]:
                    base = terms_log[place] + documents_log[great[2][each]]
                    to = np.int64(great[2][each] - span[0]) * _SUMS
                    _add(sums, to, table, base + codes_log[GREAT], factors, len(factors) // 2 + place * _SUMS)
                    _add(sums, to, table, base + great[3][each], factors, place * _SUMS)
        for document in range(out.shape[1]):
            for kind in range(_SUMS):
                out[kind, document] += sums[document * _SUMS + kind]
        sums[:] = 0.0


@compiled
def _add_list(
    lists: Lists, codes_log: np.ndarray, table: np.ndarray, number: int, term_log: float, factors: np.ndarray,
    place: int, documents_log: np.ndarray, span: tuple[int, int], sums: np.ndarray,
) -> None:  # fmt: skip
    low, high = within(lists[1], lists[0][number], lists[0][number + 1], span, len(documents_log))
    docs, codes = lists[1][low:high], lists[2][low:high]
    for each in range(len(docs)):
        step = codes_log[codes[each]] + (term_log + documents_log[docs[each]])
        _add(sums, (np.int64(docs[each]) - span[0]) * _SUMS, table, step, factors, place * _SUMS)


@compiled
def _add(sums: np.ndarray, to: np.int64, table: np.ndarray, step: float, factors: np.ndarray, first: int) -> None:
    inside = min(max(step, 0.0), float(_LAST))  # a ratio of more than 2^16 is taken as that
    row = np.int64(inside)
    add_eight(sums, to, table, row * _ROW, np.float32(inside - row), factors, first)


@compiled
def add_heaviest(
    lists: Lists, table: np.ndarray, numbers: np.ndarray, x: np.ndarray, idf: np.ndarray, scale: np.ndarray,
    span: tuple[int, int], widest: np.ndarray, again: np.ndarray,
) -> None:  # fmt: skip
    """Raises the greatest difference of each document by the heaviest terms of a query, up to the first that it lacks.

    Terms come by falling weight, with a number of -1 if no document has them: what follows the first that is missing
    weighs less. `again` is set for documents that have all of these terms, or have one very often.
    """
    starts, docs, codes = lists
    held = np.zeros(len(widest), dtype=np.int64)
    left = len(widest)
    for rank in range(len(numbers)):
        if numbers[rank] < 0 or left == 0:
            break
        low, high = within(docs, starts[numbers[rank]], starts[numbers[rank] + 1], span, len(scale))
        left = 0
        for posting in range(low, high):
            each = int(docs[posting] - span[0])
            if held[each] == rank:
                held[each] = rank + 1
                left += 1
                y = table[codes[posting]] * idf[rank] * scale[docs[posting]]
                widest[each] = max(widest[each], abs(x[rank] - y))
                again[each] |= codes[posting] == GREAT
    for each in range(len(widest)):
        if held[each] < len(numbers):
            widest[each] = max(widest[each], x[held[each]])
        else:
            again[each] = True
