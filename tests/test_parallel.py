"""Work on several threads: results in order, errors raised, and nothing read further ahead than was said."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from foreart.parallel import cores, in_order, parallel_map


def test_there_is_a_core() -> None:
    assert cores() >= 1


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_side_by_side_stand_in_the_order_of_parts(threads: int) -> None:
    def slow_first(part: int) -> int:
        time.sleep(0.01 if part == 0 else 0)
        return part * part

    assert parallel_map(slow_first, range(7), threads) == [0, 1, 4, 9, 16, 25, 36]
    assert parallel_map(slow_first, (), threads) == []


def test_parts_side_by_side_are_done_at_one_time() -> None:
    barrier = Barrier(2, timeout=10)
    assert sorted(parallel_map(lambda _: barrier.wait(), (0, 1), 2)) == [0, 1]


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_of_a_part_is_raised(threads: int) -> None:
    with pytest.raises(ZeroDivisionError):
        parallel_map(lambda part: 1 // part, (1, 0, 2, 3), threads)


def test_a_pool_gives_results_in_order_and_reads_no_further_than_said() -> None:
    read: list[int] = []

    def parts() -> Iterator[int]:
        for part in range(1000):
            read.append(part)
            yield part

    with ThreadPoolExecutor(2) as pool:
        found = in_order(pool, lambda part: part + 1, parts(), ahead=5)
        assert [next(found) for _ in range(10)] == list(range(1, 11))
        assert len(read) == 15
        found.close()
    assert len(read) == 15


def test_whoever_stops_taking_cancels_what_waits() -> None:
    done: list[int] = []
    with ThreadPoolExecutor(1) as pool:
        found = in_order(pool, lambda part: (time.sleep(0.02), done.append(part)), range(100), ahead=50)
        next(found)
        found.close()
    assert len(done) < 50


def test_an_error_of_a_pool_is_raised_in_its_place() -> None:
    with ThreadPoolExecutor(2) as pool:
        found = in_order(pool, lambda part: 1 // part, (1, 0, 1), ahead=5)
        assert next(found) == 1
        with pytest.raises(ZeroDivisionError):
            next(found)
