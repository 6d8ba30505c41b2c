"""Runs the same queries on all engines in turn; measures cost and compares results."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from search_case import Case
from search_peers import PEERS, Engine, command

Result = dict[str, Any]
Ask = Callable[[int], dict[str, Any]]
HERE = Path(__file__).resolve().parent
MODES: dict[str, Result] = {
    "exact": {"exact": True, "threads": 1},
    "exact, 2 threads": {"exact": True, "threads": 2},
    "fast": {"exact": False, "threads": 1},
    "fast, 2 threads": {"exact": False, "threads": 2},
}
FORCED: Result = {"exact": False, "threads": 2, "forced": True}
SHARES = (0.1, 0.01, 0.001)
AGREE = 0.98  # of the best hundred; engines that keep weights in 9 bits or add in another order swap near ties
READ = 1 << 30  # bytes for the measurement of the memory's speed


def say(*words: object) -> None:
    """Progress goes to stderr, results to stdout."""
    print(*words, file=sys.stderr, flush=True)


def ours(case: Case, name: str = "ours") -> Engine:
    """Our engine, in a process of its own."""
    script = [sys.executable, str(HERE / "search_engine.py"), "--folder", str(case.folder / "index")]
    return Engine([*script, "--queries", str(case.folder / "queries.jsonl")], case.folder / f"{name}.log")


def asking(engine: Engine, **how: object) -> Ask:
    """Asks our engine for a query in one way."""
    return lambda number: engine.ask(json.dumps({"query": number, **how}))


def rounds(contestants: dict[str, Ask], queries: int, number: int) -> dict[str, Result]:
    """All take turns, each with all queries; the median of its best round counts.

    A first round, which compiles and fills caches, is not counted: it gives the rows that were found. `cpu_ms` is what
    our own engine worked, all threads together: on a machine that others use, time passes while it does not.
    """
    found: dict[str, Result] = {}
    for name, ask in contestants.items():
        found[name] = {"answers": [ask(query) for query in range(queries)], "medians": [], "worked": []}
    for _ in range(number):
        for name, ask in contestants.items():
            answers = [ask(query) for query in range(queries)]
            for key, told in (("medians", "ms"), ("worked", "cpu_ms")):
                found[name][key].append(float(np.median([answer.get(told, np.nan) for answer in answers])))
    for name, each in found.items():
        each["median_ms"], worked = round(min(each["medians"]), 3), round(min(each["worked"]), 3)
        each["cpu_ms"] = None if np.isnan(worked) else worked
        medians = ", ".join(f"{median:.2f}" for median in each["medians"])
        say(f"  {name}: {each['median_ms']} ms ({medians}), worked {each['cpu_ms']} ms")
    return found


def agreement(ones: list[Result], others: list[Result]) -> float:
    """How much of the best hundred of some answers is in those of others, on average."""
    pairs = zip(ones, others, strict=True)
    shares = [len(set(one["rows"]) & set(other["rows"])) / max(len(one["rows"]), 1) for one, other in pairs]
    return round(float(np.mean(shares)), 5)


def search(case: Case, peers: list[str], number: int) -> tuple[list[Result], Result]:
    """Our modes and the peers; rows for the table, and what else is known of this size."""
    say(f"{case.documents:,} documents: {case.about['postings']:,} postings")
    with ExitStack() as stack:
        engines = {name: stack.enter_context(ours(case, name)) for name in ("exact", "fast")}
        missing = _started(case, peers, engines, stack)
        contestants = {mode: asking(engines[mode.partition(",")[0]], **how) for mode, how in MODES.items()}
        contestants |= {name: engines[name].ask for name in peers if name in engines}
        found = rounds(contestants, case.queries, number)
        memory = {name: engines[name].ask('{"memory": true}') for name in ("exact", "fast")}
        staged = engines["fast"].ask('{"two_stages": "log-tfidf"}')["share"]
        # Recall is told of real text only: neighbours of drawn documents are too easy to find.
        forced = [] if case.drawn else [asking(engines["fast"], **FORCED)(query) for query in range(case.queries)]
        about = {name: engine.about for name, engine in engines.items()}
    sizes = {name: told["bytes"] - about[name]["memory_before"] for name, told in memory.items()} | {
        name: about[name]["bytes"] for name in peers if name in about
    }
    table = [_row(case, name, found, sizes[name.partition(",")[0]], forced) for name in found]
    postings = case.about["postings"]
    return table, {
        **{key: value for key, value in case.about.items() if not key.endswith("_of_queries")},
        "fast_queries_with_two_stages": round(staged, 2),
        "open_ms": about["exact"]["open_ms"],
        "disk_bytes_per_posting": round(about["exact"]["disk"] / postings, 2),
        "query_making_ms": round(float(np.median([each["query_ms"] for each in found["exact"]["answers"]])), 3),
        "mapped_bytes_per_posting": {name: round(told["mapped"] / postings, 2) for name, told in memory.items()},
        "peers": {PEERS[name].title: about[name] for name in peers if name in about},
        "missing_peers": missing,
        "times_faster": compared(table),
    }


def _started(case: Case, peers: list[str], engines: dict[str, Engine], stack: ExitStack) -> Result:
    """Adds the peers that can run; the others, and why not."""
    missing: Result = {}
    for name in peers:
        try:
            started = Engine(command(name, case.folder), case.folder / f"{name}.log")
        except (LookupError, RuntimeError) as reason:
            missing[PEERS[name].title] = str(reason)
            say(f"  without {PEERS[name].title}: {reason}")
            continue
        engines[name] = stack.enter_context(started)
        say(f"  {PEERS[name].title} is ready: {started.about}")
    return missing


def _row(case: Case, name: str, found: dict[str, Result], size: int, forced: list[Result]) -> Result:
    """A line of the table; SciPy's answers are what all others are held to, two stages those of fast."""
    reference, fast = found.get("scipy", found["exact"])["answers"], name.startswith("fast")
    same = agreement(reference, found[name]["answers"])
    assert same >= AGREE or fast, f"{name} finds only {same} of what {PEERS['scipy'].title} finds"
    if fast:
        same = agreement(found["exact"]["answers"], forced) if forced else None
    return {
        "name": PEERS[name].title if name in PEERS else "foreart",
        "n": case.documents,
        "mode": "exact" if name in PEERS else name,
        "median_ms": found[name]["median_ms"],
        "cpu_ms": found[name]["cpu_ms"],
        "bytes_per_posting": round(size / case.about["postings"], 2),
        "recall@100": same,
    }


