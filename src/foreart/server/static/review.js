// Review: matters, and the review of the open one: judged by keys, ordered again, counted, reported.
import { call, signedIn } from "./api.js";
import { byId, node, problem, say, start } from "./nodes.js";
import { aboutOf, showAbout } from "./review_about.js";
import { again, appended, clear, current, judge, onChange, open, step, turn } from "./review_desk.js";
import { onHighlights, toggleAll } from "./review_highlights.js";
import { judgedList, showJudged } from "./review_judged.js";
import { leaveDocument, marksOf, openCategory, openNote } from "./review_marks.js";
import { literature, showLiterature } from "./review_literature.js";
import { at, contents, forget, openName, rater, setOpen, setRater } from "./review_matter.js";
import { mattersOf, showMatters } from "./review_matters.js";
import { begin, run, seen, settled } from "./review_outbox.js";
import { progress } from "./review_progress.js";
import { reports } from "./review_report.js";
import { follow, leave } from "./review_stream.js";

const VIEWS = [["read", "Read"], ["judged", "Judged"], ["report", "Report"], ["about", "Matter"]];

async function main() {
  byId("rater").value = rater();
  mattersOf(opened);
  marksOf({ current, changed: again });
  progress(again);
  judgedList({ judge: (id, judgement) => judge(judgement, { id, stay: true }), open: (id) => { show("read"); return open(id); } });
  literature(again);
  aboutOf({ changed: again, left: away });
  reports(again);
  onHighlights(again);
  onChange(drawn);
  fillViews();
  listenToControls();
  if (openName()) await opened(openName());
  else await showMatters();
}

/** Opens a matter; a sealed one asks for its passphrase. */
async function opened(name) {
  if (current()) leaveDocument();
  setOpen(name);
  clear();
  forget();
  Object.assign(seen, { last: 0, undo: null, redo: null });
  byId("matters").hidden = true;
  byId("matter").hidden = byId("matter-head").hidden = false;
  byId("matter-title").textContent = name;
  byId("matter-facts").textContent = "";
  try {
    sealed(false);
    await begin(waits);
    await again();
    follow({ appended, again, closed: (sentence) => { problem(new Error(`${sentence[0].toUpperCase()}${sentence.slice(1)}.`)); sealed(true); } });
  } catch (error) {
    if (error.status === 403) return sealed(true);
    if (error.status !== 404) throw error;
    await away();
    problem(error);
  }
}

async function away() {
  if (current()) leaveDocument();
  leave();
  setOpen("");
  clear();
  forget();
  problem(null);
  await showMatters();
}

/** Shows the field for the passphrase in place of the matter. */
function sealed(on) {
  byId("unseal").hidden = !on;
  byId("views").hidden = on;
  byId("unseal-fault").textContent = "";
  if (on) {
    leave();
    for (const [name] of VIEWS) byId(`view-${name}`).hidden = true;
    byId("unseal").passphrase.focus();
  } else show(sessionStorage.getItem("review-view") || "read");
}

async function unseal(event) {
  event.preventDefault();
  const field = byId("unseal").passphrase;
  try {
    await call("POST", at("/open"), { passphrase: field.value });
    field.value = "";
    problem(null);
    await opened(openName());
  } catch (error) {
    byId("unseal-fault").textContent = `${error.message[0].toUpperCase()}${error.message.slice(1)}.`;
    field.select();
  }
}

/** Says what is not on the disk yet, and when all of it is. */
function waits(number, error) {
  const place = byId("waiting");
  if (error?.status === 403) sealed(true);
  if (number && error) {
    place.hidden = false;
    place.textContent = `${error.status ? error.message : "The server does not answer"}: ${number} ${number === 1 ? "change waits" : "changes wait"} here and ${number === 1 ? "is" : "are"} sent ${error.status ? "when that is mended" : "as soon as it does"}.`;
  } else if (!number && !place.hidden) {
    place.hidden = true;
    say("everything is saved");
  }
}

function drawn() {
  const record = contents();
  byId("matter-title").textContent = record.title || record.name;
  byId("matter-facts").textContent = `${record.name}${record.sealed ? " · sealed" : ""} · ${record.judged} judged · ${record.relevant} relevant`;
  byId("raters").replaceChildren(...record.raters.map((name) => node("option", { value: name })));
  if (!rater() && record.raters.some(Boolean) && !byId("undo-said").textContent) byId("undo-said").textContent = `Who reads? So far: ${record.raters.filter(Boolean).join(", ")}. Write your name above.`;
  byId("tab-judged").querySelector("small").textContent = ` ${record.judged}`;
  const chosen = VIEWS.find(([name]) => !byId(`view-${name}`).hidden)?.[0];
  if (chosen === "judged") {
    showJudged();
    showLiterature();
  }
  if (chosen === "about") showAbout();
}

function fillViews() {
  byId("views").replaceChildren(...VIEWS.map(([name, label]) =>
    node("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `view-${name}`, "aria-selected": "false", tabindex: "-1", onclick: () => show(name) }, label, node("small", {}))));
  byId("views").addEventListener("keydown", (event) => {
    const place = VIEWS.findIndex(([name]) => byId(`tab-${name}`) === document.activeElement);
    const to = VIEWS[{ ArrowRight: (place + 1) % VIEWS.length, ArrowLeft: (place + VIEWS.length - 1) % VIEWS.length, Home: 0, End: VIEWS.length - 1 }[event.key]];
    if (!to) return;
    event.preventDefault();
    show(to[0]);
    byId(`tab-${to[0]}`).focus();
  });
}

function show(name) {
  sessionStorage.setItem("review-view", name);
  for (const [other] of VIEWS) {
    const on = other === name;
    byId(`view-${other}`).hidden = !on;
    byId(`tab-${other}`).setAttribute("aria-selected", String(on));
    byId(`tab-${other}`).tabIndex = on ? 0 : -1;
  }
  if (contents()) drawn();
}

function listenToControls() {
  byId("to-matters").addEventListener("click", () => away().catch(problem));
  byId("unseal").addEventListener("submit", unseal);
  byId("undo").addEventListener("click", () => step("undo").catch(problem));
  byId("redo").addEventListener("click", () => step("redo").catch(problem));
  byId("elsewhere").addEventListener("change", () => again().then(() => say("ordered again"), problem));
  byId("rater").addEventListener("change", async () => {
    if (current()) leaveDocument();
    await settled();
    setRater(byId("rater").value.trim());
    if (openName() && contents()) await opened(openName());
  });
  for (const button of document.querySelectorAll("[data-judge]")) button.addEventListener("click", (event) => judge(button.dataset.judge, { stay: event.shiftKey }));
  addEventListener("online", run);
}

const reading = (action) => () => (byId("view-read").hidden || byId("matter").hidden || !contents() ? false : void action());
const judging = Object.fromEntries([["r", "relevant"], ["m", "maybe"], ["i", "no"], ["l", "later"]].flatMap(([key, judgement]) => [
  [key, reading(() => judge(judgement))], [`Shift+${key.toUpperCase()}`, reading(() => judge(judgement, { stay: true }))]]));

start(main, { signedIn, call, context: "review", actions: {
  ...judging,
  v: reading(openCategory), n: reading(openNote), z: reading(() => step("undo")), "Shift+Z": reading(() => step("redo")),
  j: reading(() => turn(1)), k: reading(() => turn(-1)), h: reading(toggleAll),
  e: reading(() => { const place = byId("reasons"); place.open = !place.open; if (place.open) place.querySelector("summary").focus(); }),
} });
