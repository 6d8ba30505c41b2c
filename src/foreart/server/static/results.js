// Results: the hits of what is asked, with facets that filter before ranking, sorted, compared and kept.
import { call, signedIn } from "./api.js";
import { ask, askFor, asked, shown } from "./asked.js";
import { openComparison } from "./compare.js";
import { facets } from "./facets.js";
import { filterChips, removedSentence } from "./filter_chips.js";
import { rangeOf } from "./hits.js";
import { keptSearches } from "./kept.js";
import { keepInMatter } from "./matter_keeping.js";
import { byId, node, problem, say, start } from "./nodes.js";
import { asides, legend, nothing, notes, summary } from "./result_notes.js";
import { hitRow, sorted, SORTS } from "./result_rows.js";
import { listActions } from "./result_keys.js";
import { findInRows, keeping, saving, since } from "./result_tools.js";

const STEP = 100;
const MOST = 1000;
const state = { result: null, kept: [], latest: 0, panel: null };

async function main() {
  if (!asked().draft && !asked().number) return empty("No search yet in this tab");
  state.panel = facets(byId("facets"), search);
  byId("sort").replaceChildren(...Object.entries(SORTS).map(([name, [label]]) => node("option", { value: name }, label)));
  byId("sort").addEventListener("change", draw);
  byId("find").addEventListener("input", findInRows);
  byId("bar").addEventListener("submit", (event) => event.preventDefault());
  byId("more").addEventListener("click", more);
  byId("open-drawer").addEventListener("click", toggleDrawer);
  byId("close-drawer").addEventListener("click", toggleDrawer);
  byId("drawer").addEventListener("keydown", (event) => { if (event.key === "Escape" && byId("drawer").classList.contains("open")) toggleDrawer(); });
  saving();
  byId("keep").after(" ", keepInMatter());
  keeping(state, listKept);
  since(state, again);
  await listKept();
  await Promise.all([search(), state.panel.show().catch(() => null)]);
}

async function listKept() {
  state.kept = await keptSearches();
  since.show(state);
}

/** Asks again with everything that depends on the filters. */
async function again() {
  await Promise.all([search(), state.panel.show()]).catch(problem);
}

async function search() {
  const mine = ++state.latest;
  byId("hits").setAttribute("aria-busy", "true");
  byId("chips").replaceChildren(...filterChips(new Map(state.kept.map((item) => [item.search, item.name])), again));
  try {
    const result = await call("POST", "/search", asked());
    if (mine !== state.latest) return;
    problem(null);
    state.result = result;
    draw();
  } catch (error) {
    if (mine !== state.latest) return;
    if (error.status === 404 && /draft/.test(error.message)) { askFor(null); return empty("The draft of this tab is no longer on the server"); }
    byId("found").hidden = false;
    if (error.status === 404 && /kept search/.test(error.message)) { ask({ new_since: null }); return search(); }
    problem(error);
  } finally {
    if (mine === state.latest) byId("hits").removeAttribute("aria-busy");
  }
}

function draw() {
  const { result } = state;
  byId("empty").hidden = true;
  byId("found").hidden = false;
  const hits = sorted(result.hits, byId("sort").value);
  shown.hits = hits.map((hit) => hit.id);
  const marked = shown.marked.filter((id) => shown.hits.includes(id));
  shown.marked = marked;
  byId("summary").replaceChildren(...summary(result));
  byId("notes").replaceChildren(...notes(result));
  byId("filtered").textContent = removedSentence(result.removed, result.compared);
  byId("legend").replaceChildren(...legend(result));
  const view = { best: Math.max(0, ...result.hits.map((hit) => hit.score)), range: rangeOf(result.hits, result.cutoff.date), cutoff: result.cutoff.date, seen: new Set(shown.seen), marked: new Set(marked), mark };
  byId("hits").replaceChildren(...hits.map((hit) => hitRow(hit, view)));
  byId("none").textContent = hits.length ? "" : nothing(result);
  byId("none").hidden = hits.length > 0;
  const full = result.hits.length >= (asked().k || 20) && result.hits.length < MOST;
  byId("more").hidden = !full;
  byId("asides").replaceChildren(...asides(result));
  findInRows();
  bar();
  say(`${hits.length} hits`);
}

async function more() {
  const before = state.result.hits.length;
  ask({ k: Math.min(MOST, (asked().k || 20) + STEP) });
  await search();
  byId("hits").children[before]?.focus();
}

/** Marks a hit for comparison, or takes the mark away; of three, the oldest mark goes. */
function mark(id) {
  const before = shown.marked;
  shown.marked = before.includes(id) ? before.filter((one) => one !== id) : [...before, id].slice(-2);
  for (const row of byId("hits").children) {
    const on = shown.marked.includes(row.dataset.id);
    row.classList.toggle("marked", on);
    row.querySelector(".mark input").checked = on;
  }
  bar();
  say(`${shown.marked.length} marked`);
}

function bar() {
  const place = byId("marked-bar");
  const hits = shown.marked.map((id) => state.result.hits.find((hit) => hit.id === id)).filter(Boolean);
  place.hidden = !hits.length;
  place.replaceChildren(
    node("span", {}, hits.length === 2 ? "Marked: " : "Marked, choose one more: ", hits.map((hit, place) => [place ? " and " : "", node("b", { class: "id" }, hit.id)])),
    node("button", { id: "do-compare", type: "button", disabled: hits.length !== 2, onclick: compare }, "Compare"),
    node("button", { type: "button", class: "quiet-button", onclick: () => { for (const id of shown.marked) mark(id); } }, "Clear"));
}

function compare() {
  const hits = shown.marked.map((id) => state.result.hits.find((hit) => hit.id === id)).filter(Boolean);
  if (hits.length !== 2) return say("mark two hits with Space to compare them");
  openComparison(hits, state.result);
}

function toggleDrawer() {
  const drawer = byId("drawer");
  const open = drawer.classList.toggle("open");
  (open ? byId("close-drawer") : byId("open-drawer")).focus();
}

function toFacets() {
  if (getComputedStyle(byId("open-drawer")).display !== "none") toggleDrawer();
  else byId("facets").querySelector("summary")?.focus();
}

async function onlyNew() {
  if (asked().new_since) ask({ new_since: null });
  else {
    const last = state.kept.find((item) => item.asked.draft === asked().draft);
    if (!last) return say("no search of this draft is kept yet");
    ask({ new_since: last.search });
  }
  since.show(state);
  await again();
}

async function empty(heading) {
  const place = byId("empty");
  const { drafts } = await call("GET", "/drafts");
  byId("found").hidden = true;
  place.hidden = false;
  place.replaceChildren(
    node("h2", {}, heading),
    node("p", {}, "Give a draft on Start: its hits appear here at once."),
    node("p", { class: "actions" }, node("a", { class: "button", href: "/" }, "Give a draft")),
    ...(drafts.length ? [node("h3", {}, "Or go on with an earlier one"), node("ul", { class: "plain apart" }, ...drafts.slice(0, 8).map((item) =>
      node("li", {}, node("button", { type: "button", class: "link", onclick: () => { askFor(item.draft); location.reload(); } }, item.title || item.name))))] : []));
}

start(main, { signedIn, call, context: "list", actions: listActions({ mark, compare, toFacets, onlyNew }) });
