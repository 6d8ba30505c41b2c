// The matters of the library: listed, made, opened, purged.
import { call } from "./api.js";
import { asked } from "./asked.js";
import { byId, node, problem, say } from "./nodes.js";
import { at, openName, rater, setOpen } from "./review_matter.js";

const dayOf = (seconds) => new Date(seconds * 1000).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
let opened = () => {};

/** Listens to the form of a new matter; `action` is called when one is to be shown. */
export function mattersOf(action) {
  opened = action;
  byId("new-matter").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      await create({ name: form.name.value.trim(), title: form.elements.title.value.trim(), passphrase: form.passphrase.value }, { target: Number(form.elements.target.value), confidence: Number(form.elements.confidence.value) });
      form.reset();
    } catch (error) {
      problem(error);
    } finally {
      button.disabled = false;
    }
  });
}

/** Lists the matters, the last changed first. */
export async function showMatters() {
  byId("matters").hidden = false;
  byId("matter").hidden = byId("matter-head").hidden = true;
  const { matters } = await call("GET", at("", {}, ""));
  byId("no-matters").hidden = matters.length > 0;
  byId("matter-list").replaceChildren(...matters.map(row));
  const form = byId("new-matter");
  form.name.value ||= freeName(matters.map((item) => item.name));
  await showDraft(form.elements.title);
}

/** Searches for the current draft of this tab, or for that of the matter, and keeps the record in the matter. */
export function search(name = openName(), { draft = true } = {}) {
  const { new_since: _, draft: id, number, ...options } = asked();
  return call("POST", at("/search", {}, name), { ...options, ...(draft && id ? { draft: id } : draft && number ? { number } : {}), k: Math.max(200, options.k || 0), rater: rater() });
}

/** Whether this tab has a draft that a matter could be about. */
export const hasDraft = () => Boolean(asked().draft || asked().number);

/** A button that asks once more, and says what is removed and what cannot be promised. */
export function purging(name, sealed, done) {
  const place = node("span", { class: "actions" });
  const first = node("button", { type: "button", class: "quiet-button", "aria-label": `Purge the matter ${name}`, onclick: () => {
    const sure = node("button", { type: "button", class: "danger", onclick: () => purge(name, done).catch(problem) }, "Purge for good");
    place.replaceChildren(
      node("span", { class: "purge-told" }, `This overwrites and deletes the file of ${name}${sealed ? ", its key," : ""} with all judgements and notes, the drafts that it used and exports in the library. Files you downloaded stay. On SSDs, in snapshots and in backups, remains cannot be ruled out.`),
      sure, node("button", { type: "button", class: "quiet-button", onclick: () => { place.replaceChildren(first); first.focus(); } }, "Keep"));
    sure.focus();
  } }, "Purge");
  place.append(first);
  return place;
}

async function create({ name, title, passphrase }, rule) {
  await call("POST", at("", {}, ""), { name, title, passphrase });
  await call("POST", at("/events", {}, name), { kind: "stopping", ...rule, rater: rater() });
  problem(null);
  setOpen(name);
  if (hasDraft()) {
    say("searching");
    byId("new-draft").textContent = "Searching …";
    await search(name);
  }
  await opened(name);
}

async function showDraft(title) {
  const { draft, number, library } = asked();
  if (number) byId("new-draft").textContent = `It begins with a search for ${number}, the patent of this tab.`;
  else if (draft) {
    const found = await call("GET", `/drafts/${draft}${library ? `?library=${encodeURIComponent(library)}` : ""}`).catch(() => null);
    title.value ||= (found?.title || "").slice(0, 200);
    byId("new-draft").textContent = found ? "It begins with the draft of this tab and a search for it." : "";
  } else byId("new-draft").replaceChildren("This tab has no draft yet: ", node("a", { href: "/" }, "give one first"), ", or add it later.");
}

function row(item) {
  const label = item.title || item.name;
  return node("li", {},
    node("div", { class: "kept-name" }, node("button", { type: "button", class: "link matter-open prints", translate: "no", onclick: () => opened(item.name) }, label), " ",
      item.sealed ? node("span", { class: "tag" }, item.title === null ? "sealed" : "sealed, open") : null,
      node("small", {}, `${item.name} · ${dayOf(item.changed)}`),
      item.problem ? node("p", { class: "note" }, item.problem) : null),
    purging(item.name, item.sealed, showMatters));
}

async function purge(name, done) {
  const { removed, notes } = await call("DELETE", at("", {}, name));
  if (openName() === name) setOpen("");
  const bytes = removed.reduce((sum, item) => sum + item.bytes, 0);
  await done();
  byId("purged").hidden = false;
  byId("purged").replaceChildren(node("span", {}, `Removed: ${removed.length} ${removed.length === 1 ? "file" : "files"}, ${Math.max(1, Math.round(bytes / 1024)).toLocaleString("en")} kB. ${notes.map((note) => `${note[0].toUpperCase()}${note.slice(1)}${/[.]$/.test(note) ? "" : "."}`).join(" ")}`),
    node("details", {}, node("summary", {}, "Files"), node("ul", { class: "plain" }, removed.map((item) => node("li", {}, `${item.file}, ${item.bytes.toLocaleString("en")} bytes`)))));
  byId("matters-title").scrollIntoView({ block: "center" });
  say("purged");
}

/** A name that says nothing of the draft: names are those of files and part of addresses. */
function freeName(names) {
  const day = `matter-${new Date().toISOString().slice(0, 10)}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? day : `${day}-${number}`;
    if (!names.includes(name)) return name;
  }
}
