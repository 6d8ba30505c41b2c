// What a draft mentions: patents with whether the corpus has them, figures and reference numerals.
import { shown } from "./asked.js";
import { node } from "./nodes.js";
import { counted } from "./start_sections.js";

/** Publications and applications that the text names. */
export function mentioned(draft) {
  const seen = new Map();
  for (const item of draft.citations) seen.set(item.number, { ...item, times: (seen.get(item.number)?.times || 0) + 1 });
  const rows = [...seen.values()].map((item) => node("li", {},
    draft.in_corpus[item.number]
      ? node("a", { class: "id", href: "/reading", onclick: () => { shown.document = item.number; } }, item.printed)
      : node("span", { class: "id" }, item.printed),
    node("span", { class: `badge ${draft.in_corpus[item.number] ? "yes" : ""}` }, draft.in_corpus[item.number] ? "in the corpus" : "not in the corpus"),
    item.section === "related" ? node("span", { class: "quiet" }, "under related applications: perhaps the own family") : null));
  const applications = [...new Set(draft.applications.map((item) => item.printed))];
  return [
    rows.length ? node("ul", { class: "plain cited-numbers" }, ...rows) : node("p", { class: "none" }, "The text names no patents."),
    applications.length ? node("p", { class: "quiet" }, `Applications named: ${applications.join(", ")}`) : null,
  ].filter(Boolean);
}

/** Figures and reference numerals, closed until wanted. */
export function signs(draft) {
  const figures = draft.figures.filter((item) => item.kind === "statement");
  if (!figures.length && !draft.numerals.length) return [];
  return [node("details", {}, node("summary", {}, `${counted(figures.length, "figure")}, ${counted(draft.numerals.length, "reference numeral")}`),
    node("ul", { class: "plain figures" }, ...figures.map((item) => node("li", {}, item.text))),
    node("ul", { class: "plain numerals" }, ...draft.numerals.map((item) => node("li", {}, node("b", {}, item.numeral), " ", node("bdi", {}, item.name), node("span", { class: "quiet" }, ` ${item.count} ×`)))))];
}
