"""The difference between two searches in words, the same in the terminal and on the page."""

from __future__ import annotations

from foreart.records.change_causes import ChangeCause
from foreart.records.difference import FATES, Difference, DocumentChange, Fate, ListPlace
from foreart.records.record_data import SearchRecord
from foreart.report.wording.phrases import count

SAME = "the same list, bit for bit"
_LONG = 32  # hex digits or more are a hash, which is shortened


def verdict(difference: Difference) -> str:
    """The outcome in one phrase."""
    if difference.empty:
        return f"{SAME}; nothing else changed either"
    if difference.same_list:
        return f"{SAME}, although something else changed"
    if not difference.causes:
        return "a different list, although nothing recorded has changed"
    return "a different list"


def summary(difference: Difference) -> str:
    """How many documents are new, gone, moved, or have another status."""
    parts = [f"{len(difference.of(fate)):,} {fate}" for fate in FATES if fate != "stayed" and difference.of(fate)]
    parts += [f"{len(difference.restated):,} with another status"] if difference.restated else []
    unchanged = sum(line.same for line in difference.lines)
    return ", ".join([*parts, f"{unchanged:,} unchanged"])


def rank_text(line: DocumentChange) -> str:
    """`5 → 2 ▲3`, `new 4`, `gone 7`, `3`."""
    if line.before is None or line.after is None:
        return f"{line.fate} {_listed(line).rank}"
    if not line.rise:
        return str(line.after.rank)
    arrow = "▲" if line.rise > 0 else "▼"
    return f"{line.before.rank} → {line.after.rank} {arrow}{abs(line.rise)}"


def score_text(line: DocumentChange) -> str:
    """The score before and after; a change too small for three decimals is added in parentheses."""
    if line.before is None or line.after is None:
        return f"{_listed(line).score:.3f}"
    before, after = line.before.score, line.after.score
    if before == after:
        return f"{after:.3f}"
    shown = (f"{before:.3f}", f"{after:.3f}")
    return " → ".join(shown) if shown[0] != shown[1] else f"{shown[1]} ({after - before:+.1e})"


def status_text(line: DocumentChange) -> str:
    """The status, before and after if it changed."""
    return _from_to(line, "status")


def remarks(line: DocumentChange) -> list[str]:
    """Why a document is in one list only, and changes of its rule or family."""
    remarks_of = [line.reason] if line.reason else []
    for name in ("rule", "family"):
        if line.before and line.after and getattr(line.before, name) != getattr(line.after, name):
            remarks_of.append(f"{name}: {_from_to(line, name)}")
    return remarks_of


def more_than_score(line: DocumentChange) -> bool:
    """Whether more than the score changed."""
    return line.fate != "stayed" or line.before is None or line.after is None or _facts_changed(line)


def _facts_changed(line: DocumentChange) -> bool:
    return any(getattr(line.before, name) != getattr(line.after, name) for name in ("status", "rule", "family"))


def quiet_sentence(difference: Difference) -> str:
    """How far the scores of the other documents changed; `""` if none did."""
    rescored = [line for line in difference.rescored if not more_than_score(line)]
    if not rescored:
        return ""
    largest = max(abs(line.after.score - line.before.score) for line in rescored if line.before and line.after)
    verb = "keeps its rank, its score changed" if len(rescored) == 1 else "keep their rank, their scores changed"
    return f"{count(len(rescored), 'document')} {verb} by up to {largest:.2g}"


def cause_value(text: str) -> str:
    """A value of a cause; a long hash is shortened."""
    return f"{text[:12]}…" if len(text) >= _LONG and all(char in "0123456789abcdef" for char in text) else text


def cause_sentence(cause: ChangeCause) -> str:
    """`documents: 50 → 51 (1 added, 0 removed, 0 changed)`."""
    effect = f" ({cause.effect})" if cause.effect else ""
    return f"{cause.what}: {cause_value(cause.before)} → {cause_value(cause.after)}{effect}"


def draft_name(record: SearchRecord) -> str:
    """The name of a record's draft."""
    return record.draft.name or f"draft {record.draft.fingerprint[:12]}"


def when(record: SearchRecord) -> str:
    """The time of a search in a readable form."""
    return record.time.replace("T", " ").replace("+00:00", " UTC")


def _from_to(line: DocumentChange, name: str) -> str:
    if line.before is None or line.after is None:
        return str(getattr(_listed(line), name))
    before, after = getattr(line.before, name), getattr(line.after, name)
    return str(after) if before == after else f"{before or 'none'} → {after or 'none'}"


def _listed(line: DocumentChange) -> ListPlace:
    listed = line.after or line.before
    assert listed is not None  # every document is in at least one list
    return listed


FATE_WORDS: dict[Fate, str] = {"new": "New", "gone": "Gone", "moved": "Moved", "stayed": "At the same rank"}
