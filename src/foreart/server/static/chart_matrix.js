// The matrix: elements by references, a grade and a colour in each cell, one cell with the focus.
import { byId, node } from "./nodes.js";

/** The grades from 5 to 1, as keys give them. */
export const GRADES = { 5: "disclosed", 4: "mostly", 3: "partly", 2: "hardly", 1: "not found" };

/** The grade that counts: a person's, else the computed one. */
export const judged = (cell) => cell.own_grade ?? cell.grade;

/** A cell in words. */
export function toldOf(cell, best) {
  const computed = `${cell.grade}, ${percent(cell.coverage)}`;
  return `${cell.row}, ${cell.reference}: ${cell.own_grade ? `${cell.own_grade}, own grade (computed: ${computed})` : computed}${best ? ", best of its row" : ""}`;
}

/** Draws the matrix of a chart; `open`, `read` and `remove` act on a cell's place and on references. */
export function drawMatrix(chart, { quotes, gaps, open, read, remove }) {
  const table = byId("matrix");
  table.className = `heat desk-heat${quotes ? " with-quotes" : ""}`;
  table.setAttribute("aria-rowcount", chart.rows.length + 2);
  table.setAttribute("aria-colcount", chart.references.length + 1);
  const several = new Set(chart.rows.map((row) => row.claim)).size > 1;
  table.replaceChildren(head(chart, read, remove), ...claims(chart).map(([claim, rows]) =>
    node("tbody", {},
      several ? node("tr", { class: "claim" }, node("th", { scope: "rowgroup", role: "rowheader" }, `Claim ${claim}`), node("td", { role: "gridcell", colspan: chart.references.length })) : null,
      rows.map(([row, place]) => line(chart, row, place, { quotes, gaps, open })))));
}

/** The cell at a place, and moving the focus to it. */
export function cellAt(row, column) {
  return byId("matrix").querySelector(`[data-row="${row}"][data-column="${column}"]`);
}

/** Gives the focus to a cell: only that one is reached by Tab. */
export function focusCell(row, column, { move = true } = {}) {
  for (const cell of byId("matrix").querySelectorAll('[data-row][tabindex="0"]')) cell.tabIndex = -1;
  const cell = cellAt(row, column);
  if (!cell) return;
  cell.tabIndex = 0;
  if (!move) return;
  cell.focus({ preventScroll: true });
  cell.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Shows which cell has its quotes open. */
export function markOpen(row, column) {
  for (const cell of byId("matrix").querySelectorAll(".open")) cell.classList.remove("open");
  cellAt(row, column)?.classList.add("open");
}

const percent = (value) => `${Math.round(value * 100)} %`;

function claims(chart) {
  const found = new Map();
  chart.rows.forEach((row, place) => found.set(row.claim, [...(found.get(row.claim) ?? []), [row, place]]));
  return [...found];
}

function head(chart, read, remove) {
  return node("thead", {},
    node("tr", {}, node("th", { scope: "col", role: "columnheader" }, "Element"),
      chart.references.map((reference) =>
        node("th", { scope: "col", role: "columnheader", title: reference.title },
          node("button", { type: "button", class: "link prints", "data-reference": reference.id, "aria-label": `${reference.id}, read it: ${reference.title}`, onclick: () => read(reference.id) }, reference.id),
          node("button", { type: "button", class: "remove", "aria-label": `Take ${reference.id} out`, title: "Take out", onclick: () => remove(reference.id) }, "✕"),
          node("span", { class: "reference-title" }, reference.title || "(no title)"),
          reference.status === "prior art" ? node("small", {}, reference.published || "undated") : node("small", { class: `badge ${reference.status.replaceAll(" ", "-")}` }, reference.status)))),
    node("tr", { class: "all" }, node("th", { scope: "row", role: "rowheader" }, "All elements, weighted by the rarity of their words"),
      chart.references.map((reference) => node("td", { role: "gridcell" }, node("span", {}, percent(reference.coverage))))));
}

function line(chart, row, place, { quotes, gaps, open }) {
  const gap = gaps.has(row.label);
  return node("tr", {},
    node("th", { scope: "row", role: "rowheader", class: gap ? "gap" : null }, node("p", { title: row.text }, node("b", {}, row.label), row.text), gap ? node("i", {}, "in none, not even partly") : null),
    chart.references.map((reference, column) => {
      const cell = chart.at(row.label, reference.id);
      return node("td", { role: "gridcell", "data-row": place, "data-column": column, tabindex: "-1",
        class: `${judged(cell).replace(" ", "-")}${cell.own_grade ? " own" : ""}${row.best === reference.id ? " best" : ""}`,
        "aria-label": toldOf(cell, row.best === reference.id), title: toldOf(cell, row.best === reference.id), onclick: () => open(place, column) },
      node("div", { class: "cell" },
        node("b", {}, judged(cell) === "not found" ? "–" : judged(cell)),
        node("small", {}, cell.own_grade ? `computed ${percent(cell.coverage)}` : percent(cell.coverage)),
        quotes && cell.quotes.length ? node("span", { class: "first-quote", dir: "auto" }, "“", node("bdi", {}, cell.quotes[0].text), `” ${cell.quotes[0].place}`) : null));
    }));
}
