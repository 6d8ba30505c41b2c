// The matter that is open in this tab: its address, who reads, and what it contains.
import { call } from "./api.js";
import { asked } from "./asked.js";

const KEY = "matter";
let record = null;

/** The name of the open matter, kept for this tab; "" if none is open. */
export const openName = () => sessionStorage.getItem(KEY) || "";
export const setOpen = (name) => (name ? sessionStorage.setItem(KEY, name) : sessionStorage.removeItem(KEY));

/** Who reads, kept in this browser. */
export const rater = () => localStorage.getItem("rater") || "";
export const setRater = (name) => localStorage.setItem("rater", name);

/** A path under a matter with its query; what is empty is left out. */
export function at(rest = "", options = {}, name = openName()) {
  const query = new URLSearchParams(Object.entries({ library: asked().library, ...options }).filter(([, value]) => value !== undefined && value !== null && value !== ""));
  return `/matters${name ? `/${encodeURIComponent(name)}` : ""}${rest}${query.size ? `?${query}` : ""}`;
}

/** Reads the matter again; a matter that was closed meanwhile stays closed. */
export async function refresh() {
  const name = openName();
  const found = await call("GET", at());
  if (name === openName()) record = found;
  return found;
}

/** What the matter contained when it was last read. */
export const contents = () => record;
export const forget = () => { record = null; };

/** The judgement of a document or its family by this reader, or null. */
export function judgementOf(id, name = rater()) {
  return record?.state.judgements.find((item) => item.rater === name && (item.document === id || item.family.includes(id))) ?? null;
}

/** The cut-off date of the last search, "" before it. */
export const cutoff = () => record?.state.searches.at(-1)?.cutoff?.date || "";

/** Whether an id is that of literature of the matter, which is in no corpus. */
export const isLiterature = (id) => id.startsWith("NPL-");

/** Words for judgements. */
export const JUDGED = { relevant: "relevant", maybe: "maybe", no: "irrelevant", later: "later", unjudged: "not judged" };
