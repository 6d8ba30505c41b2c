"""Is the server fast and fair with many users, is its memory flat, and does it lose anything when it is killed?

    python benchmarks/desk.py --library DIR       all stages, about 40 minutes on a quiet machine with two cores
    python benchmarks/desk.py --library DIR --short
    python benchmarks/desk.py --only closed --again

DIR is a library of the 9,015 documents of whole.py, built and learned (`foreart add`, `build`, `learn`). Stages that
are in the result for the same corpus and version are kept, unless `--again`. Users are threads of this process, the
server is another one, all on loopback. Beside every figure of load stands how many cores other processes used meanwhile
(`cores_of_others`): with more than a tenth of a core, times say little. `--only open` takes seven minutes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import re
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desk_server import DeskServer, DeskUser, closed_loop, open_loop
from environment import RESULTS, environment, save
from foreart import SAMPLE, Library
from foreart.server.routes.page_routes import PAGES

USERS = 16
_LOADED = re.compile(rb"""(?:href|src)="(/static/[^"]+)"|from "\./([^"]+)"|import "\./([^"]+)\"""")


@dataclass(frozen=True)
class Plan:
    """The library and how long each stage is."""

    library: Path
    short: bool

    def __call__(self, full: int, short: int) -> int:
        """One of two numbers."""
        return short if self.short else full


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, default=Path("/var/tmp/foreart-real"))
    parser.add_argument("--short", action="store_true", help="a few minutes, to see that it works")
    parser.add_argument("--only", choices=STAGES, action="append")
    parser.add_argument("--again", action="store_true", help="also stages that are in the result")
    options = parser.parse_args()
    plan = Plan(options.library, options.short)
    with Library(plan.library) as library:
        fingerprint, number = library.corpus.fingerprint, len(library.corpus)
    head = {
        "question": __doc__.splitlines()[0],
        **environment("fastapi", "uvicorn", "numpy", "scipy", "numba"),
        "documents": number,
        "fingerprint": fingerprint,
        "short": plan.short,
    }
    stages = {} if options.again and not options.only else _kept(head)
    for name in options.only or STAGES:
        if name in stages and not options.again:
            continue
        load = round(os.getloadavg()[0], 1)
        print(f"{name} …", flush=True)
        stages[name] = {"load_before": load, **STAGES[name](plan)}
        save("desk", {**head, "stages": stages})


def _kept(head: dict[str, Any]) -> dict[str, Any]:
    """The stages of an earlier run of the same version on the same corpus."""
    try:
        before = json.loads((RESULTS / "desk.json").read_text())
    except (OSError, ValueError):
        return {}
    stages: dict[str, Any] = before.pop("stages", {})
    return stages if before == head else {}


def _drafts(plan: Plan, user: DeskUser) -> list[str]:
    """Ids of uploaded drafts: full texts of documents of the corpus."""
    found = []
    with Library(plan.library) as library:
        for number in library.corpus.ids()[500::37][: plan(24, 6)]:
            patent = library.corpus[number]
            text = f"{patent.title}\n\n{patent.description_text}\n\nWhat is claimed is:\n\n{patent.claims_text}"
            found.append(user.get("POST", "/api/drafts?name=draft.txt", text.encode())["draft"])
    return found


def _measured(server: DeskServer, loop: Callable[[], tuple[list[float], list[str]]]) -> dict[str, Any]:
    """What users saw, what the server computed for it, and how many cores others used meanwhile: 0 if it is quiet."""
    before, machine, own, began = (
        server.processor_seconds,
        server.machine_seconds,
        time.process_time(),
        time.perf_counter(),
    )
    seconds, errors = loop()
    spent, last = server.processor_seconds - before, time.perf_counter() - began
    others = server.machine_seconds - machine - spent - (time.process_time() - own)
    return {
        **_summary(seconds, errors),
        "processor_ms_each": round(1000 * spent / len(seconds), 1),
        "cores_of_others": round(max(0.0, others) / last, 2),
    }


def _summary(seconds: Sequence[float], errors: Sequence[str]) -> dict[str, Any]:
    ordered = sorted(seconds)
    return {
        "searches": len(ordered),
        "errors": len(errors),
        "mean_ms": round(1000 * statistics.fmean(ordered), 1),
        "median_ms": round(1000 * statistics.median(ordered), 1),
        "p95_ms": round(1000 * ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 1),
        "longest_ms": round(1000 * ordered[-1], 1),
    }


def closed(plan: Plan) -> dict[str, Any]:
    """16 users without pause against one user of a server with one core."""
    with DeskServer(plan.library, "--forget", "--workers", "1", cores=(0,)) as server:
        drafts = _drafts(plan, server.user())
        closed_loop(server, drafts, 1, len(drafts))
        alone = _measured(server, lambda: closed_loop(server, drafts, 1, plan(120, 20)))
    with DeskServer(plan.library, "--forget") as server:
        drafts = _drafts(plan, server.user())
        closed_loop(server, drafts, 4, len(drafts))
        many = _measured(server, lambda: closed_loop(server, drafts, USERS, plan(60, 8)))
    cores = os.cpu_count() or 1
    allowed = 1.5 * USERS / cores * alone["mean_ms"]
    return {
        "users": USERS,
        "one_thread": alone,
        "closed_loop": many,
        "p95_over_share": round(many["p95_ms"] / (USERS / cores * alone["mean_ms"]), 2),
        "longest_over_mean": round(many["longest_ms"] / many["mean_ms"], 2),
        "holds": not many["errors"] and many["p95_ms"] <= allowed and many["longest_ms"] <= 2 * many["mean_ms"],
    }


def opened(plan: Plan) -> dict[str, Any]:
    """16 users, each a search every 10 s, against one user at the same server, who pauses too: caches cool down."""
    with DeskServer(plan.library, "--forget") as server:
        drafts = _drafts(plan, server.user())
        closed_loop(server, drafts, 4, len(drafts))
        alone = _measured(server, lambda: closed_loop(server, drafts, 1, plan(120, 20), pause=0.5))
        many = _measured(server, lambda: open_loop(server, drafts, USERS, every=10.0, last=plan(300, 25)))
    return {
        "users": USERS,
        "alone": alone,
        "open_loop": many,
        "p95_over_alone": round(many["p95_ms"] / alone["p95_ms"], 2),
        "holds": not many["errors"] and many["p95_ms"] <= 2 * alone["p95_ms"],
    }


def memory(plan: Plan) -> dict[str, Any]:
    """The memory of all processes over 2,000 searches of four users; the first tenth warms the caches."""
    rounds = 10
    with DeskServer(plan.library, "--forget") as server:
        drafts = _drafts(plan, server.user())
        series, failed = [server.megabytes], 0
        for _ in range(rounds):
            failed += len(closed_loop(server, drafts, 4, plan(50, 4))[1])
            series.append(server.megabytes)
    growth = series[-1] / series[1] - 1
    return {
        "searches": rounds * 4 * plan(50, 4),
        "errors": failed,
        "megabytes": series,
        "growth_after_the_first_tenth": round(growth, 3),
        "holds": not failed and growth < 0.05,
    }


def first_hits(plan: Plan) -> dict[str, Any]:
    """From the drop of a file to the hits in the answer, sample corpus, warm server."""
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as made:
        sample = _sample(Path(made))
        with DeskServer(sample, "--forget") as server:
            user = server.user()
            user.get("POST", "/api/similar", {"number": user.get("GET", "/api/stats") and _any_number(sample)})
            for _ in range(plan(10, 4)):
                for path in sorted((SAMPLE / "drafts").glob("*.*")):
                    if path.suffix not in (".txt", ".docx", ".pdf"):
                        continue
                    data, began = path.read_bytes(), time.perf_counter()
                    draft = user.get("POST", f"/api/drafts?name={path.name}", data)["draft"]
                    hits = user.get("POST", "/api/search", {"draft": draft})["hits"]
                    found.setdefault(path.suffix[1:], []).append(time.perf_counter() - began)
                    assert hits
    seconds = {name: round(statistics.median(times), 3) for name, times in found.items()}
    longest = {name: round(max(times), 3) for name, times in found.items()}
    return {"median_seconds": seconds, "longest_seconds": longest, "holds": max(longest.values()) <= 1.0}


def _sample(folder: Path) -> Path:
    with Library(folder / "sample") as library:
        library.add([SAMPLE / "patents.jsonl"])
        library.build()
    return folder / "sample"


def _any_number(folder: Path) -> str:
    with Library(folder) as library:
        return library.corpus.ids()[0]


def weights(plan: Plan) -> dict[str, Any]:
    """Bytes of each page with all it loads: document, styles, scripts and what these import."""
    found = {}
    with DeskServer(plan.library, "--forget") as server:
        user = server.user()
        for page, *_ in PAGES:
            seen, waiting, size = {page}, [page], 0
            while waiting:
                status, data = user.ask("GET", waiting.pop())
                assert status == 200
                size += len(data)
                for absolute, one, two in _LOADED.findall(data):
                    name = absolute.decode() or f"/static/{(one or two).decode()}"
                    if name not in seen:
                        seen.add(name)
                        waiting.append(name)
            found[page] = size
    return {"bytes": found, "holds": max(found.values()) < 300_000}


def kills(plan: Plan) -> dict[str, Any]:
    """The server killed at random moments while four users write; what was acknowledged is there after each start."""
    chance, kept, rounds = random.Random(5), Kept(), plan(200, 5)
    with tempfile.TemporaryDirectory() as made:
        sample = _sample(Path(made))
        for _ in range(rounds):
            with DeskServer(sample) as server:
                kept.check(server.user(), latest=60)
                threads = [threading.Thread(target=kept.write, args=(server.user(), one)) for one in range(4)]
                for thread in threads:
                    thread.start()
                before, latest = len(kept.titles), time.monotonic() + 60
                while len(kept.titles) == before and time.monotonic() < latest:
                    time.sleep(0.01)
                time.sleep(chance.uniform(0.0, 1.5))
                server.kill()
                for thread in threads:
                    thread.join()
        with DeskServer(sample) as server:
            kept.check(server.user(), latest=len(kept.titles))
    return {
        "kills": rounds,
        "acknowledged": {"corrections": len(kept.titles), "searches": len(kept.searches), "grades": len(kept.grades)},
        "lost": kept.lost,
        "holds": kept.lost == 0,
    }


class Kept:
    """What the server has acknowledged, and what of it was missing after a kill."""

    def __init__(self) -> None:
        self.titles: dict[str, str] = {}
        self.searches: dict[str, str] = {}
        self.grades: dict[str, int] = {}
        self.lost = 0
        self._numbers = itertools.count()

    def write(self, user: DeskUser, writer: int) -> None:
        """Uploads, corrects, searches and grades until the server is gone."""
        data = (SAMPLE / "drafts" / "insulin-pump.txt").read_bytes()
        try:
            while True:
                number = next(self._numbers)
                draft = user.get("POST", "/api/drafts?name=x.txt", data)["draft"]
                user.get("PATCH", f"/api/drafts/{draft}", {"title": f"Title {number}"})
                self.titles[draft] = f"Title {number}"
                asked = {"draft": draft, "k": 2, "keep": f"search {number}"}
                self.searches[user.get("POST", "/api/search", asked)["search"]] = f"search {number}"
                grade = {"row": "1.0", "reference": f"XX{writer}", "grade": 1 + number % 5}
                user.get("PUT", f"/api/drafts/{draft}/grades", grade)
                self.grades[draft] = 1 + number % 5
        except (OSError, ValueError, SystemExit, AttributeError):
            return  # it was killed
        except Exception:  # noqa: BLE001 http.client has many errors for a connection that ends
            return

    def check(self, user: DeskUser, latest: int) -> None:
        """Looks for all that was acknowledged: every search by its name, and the latest drafts and grades."""
        names = {item["search"]: item["name"] for item in user.get("GET", "/api/searches")["searches"]}
        listed = {item["draft"]: item["title"] for item in user.get("GET", "/api/drafts")["drafts"]}
        self.lost += sum(names.get(key) != name for key, name in self.searches.items())
        self.lost += sum(listed.get(key) != title for key, title in self.titles.items())
        for draft in list(self.titles)[-latest:]:
            self.lost += user.get("GET", f"/api/drafts/{draft}")["title"] != self.titles[draft]
            if draft in self.grades:
                grades = user.get("GET", f"/api/drafts/{draft}/grades")["grades"]
                self.lost += list(grades.get("1.0", {}).values()) != [self.grades[draft]]


STAGES: dict[str, Callable[[Plan], dict[str, Any]]] = {
    "first_hits": first_hits,
    "weights": weights,
    "closed": closed,
    "open": opened,
    "memory": memory,
    "kills": kills,
}


if __name__ == "__main__":
    main()
