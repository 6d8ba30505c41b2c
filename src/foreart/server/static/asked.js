// What is asked: the draft and the options of its search, kept for this tab and shared by its pages.
// Nothing about a draft is ever part of an address.

const KEY = "asked";

/** The body of POST /api/search, facets, explain, chart and map: `draft` is its id, the rest are options. */
export function asked() {
  return JSON.parse(sessionStorage.getItem(KEY) || "{}");
}

/** Changes some options; null or undefined takes one back. */
export function ask(changes) {
  const next = { ...asked(), ...changes };
  for (const [key, value] of Object.entries(next)) if (value === null || value === undefined) delete next[key];
  sessionStorage.setItem(KEY, JSON.stringify(next));
  return next;
}

/** A new draft: options of the last one are forgotten, but for the library. */
export function askFor(draft) {
  const { library } = asked();
  sessionStorage.setItem(KEY, JSON.stringify(library ? { draft, library } : { draft }));
}

/** What was asked before, with some options changed; values of no effect are left out. */
export function askAgain(options, changes = {}) {
  const kept = Object.entries({ ...options, ...changes }).filter(([key, value]) =>
    value !== null && value !== undefined && value !== "" && value !== false && !(Array.isArray(value) && !value.length) && PLAIN[key] !== value);
  sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
}

const PLAIN = { k: 20, regime: "any", ranking: "auto", passages: true };

/** The hits of the last search and the document that is read, for next and previous. */
export const shown = {
  get hits() { return JSON.parse(sessionStorage.getItem("hits") || "[]"); },
  set hits(ids) { sessionStorage.setItem("hits", JSON.stringify(ids)); },
  get document() { return sessionStorage.getItem("document") || ""; },
  set document(id) {
    sessionStorage.setItem("document", id);
    if (id) sessionStorage.setItem("seen", JSON.stringify([...new Set([...shown.seen, id])].slice(-5000)));
  },
  /** The documents that were opened in this tab. */
  get seen() { return JSON.parse(sessionStorage.getItem("seen") || "[]"); },
  get marked() { return JSON.parse(sessionStorage.getItem("marked") || "[]"); },
  set marked(ids) { sessionStorage.setItem("marked", JSON.stringify(ids)); },
  /** A quote of the chart to open in its document: `{document, row, part, ordinal, language, start}`. */
  get quote() { return JSON.parse(sessionStorage.getItem("quote") || "null"); },
  set quote(place) { sessionStorage.setItem("quote", JSON.stringify(place)); },
};
