// Beside the document: how many were found and read, whether reading may stop, criteria and notes of the matter.
import { call } from "./api.js";
import { byId, drawn, node, problem, say, prose } from "./nodes.js";
import { noteItems } from "./review_marks.js";
import { at, contents, rater } from "./review_matter.js";
import { send } from "./review_outbox.js";
import { order } from "./review_queue.js";

let latest = 0;
let told = null;
// A rule that is being chosen is not put back by what the server answers meanwhile.
let choosing = false;
let changed = async () => {};

/** Listens to the controls; `after` is called when something is on the disk. */
export function progress(after) {
  changed = after;
  byId("criteria").addEventListener("change", () => put({ kind: "criteria", text: byId("criteria").value }));
  byId("criteria").addEventListener("keydown", (event) => { if (event.key === "Enter" && event.ctrlKey) event.target.blur(); });
  byId("matter-note").addEventListener("keydown", (event) => { if (event.key === "Enter" && event.ctrlKey) { event.preventDefault(); addNote(); } });
  byId("matter-note-form").addEventListener("submit", (event) => { event.preventDefault(); addNote(); });
  byId("rule-form").addEventListener("change", () => { choosing = true; });
  byId("rule-form").addEventListener("submit", (event) => { event.preventDefault(); fixRule(); });
}

/** Shows what the matter itself says: criteria and notes; a field that is written in is left alone. */
export function showMatter() {
  const { state } = contents();
  if (document.activeElement !== byId("criteria")) byId("criteria").value = state.criteria;
  byId("matter-notes").replaceChildren(...noteItems(state.notes.filter((item) => !item.document), put));
  byId("left").textContent = order.left ? `${order.left.toLocaleString("en")} unread in the queue` : "";
  showNotes();
}

/** What should be known of the order; what the estimate says already is not said twice. */
function showNotes() {
  const notes = [...order.changes.map((item) => item.sentence), ...order.notes].filter((text) => !told?.sentence.includes(text));
  byId("order-notes").replaceChildren(...notes.map((text) => node("li", {}, `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`)));
}

/** Asks for the estimate and shows it; a later question overtakes an earlier one. */
export async function showProgress() {
  const run = ++latest;
  if (!contents()?.searches) return showNothing();
  const found = await call("GET", at("/stopping", { rater: rater() }));
  if (run !== latest) return;
  told = found;
  byId("count").replaceChildren(node("b", {}, found.found.toLocaleString("en")), " found in ", node("b", {}, found.read.toLocaleString("en")), " read");
  byId("count-short").textContent = `${found.found.toLocaleString("en")} found in ${found.read.toLocaleString("en")} read`;
  byId("curve").replaceChildren(curve(found.curve));
  byId("stopping").replaceChildren(...box(found));
  showNotes();
  byId("rule-told").textContent = `${found.rule.sentence[0].toUpperCase()}${found.rule.sentence.slice(1)}.${found.read ? " A change now is written in the log, and the report says so." : found.rule.fixed_before_reading ? "" : " It is best fixed before reading."}`;
  if (!choosing) {
    choose(byId("rule-form").target, found.rule.target);
    choose(byId("rule-form").confidence, found.rule.confidence);
  }
}

function showNothing() {
  byId("count").textContent = "Nothing is read yet.";
  byId("count-short").textContent = "";
  byId("curve").replaceChildren();
  byId("stopping").replaceChildren(node("p", { class: "quiet" }, "An estimate needs a search and a few finds."));
}

function box(found) {
  const stop = node("p", { class: `verdict ${found.may_stop ? "may" : "go-on"}` }, found.may_stop
    ? "The rule says: you may stop."
    : found.left === null ? "Too little to say." : `Go on: ${found.held ? `the rule has held at ${found.held} of 10 looks in a row.` : "the rule does not hold yet."}`);
  return [
    stop,
    found.recall === null ? null : interval(found),
    node("p", { class: "estimate" }, prose(found.sentence)),
    found.left === null ? null : node("p", { class: "quiet" }, "An estimate, with its error; of what this corpus holds."),
  ].filter(Boolean);
}

/** The share found with its interval, and the target as a line. */
function interval({ recall, recall_low: low, recall_high: high, target }) {
  const x = (share) => 200 * share;
  return drawn("svg", { class: "interval", viewBox: "0 -2 200 16", role: "img", "aria-label": `about ${Math.round(100 * recall)} % found, ${Math.round(100 * low)} to ${Math.round(100 * high)} %; target ${Math.round(100 * target)} %` },
    drawn("rect", { class: "all", x: 0, y: 3, width: 200, height: 6, rx: 3 }),
    drawn("rect", { class: "between", x: x(low), y: 3, width: Math.max(2, x(high) - x(low)), height: 6, rx: 3 }),
    drawn("circle", { cx: x(recall), cy: 6, r: 4.5 }),
    drawn("line", { class: "target", x1: x(target), x2: x(target), y1: -2, y2: 14 }));
}

/** Finds against documents read, as a step line. */
function curve(points) {
  const read = Math.max(10, points.at(-1)?.read ?? 0);
  const most = Math.max(3, points.at(-1)?.found ?? 0);
  const x = (value) => 22 + (172 * value) / read;
  const y = (value) => 76 - (68 * value) / most;
  const path = points.map((point, place) => (place ? `H${x(point.read).toFixed(1)}V${y(point.found).toFixed(1)}` : `M${x(point.read).toFixed(1)} ${y(point.found).toFixed(1)}`)).join("");
  const last = points.at(-1);
  return drawn("svg", { class: "finds", viewBox: "0 0 200 92", role: "img", "aria-label": last ? `${last.found} found in ${last.read} read` : "nothing read yet" },
    drawn("path", { class: "axis", d: `M22 8V76H194` }),
    drawn("path", { class: "line", d: path || "M22 76" }),
    last ? drawn("circle", { cx: x(last.read), cy: y(last.found), r: 3 }) : null,
    drawn("text", { x: 18, y: 12, "text-anchor": "end" }, most), drawn("text", { x: 18, y: 79, "text-anchor": "end" }, 0),
    drawn("text", { x: 194, y: 89, "text-anchor": "end" }, `${read} read`));
}

function choose(select, value) {
  if (![...select.options].some((option) => Number(option.value) === value)) select.append(node("option", { value }, `${+(100 * value).toFixed(1)} %`));
  select.value = [...select.options].find((option) => Number(option.value) === value).value;
}

/** The rule as the page shows it. */
export function shownRule() {
  const form = byId("rule-form");
  return { target: Number(form.elements.target.value), confidence: Number(form.elements.confidence.value) };
}

async function fixRule() {
  choosing = false;
  await put({ kind: "stopping", ...shownRule() });
  say(told?.read ? "the rule is changed; the report will say so" : "the rule is fixed");
  await showProgress();
}

async function addNote() {
  const text = byId("matter-note").value;
  if (!text.trim()) return;
  byId("matter-note").value = "";
  await put({ kind: "note", text });
}

async function put(body) {
  try {
    await send(body);
    say("saved");
    problem(null);
  } catch (error) {
    problem(error);
  }
  await changed();
}
