// Draft and document side by side: what is picked on the left brings its passages on the right.
import { call, signedIn } from "./api.js";
import { asked, shown } from "./asked.js";
import { groupsOn, openHighlights, showGroups, toggleAll } from "./highlights.js";
import { rangeOf } from "./hits.js";
import { digits } from "./keys.js";
import { byId, node, problem, say, start } from "./nodes.js";
import { chartable, entryOf, fetchAhead, paragraphPassages } from "./reading_cache.js";
import { claimOf, fillDraft, known, showCoverage, showPicked } from "./reading_draft.js";
import { bridgesOf, citationsPanel, familyPanel, figuresPanel, reasonsPanel, standing, whyLine } from "./reading_parts.js";
import { layer, list, panelOf, passagesFor, ticks } from "./reading_passages.js";
import { paint, textPanels, timesOf } from "./reading_text.js";
import { emptyPage, openedDraft } from "./reading_start.js";
import { loadWorkspace, toggleReference, workspace } from "./workspace.js";

const TABS = [["description", "Description"], ["claims", "Claims"], ["figures", "Figures"], ["citations", "Citations"], ["family", "Family"], ["reasons", "Reasons"]];
// What survives a reload: the document, the way to it, what is picked, the tab, and the passage.
let at = { document: "", trail: [], pick: "", tab: "description", passage: 0 };
let draft = null;
// What is known of the shown document, and what is marked in it.
let parts = { record: null, cells: [], reasons: null, citations: null };
let passages = [];
// A quote of the chart that is none of the best passages here, shown with them.
let extra = null;
let bridgesOn = sessionStorage.getItem("bridges") !== "off";

async function main() {
  draft = await openedDraft("Here it stands beside a document: pick an element of a claim, and the passages closest to it follow.");
  if (!draft) return;
  await loadWorkspace();
  chartable(draft.claims.length > 0);
  const quote = shown.quote;
  const kept = history.state?.document ? history.state : null;
  at = { ...at, ...(quote || !kept ? { document: shown.document || shown.hits[0] || "", pick: quote ? `element:${quote.row}` : sessionStorage.getItem("pick") || "" } : kept) };
  if (!at.document) return emptyPage("No document is open: choose one of the hits.", "/results", "Results");
  byId("panes").hidden = false;
  fillDraft(draft, (chosen) => pick(chosen));
  if (quote && !draft.claims.some((claim) => claim.number === Number(quote.row.split(".")[0]) && claim.elements.length > 1)) at.pick = `claim:${quote.row.split(".")[0]}`;
  at.pick = known(at.pick);
  showPicked(at.pick);
  fillTabs();
  listenToControls();
  await open(at.document, { quote });
}

/** Opens a document; `from` is the one that linked to it. */
async function open(id, { from = null, trail = at.trail, quote = null } = {}) {
  const entry = entryOf(id);
  const next = { ...at, document: id, trail: from ? [...trail, from] : trail, passage: id === at.document ? at.passage : 0 };
  try {
    const record = await entry.document;
    if (from) history.pushState(next, "");
    at = next;
    showDocument(record);
  } catch (error) {
    if (!parts.record) emptyPage(error.message, "/results", "Results");
    return problem(error);
  }
  const current = () => at.document === id;
  const reasons = entry.reasons.then((found) => current() && showReasons(found));
  const citations = entry.citations.then((found) => current() && showCitations(found));
  await entry.passages.then((found) => current() && showPassages(found?.cells ?? [], quote)).catch((error) => current() && problem(error));
  await Promise.all([reasons, citations]).catch((error) => current() && problem(error));
  shown.quote = null;
  if (current()) fetchAhead(shown.hits, id);
}

function showDocument(record) {
  problem(null);
  shown.document = record.id;
  parts = { record, cells: [], reasons: null, citations: null };
  passages = [];
  const text = textPanels(record, byId("document-title"));
  fill("description", text.description);
  fill("claims", text.claims, record.claims?.length);
  fill("figures", figuresPanel(record), record.figures.length);
  for (const name of ["citations", "family", "reasons"]) fill(name, node("p", { class: "quiet" }, "…"));
  const dates = [["priority", record.priority_date], ["filed", record.filing_date], ["published", record.publication_date]].filter(([, date]) => date);
  byId("document-facts").replaceChildren(node("span", { class: "id" }, record.id), " ", node("bdi", {}, record.applicants.join("; ")), dates.map(([name, date]) => ` · ${name} ${date}`).join(""));
  byId("standing").replaceChildren();
  byId("why").hidden = true;
  showWay();
  showChartButton();
  showTab(at.tab);
  remark("…");
  say(`${record.id} ${record.title || ""}`);
}

