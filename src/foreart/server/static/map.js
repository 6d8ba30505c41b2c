// The neighbourhood of the draft in two dimensions: PCA at once, a better layout as a job, selections to read or chart.
import { call, signedIn } from "./api.js";
import { asked, shown } from "./asked.js";
import { badge } from "./hits.js";
import { follow } from "./jobs.js";
import { COLOURINGS, groupsOf, trustSentence } from "./map_groups.js";
import { aroundDraft, makePlot, paint, putCursor, showPoints, step, whole, zoom } from "./map_plot.js";
import { byId, node, problem, say, start } from "./nodes.js";
import { keep as keepBeside, loadWorkspace, workspace } from "./workspace.js";

const KEPT = "map";
const state = { layouts: {}, layout: "pca", by: "class", groups: [], selected: new Set(), found: null, over: null };
let plot;

/** What this tab keeps of the map: the job and the colours, for the search that is asked. */
function kept() {
  const found = JSON.parse(sessionStorage.getItem(KEPT) || "{}");
  return found.asked === JSON.stringify(asked()) ? found : {};
}

function keep(changes) {
  sessionStorage.setItem(KEPT, JSON.stringify({ ...kept(), asked: JSON.stringify(asked()), ...changes }));
}

async function main() {
  const body = asked();
  const given = Boolean(body.draft || body.number);
  byId("empty").hidden = given;
  if (!given) return;
  byId("waiting").hidden = false;
  try {
    state.layouts.pca = await call("POST", "/map", body);
  } finally {
    byId("waiting").hidden = true;
  }
  byId("map").hidden = false;
  plot = makePlot(byId("plot"), { open, select: selectMany, shown: (point) => say(`${point.id}, ${point.title}, rank ${point.rank}`) });
  state.by = kept().by || usual(state.layouts.pca.points);
  state.selected = new Set(kept().selected || []);
  byId("colouring").replaceChildren(...Object.entries(COLOURINGS).map(([name, label]) => node("option", { value: name, selected: name === state.by }, label)));
  listenToControls();
  show("pca");
  await resume();
}

/** Classes, unless most documents have none. */
function usual(list) {
  return list.filter((point) => point.subclass).length > list.length / 2 ? "class" : "year";
}

/** A job of before the reload is followed again, or its result shown. */
async function resume() {
  const { job } = kept();
  if (!job) return;
  try {
    await finish(await call("GET", `/jobs/${job}`));
  } catch {
    keep({ job: null });
  }
}

async function finish(job) {
  byId("tsne").disabled = true;
  try {
    const done = ["waiting", "running"].includes(job.state) ? await follow({ ...job, kind: "better layout" }, byId("job")) : job;
    if (done.state !== "done") return keep({ job: null });
    state.layouts.tsne = done.result;
    show("tsne");
  } finally {
    byId("tsne").disabled = false;
  }
}

async function better() {
  if (state.layouts.tsne) return show("tsne");
  problem(null);
  try {
    const job = await call("POST", "/jobs/map", asked());
    keep({ job: job.job });
    await finish(job);
  } catch (error) {
    problem(error);
  }
}

function show(layout) {
  state.layout = layout;
  const picture = state.layouts[layout];
  byId("pca").setAttribute("aria-pressed", layout === "pca");
  byId("tsne").setAttribute("aria-pressed", layout === "tsne");
  byId("trust").textContent = `The ${picture.points.length} best documents, placed by topics. ${trustSentence(picture)}`;
  showPoints(plot, picture.points);
  regroup();
  say(`layout ${layout}`);
}

const points = () => state.layouts[state.layout].points;

function regroup() {
  state.groups = groupsOf(points(), state.by, state.layouts[state.layout].classes);
  redraw();
}

function redraw() {
  const colourOf = new Map(state.groups.flatMap((group) => group.points.map((point) => [point.id, group.colour])));
  const bright = state.over || state.found;
  const faded = bright ? new Set(points().map((point) => point.id).filter((id) => !bright.has(id))) : null;
  paint(plot, { colourOf, selected: state.selected, faded });
  byId("legend").replaceChildren(...state.groups.map(legendItem));
  showSelection();
}

function legendItem(group) {
  const ids = group.points.map((point) => point.id);
  const taken = ids.every((id) => state.selected.has(id));
  const brighten = (over) => () => {
    state.over = over ? new Set(ids) : null;
    const colourOf = new Map(state.groups.flatMap((each) => each.points.map((point) => [point.id, each.colour])));
    paint(plot, { colourOf, selected: state.selected, faded: over ? new Set(points().map((point) => point.id).filter((id) => !state.over.has(id))) : null });
  };
  const button = node("button", {
    type: "button", class: "legend-item prints", "aria-pressed": String(taken), title: group.title || null, "data-group": group.label,
    onclick: () => { state.over = null; choose(ids, !taken); byId("legend").querySelector(`[data-group="${CSS.escape(group.label)}"]`)?.focus(); },
    onpointerenter: brighten(true), onpointerleave: brighten(false), onfocus: brighten(true), onblur: brighten(false),
  }, node("span", { class: `swatch ${group.colour}` }), node("span", { class: "legend-label" }, group.label, group.title ? node("small", {}, ` ${group.title}`) : null), node("b", {}, String(group.points.length)));
  return node("li", {}, button);
}

function choose(ids, on) {
  for (const id of ids) on ? state.selected.add(id) : state.selected.delete(id);
  keep({ selected: [...state.selected] });
  redraw();
  say(`${state.selected.size} selected`);
}

/** What a lasso has caught replaces the selection, or with Shift or Ctrl joins it. */
function selectMany(found, add) {
  if (!add) state.selected.clear();
  choose(found.map((point) => point.id), true);
}

function chosen() {
  return points().filter((point) => state.selected.has(point.id));
}

