"""The findings of a claim chart in words, the same in every output format."""

from __future__ import annotations

from foreart.report.wording.phrases import count, whole_percent
from foreart.search.charting import GRADES, OWN_COVERAGE, Cell, Chart, ChartFinding, CombinationStep

METHOD = (
    "Coverage is the share of an element's words that occur in the quotes. Words that are rare in the corpus weigh "
    "more; claim language and reference numerals weigh nothing. A word counts in full only close to one of its "
    "neighbours in the element, and half in further quotes. Coverage compares words, not meaning: a document may "
    "disclose a feature in other words, or have the words without the feature. Every quote is a verbatim excerpt of "
    "the stored text."
)


def grades_text() -> str:
    """The grades with their thresholds."""
    return (
        ", ".join(f"{name} from {whole_percent(threshold)}" for name, threshold in GRADES.items() if threshold)
        + ", else not found"
    )


def grade_text(cell: Cell) -> str:
    """The grade and coverage of a cell; beside a person's grade what was computed."""
    computed = f"{cell.grade}, {whole_percent(cell.coverage)}"
    return computed if cell.own_grade is None else f"{cell.own_grade}, own grade (computed: {computed})"


def own_grades_text(chart: Chart) -> str:
    """How many cells have a person's grade and what these count as; `""` if there are none."""
    own = sum(cell.own_grade is not None for row in chart.cells for cell in row)
    counts = ", ".join(f"{name} as {whole_percent(value)}" for name, value in OWN_COVERAGE.items())
    return f"{count(own, 'cell')} marked * with a person's own grade; findings count {counts}." if own else ""


def scope(finding: ChartFinding) -> str:
    """Which elements a finding is about."""
    return f"claim {finding.claim}" if finding.claim else "all elements"


def closest_text(finding: ChartFinding) -> str:
    """The closest reference with its coverage."""
    number, coverage = finding.ranking[0]
    return f"{number} ({whole_percent(coverage)})"


def combination_text(finding: ChartFinding) -> str:
    """The best combination and its coverage; `""` where no other reference adds anything."""
    if len(finding.combination) < 2:
        return ""
    together = " + ".join(step.reference for step in finding.combination)
    return f"{together} ({whole_percent(finding.combination[-1].coverage)})"


def added_text(step: CombinationStep) -> str:
    """What a reference adds to those before it."""
    rises = ", ".join(f"{rise.row} ({whole_percent(rise.before)} → {whole_percent(rise.after)})" for rise in step.rises)
    return f"{step.reference} adds {whole_percent(step.adds)}{f': {rises}' if rises else ''}"


def undisclosed_text(finding: ChartFinding) -> str:
    """The elements that no reference discloses even partly."""
    return ", ".join(finding.undisclosed) or "none"


def sentences(chart: Chart) -> list[tuple[str, list[str]]]:
    """The findings as lines under their scope."""
    findings: list[tuple[str, list[str]]] = []
    for finding in chart.findings:
        lines = [f"Closest single reference: {closest_text(finding)}"]
        together = combination_text(finding)
        if together:
            lines.append(f"Best combination: {together}; {'; '.join(map(added_text, finding.combination[1:]))}")
        elif len(chart.references) > 1:
            lines.append("No combination covers more.")
        lines.append(f"Found in none, not even partly: {undisclosed_text(finding)}")
        findings.append((scope(finding), lines))
    return findings


def gist(chart: Chart) -> str:
    """The findings of all elements in one line."""
    finding = chart.findings[0]
    together = combination_text(finding)
    parts = [
        f"Closest: {closest_text(finding)}.",
        f"Best combination: {together}." if together else "",
        f"Found in none: {undisclosed_text(finding)}."
        if finding.undisclosed
        else "Every element is found, at least partly.",
    ]
    return " ".join(part for part in parts if part)


def size(chart: Chart) -> str:
    """`15 elements × 20 references`."""
    return f"{count(len(chart.rows), 'element')} × {count(len(chart.references), 'reference')}"
