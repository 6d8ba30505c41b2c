// Kept searches and earlier drafts: opened, run again, run for what is new, removed.
import { call } from "./api.js";
import { askAgain, askFor, asked } from "./asked.js";
import { node, problem, say } from "./nodes.js";

const dayOf = (seconds) => new Date(seconds * 1000).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** Fills the lists of kept searches and drafts; returns how many there are of both. */
export async function listKept(places, opened) {
  const [{ searches }, { drafts }] = await Promise.all([call("GET", "/searches"), call("GET", "/drafts")]);
  const names = new Map(drafts.map((item) => [item.draft, item.title || item.name]));
  places.searches.replaceChildren(...searches.map((item) => searchRow(item, names.get(item.asked.draft), () => listKept(places, opened))));
  places.drafts.replaceChildren(...drafts.map((item) => draftRow(item, () => listKept(places, opened), opened)));
  places.searches.parentElement.hidden = !searches.length;
  places.drafts.parentElement.hidden = !drafts.length;
  return searches.length + drafts.length;
}

/** The kept searches, the latest first. */
export const keptSearches = async () => (await call("GET", "/searches")).searches;

const go = (options, changes) => { askAgain(options, changes); location.assign("/results"); };

function searchRow(item, draft, again) {
  return node("li", {},
    node("div", { class: "kept-name" }, node("b", {}, item.name), node("small", {}, `${dayOf(item.time)} · ${item.hits} hits${draft ? ` · ${draft}` : ""}`)),
    node("div", { class: "actions" },
      node("button", { type: "button", class: "quiet-button", onclick: () => go(item.asked) }, "Run again"),
      node("button", { type: "button", class: "quiet-button", onclick: () => go(item.asked, { new_since: item.search }) }, "Only what is new"),
      removal(`the kept search ${item.name}`, "Delete", async () => { await call("DELETE", `/searches/${item.search}`); say("deleted"); await again(); })));
}

function draftRow(item, again, opened) {
  return node("li", {},
    node("div", { class: "kept-name" }, node("b", { translate: "no" }, item.title || item.name), node("small", {}, node("bdi", {}, item.name), ` · ${dayOf(item.added)}${item.draft === asked().draft ? " · open" : ""}`)),
    node("div", { class: "actions" },
      node("button", { type: "button", class: "quiet-button", onclick: () => opened(item.draft) }, "Open"),
      removal(`the draft ${item.title || item.name}`, "Remove", async () => {
        const { removed } = await call("DELETE", `/drafts/${item.draft}`);
        if (item.draft === asked().draft) { askFor(null); opened(null); }
        await again();
        told(removed);
      })));
}

/** A button that asks once more before it removes something. */
function removal(what, label, act) {
  const place = node("span", { class: "actions" });
  const first = node("button", { type: "button", class: "quiet-button", "aria-label": `${label} ${what}`, onclick: () => {
    const sure = node("button", { type: "button", class: "danger", onclick: () => act().catch(problem) }, `${label} for good`);
    place.replaceChildren(sure, node("button", { type: "button", class: "quiet-button", onclick: () => { place.replaceChildren(first); first.focus(); } }, "Keep"));
    sure.focus();
  } }, label);
  place.append(first);
  return place;
}

function told(removed) {
  const place = document.getElementById("removed");
  const bytes = removed.reduce((sum, item) => sum + item.bytes, 0);
  const text = removed.length
    ? `Removed: ${removed.length} ${removed.length === 1 ? "file" : "files"}, ${Math.max(1, Math.round(bytes / 1024)).toLocaleString("en")} kB, with all that was kept of the draft. Snapshots and backups of the disk may still have them.`
    : "Removed from memory; nothing of the draft was on disk.";
  place.replaceChildren(node("span", {}, text),
    removed.length ? node("details", {}, node("summary", {}, "Files"), node("ul", { class: "plain" }, ...removed.map((item) => node("li", {}, `${item.file}, ${item.bytes.toLocaleString("en")} bytes`)))) : "");
  place.hidden = false;
  say(text);
}