function showSelection() {
  const list = chosen();
  byId("selection-title").textContent = list.length ? `Selected (${list.length})` : "Selected";
  byId("selection-hint").hidden = list.length > 0;
  byId("selection-actions").hidden = list.length === 0;
  byId("selected").replaceChildren(...list.map((point) => node("li", {},
    node("button", { type: "button", class: "remove", "aria-label": `take ${point.id} out`, onclick: () => choose([point.id], false) }, "×"),
    node("a", { href: "/reading", onclick: () => remember(point) }, point.title || "(no title)"),
    node("small", {}, `${point.rank}. `, node("span", { class: "id" }, point.id), ` · ${point.published ? point.published.slice(0, 4) : "undated"} · ${point.score.toFixed(2)} `, badge(point.status)))));
  for (const box of byId("rows").querySelectorAll("input[data-id]")) box.checked = state.selected.has(box.dataset.id);
}

/** The document to read, and the list for next and previous: the selection that it is in, or all. */
function remember(point) {
  const list = state.selected.has(point.id) ? chosen() : points();
  shown.hits = list.map((each) => each.id);
  shown.document = point.id;
}

function open(point) {
  remember(point);
  location.assign("/reading");
}

/** The selection becomes the references of the chart. */
async function intoChart() {
  await loadWorkspace();
  await keepBeside({ references: [...new Set([...workspace().references, ...chosen().map((point) => point.id)])] });
  location.assign("/chart");
}

function find() {
  const words = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length ? points().filter((point) => {
    const text = [point.id, point.title, point.subclass, point.published, ...point.applicants].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  }) : null;
  state.found = found && new Set(found.map((point) => point.id));
  byId("take-found").hidden = !found?.length;
  byId("take-found").textContent = found ? `Select the ${found.length} found` : "";
  if (found) say(`${found.length} found`);
  redraw();
}

function setLasso(on) {
  plot.lassoing = on;
  byId("move").setAttribute("aria-pressed", !on);
  byId("lasso").setAttribute("aria-pressed", on);
  plot.svg.classList.toggle("lassoing", on);
}

async function copy() {
  const text = chosen().map((point) => point.id).join("\n");
  try {
    await navigator.clipboard.writeText(text);
    say(`${state.selected.size} numbers copied`);
    byId("copy").textContent = "Copied";
    setTimeout(() => { byId("copy").textContent = "Copy numbers"; }, 1500);
  } catch {
    problem(new Error("The browser does not let this page copy: mark the numbers in the list and copy them."));
  }
}

function listenToControls() {
  const clicks = {
    pca: () => show("pca"), tsne: better, move: () => setLasso(false), lasso: () => setLasso(true), "zoom-in": () => zoom(plot, 1.6), "zoom-out": () => zoom(plot, 1 / 1.6), whole: () => whole(plot), centre: () => aroundDraft(plot),
    read: () => open(chosen()[0]), chart: intoChart, copy, clear: () => choose([...state.selected], false),
    "take-found": () => choose([...state.found], true),
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);
  byId("colouring").addEventListener("change", (event) => colour(event.target.value));
  byId("find").addEventListener("input", find);
  byId("rows").addEventListener("toggle", () => { if (byId("rows").open) fillTable(); });
}

function colour(by) {
  state.by = by;
  byId("colouring").value = by;
  keep({ by });
  regroup();
}

function fillTable() {
  const head = ["", "rank", "number", "title", "applicant", "published", "class", "status", "score"];
  const rows = points().map((point) => node("tr", {},
    node("td", {}, node("input", { type: "checkbox", "data-id": point.id, "aria-label": `select ${point.id}`, checked: state.selected.has(point.id), onchange: (event) => choose([point.id], event.target.checked) })),
    node("td", { class: "number" }, String(point.rank)),
    node("td", {}, node("a", { class: "id", href: "/reading", onclick: () => remember(point) }, point.id)),
    node("td", {}, point.title || "(no title)"), node("td", {}, point.applicants.join("; ")), node("td", { class: "date" }, point.published || "undated"),
    node("td", {}, point.subclass), node("td", {}, badge(point.status)), node("td", { class: "number" }, point.score.toFixed(2))));
  byId("rows").querySelector(".scroll").replaceChildren(node("table", {},
    node("thead", {}, node("tr", {}, ...head.map((name) => node("th", { scope: "col" }, name || node("span", { class: "unseen" }, "selected"))))),
    node("tbody", {}, ...rows)));
}

const ready = (action) => (event) => (plot ? action(event) : false);
/** For keys that belong to the map only while it has the focus. */
const onMap = (action) => ready((event) => (document.activeElement === plot.svg ? action(event) : false));

function byRank(change) {
  const list = points();
  const place = plot.cursor ? list.indexOf(plot.cursor) + change : 0;
  plot.svg.focus();
  if (list[place]) putCursor(plot, list[place]);
}

start(main, {
  signedIn, call, context: "map",
  actions: {
    Arrows: onMap((event) => step(plot, event.key)),
    Enter: onMap(() => (plot.cursor ? open(plot.cursor) : false)),
    Space: onMap(() => (plot.cursor ? choose([plot.cursor.id], !state.selected.has(plot.cursor.id)) : false)),
    j: ready(() => byRank(1)), k: ready(() => byRank(-1)),
    l: ready(() => setLasso(!plot.lassoing)),
    "+": ready(() => zoom(plot, 1.6)), "-": ready(() => zoom(plot, 1 / 1.6)), 0: ready(() => whole(plot)), d: ready(() => aroundDraft(plot)),
    v: ready(() => { const names = Object.keys(COLOURINGS); colour(names[(names.indexOf(state.by) + 1) % names.length]); }),
    Escape: ready(() => choose([...state.selected], false)),
  },
});
