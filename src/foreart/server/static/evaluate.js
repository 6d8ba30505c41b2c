// Evaluate: what the ranking measured of itself, evaluations, blind labelling, and the report of the paper.
import { call, signedIn } from "./api.js";
import { ask, asked } from "./asked.js";
import { evaluationTables, judgementsOf, ownFigures } from "./evaluate_figures.js";
import { follow } from "./jobs.js";
import { digits } from "./keys.js";
import { active, back, beginLabelling, focusComment, interrupted, label, skip, stopLabelling } from "./labelling.js";
import { agreementNodes, setsTable } from "./labelling_sets.js";
import { byId, node, problem, say, start } from "./nodes.js";
import { paperNodes } from "./paper_report.js";

const KINDS = { learn: "learning", evaluate: "evaluating", "expert-set": "drawing pairs", paper: "reproducing the paper" };
const LIMIT = 1_000_000;
const RATER = "rater";
const running = new Set();
let library = "";

const query = (more = "") => `?library=${encodeURIComponent(library)}${more}`;

async function main() {
  const { libraries } = await call("GET", "/libraries");
  const found = libraries.find((each) => each.name === asked().library) || libraries[0];
  library = found.name;
  byId("empty").hidden = found.documents > 0;
  if (!found.documents) return;
  byId("overview").hidden = false;
  listenToForms();
  const before = interrupted();
  if (before) await beginLabelling(before.set, before.rater, library).catch(stopLabelling);
  await Promise.all([showOwn(), showSets(), resume()]);
  // Its times cost a worker a second or more: they are asked for when somebody looks.
  new IntersectionObserver((entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    showPaper();
  }).observe(byId("reproduce"));
}

async function showOwn() {
  const button = (words) => node("button", { type: "button", class: "quiet-button", onclick: () => begin("/jobs/learn", query()) }, words);
  byId("own-figures").replaceChildren(...ownFigures(await call("GET", `/ranking${query()}`), button).filter(Boolean));
}

async function showSets() {
  const { sets } = await call("GET", `/expert-sets${query()}`);
  byId("sets").replaceChildren(...setsTable(sets, localStorage.getItem(RATER) || "", { label: startLabelling, agree }));
  byId("new-set").open = !sets.length;
}

async function startLabelling(set, rater) {
  problem(null);
  localStorage.setItem(RATER, rater);
  await beginLabelling(set, rater, library).catch((error) => { stopLabelling(); problem(error); });
}

async function agree(set) {
  problem(null);
  try {
    byId("agreement").replaceChildren(...agreementNodes(set, await call("GET", `/expert-sets/${encodeURIComponent(set)}/agreement${query()}`)));
    say(byId("agreement").querySelector("p").textContent);
  } catch (error) {
    problem(error);
  }
}

async function showPaper() {
  byId("paper").replaceChildren(node("p", { class: "quiet" }, "Looking at what the corpus has …"));
  byId("paper").replaceChildren(...paperNodes(await call("GET", `/paper${query()}`), library, (size) => begin("/jobs/paper", query(`&size=${size}`))).filter(Boolean));
}

function showEvaluation(job) {
  byId("evaluation").replaceChildren(...evaluationTables(job.result, (number) => ask({ draft: null, number })));
}

/** Jobs of before a reload are followed again; the last evaluation is shown. */
async function resume() {
  const mine = (await call("GET", "/jobs")).jobs.filter((job) => job.library === library && job.kind in KINDS);
  for (const job of mine.filter((each) => ["waiting", "running"].includes(each.state)).reverse()) attend(job);
  const last = mine.find((job) => job.kind === "evaluate" && job.state === "done");
  if (last) showEvaluation(await call("GET", `/jobs/${last.job}`));
}

async function begin(path, more, body) {
  problem(null);
  const kind = path.split("/").pop();
  if (running.has(kind)) return say(`${KINDS[kind]} is running already`);
  try {
    await attend(await call("POST", `${path}${more}`, body));
  } catch (error) {
    problem(error);
  }
}

/** Follows a job to its end and shows what came of it. */
async function attend(job) {
  const after = { learn: showOwn, evaluate: showEvaluation, "expert-set": showSets, paper: showPaper }[job.kind];
  running.add(job.kind);
  try {
    const done = await follow({ ...job, kind: KINDS[job.kind] }, byId(`job-${job.kind}`));
    if (done.state === "done" || job.kind === "paper") await after(done);
  } catch (error) {
    problem(error);
  } finally {
    running.delete(job.kind);
  }
}

/** Sends the judgements of a file, gzipped or plain. */
async function evaluateFile(file) {
  problem(null);
  try {
    const stream = /\.gz$/i.test(file.name) ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
    const judgements = judgementsOf(await new Response(stream).text());
    const body = { judgements, library };
    if (JSON.stringify(body).length > LIMIT) throw new Error("These are more judgements than the page sends at once: use `foreart evaluate --qrels FILE`.");
    await begin("/jobs/evaluate", "", body);
  } catch (error) {
    problem(error);
  }
}

function listenToForms() {
  const values = (form) => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, name === "name" ? value : Number(value)]));
  byId("draw").addEventListener("submit", (event) => {
    event.preventDefault();
    begin("/jobs/evaluate", "", { ...values(event.target), library });
  });
  byId("judged").addEventListener("submit", (event) => event.preventDefault());
  byId("make-set").addEventListener("submit", (event) => {
    event.preventDefault();
    const asking = values(event.target);
    begin("/jobs/expert-set", "", { ...asking, random: Math.max(200, 3 * asking.each), library });
  });
  const zone = byId("drop");
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (event.dataTransfer.files[0]) evaluateFile(event.dataTransfer.files[0]);
  });
  byId("qrels").addEventListener("change", (event) => {
    if (event.target.files[0]) evaluateFile(event.target.files[0]);
    event.target.value = "";
  });
}

const judging = (action) => () => (active() ? action() : false);

start(main, {
  signedIn, call, context: "judging",
  actions: {
    ...Object.fromEntries(Object.entries(digits(0, 5, label)).map(([key, action]) => [key, judging(action)])),
    n: judging(focusComment), s: judging(skip), Backspace: judging(back),
    Escape: judging(() => { stopLabelling(); location.reload(); }),
  },
});
