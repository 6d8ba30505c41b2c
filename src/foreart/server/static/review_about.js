// What the matter holds: drafts, searches, seeds, exports; sealed, closed or purged from here.
import { call } from "./api.js";
import { byId, node, problem, say } from "./nodes.js";
import { at, contents, openName } from "./review_matter.js";
import { hasDraft, purging, search } from "./review_matters.js";
import { send } from "./review_outbox.js";

let page;

/** `page` has `changed()` and `left()`, called when the matter was closed or purged. */
export function aboutOf(given) {
  page = given;
}

/** Shows it as it is now. */
export function showAbout() {
  const record = contents();
  const { state } = record;
  byId("about").replaceChildren(
    node("dl", { class: "boxes" },
      box("Created", day(state.created)), box("Events in the log", record.events.toLocaleString("en"), `check ${record.check}`),
      box("Readers", record.raters.map((name) => name || "(no name)").join(", ") || "nobody yet"), box("File", `${Math.max(1, Math.round(record.size / 1024)).toLocaleString("en")} kB`, record.sealed ? "sealed" : "not sealed")),
    node("section", {}, node("h3", {}, "Draft and searches"), lines(state.drafts.map((item, place) => `Version ${place + 1} of the draft, ${day(item.time)}: ${item.title || "(no title)"}, ${item.claims} claims`), "There is no draft yet."),
      lines(state.searches.map((item) => `Search of ${day(item.time)}: ${item.hits} hits of ${item.corpus.documents?.toLocaleString("en") ?? "?"} documents, cut-off ${item.cutoff.date || "none"}`), ""),
      node("p", { class: "actions" },
        state.drafts.length ? act("Search again", () => search(openName(), { draft: false })) : null,
        hasDraft() ? act(state.drafts.length ? "Search with the draft of this tab" : "Search for the draft of this tab", () => search()) : null,
        state.drafts.length || hasDraft() ? null : node("a", { class: "button", href: "/" }, "Give a draft")),
      node("p", { class: "quiet" }, "Judgements stay as they are; the order is made again.")),
    taught(state),
    state.exports.length ? node("section", {}, node("h3", {}, "Exports"), lines(state.exports.map((item) => `${day(item.time)} ${item.rater}: ${item.form}, ${item.size.toLocaleString("en")} bytes`), "")) : "",
    protection(record));
}

function taught({ seeds, ignored }) {
  const list = (items, kind) => node("ul", { class: "plain" }, items.map((item) => node("li", {}, node("span", { class: "id" }, item.document), " ",
    node("button", { type: "button", class: "link", "aria-label": `take back ${item.document}`, onclick: () => did(() => send({ kind, document: item.document, withdrawn: true })) }, "take back"))));
  const field = node("input", { id: "seed-number", size: 18, maxlength: 80, spellcheck: "false", autocomplete: "off", placeholder: "US7585299B2" });
  return node("section", {}, node("h3", {}, "Seeds and ignored documents"),
    node("form", { class: "line", onsubmit: (event) => { event.preventDefault(); if (field.value.trim()) did(() => send({ kind: "seed", document: field.value.trim() })); } },
      node("label", {}, "A document known to be relevant ", field), node("button", { class: "quiet-button" }, "Add a seed")),
    seeds.length ? [node("h4", {}, "Seeds"), list(seeds, "seed")] : null, ignored.length ? [node("h4", {}, "Ignored, with their families"), list(ignored, "ignore")] : null);
}

function protection(record) {
  const passphrase = node("input", { type: "password", required: true, maxlength: 1000, autocomplete: "new-password" });
  return node("section", {}, node("h3", {}, "Protection"),
    record.sealed ? renewal() : null,
    record.sealed
      ? node("p", { class: "actions" }, node("button", { type: "button", class: "quiet-button", onclick: () => call("POST", at("/close")).then(() => page.left()).catch(problem) }, "Close it"), node("span", { class: "quiet" }, "The server forgets the key of this session; opening needs the passphrase."))
      : node("form", { class: "line", onsubmit: (event) => { event.preventDefault(); did(async () => { await call("POST", at("/seal"), { passphrase: passphrase.value }); say("sealed"); }); } },
        node("label", {}, "Seal it with a passphrase ", passphrase), node("button", { class: "quiet-button" }, "Seal"), node("span", { class: "quiet" }, "Nobody can recover it. Exports are not encrypted.")),
    node("p", { class: "actions purge-line" }, purging(record.name, record.sealed, () => page.left())));
}

/** Another passphrase for a sealed matter. */
function renewal() {
  const field = (autocomplete) => node("input", { type: "password", required: true, maxlength: 1000, autocomplete });
  const [present, renewed] = [field("current-password"), field("new-password")];
  return node("form", { id: "renew", class: "line", onsubmit: (event) => { event.preventDefault(); did(async () => { await call("POST", at("/passphrase"), { passphrase: present.value, new: renewed.value }); say("the matter has another passphrase"); }); } },
    node("label", {}, "Passphrase ", present), node("label", {}, "New passphrase ", renewed), node("button", { class: "quiet-button" }, "Change it"), node("span", { class: "quiet" }, "Older copies of the file open with the old one."));
}

function act(label, action) {
  return node("button", { type: "button", class: "quiet-button", onclick: async (event) => {
    event.target.disabled = true;
    event.target.textContent = "Searching …";
    await did(action);
  } }, label);
}

/** Does something, then shows the matter again; a problem is one sentence. */
async function did(action) {
  let failed = null;
  await action().catch((error) => { failed = error; });
  await page.changed();
  problem(failed);
}

const day = (time) => (time ? new Date(time).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }) : "");
const box = (name, value, more) => node("div", {}, node("dt", {}, name), node("dd", {}, value, more ? node("small", {}, more) : null));
const lines = (texts, none) => (texts.length ? node("ul", { class: "plain", translate: "no" }, texts.map((text) => node("li", {}, text))) : none ? node("p", { class: "quiet" }, none) : null);
