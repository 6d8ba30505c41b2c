// Blind labelling: one pair at a time, labelled by a key, saved at once; the browser gets neither score nor citation.
import { call } from "./api.js";
import { byId, node, problem, say } from "./nodes.js";

const KEPT = "labelling";
let at = null;
let busy = false;

/** Whether somebody is labelling now. */
export const active = () => !byId("labelling").hidden;

/** The set and rater of before a reload; null if nobody was labelling. */
export const interrupted = () => JSON.parse(sessionStorage.getItem(KEPT) || "null");

/** Shows the next pair of a rater in place of the overview. */
export async function beginLabelling(set, rater, library) {
  at = { set, rater, library, answer: null };
  sessionStorage.setItem(KEPT, JSON.stringify({ set, rater }));
  await show();
  byId("overview").hidden = true;
  byId("labelling").hidden = false;
  atTop();
}

/** Back to the overview; everything is saved already. */
export function stopLabelling() {
  sessionStorage.removeItem(KEPT);
  byId("labelling").hidden = true;
  byId("overview").hidden = false;
}

const path = (end, more = "") => `/expert-sets/${encodeURIComponent(at.set)}/${end}${more}`;

async function show(place = "") {
  const query = `?rater=${encodeURIComponent(at.rater)}&library=${encodeURIComponent(at.library)}${place}`;
  at.answer = await call("GET", path("next", query));
  byId("labelling").replaceChildren(...(at.answer.pair ? pairNodes(at.answer) : endNodes(at.answer)));
  if (active()) atTop();
  say(at.answer.pair ? `pair ${at.answer.place + 1} of ${at.answer.judged + at.answer.left}: ${at.answer.pair.document.title}` : "all pairs are judged");
}

/** A pair is read from its beginning; no label has the focus, so that Enter or Space gives none by mistake. */
function atTop() {
  scrollTo({ top: 0, behavior: "instant" });
  document.querySelector(".scale")?.focus({ preventScroll: true });
}

/** Keeps a label and shows the next pair. */
export async function label(score) {
  if (busy || !at?.answer?.pair) return;
  await keeping(async () => {
    await send({ score, comment: typed() });
    await show(`&after=${at.answer.place}`);
  });
}

/** The pair before this one in the order of the rater. */
export async function back() {
  if (busy || !at.answer) return;
  const last = at.answer.pair ? at.answer.place - 1 : at.answer.judged + at.answer.left - 1;
  if (last >= 0) await keeping(() => show(`&place=${last}`));
}

/** The next pair without judging this one; it comes again at the end. */
export async function skip() {
  if (busy || !at.answer?.pair) return;
  await keeping(async () => {
    if (typed() && typed() !== (at.answer.given?.comment || "")) await send({ comment: typed() });
    await show(`&after=${at.answer.place}`);
  });
}

export const focusComment = () => byId("comment")?.focus();

async function keeping(action) {
  busy = true;
  problem(null);
  try {
    await action();
  } catch (error) {
    problem(error);
  } finally {
    busy = false;
  }
}

const typed = () => byId("comment").value.trim();

function send(judgement) {
  const { target, document: candidate } = at.answer.pair;
  return call("POST", path("labels"), { rater: at.rater, target: target.id, document: candidate.id, library: at.library, ...judgement });
}

function headNodes({ set, rater, judged, left }, place) {
  return node("div", { class: "label-head" },
    node("p", {}, node("b", {}, set), ` · ${rater} · `, place, node("span", { class: "quiet" }, ` · ${judged} judged, ${left} left`)),
    node("progress", { max: judged + left, value: judged, "aria-label": `${judged} of ${judged + left} judged` }),
    node("button", { type: "button", class: "quiet-button", id: "stop-labelling", onclick: () => { stopLabelling(); location.reload(); } }, "Stop for now"));
}

function pairNodes(answer) {
  const { pair, scale, given, place, judged, left } = answer;
  return [node("div", { class: "label-bar" },
    headNodes(answer, `pair ${place + 1} of ${judged + left}`),
    node("p", { class: "asked" }, "How relevant is the document as prior art of the patent?"),
    node("div", { class: "scale", tabindex: -1, role: "group", "aria-label": "label" }, Object.entries(scale).map(([score, text]) => node("button", {
      type: "button", class: "quiet-button", "aria-pressed": String(String(given?.label) === score), onclick: () => label(Number(score)),
    }, node("kbd", {}, score), " ", text))),
    node("div", { class: "label-tools" },
      node("button", { type: "button", class: "quiet-button", disabled: place === 0, onclick: back }, "Back", node("kbd", {}, "⌫")),
      node("button", { type: "button", class: "quiet-button", onclick: skip }, "Skip for now", node("kbd", {}, "s")),
      node("label", { class: "comment" }, node("span", {}, "Comment ", node("kbd", {}, "n")), node("input", { id: "comment", maxlength: 2000, value: given?.comment || "", autocomplete: "off", spellcheck: "false", translate: "no", onkeydown: leaveComment })))),
  node("div", { class: "pair" }, text("Patent", pair.target), text("Document", pair.document))];
}

/** Enter and Escape give the keys back to the labels. */
function leaveComment(event) {
  if (event.key !== "Escape" && event.key !== "Enter") return;
  event.preventDefault();
  document.querySelector(".scale").focus();
}

function text(name, patent) {
  return node("article", { class: "card", lang: patent.language || null, "aria-label": name },
    node("p", { class: "quiet" }, name, " ", node("span", { class: "id" }, patent.id)),
    node("h3", {}, patent.title || "(no title)"),
    node("p", {}, patent.abstract || node("span", { class: "none" }, "no abstract")),
    patent.claims.length ? node("h4", {}, "Claims") : null,
    patent.claims.length ? claims(patent.claims) : null);
}

/** The first claims at once; the others on demand. */
function claims(all) {
  const item = (claim) => node("li", { value: claim.number }, claim.text);
  const list = node("ol", { class: "claims" }, all.slice(0, 3).map(item));
  if (all.length <= 3) return list;
  const more = node("button", { type: "button", class: "quiet-button", onclick: () => { list.append(...all.slice(3).map(item)); more.remove(); } }, `${all.length - 3} more claims`);
  return node("div", {}, list, more);
}

function endNodes(answer) {
  return [
    headNodes(answer, "all pairs are judged"),
    node("p", { class: "asked" }, "All pairs of this set are judged. Thank you."),
    node("p", {}, node("button", { type: "button", class: "quiet-button", onclick: back }, "Back to the last pair")),
  ];
}
