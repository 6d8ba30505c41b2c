// A report before it is a file: the parts of its sheet as nodes; every text of it is text.
import { node } from "./nodes.js";

const STYLES = { lead: "gist", note: "note", quiet: "quiet", plain: "plain-text" };
const LINES = { strong: "b", quiet: "small", plain: "span" };

/** The nodes of a preview: `{ sheet, text, cut }` as the server answers it. */
export function sheetNodes({ sheet, text, cut }) {
  if (!sheet) return [node("pre", { class: "preview-text", dir: "auto", tabindex: "0" }, text), cut ? node("p", { class: "quiet" }, "The file goes on.") : null].filter(Boolean);
  return [
    node("p", { class: "note" }, sheet.notice),
    node("p", { class: "quiet" }, sheet.form),
    node("h3", { dir: "auto" }, sheet.title),
    ...sheet.parts.map((part) => PARTS[part.kind](part)),
    node("p", { class: "quiet" }, [sheet.notice, ...sheet.foot].join(" · ")),
  ];
}

const PARTS = {
  heading: ({ text, level }) => node(level === 1 ? "h4" : "h5", {}, text),
  text: ({ text, style }) => node("p", { class: STYLES[style], dir: "auto" }, text.replaceAll("`", "")),
  facts: ({ facts }) => node("dl", { class: "boxes" }, facts.map(([name, value]) => node("div", {}, node("dt", {}, name), node("dd", { dir: "auto" }, value)))),
  list: ({ items }) => node("ul", { class: "plain listed" }, items.map((item) => node("li", { dir: "auto" }, item))),
  table: ({ columns, rows }) => node("div", { class: "scroll", tabindex: "0" }, node("table", { class: "form stack" },
    node("thead", {}, node("tr", {}, columns.map(({ name }) => node("th", { scope: "col" }, name)))),
    node("tbody", {}, rows.map((row) => node("tr", {}, row.map((cell, place) => node("td", { dir: "auto", "data-name": columns[place].name }, cell.map((line) => node(LINES[line.style], {}, line.text))))))))),
  quotes: ({ document: number, title, about, passages, language }) => node("section", { class: "cited-document" }, node("h5", { dir: "auto" }, title),
    node("p", { class: "quiet" }, node("span", { class: "id" }, number), ` · ${about}`),
    passages.length
      ? passages.map((passage) => node("figure", { class: "quote" }, node("blockquote", { dir: "auto", lang: passage.language || language || null }, passage.text), node("figcaption", {}, node("b", {}, `${number}, ${passage.place}`))))
      : node("p", { class: "none" }, "No passage is quoted.")),
};
