"""A matter at one moment as plain data: what a review and a report are made of, in any process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from foreart.document.reference import is_literature
from foreart.records.documents import PackedDocuments
from foreart.review.feedback import JudgedDocument
from foreart.review.labels import rater_name
from foreart.review.matters import Event, Logged, Matter, MatterState, reviewed
from foreart.review.matters.matter_events import DocumentJudged, DocumentsShown, StoppingRuleSet
from foreart.review.matters.matter_state import effective
from foreart.review.matters.review_queue import feedback_of

# The rule of a matter that has none in its log.
DEFAULT_RULE = StoppingRuleSet(target=0.8, confidence=0.9)


@dataclass(frozen=True, slots=True)
class RuleInLog:
    """A stopping rule of the log; `read` is how many documents had been read by anybody when it was set."""

    target: float
    confidence: float
    time: str
    rater: str
    read: int


@dataclass(frozen=True, slots=True, repr=False)
class MatterSnapshot:
    """The name of a matter, its state, and every stopping rule that its log has, in order."""

    name: str
    state: MatterState
    rules: tuple[RuleInLog, ...] = ()

    @property
    def rule(self) -> StoppingRuleSet:
        """The rule that holds: the last one, else the default."""
        return self.state.stopping.event if self.state.stopping else DEFAULT_RULE

    @property
    def fixed_before_reading(self) -> bool:
        """Whether the rule that holds was in the log before anything was read, and never another one after that."""
        late = [rule for rule in self.rules if rule.read]
        first = [rule for rule in self.rules if not rule.read][-1:]
        return bool(first) and all((rule.target, rule.confidence) == _values(first[0]) for rule in late)

    @property
    def rule_origin(self) -> str:
        """When the rule was set, and what it was before if it was changed while reading."""
        if not self.rules:
            return "the default: no rule is in the log"
        if self.fixed_before_reading:
            return "fixed before reading"
        last = self.rules[-1]
        others = [_values(item) for item in self.rules if _values(item) != _values(last)]
        when = f"after {last.read:,} documents had been read"
        if not others:
            return f"set {when}"
        target, confidence = others[-1]
        return f"changed {when}: it was {_percent(target)} at {_percent(confidence)}"

    @property
    def rule_sentence(self) -> str:
        """The rule in words, and whether it was set before reading."""
        rule = self.rule
        told = f"stop at {_percent(rule.target)} of the relevant documents, {_percent(rule.confidence)} sure"
        return f"{told} ({self.rule_origin})"

    def judged(self, rater: str) -> tuple[JudgedDocument, ...]:
        """A rater's judgements of relevance; seeds are relevant."""
        name = rater and rater_name(rater)
        return tuple(
            JudgedDocument(number, verdict)
            for number, verdict in feedback_of(self.state, name)
            if verdict in ("relevant", "maybe", "no")
        )

    def read(self, rater: str) -> tuple[str, ...]:
        """The documents that a rater has read, in order; a family counts once."""
        return reviewed(self.state, rater and rater_name(rater))

    def for_review(self) -> MatterSnapshot:
        """The same with the last two searches alone: all that a queue and an estimate need, quick to send."""
        return replace(self, state=replace(self.state, searches=self.state.searches[-2:]))

    def for_report(self) -> MatterSnapshot:
        """The same without the hashes of the corpora that were searched, which only compare corpora."""
        searches = tuple(
            replace(item, event=replace(item.event, record=replace(item.event.record, documents=PackedDocuments())))
            for item in self.state.searches
        )
        return replace(self, state=replace(self.state, searches=searches))


def snapshot_of(matter: Matter) -> MatterSnapshot:
    """A matter as it is now."""
    return MatterSnapshot(matter.name, matter.state, rules_of(matter.events))


def rules_of(events: Sequence[Logged[Event]]) -> tuple[RuleInLog, ...]:
    """Every stopping rule that was not undone, with how much had been read before."""
    found: list[RuleInLog] = []
    read: set[str] = set()
    for logged in effective(events).events:
        event = logged.event
        if isinstance(event, DocumentsShown):
            read.update(event.documents)
        elif isinstance(event, DocumentJudged) and not is_literature(event.document):
            read.add(event.document)
        elif isinstance(event, StoppingRuleSet):
            found.append(RuleInLog(event.target, event.confidence, logged.time, logged.rater, len(read)))
    return tuple(found)


def _values(rule: RuleInLog) -> tuple[float, float]:
    return rule.target, rule.confidence


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"
