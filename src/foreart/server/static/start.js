// Start: a draft is given, how it was understood is shown and corrected, and its search runs at once.
import { call, signedIn } from "./api.js";
import { askFor, asked, shown } from "./asked.js";
import { claimTree } from "./claim_tree.js";
import { facets } from "./facets.js";
import { filterChips } from "./filter_chips.js";
import { badge } from "./hits.js";
import { keptSearches, listKept } from "./kept.js";
import { stateOf, teach, weightsNote } from "./library_state.js";
import { keepInMatter, listMatters } from "./matter_keeping.js";
import { byId, node, problem, say, start } from "./nodes.js";
import { searchOptions } from "./search_options.js";
import { dateLine, front } from "./start_front.js";
import { mentioned, signs } from "./start_mentions.js";
import { sections } from "./start_sections.js";
import { sampleDraft, zone } from "./start_zone.js";
import { forgetChanges, undoKeys } from "./undo.js";

let current = null;
let searchable = false;
let latest = 0;
let showOptions;
let narrow;

async function main() {
  document.querySelector("[data-close]").addEventListener("click", () => byId("section-editor").close());
  byId("another").addEventListener("click", () => { byId("start").classList.remove("compact"); byId("paste").focus(); });
  showOptions = searchOptions(optionsChanged);
  narrow = facets(byId("narrow"), optionsChanged);
  byId("narrow-more").addEventListener("toggle", (event) => { if (event.target.open) narrow.show(); });
  await library();
  await lists();
  await listMatters(byId("matters-kept"));
  if (asked().draft) await open(asked().draft);
}

async function library() {
  const state = await stateOf();
  searchable = teach(byId("welcome"), state, async () => { await library(); if (current) await search(); });
  byId("state").textContent = searchable
    ? `${state.documents.toLocaleString("en")} documents in ${state.name}. ${weightsNote(state)}`
    : "";
  byId("to-try").hidden = !searchable;
}

const lists = () => listKept({ searches: byId("searches"), drafts: byId("drafts") }, open);

/** Opens an earlier draft; one that the server does not know any more leads back to the zone. */
async function open(id) {
  if (!id) return away();
  try {
    const { library: name } = asked();
    const draft = await call("GET", `/drafts/${id}${name ? `?library=${encodeURIComponent(name)}` : ""}`);
    if (id !== asked().draft) askFor(id);
    show(draft);
    await search();
  } catch (error) {
    if (error.status !== 404) throw error;
    askFor(null);
    away();
    problem(new Error("The draft of this tab is no longer on the server: give it again, or open another one below."));
  }
}

function away() {
  current = null;
  byId("understood").hidden = true;
  byId("start").classList.remove("compact");
  byId("another").hidden = true;
}

async function given(draft) {
  askFor(draft.draft);
  shown.marked = [];
  show(draft);
  const searching = search();
  byId("understood-title").focus();
  await Promise.all([searching, lists()]);
}

function changed(draft, focus) {
  show(draft);
  if (focus) document.querySelector(focus)?.focus();
  search().catch(problem);
}

function optionsChanged() {
  search().catch(problem);
}

async function chips() {
  const names = asked().new_since ? new Map((await keptSearches()).map((item) => [item.search, item.name])) : new Map();
  byId("chips").replaceChildren(...filterChips(names, optionsChanged));
}

function show(draft) {
  if (draft.draft !== current?.draft) forgetChanges();
  current = draft;
  byId("understood").hidden = false;
  byId("start").classList.add("compact");
  byId("another").hidden = false;
  byId("understood-title").textContent = draft.title || draft.name;
  byId("file-name").replaceChildren(node("bdi", {}, draft.name), ` · ${draft.sections.reduce((sum, item) => sum + item.words, 0).toLocaleString("en")} words · as foreart understood it`);
  byId("doubts").replaceChildren(...draft.notes.map((note) => node("li", {}, `${note[0].toUpperCase()}${note.slice(1)}.`)));
  byId("doubt").hidden = !draft.notes.length;
  byId("front").replaceChildren(...front(draft, changed));
  byId("sections").replaceChildren(...sections(draft, changed));
  byId("claims").replaceChildren(...(draft.claims.length ? claimTree(draft, changed).filter(Boolean) : [node("p", { class: "none" }, "No claims were found. If the draft has some, say where they begin: Correct where sections begin.")]));
  byId("mentioned").replaceChildren(...mentioned(draft));
  byId("signs").replaceChildren(...signs(draft));
  byId("dates").replaceChildren(...dateLine(draft, null).filter(Boolean));
  showOptions();
}

/** Searches with what is understood now and shows that hits are ready. */
async function search() {
  if (!current) return;
  const mine = ++latest;
  const place = byId("ready");
  if (!searchable) return place.replaceChildren(node("p", {}, "The draft is read. It can be searched for as soon as the library has documents and an index: see above."));
  place.setAttribute("aria-busy", "true");
  const draft = current;
  try {
    await chips();
    const result = await call("POST", "/search", asked());
    if (mine !== latest) return;
    problem(null);
    shown.hits = result.hits.map((hit) => hit.id);
    showReady(place, result);
    byId("dates").replaceChildren(...dateLine(draft, result.cutoff).filter(Boolean));
    if (byId("narrow-more").open) narrow.show();
  } finally {
    if (mine === latest) place.removeAttribute("aria-busy");
  }
}

function showReady(place, result) {
  const number = result.hits.length;
  const filtered = result.removed.together ? `; filters removed ${result.removed.together.toLocaleString("en")}` : "";
  const link = node("a", { id: "to-results", class: "button", href: "/results" }, number ? `See ${number} hits` : "See why there are none");
  const kept = document.activeElement?.id === "to-results";
  place.replaceChildren(
    node("div", { class: "ready-head" },
      node("p", {}, node("b", {}, number ? "Hits are ready" : "No hits"), node("span", { class: "quiet" }, ` ${result.compared.toLocaleString("en")} documents compared${filtered}`)),
      node("span", { class: "actions" }, number ? keepInMatter() : null, link)),
    node("ol", { class: "best" }, ...result.hits.slice(0, 3).map((hit) =>
      node("li", {}, node("a", { href: "/reading", onclick: () => { shown.document = hit.id; }, lang: hit.language || null }, hit.title || "(no title)"),
        " ", node("span", { class: "quiet" }, node("span", { class: "id" }, hit.id), ` ${hit.published || "undated"} `), badge(hit.status, hit.rule)))));
  if (kept) link.focus();
  say(`${number} hits ready`);
}

// What is given before the page is ready waits for it.
const ready = start(main, { signedIn, call, context: "start", actions: undoKeys(changed) });
zone(given, ready);
byId("try-sample").addEventListener("click", () => sampleDraft(given, ready));
