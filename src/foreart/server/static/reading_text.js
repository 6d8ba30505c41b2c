// The text of a document, by its places, with layers of marks: passages, own highlights, words of similar meaning.
import { marked, occurrences } from "./marked.js";
import { node } from "./nodes.js";
import { units } from "./offsets.js";

const LINES = /^\d+:\d+(?:-\d+)?$/;
// Texts of more characters take longer than a tenth of a second to lay out.
const LONG = 60_000;
// Places of the shown document by key: its text, the node that shows it, and the offsets of the server in it.
let places = new Map();

/** The key of a place: one paragraph, one claim, the abstract or the title, in a language if it is a translation. */
export const keyOf = (part, ordinal = 1, language = "") => `${part}:${ordinal}:${language}`;

/** Builds the texts of a document: `title` is a node, the panels are returned. */
export function textPanels(record, title) {
  places = new Map();
  const lang = languageOf(record.language);
  title.replaceChildren(placed(keyOf("title"), record.title || "(no title)"));
  title.lang = lang;
  const translated = record.translations || [];
  return {
    description: node("div", { class: "text", lang }, front(record.abstract, ""), translated.map((other) => front(other.abstract, other.language)), paragraphs(record),
      record.description ? null : node("p", { class: "note" }, "The corpus has no description of this document.")),
    claims: node("div", { class: "text", lang }, claims(record, ""), translated.map((other) => claims(other, other.language)),
      record.claims?.length || translated.some((other) => other.claims?.length) ? null : node("p", { class: "note" }, "The corpus has no claims of this document.")),
  };
}

/** Shows layers of marks: `passages` have a place and marks, `groups` words and colours, `bridges` words and meanings. */
export function paint({ passages, groups, bridges }) {
  const layers = new Map();
  for (const { key, spans } of passages) layers.set(key, [...(layers.get(key) ?? []), ...spans]);
  for (const [key, place] of places) {
    const spans = [...exact(place, layers.get(key) ?? []), ...found(place, groups, bridges)];
    if (!spans.length && !place.painted) continue;
    place.painted = spans.length > 0;
    place.node.replaceChildren(...(spans.length ? marked(place.text, spans) : [place.text]));
  }
}

/** How often the words of a group are in the document. */
export function timesOf(words) {
  let times = 0;
  for (const { text } of places.values()) times += occurrences(text, words).length;
  return times;
}

/** A language as HTML names it, or null. */
export function languageOf(language) {
  return /^[a-z]{2,3}$/.test(language || "") ? language : "";
}

function exact(place, spans) {
  place.units ??= units(place.text);
  return spans.map(([start, end, name, title]) => [place.units(start), place.units(end), name, title]);
}

function found(place, groups, bridges) {
  if (!groups.length && !bridges.length) return [];
  place.lower ??= place.text.toLowerCase();
  // Looking for a string first is ten times as fast as making an expression for each paragraph.
  const has = (word) => place.lower.includes(word.toLowerCase());
  return [
    ...groups.flatMap((group) => occurrences(place.text, group.words.filter(has)).map(([start, end]) => [start, end, `own h${group.colour}`, group.name])),
    ...bridges.filter(({ term }) => has(term)).flatMap((bridge) => occurrences(place.text, [bridge.term]).map(([start, end]) => [start, end, "bridge", bridge.meaning])),
  ];
}

function placed(key, text) {
  const shown = node("span", {}, text);
  if (!places.has(key)) places.set(key, { text, node: shown, painted: false });
  return shown;
}

function front(abstract, language) {
  if (!abstract) return null;
  return node("p", { class: "abstract", lang: languageOf(language) || null, dir: "auto" },
    node("b", { class: "place" }, language ? `Abstract (${language})` : "Abstract"), placed(keyOf("abstract", 1, language), abstract));
}

function claims(record, language) {
  return (record.claims || []).map((claim, place) => {
    const number = record.claim_numbers?.[place] ?? place + 1;
    const text = claim.startsWith(`${number}. `) ? claim.slice(`${number}. `.length) : claim;
    const depends = record.claim_depends_on?.[place]?.length;
    return node("p", { class: depends ? "dependent" : "independent", lang: languageOf(language) || null, dir: "auto" },
      node("b", { class: "place" }, language ? `${number} (${language})` : `${number}`), placed(keyOf("claim", place + 1, language), text));
  });
}

function paragraphs(record) {
  const whole = record.description || "";
  const at = units(whole);
  let ordinal = 0;
  return (record.paragraphs || []).map((span) => {
    const text = whole.slice(at(span.start), at(span.end));
    if (span.heading) return node("h3", { dir: "auto" }, text);
    ordinal += 1;
    const made = node("p", { dir: "auto" }, node("b", { class: "place" }, label(span.number, ordinal)), placed(keyOf("description", ordinal), text));
    return whole.length > LONG ? laidOutLater(made, text.length) : made;
  });
}

/** A paragraph that is laid out only near the window: its height is estimated, so that ticks are where they belong. */
function laidOutLater(made, length) {
  made.classList.add("later");
  made.style.containIntrinsicSize = `auto 46rem auto ${Math.ceil((length + 6) / 92) * 25}px`;
  return made;
}

function label(number, ordinal) {
  if (!number) return `¶ ${ordinal}`;
  return LINES.test(number) ? number : `[${number}]`;
}
