// Above the matrix: the closest single reference, the best combination, and what no reference has.
import { byId, node } from "./nodes.js";

const percent = (value) => `${Math.round(value * 100)} %`;

/** Shows the findings of all elements, and of each claim if there are several. */
export function showFindings(chart) {
  const own = chart.cells.filter((cell) => cell.own_grade).length;
  const place = byId("findings");
  place.hidden = false;
  place.replaceChildren(
    card(chart, chart.findings[0]),
    ...(chart.findings.length > 1 ? [node("details", { class: "by-claim" }, node("summary", {}, "By claim"), node("div", { class: "findings" }, chart.findings.slice(1).map((finding) => card(chart, finding, `Claim ${finding.claim}`))))] : []),
    own ? node("p", { class: "quiet" }, `${own} ${own === 1 ? "cell has an own grade" : "cells have own grades"} (◥). Findings count ${Object.entries(chart.own_grades_count_as).map(([name, value]) => `${name} as ${percent(value)}`).join(", ")}.`) : "");
}

function card(chart, finding, title = "") {
  const [closest] = finding.ranking;
  const together = finding.combination;
  return node("dl", { class: "finding-line" }, title ? node("div", { class: "scope" }, node("dt", {}, "Scope"), node("dd", {}, title)) : null,
    node("div", {}, node("dt", {}, "Closest single reference"), node("dd", {}, closest ? [node("b", {}, closest.reference), ` ${percent(closest.coverage)}`] : "none")),
    node("div", {}, node("dt", {}, "Best combination"), node("dd", {}, together.length > 1
      ? [node("b", {}, together.map((step) => step.reference).join(" + ")), ` ${percent(together.at(-1).coverage)}`, together.slice(1).map((step) => node("small", {}, `${step.reference} adds ${percent(step.adds)}${step.rises.length ? `: ${step.rises.map((rise) => rise.row).join(", ")}` : ""}`))]
      : chart.references.length > 1 ? "no combination covers more" : "add a second reference")),
    node("div", { class: finding.undisclosed.length ? "white-space" : null }, node("dt", {}, "White space: in none, not even partly"),
      node("dd", {}, finding.undisclosed.length ? [node("b", {}, finding.undisclosed.length), ` of ${rowsOf(chart, finding.claim)} elements: ${finding.undisclosed.join(", ")}`] : "none: every element is found, at least partly")));
}

const rowsOf = (chart, claim) => chart.rows.filter((row) => !claim || row.claim === claim).length;

/** The legend: grades with their thresholds, the best of a row, own grades, keys. */
export function showLegend(chart) {
  byId("legend").replaceChildren(node("ul", { class: "legend" },
    Object.entries(chart.grades).map(([name, least]) => node("li", {}, node("i", { class: `swatch ${name.replace(" ", "-")}` }), least ? `${name}, from ${percent(least)}` : name)),
    node("li", {}, node("i", { class: "swatch dot" }), "best of its row"), node("li", {}, node("i", { class: "swatch corner" }), "own grade"),
    node("li", { class: "keys" }, node("kbd", {}, "←"), " ", node("kbd", {}, "→"), " ", node("kbd", {}, "↑"), " ", node("kbd", {}, "↓"), " move, ", node("kbd", {}, "Enter"), " opens the quotes, ", node("kbd", {}, "1"), "–", node("kbd", {}, "5"), " own grade (5 disclosed), ", node("kbd", {}, "0"), " takes it back, ", node("kbd", {}, "q"), " quotes, ", node("kbd", {}, "o"), " reads, ", node("kbd", {}, "Esc"), " leaves")),
    node("p", { class: "quiet" }, "Coverage compares words, not meaning: a document may disclose a feature in other words, or have the words without the feature."));
}