def compared(table: list[Result]) -> Result:
    """How many times our exact search, in one thread, is faster than each, and than our own other modes."""
    mine = next(row["median_ms"] for row in table if row["name"] == "foreart" and row["mode"] == "exact")
    return {
        (row["name"] if row["name"] != "foreart" else row["mode"]): round(row["median_ms"] / mine, 3) for row in table
    }


def bandwidth(times: int = 7) -> Result:
    """Gigabytes a second that one and two threads read from memory in a row: the best of some times."""
    numbers = np.ones(READ // 8, dtype=np.uint64)

    def read(threads: int) -> float:
        began = time.perf_counter()
        running = [threading.Thread(target=part.max) for part in np.array_split(numbers, threads)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        return READ / 1e9 / (time.perf_counter() - began)

    return {f"threads_{threads}": round(max(read(threads) for _ in range(times)), 1) for threads in (1, 2)}


def floor(case: Case, table: list[Result]) -> Result:
    """The time in which memory could be read at best, measured now, and how many times that our exact search needs."""
    speed = bandwidth()
    spent, own = (size / max(speed.values()) / 1e6 for size in (case.touched, case.read))
    mine = {row["mode"]: row["median_ms"] for row in table if row["name"] == "foreart"}
    return {
        "n": case.documents,
        "bytes_of_a_query": {"as_postings": round(case.touched), "as_kept": round(case.read)},
        "gigabytes_a_second": speed,
        "floor_ms": round(spent, 3),
        "floor_as_kept_ms": round(own, 3),
        "times_the_floor": {mode: round(value / spent, 2) for mode, value in mine.items() if mode.startswith("exact")},
        "times_the_floor_as_kept": {
            mode: round(value / own, 2) for mode, value in mine.items() if mode.startswith("exact")
        },
    }


def filters(case: Case, number: int) -> list[Result]:
    """Documents that are allowed, drawn by chance: the time against that without a filter in the same rounds."""
    contestants = {}
    with ours(case, "filters") as engine:
        for mode, how in MODES.items():
            contestants[mode] = asking(engine, **how)
            contestants |= {f"{mode}, {share:.1%} allowed": asking(engine, **how, share=share) for share in SHARES}
        found = rounds(contestants, case.queries, number)
    table = []
    for mode in MODES:
        without = found[mode]["median_ms"]
        row: Result = {"n": case.documents, "mode": mode, "all_ms": without, "all_cpu_ms": found[mode]["cpu_ms"]}
        for key, told in (("allowed_ms", "median_ms"), ("allowed_cpu_ms", "cpu_ms")):
            row[key] = {f"{share:.1%}": found[f"{mode}, {share:.1%} allowed"][told] for share in SHARES}
        table.append(row)
    return table


def throughput(case: Case, seconds: float = 10.0, number: int = 3) -> Result:
    """Queries a second, exact and fast in one thread each, of one process and of two at a time."""
    found: Result = {"n": case.documents}
    with ours(case, "one") as one, ours(case, "other") as other:
        for mode in ("exact", "fast"):
            question = json.dumps({"run": seconds, **MODES[mode]})
            for engine in (one, other):
                asking(engine, **MODES[mode])(0)
            rates = {1: 0.0, 2: 0.0}
            for _ in range(number):
                for processes in rates:
                    rates[processes] = max(rates[processes], _together([one, other][:processes], question))
            times = round(rates[2] / rates[1], 3)
            found[mode] = {"one_a_second": round(rates[1], 2), "two_a_second": round(rates[2], 2), "times": times}
    return found


def _together(engines: list[Engine], question: str) -> float:
    answers: list[Result] = []
    running = [threading.Thread(target=lambda each=each: answers.append(each.ask(question))) for each in engines]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return sum(answer["queries"] / answer["seconds"] for answer in answers)


def soak(case: Case, queries: int) -> Result:
    """So many queries in one process, a tenth of them exact; memory must not grow."""
    with ours(case, "soak") as engine:
        return {"n": case.documents, **engine.ask(json.dumps({"soak": queries}))}


def recall(case: Case) -> Result:
    """What two stages find of the best hundred of exact, on real text: all targets as queries.

    Two stages are forced: with so few documents fast is exact by itself, and would be compared with itself. Fewer
    candidates are tried too, for a thousand are many among so few.
    """
    queries = range(case.about["queries"])
    found: Result = {"n": case.documents, "queries": len(queries)}
    with ours(case, "recall") as engine:

        def answers(**how: object) -> list[Result]:
            return [asking(engine, **how)(query) for query in queries]

        for weighting in ("log-tfidf", "tfidf"):
            exact = answers(**MODES["exact, 2 threads"], weighting=weighting)
            staged = answers(**FORCED, weighting=weighting)
            each = [agreement([one], [other]) for one, other in zip(exact, staged, strict=True)]
            chosen = engine.ask(json.dumps({"two_stages": weighting}))["share"]
            found[weighting] = {"recall@100": agreement(exact, staged), "least": min(each)}
            found[weighting]["chosen_by_itself"] = round(chosen, 3)
            for fewer in (500, 300, 200):
                some = answers(**FORCED, weighting=weighting, candidates=fewer)
                found[weighting][f"recall@100_with_{fewer}_candidates"] = agreement(exact, some)
    return found
