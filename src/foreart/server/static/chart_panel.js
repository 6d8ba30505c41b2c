// Beside the matrix: the quotes of a cell in full, its grade, and the way into the document.
import { badge } from "./hits.js";
import { GRADES, judged } from "./chart_matrix.js";
import { marked } from "./marked.js";
import { byId, node } from "./nodes.js";
import { units } from "./offsets.js";
import { languageOf } from "./reading_text.js";

const percent = (value) => `${Math.round(value * 100)} %`;

/** Shows the quotes of a cell; `grade` gives a person's grade or null, `read` opens a quote in its document. */
export function showQuotes(chart, row, reference, { grade, read, close }) {
  const cell = chart.at(row.label, reference.id);
  const nowhere = cell.missing.filter((word) => !cell.elsewhere.includes(word));
  const panel = byId("quotes");
  panel.hidden = false;
  panel.replaceChildren(
    node("div", { class: "panel-line" }, node("span", { class: "quiet keys" }, node("kbd", {}, "1"), "–", node("kbd", {}, "5"), " grade, ", node("kbd", {}, "0"), " computed, ", node("kbd", {}, "Esc"), " closes"),
      node("button", { type: "button", class: "quiet-button", "aria-label": "Close the quotes", onclick: close }, "✕")),
    node("h2", { id: "quotes-title" }, node("b", {}, row.label), " ", row.text),
    node("p", { class: "by" }, node("button", { type: "button", class: "link", onclick: () => read(reference.id) }, reference.id), " ", node("bdi", {}, reference.title), " ", node("small", {}, `published ${reference.published || "unknown"} `), badge(reference.status)),
    node("p", { class: "grading" }, node("span", { class: `grade ${judged(cell).replace(" ", "-")}` }, judged(cell)),
      node("label", {}, "Grade ", node("select", { id: "own-grade", onchange: (event) => grade(Number(event.target.value) || null) },
        node("option", { value: 0, selected: !cell.own_grade }, `computed: ${cell.grade}, ${percent(cell.coverage)}`),
        Object.entries(GRADES).reverse().map(([key, name]) => node("option", { value: key, selected: cell.own_grade === name }, `own: ${name}`)))),
      cell.own_grade ? node("span", { class: "quiet" }, `own grade; computed: ${cell.grade}, ${percent(cell.coverage)}`) : null),
    ...cell.quotes.map((quote) => quoteFigure(quote, row, reference, read)),
    cell.quotes.length ? "" : node("p", { class: "missing" }, "Nothing in it is close to this element."),
    words("Elsewhere in the document:", cell.elsewhere), words("Nowhere in the document:", nowhere),
    ...reference.notes.map((note) => node("p", { class: "note" }, note)));
}

/** What a quote adds to those before it, if that is less than it has. */
function added({ adds, coverage }) {
  if (adds >= coverage) return "";
  return adds < 0.005 ? ", says the same again" : `, adds ${percent(adds)}`;
}

function quoteFigure(quote, row, reference, read) {
  const at = units(quote.text);
  const spans = quote.matches.map((match) => [at(match.start), at(match.end), match.bridge ? "bridge" : match.credit < 1 ? "alone" : "", match.word]);
  const place = { document: reference.id, row: row.label, part: quote.part, ordinal: quote.ordinal, language: quote.language, start: quote.start };
  return node("figure", { class: "quote" },
    node("blockquote", { dir: "auto", lang: languageOf(quote.language || reference.language) || null }, marked(quote.text, spans)),
    node("figcaption", {}, node("b", {}, `${reference.id}, ${quote.place}`), ` · ${percent(quote.coverage)} of the element${added(quote)} · `,
      node("button", { type: "button", class: "link", "data-context": "", onclick: () => read(reference.id, place) }, "Read in context")));
}

function words(title, list) {
  return list.length ? node("p", { class: "missing" }, node("b", {}, title), ` ${list.join(", ")}.`) : "";
}
