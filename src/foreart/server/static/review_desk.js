// Judging: the shown document, one judgement after the other, undo and redo, and what other tabs do meanwhile.
import { byId, node, problem, say } from "./nodes.js";
import { showDocument, showMarks, showStanding } from "./review_document.js";
import { leaveDocument, showMarksOf } from "./review_marks.js";
import { contents, isLiterature, judgementOf, JUDGED, openName, rater, refresh } from "./review_matter.js";
import { isBusy, isMine, seen, send, settled } from "./review_outbox.js";
import { showMatter, shownRule, showProgress } from "./review_progress.js";
import * as queue from "./review_queue.js";

// Events by number, to say what an undo has taken back.
const events = new Map();
let item = null;
let refreshing = 0;
// The matter for which this tab has sent a rule.
let ruled = "";
let also = () => {};

export const elsewhere = () => Number(byId("elsewhere").value);
export const current = () => item?.id ?? "";
/** Says what else is drawn after every change. */
export const onChange = (action) => { also = action; };

/** Forgets the document: another matter or another reader. */
export function clear() {
  item = null;
  events.clear();
  queue.reset();
  byId("undo-said").textContent = "";
  show(null);
}

/** Reads state and order again and shows them; the document that is read stays. */
export async function again() {
  if (!openName()) return;
  const run = ++refreshing;
  await settled();
  if (run !== refreshing) return;
  const [record] = await Promise.all([refresh(), queue.load(elsewhere())]);
  if (run !== refreshing || isBusy()) return;
  Object.assign(seen, { undo: record.state.undo[rater()] ?? null, redo: record.state.redo[rater()] ?? null, last: Math.max(seen.last, record.state.last) });
  remember(record.state);
  draw();
  await showProgress();
  if (run === refreshing) queue.fetchAhead(current());
}

function draw() {
  showMatter();
  steps();
  if (item) {
    showStanding(item);
    pressed();
    showMarksOf(item.id);
    showMarks();
  } else show(queue.next(""));
  also();
}

function show(next) {
  if (item) leaveDocument();
  item = next;
  byId("document").hidden = byId("judge").hidden = !item;
  byId("nothing").hidden = Boolean(item);
  if (!item) return nothing();
  queue.visit(item.id);
  pressed();
  showMarksOf(item.id);
  showDocument(item).catch(problem);
  if (byId("document-pane").getBoundingClientRect().top < 0) byId("undo-bar").scrollIntoView({ block: "start", behavior: "instant" });
  byId("document").focus({ preventScroll: true });
}

/** Shows any document by its number. */
export async function open(id) {
  if (id) show(await queue.itemOf(id));
}

function nothing() {
  const record = contents();
  if (!record) return byId("nothing").replaceChildren();
  const read = record.state.judgements.filter((one) => one.rater === rater()).length;
  byId("nothing").replaceChildren(...(record.searches
    ? [node("h2", {}, queue.order.left ? "…" : "Nothing is left to read"), node("p", {}, queue.order.left ? "The order is being made." : `${read} judged by you. Search again under Matter, or look at all judgements.`)]
    : [node("h2", {}, "No search in this matter yet"), node("p", {}, "Give a draft, and its search is kept here: see Matter.")]));
}

/** Judges a document, by default the shown one, and moves on unless `stay`. */
export async function judge(judgement, { stay = false, id = current() } = {}) {
  if (!id) return false;
  const before = judgementOf(id);
  fixRule();
  if (!(contents().state.read[rater()] ?? []).includes(id) && judgement !== "unjudged") send({ kind: "shown", documents: [id] }).catch(problem);
  const sent = send({ kind: "judgement", document: id, judgement });
  if (judgement === "unjudged") queue.undone(id);
  else queue.done(id);
  told(`${id} judged ${JUDGED[judgement]}`);
  if (!stay && id === current()) show(queue.next(id));
  else pressed(judgement);
  try {
    const answer = await sent;
    if (answer?.event) events.set(answer.event.n, answer.event);
    if (answer?.unseen) told(`${id} judged ${JUDGED[judgement]}; this replaces what you judged in another tab${events.has(answer.unseen) ? ` (${JUDGED[events.get(answer.unseen).judgement]})` : ""}`);
    problem(null);
  } catch (error) {
    queue.undone(id);
    told(`${id} was not judged${before ? `: it stays ${JUDGED[before.judgement]}` : ""}`);
    problem(error);
  }
  await again();
}

/** Before anything is read the stopping rule is in the log; a matter that has none gets the one that is shown. */
function fixRule() {
  if (contents().state.stopping || ruled === openName()) return;
  ruled = openName();
  send({ kind: "stopping", ...shownRule() }).catch(problem);
}

/** Undo or redo of the reader's last decision; a judgement that comes back is shown. */
export async function step(kind) {
  await settled();
  if (seen[kind] === null) return say(`nothing to ${kind}`);
  const answer = await send({ kind });
  const concerned = answer?.event;
  // Nothing is answered if it was done already, before its first answer was lost.
  if (concerned) {
    told(`${kind === "undo" ? "Undone" : "Done again"}: ${described(concerned)}`);
    if (concerned.kind === "judgement" && !isLiterature(concerned.document)) {
      if (kind === "undo") queue.undone(concerned.document);
      else queue.done(concerned.document);
      await open(concerned.document);
    }
  }
  await again();
}

/** What another tab or another reader has appended. */
export async function appended(event) {
  if (event.kind === "shown") return;
  await settled();
  if (isMine(event.n)) return;
  events.set(event.n, event);
  const own = event.rater === rater();
  if (own && event.kind === "judgement") {
    if (event.judgement === "unjudged") queue.undone(event.document);
    else queue.done(event.document);
    told(`In another tab: ${described(event)}`);
    if (event.document === current()) show(queue.next(current()));
  } else if (own && (event.kind === "undo" || event.kind === "redo")) told(`In another tab: ${event.kind}`);
  else if (event.kind === "search") told("There is a new search: the order is made again");
  await again();
}

/** The next document without a judgement, or the one before. */
export async function turn(by) {
  if (by < 0) {
    const id = queue.before(current());
    return id ? open(id) : say("this is the first document");
  }
  if (!item) return false;
  queue.pass(item.id);
  const next = queue.next(item.id);
  if (!next) return say("this is the last document");
  show(next);
  await again();
}

function remember(state) {
  for (const part of ["judgements", "categories", "notes", "seeds", "ignored", "literature"]) for (const one of state[part]) events.set(one.n, one);
}

function described(event) {
  const { document: id, kind } = event;
  if (kind === "judgement") return `${id} judged ${JUDGED[event.judgement]}`;
  if (kind === "category") return `category ${event.category} of ${id}`;
  if (kind === "note") return id ? `a note on ${id}` : "a note of the matter";
  return { seed: `${id} as a seed`, ignore: `${id} ignored`, highlight: "highlights", criteria: "the criteria", stopping: "the stopping rule", literature: `literature ${id || event.reference?.title || ""}` }[kind] ?? kind;
}

function told(text) {
  byId("undo-said").textContent = text;
}

function steps() {
  byId("undo").disabled = seen.undo === null;
  byId("redo").disabled = seen.redo === null;
  if (!byId("undo-said").textContent && events.has(seen.undo)) told(`Last: ${described(events.get(seen.undo))}`);
}

function pressed(judgement = judgementOf(current())?.judgement) {
  for (const button of document.querySelectorAll("[data-judge]")) button.setAttribute("aria-pressed", String(button.dataset.judge === judgement));
}
