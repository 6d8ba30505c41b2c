// Drawings of counts: bars along an axis, and tables with a bar in each row.
import { drawn, node } from "./nodes.js";

export const counted = (number) => number.toLocaleString("en");

/** Counts along an axis, `items` are `[label, count]`; some labels are written below. */
export function columns(items, { unit, told, of = "", marks = [] }) {
  const highest = Math.max(1, ...items.map(([, count]) => count));
  const wide = 100 / items.length;
  const titled = (label, count) => `${label}${of && ` ${of}`}: ${counted(count)} ${unit}`;
  const bars = items.map(([label, count], place) => drawn("rect", { class: "c-text", x: place * wide + wide * 0.08, width: wide * 0.84, y: 100 - (100 * count) / highest, height: (100 * count) / highest }));
  // The whole height of a column answers to the pointer, also above a short bar.
  const areas = items.map(([label, count], place) => drawn("rect", { class: "area", x: place * wide, width: wide, y: 0, height: 100 }, drawn("title", {}, titled(label, count))));
  const lines = marks.map((at) => drawn("line", { class: "mark-line", x1: at * 100, x2: at * 100, y1: 0, y2: 100 }));
  return node("div", { class: "columns" },
    node("span", { class: "highest" }, counted(highest)),
    drawn("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img", "aria-label": told }, ...bars, ...lines, ...areas),
    node("p", { class: "axis-labels", "aria-hidden": "true" }, ...labelsOf(items.map(([label]) => label)).map((label) => node("span", {}, label))));
}

function labelsOf(labels) {
  if (labels.length < 4) return labels;
  return [0, 1 / 3, 2 / 3, 1].map((share) => labels[Math.round(share * (labels.length - 1))]);
}

/** A table of names and counts with bars; `rows` are `{name, title, count, parts}`, parts `[class, count, name]` of a bar. */
export function barTable(rows, { head, total, caption = "", most = 12 }) {
  const highest = Math.max(1, ...rows.map((row) => row.count));
  const body = node("tbody", {}, rows.slice(0, most).map((row) => barRow(row, highest, total)));
  const made = node("table", { class: "bar-table" },
    node("caption", { class: "unseen" }, caption),
    node("thead", { class: "unseen" }, node("tr", {}, node("th", { scope: "col" }, head), node("th", { scope: "col" }, "share"), node("th", { scope: "col" }, "documents"))), body);
  if (rows.length <= most) return made;
  const more = node("button", { type: "button", class: "quiet-button more", onclick: () => { body.replaceChildren(...rows.map((row) => barRow(row, highest, total))); more.remove(); } },
    `All ${counted(rows.length)}`);
  return node("div", {}, made, more);
}

function barRow(row, highest, total) {
  let x = 0;
  const parts = (row.parts || [["c-text", row.count, ""]]).map(([name, count, label]) => {
    const width = (100 * count) / highest;
    const piece = drawn("rect", { class: name, x, width, height: 10 }, label ? drawn("title", {}, `${label}: ${counted(count)}`) : null);
    x += width;
    return piece;
  });
  const share = total ? (100 * row.count) / total : 0;
  return node("tr", {},
    node("th", { scope: "row" }, row.name, row.title ? node("small", {}, row.title) : null),
    node("td", { class: "bar-cell" }, drawn("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts)),
    node("td", { class: "number" }, counted(row.count), total ? node("small", {}, percent(share)) : null));
}

/** A share in percent; neither all nor nothing is said of what is nearly so. */
function percent(share) {
  if (share > 0 && share < 0.1) return "< 0.1 %";
  return `${(share > 0 && share < 1) || (share > 99 && share < 100) ? Math.min(99.9, share).toFixed(1) : Math.round(share)} %`;
}