function showReasons(reasons) {
  parts.reasons = reasons;
  byId("standing").replaceChildren(...standing(reasons, rangeOf([reasons], reasons.cutoff.date)));
  const line = whyLine(reasons);
  byId("why").hidden = !line.length;
  byId("why").replaceChildren(node("b", {}, "Why: "), ...line);
  fill("reasons", reasonsPanel(reasons));
  if (reasons.bridges.length && bridgesOn) remark();
}

function showCitations(found) {
  parts.citations = found;
  const go = (id) => open(id, { from: at.document });
  fill("citations", citationsPanel(parts.record, found, go), `${found.cites.length} + ${found.cited_by.length}`);
  fill("family", familyPanel(parts.record, found, go), found.family.length);
}

async function showPassages(cells, quote) {
  parts.cells = cells;
  showCoverage(cells);
  if (quote) {
    const same = (one) => one.row === quote.row && one.start === quote.start && one.part === quote.part && one.ordinal === quote.ordinal;
    extra = { document: at.document, pick: at.pick, passage: passagesFor(`element:${quote.row}`, cells, []).find(same) };
    const place = passagesFor(at.pick, cells, []).findIndex(same);
    at.passage = place < 0 ? Number.MAX_SAFE_INTEGER : place;
  }
  // Where the page itself scrolls, a document opens at its top, so that its title is seen.
  await showPick({ follow: Boolean(quote) || !narrow() });
}

const narrow = () => matchMedia("(max-width: 60rem)").matches;

/** Picks an element, a claim or a paragraph of the draft. */
async function pick(chosen, { focus = false } = {}) {
  at = { ...at, pick: chosen, passage: 0 };
  sessionStorage.setItem("pick", chosen);
  history.replaceState(at, "");
  showPicked(chosen, { focus });
  await showPick({ follow: true });
  if (passages.length && narrow()) showPane("document");
  say(passages.length ? `${passages.length} passages, best in ${passages[0].place}` : "no passage is close to it");
}

async function showPick({ follow }) {
  const { document: id, pick: chosen } = at;
  const quotes = chosen.startsWith("paragraph:") ? await paragraphPassages(entryOf(id), Number(chosen.split(":")[1])) : [];
  if (at.document !== id || at.pick !== chosen) return;
  passages = passagesFor(chosen, parts.cells, quotes);
  if (extra?.passage && extra.document === id && extra.pick === chosen && !passages.some((one) => one.title === extra.passage.title && one.start === extra.passage.start)) passages.push(extra.passage);
  at.passage = Math.min(at.passage, Math.max(0, passages.length - 1));
  if (follow && passages.length) return go(at.passage);
  remark();
}

/** Shows a passage in its part of the document. */
function go(place) {
  at.passage = place;
  remark();
  showTab(panelOf(passages[place]));
  visible().querySelector(`.q${place}`)?.scrollIntoView({ block: "center", behavior: "instant" });
}

function step(by) {
  if (!passages.length) return false;
  go((at.passage + by + passages.length) % passages.length);
  return say(`passage ${at.passage + 1} of ${passages.length}, ${passages[at.passage].place}`);
}

/** Marks the text again: passages, own highlights, words of similar meaning. */
function remark(note = nothing()) {
  paint({ passages: layer(passages, at.passage), groups: groupsOn(), bridges: bridgesOn && parts.reasons ? bridgesOf(parts.reasons) : [] });
  list(passages, at.passage, go, note);
  showGroups(byId("groups"), timesOf, remarked);
  ticks(visible(), passages, go);
  history.replaceState(at, "");
}

function nothing() {
  if (!at.pick) return "Pick an element or a paragraph of the draft.";
  const cell = parts.cells.find((one) => `element:${one.row}` === at.pick);
  return `Nothing in this document is close to ${cell ? `element ${cell.row}: it has ${Math.round(cell.coverage * 100)} % of its words` : "it"}.`;
}

const remarked = () => remark();

const panel = (name) => byId(`panel-${name}`);
const visible = () => panel(at.tab);

