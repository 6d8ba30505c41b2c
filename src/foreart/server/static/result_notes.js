// What a result says besides its hits: summary, notes, legend, own family and what is left out by date.
import { colourOf } from "./hits.js";
import { node } from "./nodes.js";

const LAWS = { any: "any of EPC, US law and PCT", epc: "the EPC", us: "US law", pct: "the PCT" };
const many = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;

/** What was searched for, in how many documents, up to which date. */
export function summary(result) {
  return [
    node("b", { class: "of-draft", translate: "no" }, result.draft.title || result.draft.source), ` · ${many(result.compared, "document")} compared · cut-off `,
    node("b", { class: "date" }, result.cutoff.date), ` (${result.cutoff.source}) · prior art under ${LAWS[result.regime]}`,
  ];
}

/** Warnings, the gravest first. */
export function notes(result) {
  const terms = result.missing_terms.join(", ");
  return [
    terms ? node("li", { class: "note" }, `No hit has any of the draft's most important rare terms: ${terms}. The hits may be about something else: filter by one of them under “Words and numbers”.`) : null,
    ...result.draft.notes.map((note) => node("li", { class: "note" }, `${note[0].toUpperCase()}${note.slice(1)}.`)),
  ].filter(Boolean);
}

/** Why there is no hit, and what to do. */
export function nothing(result) {
  if (result.removed.together && !result.compared) return "The filters leave no document: take one back above.";
  if (result.filters.only_new) return "Nothing new: all that may count was a hit of the kept search, or is of the family of one.";
  return "No document of the corpus can count against this draft on its cut-off date.";
}

/** The groups of channels with their colours, as far as hits have them. */
export function legend(result) {
  const groups = result.groups || [];
  if (!groups.length) return [];
  return [node("li", {}, "Score:"), ...groups.map((group) => node("li", { title: group.about }, node("span", { class: `swatch ${colourOf(group.name)}` }), group.name)),
    node("li", {}, node("span", { class: "keys" }, "Dates: "), "○ priority and filing, ● publication, ┊ cut-off")];
}

/** Documents that are no hits although they are similar, with the rule that says why. */
export function asides(result) {
  const family = result.own_family;
  const late = result.left_out;
  const counting = family.filter((item) => item.by_date !== "after the date").length;
  return [
    family.length ? section(`The draft's own family: ${many(family.length, "document")}`,
      `Listed here instead of among the hits.${counting ? ` By ${counting === 1 ? "its date one" : `their dates ${counting}`} may still be prior art.` : ""}`, family) : null,
    late.length ? section(`Left out by date: ${many(result.left_out_count, "document")}`,
      `${late.length < result.left_out_count ? `The ${late.length} most similar ones. ` : ""}They cannot count against a draft with this cut-off.`, late) : null,
  ].filter(Boolean);
}

function section(heading, sentence, items) {
  return node("section", {}, node("h2", {}, heading), node("p", { class: "quiet" }, sentence),
    node("details", { open: items.length <= 3 }, node("summary", {}, "Show them"),
      node("ul", { class: "plain" }, ...items.map((item) => node("li", {}, node("span", { class: "id" }, item.id), " ", node("bdi", {}, item.title || "(no title)"), node("small", {}, item.rule))))));
}
