// The claim chart: elements by references, with a person's grades beside the computed ones.
import { call, signedIn } from "./api.js";
import { asked, shown } from "./asked.js";
import { addBest, changeReferences, chartBody, listenToTools } from "./chart_choices.js";
import { showFindings, showLegend } from "./chart_findings.js";
import { GRADES, drawMatrix, focusCell, markOpen, toldOf } from "./chart_matrix.js";
import { showQuotes } from "./chart_panel.js";
import { digits } from "./keys.js";
import { byId, node, problem, say, start } from "./nodes.js";
import { emptyPage, openedDraft } from "./reading_start.js";
import { remember as undoable, undoKeys } from "./undo.js";
import { loadWorkspace, workspace } from "./workspace.js";

let chart = null;
// The cell with the focus, and whether its quotes are open; kept for a reload.
let at = { row: 0, column: 0, open: false, ...JSON.parse(sessionStorage.getItem("cell") || "{}") };
let run = 0;

async function main() {
  const draft = await openedDraft("The chart sets the elements of its claims against references, with verbatim quotes.");
  if (!draft) return;
  if (!draft.claims.length) return emptyPage("The draft has no claims to chart: say on Start where they are.", "/", "Correct the draft");
  await loadWorkspace();
  byId("chart").hidden = false;
  byId("show-quotes").checked = sessionStorage.getItem("quotes-on") === "1";
  byId("show-quotes").addEventListener("change", draw);
  listenToTools(charted, draw);
  byId("matrix").addEventListener("keydown", move);
  byId("matrix").addEventListener("focusin", ({ target }) => {
    const { row, column } = target.dataset;
    if (row !== undefined) at = { ...at, row: Number(row), column: Number(column) };
  });
  await charted();
}

/** Makes the chart of what is chosen; false if it could not be made. */
async function charted() {
  problem(null);
  const { references } = workspace();
  byId("none").hidden = references.length > 0;
  if (!references.length) return showNone();
  const mine = ++run;
  byId("matrix").setAttribute("aria-busy", "true");
  try {
    const found = await call("POST", "/chart", chartBody());
    if (mine !== run) return true;
    chart = indexed(found);
    draw();
    return true;
  } catch (error) {
    problem(error);
    return false;
  } finally {
    byId("matrix").removeAttribute("aria-busy");
  }
}

function indexed(found) {
  const cells = new Map(found.cells.map((cell) => [`${cell.row} ${cell.reference}`, cell]));
  return { ...found, at: (row, reference) => cells.get(`${row} ${reference}`) };
}

function showNone() {
  chart = null;
  for (const id of ["matrix", "findings", "quotes"]) byId(id).hidden = true;
  byId("legend").replaceChildren();
  byId("notes").replaceChildren();
  byId("none").replaceChildren(
    node("p", {}, "No references yet. Add them by number above, with ", node("kbd", {}, "a"), " while you ", node("a", { href: "/reading" }, "read"), ", or start with what the search found."),
    node("p", {}, node("button", { type: "button", onclick: () => addBest(charted) }, "Chart the best 5 hits")));
  return true;
}

function draw() {
  sessionStorage.setItem("quotes-on", byId("show-quotes").checked ? "1" : "0");
  byId("chart").dataset.purpose = workspace().purpose;
  if (!chart) return;
  const focused = byId("matrix").contains(document.activeElement);
  byId("matrix").hidden = false;
  byId("notes").replaceChildren(...chart.notes.map((note) => node("li", { class: "note" }, note)));
  at = { ...at, row: Math.min(at.row, chart.rows.length - 1), column: Math.min(at.column, chart.references.length - 1) };
  showFindings(chart);
  showLegend(chart);
  drawMatrix(chart, { quotes: byId("show-quotes").checked, gaps: new Set(chart.findings[0].undisclosed), open, read, remove });
  focusCell(at.row, at.column, { move: focused });
  if (at.open) showOpen();
}

