// Events on their way to the log: one after the other, sent again while the server does not answer, and after a reload.
import { call } from "./api.js";
import { at, openName, rater } from "./review_matter.js";

const KEY = "waiting-events";
const AGAIN = 1000;
// Texts that a person wrote have no place in the browser's storage; leaving the page asks instead.
const WRITTEN = ["note", "criteria", "highlight", "literature"];
const waiting = [];
/** The last event that this tab has seen, and what undo and redo would concern. */
export const seen = { last: 0, undo: null, redo: null };
const mine = new Set();
let running = false;
let tell = () => {};

/** Whether an event was made here. */
export const isMine = (n) => mine.has(n);
export const isBusy = () => waiting.length > 0;

/** Resolves when all events are on the disk. */
export const settled = () => (waiting.length ? waiting.at(-1).ended.then(settled) : Promise.resolve());

/** Sends an event; resolves to the answer of the server, when it is on the disk. */
export function send(body) {
  const answer = put({ matter: openName(), path: at("/events"), body: { ...body, rater: rater() }, undo: seen.undo, redo: seen.redo, tried: false });
  store();
  run();
  return answer;
}

/** Says how `told(number, error)` is informed, and sends again what a reload has interrupted. */
export function begin(told) {
  tell = told;
  if (!waiting.length) for (const item of JSON.parse(sessionStorage.getItem(KEY) || "[]")) {
    if (item.matter === openName()) put({ ...item, tried: true }).catch(() => null);
  }
  return run();
}

function put(item) {
  const answer = new Promise((done, fail) => { waiting.push({ ...item, done, fail }); });
  waiting.at(-1).ended = answer.then(() => {}, () => {});
  return answer;
}

/** Goes on after the matter was opened again. */
export async function run() {
  if (running || !waiting.length) return;
  running = true;
  try {
    while (waiting.length) if (!(await sendFirst(waiting[0]))) return;
  } finally {
    running = false;
  }
}

async function sendFirst(item) {
  if (!item.tried) Object.assign(item, { undo: seen.undo, redo: seen.redo });
  try {
    const answer = item.tried && (await isThere(item)) ? null : await call("POST", item.path, { ...item.body, seen: seen.last });
    if (answer) noted(answer, item.body.kind);
    finished();
    item.done(answer);
  } catch (error) {
    // Without a session it is tried on: another tab may sign in.
    if (error.status === 0 || error.status >= 500 || error.status === 401) {
      item.tried ||= error.status !== 401;
      tell(waiting.length, error);
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    } else if (error.status === 403) {
      tell(waiting.length, error);
      return false;
    } else {
      finished();
      item.fail(error);
    }
  }
  return true;
}

function finished() {
  waiting.shift();
  store();
  tell(waiting.length, null);
}

function noted({ event, last, undo, redo }, kind) {
  Object.assign(seen, { undo, redo });
  if (!event) return;
  // To an undo the server answers what was undone; the undo itself is the last event.
  const n = kind === "undo" || kind === "redo" ? last : event.n;
  mine.add(n);
  // A number that is not the next one is of another tab, whose event comes by the stream.
  if (n === seen.last + 1) seen.last = n;
}

/** Whether the server had kept an event before its answer was lost. */
async function isThere({ body, undo, redo, matter }) {
  const { state } = await call("GET", at("", {}, matter));
  const same = (item) => item.rater === body.rater && item.document === body.document;
  const there = {
    judgement: () => state.judgements.some((item) => same(item) && item.judgement === body.judgement),
    category: () => state.categories.some((item) => same(item) && item.category === body.category && item.claims.join() === body.claims.join()),
    note: () => state.notes.some((item) => same(item) && item.text === body.text),
    undo: () => (state.undo[body.rater] ?? null) !== undo,
    redo: () => (state.redo[body.rater] ?? null) !== redo,
  }[body.kind]?.() ?? false;
  if (there) Object.assign(seen, { undo: state.undo[body.rater] ?? null, redo: state.redo[body.rater] ?? null });
  return there;
}

function store() {
  const kept = waiting.filter(({ body }) => !WRITTEN.includes(body.kind)).map(({ matter, path, body, undo, redo }) => ({ matter, path, body, undo, redo }));
  if (kept.length) sessionStorage.setItem(KEY, JSON.stringify(kept));
  else sessionStorage.removeItem(KEY);
}

addEventListener("beforeunload", (event) => {
  if (waiting.some(({ body }) => WRITTEN.includes(body.kind))) event.preventDefault();
});
