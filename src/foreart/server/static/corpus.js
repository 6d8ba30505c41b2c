// The corpus: what is in it and what of it is searched, files to add, build, learn, check.
import { call, signedIn } from "./api.js";
import { ask, asked } from "./asked.js";
import { counted } from "./bars.js";
import { doneItem, fileName, findingsList, KINDS } from "./corpus_jobs.js";
import { figuresOf } from "./corpus_plots.js";
import { follow } from "./jobs.js";
import { byId, node, problem, say, start } from "./nodes.js";
import { send } from "./uploads.js";

const PAGE = 50;
const CHANGING = ["add", "build", "learn", "sample"];
const followed = new Set();
const running = new Map();
let library = { name: "" };
let offset = 0;

const query = (more = "") => `?library=${encodeURIComponent(library.name)}${more}`;

async function main() {
  listenToControls();
  await refresh();
  await resume();
}

/** The state of the library, its statistics and its rejects, as they are now. */
async function refresh() {
  const { libraries } = await call("GET", "/libraries");
  library = libraries.find((each) => each.name === asked().library) || libraries[0];
  showState();
  showLibraries(libraries);
  if (!library.documents && !library.rejects) return;
  if (library.documents) await showStats();
  await showRejects();
}

function showState() {
  const { documents, searched, changes, rejects, learned, indexes } = library;
  byId("empty").hidden = documents > 0;
  byId("state").hidden = !documents;
  const waiting = changes?.added || 0;
  byId("state").replaceChildren(...[
    ["Documents", counted(documents), ""],
    ["Searched", indexes.length ? counted(searched) : "none yet", waiting ? `${counted(waiting)} added since the build` : indexes.length && searched ? "all of them" : "the indexes are not built"],
    ["Ranking", learned ? "learned" : "default weights", learned ? "from the citations of this corpus" : "learn it from the citations here"],
    ["Not readable", counted(rejects), rejects ? "listed below with reasons" : "every record was read"],
  ].map(([name, value, more]) => node("div", {}, node("dt", {}, name), node("dd", {}, value, more ? node("small", {}, more) : null))));
  byId("build").disabled = byId("doctor").disabled = byId("learn").disabled = !documents;
  byId("learn").disabled ||= !indexes.length;
  byId("build").classList.toggle("quiet-button", !documents || (indexes.length > 0 && !changes?.note));
  showNext();
}

function showNext() {
  const { documents, changes, indexes } = library;
  const told = !documents ? "" : !indexes.length ? "The documents are not searched yet: build the indexes." : changes?.note ? sentence(changes.note) : "";
  byId("next").replaceChildren(...(told ? [node("p", { class: "note" }, told, " ", node("button", { type: "button", class: "quiet-button", onclick: () => begin("build") }, "Build now"))] : []));
}

