// The documents that are read, with their passages and reasons: the next three are fetched ahead, ten are kept.
import { call } from "./api.js";
import { asked } from "./asked.js";

const KEPT = 10;
const AHEAD = 3;
const QUOTES = 5;
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
  while (entries.size > KEPT) entries.delete(entries.keys().next().value);
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
    const { document, passages, reasons, citations } = entries.get(next) ?? made(next);
    await Promise.allSettled([document, passages, reasons, citations]);
  }
}

function made(id) {
  const { library, ...rest } = asked();
  const body = { ...rest, ...(library ? { library } : {}), numbers: [id] };
  const where = library ? `?library=${encodeURIComponent(library)}` : "";
  const path = `/documents/${encodeURIComponent(id)}`;
  const entry = {
    id,
    paragraphs: new Map(),
    document: call("GET", path + where),
    passages: hasClaims ? call("POST", "/chart", { ...body, all_claims: true, quotes: QUOTES, own_grades: false }) : Promise.resolve(null),
    reasons: call("POST", "/explain", body).then((found) => ({ ...found.documents[0], cutoff: found.cutoff })),
    citations: call("GET", `${path}/citations${where}`),
  };
  // What failed is asked for again the next time; whoever waits for it sees the error.
  for (const part of ["document", "passages", "reasons", "citations"]) entry[part].catch(() => entries.get(id) === entry && entries.delete(id));
  entries.set(id, entry);
  while (entries.size > KEPT) entries.delete(entries.keys().next().value);
  return entry;
}
