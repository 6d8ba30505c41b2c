// The document to judge, in full: front page, why it is shown now, the closest passage, abstract, claims, description.
import { askFor, asked, shown } from "./asked.js";
import { badge, rangeOf, timeLine } from "./hits.js";
import { marked, occurrences } from "./marked.js";
import { byId, node } from "./nodes.js";
import { paint, textPanels, timesOf } from "./reading_text.js";
import { contents, cutoff, judgementOf, JUDGED } from "./review_matter.js";
import { groupsOn, showGroups } from "./review_highlights.js";
import { textOf } from "./review_queue.js";

let current = "";

/** Shows what is known at once, and the text as soon as it is there: it is, if it was fetched ahead. */
export async function showDocument(item) {
  current = item.id;
  byId("document").hidden = false;
  byId("document-title").replaceChildren(item.title || "(no title)");
  byId("document-facts").replaceChildren(node("span", { class: "id" }, item.id), ` · ${item.applicants?.join("; ") || "applicant unknown"}${datesOf(item)}${item.family?.length ? ` · family: ${item.family.join(", ")}` : ""}`);
  byId("standing").replaceChildren(
    item.status ? badge(item.status, item.rule) : "",
    item.rule ? node("span", { class: "rule", title: item.rule }, item.rule) : "",
    timeLine(item, cutoff(), rangeOf([item], cutoff())));
  byId("reason-list").replaceChildren(...reasons(item));
  byId("closest").replaceChildren(...closest(item));
  byId("texts").replaceChildren(item.known ? node("p", { class: "quiet" }, "…") : node("p", { class: "note" }, "This document is no longer in the corpus; what is known of it comes from the record of the search."));
  showStanding(item);
  showMarks();
  if (!item.known) return;
  const record = await textOf(item.id);
  if (current === item.id) showText(record, item);
}

/** The line above the title: rank, what others and this reader have made of it. */
export function showStanding(item) {
  const mine = judgementOf(item.id);
  const state = contents()?.state;
  const seed = state?.seeds.some((one) => one.document === item.id);
  const ignored = state?.ignored.some((one) => one.document === item.id || one.family.includes(item.id));
  byId("document-line").replaceChildren(
    node("span", { class: "quiet" }, item.rank ? `rank ${item.rank} of the search` : "not listed by the search"),
    item.elsewhere ? node("span", { class: "tag elsewhere", title: "One in ten comes from elsewhere: a high score, but unlike what was judged." }, "from elsewhere") : "",
    item.postponed ? node("span", { class: "tag" }, "postponed") : "",
    mine ? node("span", { class: `tag judged ${mine.judgement}` }, `you: ${JUDGED[mine.judgement]}`) : "",
    seed ? node("span", { class: "tag" }, "seed") : "", ignored ? node("span", { class: "tag" }, "ignored") : "",
    node("a", { class: "open-reading", href: "/reading", onclick: () => toReading(item.id) }, "Open in Reading"));
}

/** Marks highlighted words in the text. */
export function showMarks() {
  paint({ passages: [], groups: groupsOn(), bridges: [] });
  showGroups(byId("groups"), timesOf);
}

function showText(record, item) {
  const text = textPanels(record, byId("document-title"));
  const abstracts = [...text.description.querySelectorAll(".abstract")];
  const count = record.claims?.length || 0;
  byId("texts").replaceChildren(
    node("section", { class: "text" }, abstracts.length ? abstracts : node("p", { class: "quiet" }, "The corpus has no abstract of this document.")),
    node("details", { open: true }, node("summary", {}, `Claims `, node("small", {}, count)), text.claims),
    node("details", { class: "description", open: !count }, node("summary", {}, "Description ", node("small", {}, record.paragraphs?.length || 0)), text.description));
  if (!item.applicants?.length && record.applicants.length) item.applicants = record.applicants;
  showMarks();
}

const datesOf = (item) => [["priority", item.priority], ["filed", item.filed], ["published", item.published]].filter(([, date]) => date).map(([name, date]) => ` · ${name} ${date}`).join("");

function closest({ passage, words }) {
  if (!passage) return [];
  const place = [passage.heading, passage.number && `[${passage.number}]`].filter(Boolean).join(" ");
  return [node("h3", {}, "Closest passage ", node("small", {}, place)),
    node("blockquote", { class: "closest", dir: "auto" }, ...marked(passage.text, occurrences(passage.text, words).map(([from, to]) => [from, to, ""])))];
}

const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

function reasons(item) {
  if (item.score === null) return [node("p", { class: "quiet" }, "It was opened from the list of judged documents.")];
  const { judgements: told } = item;
  const parts = told?.parts ?? [];
  return [
    item.chance === null || item.chance === undefined ? null : node("p", {}, `Chance of being relevant: ${chance(item.chance)}.`),
    node("ul", { class: "plain reason-list" },
      item.channels.map(([name, value]) => node("li", {}, node("span", { class: "figure" }, signed(value)), ` ${name}`)),
      told && parts.length ? node("li", {}, node("span", { class: "figure" }, signed(told.contribution)), ` ${told.channel}`, node("ul", { class: "plain" }, parts.map((part) => node("li", {}, node("span", { class: "figure" }, signed(part.contribution)), ` ${part.words}`)))) : null),
    item.words.length ? node("p", { class: "quiet" }, `Words that count most: ${item.words.join(", ")}`) : null,
    item.elsewhere ? node("p", {}, "It is from elsewhere: its score is high, and its topics are unlike those of the judged documents.") : null,
  ].filter(Boolean);
}

const chance = (share) => (share < 0.01 ? "below 1 %" : `${Math.round(100 * share)} %`);

/** Reading shows the document beside the draft of the matter, if the server still has that. */
function toReading(id) {
  const desk = contents()?.state.drafts.at(-1)?.desk;
  if (desk && asked().draft !== desk) askFor(desk);
  shown.document = id;
  if (!shown.hits.includes(id)) shown.hits = [id];
}
