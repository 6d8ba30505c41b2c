// Two hits side by side in full: dates, status, shares of the score, passages, first claims and words.
import { call } from "./api.js";
import { asked, shown } from "./asked.js";
import { badge, colourOf, rangeOf, scoreBar, timeLine } from "./hits.js";
import { byId, drawn, node, problem } from "./nodes.js";
import { publication, quoted, tags } from "./result_rows.js";

/** Opens the dialog; claims are added when they have come. */
export function openComparison(hits, result) {
  const best = Math.max(...result.hits.map((hit) => hit.score));
  const range = rangeOf(hits, result.cutoff.date);
  const most = Math.max(0.01, ...hits.flatMap((hit) => hit.shares.map((share) => Math.abs(share.contribution))));
  const words = hits.map((hit) => new Set(hit.words.map((item) => item.word)));
  const claims = hits.map(() => node("dd", { class: "first-claim" }, "…"));
  const rows = [
    ["", (hit) => node("dd", { class: "heads", lang: hit.language || null }, node("a", { href: "/reading", onclick: () => { shown.document = hit.id; } }, `${hit.rank}. ${hit.title || "(no title)"}`))],
    ["Document", (hit) => node("dd", {}, node("span", { class: "id" }, hit.id), node("br"), hit.applicants.join("; ") || "applicant unknown", node("p", { class: "line" }, ...tags(hit, { seen: new Set() })))],
    ["Status", (hit) => node("dd", {}, badge(hit.status), node("p", { class: "quiet" }, hit.rule))],
    ["Dates", (hit) => node("dd", {}, timeLine(hit, result.cutoff.date, range), node("p", {}, dates(hit)))],
    ["Score", (hit) => node("dd", {}, node("p", { class: "line" }, scoreBar(hit, best), node("b", { class: "figure" }, hit.score.toFixed(2))), shares(hit, result, most))],
    ["Closest passage", (hit) => node("dd", { lang: hit.language || null }, ...quoted(hit))],
    ["First claim", (hit, place) => claims[place]],
    ["Abstract", (hit) => node("dd", { lang: hit.language || null }, hit.abstract || "none in the corpus")],
    ["Words", (hit, place) => node("dd", {}, node("ul", { class: "words" }, ...hit.words.slice(0, 15).map((item) =>
      node("li", { class: words[1 - place].has(item.word) ? "" : "own-word", title: words[1 - place].has(item.word) ? "also of the other" : "not among the words of the other" }, item.word))))],
    ["Family", (hit) => node("dd", {}, hit.family_members.map((member) => member.id).join(", ") || "no other member in the corpus")],
  ];
  byId("compared").replaceChildren(node("dl", { class: "compare" }, ...rows.flatMap(([label, cell]) => [node("dt", { class: label ? null : "heads" }, label || node("span", { class: "unseen" }, "Title")), ...hits.map(cell)])));
  byId("compare").showModal();
  hits.forEach((hit, place) => firstClaim(hit, claims[place]).catch(problem));
}

async function firstClaim(hit, place) {
  const { library } = asked();
  const document = await call("GET", `/documents/${encodeURIComponent(hit.id)}${library ? `?library=${encodeURIComponent(library)}` : ""}`);
  const [claim] = document.claims || [];
  place.replaceChildren(claim || "no claims in the corpus");
  if (hit.language) place.lang = hit.language;
}

function dates(hit) {
  return [hit.priority && `priority ${hit.priority}`, hit.filed && `filed ${hit.filed}`, publication(hit)].filter(Boolean).join(" · ");
}

function shares(hit, result, most) {
  const value = new Map(hit.shares.map((share) => [share.group, share.contribution]));
  return node("div", { class: "share-rows" }, ...result.groups.filter((group) => value.has(group.name)).flatMap((group) => [
    node("span", { title: group.about }, group.name),
    drawn("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, drawn("rect", { class: colourOf(group.name), width: Math.max(0.5, (100 * Math.abs(value.get(group.name))) / most), height: 8 })),
    node("span", { class: "figure" }, `${value.get(group.name) < 0 ? "−" : "+"}${Math.abs(value.get(group.name)).toFixed(2)}`)]));
}
