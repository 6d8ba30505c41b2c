// The passages of a document for what is picked in the draft: in the text, as a list, and as ticks beside the text.
import { byId, node } from "./nodes.js";
import { claimOf, colourOfRow } from "./reading_draft.js";
import { keyOf } from "./reading_text.js";

/** The passages of a pick in order: those of an element or paragraph best first, of a claim the best of each element. */
export function passagesFor(pick, cells, quotes) {
  if (pick.startsWith("paragraph:")) return quotes.map((quote) => passage(quote, "", "e1"));
  const [kind, label] = pick.split(":");
  if (kind === "element") return cells.filter((cell) => cell.row === label).flatMap((cell) => cell.quotes.map((quote) => passage(quote, label)));
  const own = cells.filter((cell) => cell.row.startsWith(`${claimOf(pick)}.`) && cell.quotes.length);
  return own.map((cell) => passage(cell.quotes[0], cell.row));
}

/** The panel of the part in which a passage is. */
export const panelOf = (one) => (one.part === "claim" ? "claims" : "description");

/** Marks of passages for the text; the current one is set off. */
export function layer(passages, current) {
  return passages.map((one, place) => ({
    key: one.key,
    spans: [
      [one.start, one.end, `passage ${one.colour} q${place}${place === current ? " current" : ""}`, one.title],
      ...one.matches.map((match) => [one.start + match.start, one.start + match.end, match.bridge ? "hit bridge" : "hit", null]),
    ],
  }));
}

/** The list of passages above the text; `go` shows one. */
export function list(passages, current, go, note) {
  const place = byId("passages");
  if (!passages.length) return place.replaceChildren(node("span", { class: "quiet" }, note));
  place.replaceChildren(
    ...passages.map((one, at) =>
      node("button", { type: "button", class: `chip ${one.colour}`, "aria-pressed": String(at === current), title: one.title, onclick: () => go(at) },
        one.row ? node("b", {}, one.row) : null, one.place, node("small", {}, ` ${Math.round(one.coverage * 100)} %`))),
    node("span", { class: "quiet keys" }, node("kbd", {}, "["), " ", node("kbd", {}, "]"), " step"));
}

/** Ticks where passages and highlights are in the visible panel; a click goes there. */
export function ticks(panel, passages, go) {
  const strip = byId("ticks");
  const height = panel.scrollHeight || 1;
  const top = panel.getBoundingClientRect().top - panel.scrollTop;
  const at = (mark) => (mark.getBoundingClientRect().top - top) / height;
  const made = [...panel.querySelectorAll("mark.own")].slice(0, 400).map((mark) => tick(at(mark), `own ${mark.className.match(/\bh\d\b/)?.[0] ?? ""}`, () => mark.scrollIntoView({ block: "center" })));
  passages.forEach((one, place) => {
    const mark = panel.querySelector(`.q${place}`);
    if (mark) made.push(tick(at(mark), `passage ${one.colour}${mark.classList.contains("current") ? " current" : ""}`, () => go(place), `${one.row} ${one.place}`));
  });
  strip.replaceChildren(...made);
}

function tick(share, name, onclick, title = null) {
  const made = node("i", { class: name, onclick, title });
  made.style.top = `${(100 * share).toFixed(2)}%`;
  return made;
}

function passage(quote, row, colour = colourOfRow(row)) {
  const share = `${Math.round(quote.coverage * 100)} % of ${row ? `element ${row}` : "the paragraph"}`;
  return {
    key: keyOf(quote.part, quote.part === "abstract" || quote.part === "title" ? 1 : quote.ordinal, quote.language),
    part: quote.part, ordinal: quote.ordinal, place: quote.place, start: quote.start, end: quote.start + [...quote.text].length,
    coverage: quote.coverage, matches: quote.matches, row, colour, title: `${quote.place}: ${share}`,
  };
}