function open(row, column) {
  at = { row, column, open: true };
  focusCell(row, column);
  showOpen();
  const { text } = chart.rows[row];
  say(`${toldOf(cell(), chart.rows[row].best === chart.references[column].id)}; ${cell().quotes.length} quotes; ${text}`);
}

const cell = () => chart.at(chart.rows[at.row].label, chart.references[at.column].id);

function showOpen() {
  remember();
  markOpen(at.row, at.column);
  byId("chart").classList.add("with-panel");
  showQuotes(chart, chart.rows[at.row], chart.references[at.column], { grade, read, close });
}

function close() {
  at.open = false;
  remember();
  byId("quotes").hidden = true;
  byId("chart").classList.remove("with-panel");
  markOpen(-1, -1);
  focusCell(at.row, at.column);
}

const remember = () => sessionStorage.setItem("cell", JSON.stringify(at));

function move(event) {
  const cellNode = event.target.closest("[data-row]");
  if (!cellNode || event.ctrlKey || event.altKey || event.metaKey) return;
  const [row, column] = [Number(cellNode.dataset.row), Number(cellNode.dataset.column)];
  const to = { Home: [row, 0], End: [row, chart.references.length - 1] }[event.key];
  if (to) { go(...to); event.preventDefault(); }
}

function go(row, column) {
  if (row < 0 || column < 0 || row >= chart.rows.length || column >= chart.references.length) return false;
  at = { ...at, row, column };
  remember();
  focusCell(row, column);
  if (at.open) showOpen();
  return true;
}

function arrow(event) {
  // Arrows scroll the page unless the matrix, or the quotes that follow it, have the focus.
  if (!chart || !(event.target.closest?.("[data-row]") || at.open)) return false;
  const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  go(at.row + down, at.column + right);
  return true;
}

/** Keeps a person's grade of the cell, 5 disclosed to 1 not found; null takes it back. */
async function grade(value) {
  if (!chart) return;
  const { draft } = asked();
  if (!draft) return problem(new Error("Own grades are kept with a draft that you gave; this chart is of a patent of the corpus."));
  const { row, reference, own_grade: own } = cell();
  const before = Number(Object.keys(GRADES).find((key) => GRADES[key] === own)) || null;
  await grading(draft, row, reference, value);
  undoable(`the grade of ${row}, ${reference}`, () => grading(draft, row, reference, before), () => grading(draft, row, reference, value));
}

async function grading(draft, row, reference, value) {
  const changed = chart.at(row, reference);
  if (changed) changed.own_grade = value ? GRADES[value] : null;
  draw();
  await call("PUT", `/drafts/${draft}/grades`, { row, reference, grade: value });
  say(value ? `own grade ${GRADES[value]} saved, findings follow it` : "own grade taken back");
  await charted();
  follow(row, reference);
}

/** Own grades may change the order of the references: the focus stays on the same cell. */
function follow(row, reference) {
  const [down, right] = [chart.rows.findIndex((one) => one.label === row), chart.references.findIndex((one) => one.id === reference)];
  if (down >= 0 && right >= 0) go(down, right);
}

function read(id, place = null) {
  shown.document = id;
  shown.quote = place;
  location.assign("/reading");
}

async function remove(id) {
  say(`${id} is taken out`);
  return changeReferences(workspace().references.filter((one) => one !== id), `${id} taken out`, charted);
}

const onCell = (action) => () => (chart && (at.open || document.activeElement?.closest("[data-row]")) ? action() : false);

start(main, { signedIn, call, context: "chart", actions: {
  Arrows: arrow,
  Enter: onCell(() => open(at.row, at.column)),
  ...digits(1, 5, (value) => onCell(() => { grade(value); })()),
  0: onCell(() => { grade(null); }),
  q: () => { byId("show-quotes").checked = !byId("show-quotes").checked; draw(); say(byId("show-quotes").checked ? "quotes on" : "quotes off"); },
  o: onCell(() => read(chart.references[at.column].id)),
  ...undoKeys(),
  Escape: () => (at.open ? close() : document.activeElement?.closest("[data-row]") ? document.activeElement.blur() : false),
} });
