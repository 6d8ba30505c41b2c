// The queue of a reader: the next documents in the order of the server, three of them fetched ahead in full.
import { call } from "./api.js";
import { asked } from "./asked.js";
import { at, rater } from "./review_matter.js";

const AHEAD = 3;
const KEPT = 12;
// Documents that were on the screen, the last one last, for "the document before" and undo.
let visited = [];
let queued = [];
// Judged here or passed over: not shown again until the server has a new order.
const judged = new Set();
const passed = new Set();
const known = new Map();
const texts = new Map();
let latest = 0;
let fetching = 0;

export const order = { left: 0, notes: [], changes: [] };

/** Forgets the order: another reader or another matter. */
export function reset() {
  visited = [];
  queued = [];
  judged.clear();
  passed.clear();
  known.clear();
}

/** Asks for the order as it is now; true unless a later question has overtaken this one. */
export async function load(elsewhere) {
  const run = ++latest;
  const gone = [...judged];
  const found = await call("GET", at("/queue", { rater: rater(), limit: Math.min(200, AHEAD + 2 + passed.size), elsewhere: elsewhere || null }));
  if (run !== latest) return false;
  queued = found.queue;
  Object.assign(order, { left: found.left, notes: found.notes ?? [], changes: found.changes ?? [] });
  for (const id of gone) judged.delete(id);
  for (const item of queued) known.set(item.id, item);
  return true;
}

/** The next document to read; one that was passed over comes again after the others. */
export function next(current) {
  const open = queued.filter((item) => item.id !== current && !judged.has(item.id));
  const fresh = open.find((item) => !passed.has(item.id));
  if (!fresh) passed.clear();
  return fresh ?? open[0] ?? null;
}

export const done = (id) => judged.add(id);
export const undone = (id) => judged.delete(id);
export const pass = (id) => passed.add(id);
/** Whether the server's order has this document for the reader. */
export const isQueued = (id) => queued.some((item) => item.id === id);

/** Notes that a document is on the screen. */
export function visit(id) {
  visited = [...visited.filter((one) => one !== id), id].slice(-200);
}

/** The document that was on the screen before this one, or "". */
export function before(id) {
  const place = visited.indexOf(id);
  return visited[(place < 0 ? visited.length : place) - 1] ?? "";
}

/** What is known of a document: an item of the queue, or what its text says. */
export async function itemOf(id) {
  if (known.has(id)) return known.get(id);
  const text = await textOf(id);
  return {
    id, title: text.title, published: text.publication_date || "", filed: text.filing_date || "", priority: text.priority_date || "", applicants: text.applicants,
    status: "", rule: "", rank: null, score: null, chance: null, elsewhere: false, postponed: false, passage: null, words: [], channels: [], family: [], judgements: null, known: true,
  };
}

/** The text of a document, asked for once. */
export function textOf(id) {
  const found = texts.get(id);
  if (found) return found;
  const { library } = asked();
  const made = call("GET", `/documents/${encodeURIComponent(id)}${library ? `?library=${encodeURIComponent(library)}` : ""}`);
  made.catch(() => texts.delete(id));
  texts.set(id, made);
  while (texts.size > KEPT) texts.delete(texts.keys().next().value);
  return made;
}

/** Fetches the texts of the next documents, one after the other. */
export async function fetchAhead(current) {
  const run = ++fetching;
  for (const item of queued.filter(({ id }) => id !== current && !judged.has(id)).slice(0, AHEAD)) {
    if (run !== fetching) return;
    if (item.known) await textOf(item.id).catch(() => null);
  }
}