function fillTabs() {
  byId("tabs").replaceChildren(...TABS.map(([name, label]) =>
    node("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, "aria-selected": "false", tabindex: "-1", onclick: () => showTab(name) }, label, node("small", {}))));
  byId("panels").replaceChildren(...TABS.map(([name]) => node("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: "0", hidden: true })));
  byId("tabs").addEventListener("keydown", (event) => {
    const place = TABS.findIndex(([name]) => name === at.tab);
    const to = TABS[{ ArrowRight: (place + 1) % TABS.length, ArrowLeft: (place + TABS.length - 1) % TABS.length, Home: 0, End: TABS.length - 1 }[event.key]];
    if (!to) return;
    event.preventDefault();
    showTab(to[0]);
    byId(`tab-${to[0]}`).focus();
  });
}

function fill(name, content, count = "") {
  panel(name).replaceChildren(content);
  panel(name).scrollTop = 0;
  byId(`tab-${name}`).querySelector("small").textContent = count || count === 0 ? ` ${count}` : "";
}

function showTab(name) {
  at.tab = name;
  for (const [other] of TABS) {
    const on = other === name;
    byId(`tab-${other}`).setAttribute("aria-selected", String(on));
    byId(`tab-${other}`).tabIndex = on ? 0 : -1;
    panel(other).hidden = !on;
  }
  ticks(visible(), passages, go);
  history.replaceState(at, "");
}

/** Next and previous go through the hits; from a document that is none of them, back into the hits. */
function turn(by) {
  const base = shown.hits.indexOf(at.document) >= 0 ? at.document : at.trail.find((id) => shown.hits.includes(id));
  const to = base ? shown.hits[shown.hits.indexOf(base) + (base === at.document ? by : 0)] : shown.hits[0];
  if (!to) return say(by > 0 ? "this is the last hit" : "this is the first hit");
  return open(to, { trail: [] });
}

function showWay() {
  const place = shown.hits.indexOf(at.document);
  byId("position").textContent = place >= 0 ? `hit ${place + 1} of ${shown.hits.length}` : "not one of the hits";
  byId("previous").disabled = place === 0 || !shown.hits.length;
  byId("next").disabled = place === shown.hits.length - 1;
  const from = at.trail.at(-1);
  byId("way-back").hidden = !from;
  byId("way-back").replaceChildren(...(from ? [`Opened from ${from}. `, node("button", { type: "button", class: "link", onclick: () => history.back() }, `← Back to ${from}`)] : []));
}

function showChartButton() {
  const on = workspace().references.includes(at.document);
  byId("to-chart").setAttribute("aria-pressed", String(on));
  byId("to-chart").textContent = on ? "Remove from chart" : "Add to chart";
}

async function toggleChart() {
  const kept = toggleReference(at.document);
  showChartButton();
  await kept;
  say(workspace().references.includes(at.document) ? `${at.document} is in the chart` : `${at.document} is not in the chart`);
}

function showPane(name) {
  byId("panes").dataset.pane = name;
  for (const other of ["draft", "document"]) byId(`show-${other}`).setAttribute("aria-pressed", String(other === name));
  if (name === "document" && passages.length) go(at.passage);
}

function listenToControls() {
  byId("previous").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));
  byId("to-chart").addEventListener("click", toggleChart);
  byId("highlight").addEventListener("click", () => openHighlights(remarked));
  byId("show-draft").addEventListener("click", () => showPane("draft"));
  byId("show-document").addEventListener("click", () => showPane("document"));
  addEventListener("popstate", ({ state }) => { if (state?.document) { at = { ...at, passage: state.passage, tab: state.tab }; open(state.document, { trail: state.trail }); } });
  addEventListener("resize", () => ticks(visible(), passages, go));
}

const element = (number) => {
  const claim = draft?.claims.find((one) => one.number === (claimOf(at.pick) || draft.claims[0]?.number));
  return claim && number <= claim.elements.length ? pick(known(`element:${claim.number}.${number - 1}`), { focus: true }) : false;
};

start(main, { signedIn, call, context: "reading", actions: {
  j: () => turn(1), k: () => turn(-1), "]": () => step(1), "[": () => step(-1),
  ...digits(1, 9, element),
  h: () => (toggleAll(remarked) ? undefined : openHighlights(remarked)),
  b: () => { bridgesOn = !bridgesOn; sessionStorage.setItem("bridges", bridgesOn ? "on" : "off"); say(`words of similar meaning ${bridgesOn ? "on" : "off"}`); remark(); },
  e: () => { showTab("reasons"); byId("tab-reasons").focus(); },
  a: toggleChart,
  Escape: () => (at.trail.length ? history.back() : false),
} });
