// One hit as a row: what it is, its best passage, its status and dates, and its score in shares.
import { shown } from "./asked.js";
import { badge, scoreBar, timeLine } from "./hits.js";
import { marked } from "./marked.js";
import { node } from "./nodes.js";

const by = (key, direction) => (one, other) => direction * String(one[key] || "").localeCompare(String(other[key] || "")) || one.rank - other.rank;
const STATUS = ["prior art", "novelty only", "mentioned", "date unknown"];
/** The orders of the list: label and comparison. */
export const SORTS = {
  rank: ["by rank", (one, other) => one.rank - other.rank],
  newest: ["newest first", by("published", -1)],
  oldest: ["oldest first", (one, other) => Number(!one.published) - Number(!other.published) || by("published", 1)(one, other)],
  priority: ["earliest priority first", (one, other) => Number(!one.priority) - Number(!other.priority) || by("priority", 1)(one, other)],
  status: ["by status", (one, other) => STATUS.indexOf(one.status) - STATUS.indexOf(other.status) || one.rank - other.rank],
  applicant: ["by applicant", (one, other) => Number(!one.applicants.length) - Number(!other.applicants.length) || one.applicants.join().localeCompare(other.applicants.join()) || one.rank - other.rank],
};

export const sorted = (hits, name) => [...hits].sort((SORTS[name] || SORTS.rank)[1]);

/** The row; `view` has what all rows share. */
export function hitRow(hit, view) {
  const heading = `hit-${hit.rank}`;
  return node("li", { class: `row${view.seen.has(hit.id) ? " seen" : ""}${view.marked.has(hit.id) ? " marked" : ""}`, "data-id": hit.id, tabindex: "-1", "aria-labelledby": heading },
    node("p", { class: "rank", "aria-label": `rank ${hit.rank}` }, hit.rank),
    node("div", { class: "what" },
      node("h2", { id: heading, lang: hit.language || null }, node("a", { href: "/reading", onclick: () => { shown.document = hit.id; } }, hit.title || "(no title)")),
      node("p", { class: "by" }, node("span", { class: "id" }, hit.id), " · ", node("bdi", {}, hit.applicants.join("; ") || "applicant unknown"), ` · ${hit.published ? `published ${hit.published}` : "publication date unknown"} `, ...tags(hit, view).flatMap((tag) => [tag, " "]), moreButton(hit)),
      passage(hit),
      more(hit)),
    node("div", { class: "side" },
      node("p", { class: "line" }, badge(hit.status, hit.rule), node("label", { class: "mark" }, node("input", { type: "checkbox", checked: view.marked.has(hit.id), "aria-label": `mark ${hit.id} for comparison`, onchange: () => view.mark(hit.id) }), "compare")),
      timeLine(hit, view.cutoff, view.range),
      node("p", { class: "line" }, scoreBar(hit, view.best), node("span", { class: "figure quiet" }, hit.score.toFixed(2)))));
}

export const publication = (hit) => (hit.published ? `published ${hit.published}${hit.published_estimated ? " (estimated)" : ""}` : "publication date unknown");

/** Badges: what a reader should know before opening it. */
export function tags(hit, view) {
  const others = hit.family_members.length;
  return [
    view?.seen.has(hit.id) ? node("span", { class: "tag" }, "seen") : null,
    others ? node("span", { class: "tag", title: hit.family_members.map((member) => member.id).join(", ") }, `family ${others + 1}`) : null,
    hit.depth !== "full" ? node("span", { class: "tag" }, { abstract: "no description", title: "title only", empty: "no text" }[hit.depth]) : null,
    hit.hub ? node("span", { class: "tag hub", title: "Ranks high for drafts on any subject: its rank means less than usual." }, "hub") : null,
    hit.published_estimated ? node("span", { class: "tag", title: "The publication date is an estimate." }, "estimated date") : null,
    hit.language && hit.language !== "en" ? node("span", { class: "tag" }, hit.language) : null,
  ].filter(Boolean);
}

/** Nodes of the best passage with its marks, else of the abstract. */
export function quoted(hit) {
  if (hit.passage) return marked(hit.passage.text, hit.passage.marks.map(([from, to]) => [from, to, ""]));
  return [hit.abstract || "The corpus has no text of this document."];
}

const WINDOW = 190; // letters that two lines hold

/** The two lines of the passage with the most marks, from the beginning of a sentence. */
function excerpt(hit) {
  if (!hit.passage) return quoted(hit);
  const { text, marks } = hit.passage;
  const starts = [0, ...[...text.matchAll(/[.;:]\s+(?=\S)/g)].map((found) => found.index + found[0].length)];
  const within = (start) => marks.filter(([from, to]) => from >= start && to <= start + WINDOW).length;
  const start = starts.reduce((best, one) => (within(one) > within(best) ? one : best), 0);
  const shifted = marks.filter(([from]) => from >= start).map(([from, to]) => [from - start, to - start, ""]);
  return [start ? "… " : "", ...marked(text.slice(start), shifted)];
}

function passage(hit) {
  return node("p", { class: "passage", lang: hit.language || null }, ...excerpt(hit));
}

function more(hit) {
  const chance = hit.chance ? `${(100 * hit.chance.share).toFixed(hit.chance.share < 0.1 ? 1 : 0)} % of documents with such a score were cited in past searches (${(100 * hit.chance.low).toFixed(0)} to ${(100 * hit.chance.high).toFixed(0)} %).` : "";
  const place = hit.passage && [hit.passage.heading, hit.passage.number && `[${hit.passage.number}]`].filter(Boolean).join(" ");
  return node("div", { class: "why", id: `more-${hit.rank}`, hidden: true },
      place ? node("p", { class: "quiet" }, `Closest paragraph: ${place}`) : null,
      hit.rule ? node("p", {}, `${hit.status}: ${hit.rule}`) : null,
      chance ? node("p", {}, chance) : null,
      node("p", {}, node("span", { class: "quiet" }, "Words that count most: "), hit.words.slice(0, 10).map((item) => item.word).join(", ")),
      hit.family_members.length ? node("ul", { class: "plain", "aria-label": "Of the same family" }, node("li", { class: "quiet" }, "Of the same family:"), ...hit.family_members.map((member) =>
        node("li", {}, node("span", { class: "id" }, member.id), ` ${member.published || "undated"} `, badge(member.status, member.rule)))) : null);
}

function moreButton(hit) {
  const button = node("button", { type: "button", class: "link", "aria-expanded": "false", "aria-controls": `more-${hit.rank}`, "aria-label": `more about ${hit.id}`, onclick: () => {
    const place = document.getElementById(`more-${hit.rank}`);
    place.hidden = !place.hidden;
    const text = place.parentElement.querySelector(".passage");
    text.classList.toggle("whole", !place.hidden);
    text.replaceChildren(...(place.hidden ? excerpt(hit) : quoted(hit)));
    button.setAttribute("aria-expanded", String(!place.hidden));
    button.textContent = place.hidden ? "more" : "less";
  } }, "more");
  return button;
}