/** The note of a search, without the command that a button does here. */
function sentence(note) {
  const plain = note.replace(/[:;]? *`foreart build`.*$/, "").replace(/`/g, "");
  return `${plain.slice(0, 1).toUpperCase()}${plain.slice(1)}.`;
}

async function showStats() {
  const stats = await call("GET", `/stats${query()}`);
  byId("contents").hidden = false;
  byId("plots").replaceChildren(...figuresOf(stats));
}

async function showRejects() {
  byId("rejected").hidden = !library.rejects;
  if (!library.rejects) return;
  const { rejects, next } = await call("GET", `/rejects${query(`&limit=${PAGE}&offset=${offset}`)}`);
  byId("rejected-told").textContent = `${counted(offset + 1)} to ${counted(offset + rejects.length)} of ${counted(library.rejects)}. A record that is read later, from a corrected file, leaves this list.`;
  byId("rejects").replaceChildren(...rejects.map((item) => node("tr", {},
    node("td", {}, fileName(item.file)), node("td", { class: "number" }, item.position), node("td", {}, item.reason), node("td", {}, item.format || "unknown"))));
  byId("rejects-back").disabled = offset === 0;
  byId("rejects-on").disabled = next === null;
  byId("rejected").querySelector(".pager").hidden = offset === 0 && next === null;
}

function showLibraries(libraries) {
  byId("libraries").hidden = libraries.length < 2;
  byId("library-rows").replaceChildren(...libraries.map((each) => node("tr", {},
    node("th", { scope: "row" }, each.name), node("td", {}, counted(each.documents)), node("td", {}, each.indexes.length ? counted(each.searched) : each.documents ? "not built" : "–"),
    node("td", {}, each.learned ? "learned" : each.documents ? "default weights" : "–"),
    node("td", {}, each.name === library.name ? "shown here" : node("button", { type: "button", class: "quiet-button", onclick: () => { ask({ library: each.name }); location.reload(); } }, `Show ${each.name}`)))));
}

/** Jobs of before a reload are followed again; those that ended are reported. */
async function resume() {
  const mine = (await jobs()).filter((job) => job.library === library.name && job.kind in KINDS);
  for (const job of mine.filter((each) => ["waiting", "running"].includes(each.state)).reverse()) attend(job);
  await showDone(mine);
}

const jobs = async () => (await call("GET", "/jobs")).jobs;

async function showDone(mine) {
  const ended = mine.filter((job) => !["waiting", "running"].includes(job.state)).slice(0, 8);
  const told = await Promise.all(ended.map((job) => call("GET", `/jobs/${job.job}`)));
  byId("done").replaceChildren(...told.map(doneItem));
  const checked = told.find((job) => job.kind === "doctor" && job.state === "done");
  if (checked) showFindings(checked);
}

function showFindings(job) {
  const button = (label, action) => () => node("button", { type: "button", class: "quiet-button", onclick: action }, label);
  byId("findings").hidden = false;
  byId("findings-list").replaceChildren(...findingsList(job.result.findings, [
    ["foreart rejects", () => node("a", { href: "#rejected" }, "See them")],
    ["foreart build", button("Build", () => begin("build"))],
    ["foreart learn", button("Learn", () => begin("learn"))],
    ["foreart add", button("Choose files", () => byId("files").click())],
  ]));
}

async function begin(kind) {
  problem(null);
  if (running.get(kind)) return say(`${KINDS[kind]} is running already`);
  running.set(kind, true);
  try {
    attend(await call("POST", `/jobs/${kind}${query()}`));
  } catch (error) {
    running.delete(kind);
    problem(error);
  }
}

/** Follows a job to its end, and then shows what it has changed. */
async function attend(job) {
  if (followed.has(job.job)) return;
  followed.add(job.job);
  running.set(job.kind, true);
  try {
    await follow({ ...job, kind: KINDS[job.kind] || job.kind }, byId("jobs"));
  } catch {
    // Its sentence is in the list of what has ended.
  } finally {
    running.delete(job.kind);
  }
  const mine = (await jobs()).filter((each) => each.library === library.name && each.kind in KINDS);
  await showDone(mine);
  if (CHANGING.includes(job.kind)) await refresh();
  if (job.kind === "doctor") byId("findings").scrollIntoView({ block: "nearest" });
}

async function add(files) {
  problem(null);
  for (const file of files) {
    try {
      attend(await send(`/corpus/files${query(`&name=${encodeURIComponent(file.name)}`)}`, file, byId("jobs")));
    } catch (error) {
      problem(error);
    }
  }
}

function listenToControls() {
  const zone = byId("drop");
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    add([...event.dataTransfer.files]);
  });
  byId("files").addEventListener("change", (event) => { add([...event.target.files]); event.target.value = ""; });
  for (const kind of ["build", "learn", "doctor", "sample"]) byId(kind).addEventListener("click", () => begin(kind));
  const turn = (change) => async () => {
    offset = Math.max(0, offset + change);
    await showRejects();
    say(byId("rejected-told").textContent);
  };
  byId("rejects-back").addEventListener("click", turn(-PAGE));
  byId("rejects-on").addEventListener("click", turn(PAGE));
}

const usable = (id) => () => (byId(id).disabled ? false : byId(id).click());

start(main, { signedIn, call, context: "corpus", actions: { a: usable("files"), b: usable("build") } });
