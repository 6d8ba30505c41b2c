// The documents that are read, with their passages and reasons: the next three are fetched ahead, ten are kept.
import { call } from "./api.js";
import { asked } from "./asked.js";

const KEPT = 10;
const AHEAD = 3;
const QUOTES = 5;
const PARTS = ["document", "passages", "reasons", "citations"];
const entries = new Map();
let hasClaims = true;
let running = 0;

/** Says whether the draft has claims: without them there are no elements to find. */
export function chartable(value) {
  hasClaims = value;
}

/** A document with promises of its text, passages, reasons and citations; asked for at once. */
export function entryOf(id) {
  const found = entries.get(id) ?? made(id);
  entries.delete(id);
  entries.set(id, found);
  trim();
  hurry(found);
  return found;
}

/** The passages of a document for a paragraph of the draft, counted from 0. */
export function paragraphPassages(entry, paragraph) {
  const { draft, number, library } = asked();
  const body = { paragraph, numbers: [entry.id], ...(draft ? { draft } : { number }), ...(library ? { library } : {}) };
  if (!entry.paragraphs.has(paragraph)) {
    entry.paragraphs.set(paragraph, call("POST", "/passages", body).then(({ documents }) => documents[0].quotes));
    entry.paragraphs.get(paragraph).catch(() => entry.paragraphs.delete(paragraph));
  }
  return entry.paragraphs.get(paragraph);
}

/** Fetches the documents after this one of a list, one after the other, when the shown one is complete. */
export async function fetchAhead(ids, id) {
  const run = ++running;
  const place = ids.indexOf(id);
  for (const next of ids.slice(place + 1, place + 1 + AHEAD)) {
    if (run !== running) return;
    const entry = entries.get(next) ?? made(next, { ahead: true });
    await Promise.allSettled(PARTS.map((part) => entry[part]));
  }
}

/** Asks again, and at once, for the parts that were fetched ahead and are not there yet; the first answer counts. */
function hurry(entry) {
  if (!entry.ahead) return;
  entry.ahead = false;
  for (const [part, ended] of entry.awaited) {
    entry[part] = Promise.any([entry[part], ask(entry.id, part, { signal: ended.signal })]).catch(({ errors }) => { throw errors[1]; });
    entry[part].catch(() => {}).finally(() => ended.abort());
    watch(entry, part);
  }
}

function ask(id, part, options = {}) {
  const { library, ...rest } = asked();
  const body = { ...rest, ...(library ? { library } : {}), numbers: [id] };
  const where = library ? `?library=${encodeURIComponent(library)}` : "";
  const path = `/documents/${encodeURIComponent(id)}`;
  if (part === "document") return call("GET", path + where, undefined, options);
  if (part === "citations") return call("GET", `${path}/citations${where}`, undefined, options);
  if (part === "reasons") return call("POST", "/explain", body, options).then((found) => ({ ...found.documents[0], cutoff: found.cutoff }));
  return hasClaims ? call("POST", "/chart", { ...body, all_claims: true, quotes: QUOTES, own_grades: false }, options) : Promise.resolve(null);
}

function made(id, { ahead = false } = {}) {
  const entry = { id, ahead, paragraphs: new Map(), awaited: new Map(PARTS.map((part) => [part, new AbortController()])) };
  for (const [part, ended] of entry.awaited) {
    entry[part] = ask(id, part, { ahead, signal: ended.signal });
    watch(entry, part);
  }
  entries.set(id, entry);
  trim();
  return entry;
}

// What failed is asked for again the next time; whoever waits for it sees the error.
function watch(entry, part) {
  const promise = entry[part];
  promise.then(() => entry.awaited.delete(part), () => entry[part] === promise && entries.get(entry.id) === entry && entries.delete(entry.id));
}

function trim() {
  while (entries.size > KEPT) entries.delete(entries.keys().next().value);
}
