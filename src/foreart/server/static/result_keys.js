// The keys of a list of hits: the row that has the focus is the current one.
import { shown } from "./asked.js";
import { byId, say } from "./nodes.js";

/** Actions by key, for `start`. */
export function listActions({ mark, compare, toFacets, onlyNew }) {
  const rows = () => [...byId("hits").children].filter((row) => !row.hidden);
  const current = () => document.activeElement?.closest?.("#hits > li");
  const go = (step) => {
    const all = rows();
    const place = all.indexOf(current());
    const next = all[Math.max(0, Math.min(all.length - 1, place < 0 ? 0 : place + step))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  const unseen = () => {
    const all = rows();
    const seen = new Set(shown.seen);
    const from = all.indexOf(current()) + 1;
    const next = [...all.slice(from), ...all.slice(0, from)].find((row) => !seen.has(row.dataset.id));
    if (next) next.focus();
    else say("all hits were seen");
  };
  return {
    j: () => go(1),
    k: () => go(-1),
    u: unseen,
    o: onlyNew,
    c: compare,
    f: toFacets,
    Enter: () => current()?.querySelector("h2 a")?.click() ?? false,
    Space: () => { const row = current(); if (!row) return false; mark(row.dataset.id); },
  };
}
