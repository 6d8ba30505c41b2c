// All judgements with categories and notes: filtered, changed, and how far readers agree.
import { byId, node } from "./nodes.js";
import { claims } from "./review_marks.js";
import { contents, isLiterature, JUDGED, rater } from "./review_matter.js";
import { itemOf } from "./review_queue.js";

const KINDS = { "": "all judgements", relevant: "relevant", maybe: "maybe", no: "irrelevant", later: "later", marked: "with a category or a note" };
const titles = new Map();
let page;
let run = 0;

/** `page` has `judge(id, judgement)` and `open(id)`. */
export function judgedList(given) {
  page = given;
  byId("judged-kind").replaceChildren(...Object.entries(KINDS).map(([value, label]) => node("option", { value }, label)));
  byId("judged-filter").addEventListener("submit", (event) => event.preventDefault());
  byId("judged-filter").addEventListener("change", showJudged);
}

/** Shows the list for the chosen judgement and reader. */
export function showJudged() {
  const { state, agreement, raters } = contents();
  const names = [...new Set([rater(), ...raters, ...state.judgements.map((item) => item.rater)])];
  const chosen = names.includes(byId("judged-rater").value) ? byId("judged-rater").value : rater();
  byId("judged-rater").replaceChildren(...names.map((name) => node("option", { value: name, selected: name === chosen }, name || "(no name)")));
  const kind = byId("judged-kind").value;
  const marked = new Set([...state.categories, ...state.notes].map((item) => item.document));
  const rows = state.judgements.filter((item) => item.rater === chosen && !isLiterature(item.document) && (kind === "marked" ? marked.has(item.document) : !kind || item.judgement === kind)).reverse();
  byId("judged-count").textContent = `${rows.length.toLocaleString("en")} ${rows.length === 1 ? "document" : "documents"}`;
  byId("judged-list").replaceChildren(...rows.map((item) => row(item, state, chosen === rater())));
  byId("agreement").replaceChildren(...agreed(agreement));
  nameThem(rows.map((item) => item.document));
}

function row(item, state, own) {
  const categories = state.categories.filter((one) => one.document === item.document);
  const notes = state.notes.filter((one) => one.document === item.document);
  return node("li", { class: "judged-row", "data-id": item.document },
    node("span", { class: `tag judged ${item.judgement}` }, JUDGED[item.judgement]),
    node("div", {},
      node("button", { type: "button", class: "link id prints", onclick: () => page.open(item.document) }, item.document), " ",
      node("span", { class: "judged-title" }, titles.get(item.document) ?? ""),
      categories.map((one) => node("p", {}, node("b", {}, one.category), claims(one))),
      notes.map((one) => node("p", { class: "written", dir: "auto" }, one.text, one.rater && one.rater !== item.rater ? node("small", {}, ` ${one.rater}`) : null))),
    own ? node("label", { class: "change" }, node("span", { class: "unseen" }, `Judgement of ${item.document}`),
      node("select", { onchange: (event) => page.judge(item.document, event.target.value) },
        Object.entries(JUDGED).map(([value, label]) => node("option", { value, selected: value === item.judgement }, value === "unjudged" ? "take it back" : label)))) : null);
}

/** Fills in titles, one document after the other. */
async function nameThem(ids) {
  const mine = ++run;
  for (const id of ids.filter((one) => !titles.has(one)).slice(0, 300)) {
    titles.set(id, (await itemOf(id).catch(() => null))?.title ?? "");
    if (mine !== run) return;
    const place = byId("judged-list").querySelector(`[data-id="${CSS.escape(id)}"] .judged-title`);
    if (place) place.textContent = titles.get(id);
  }
}

function agreed(pairs) {
  if (!pairs.length) return [node("p", { class: "quiet" }, "One person has judged so far. Another reader writes another name above.")];
  return pairs.map((pair) => {
    const [low, high] = pair.interval ?? [];
    const kappa = pair.kappa === null ? "kappa cannot be given" : `Cohen's κ ${pair.kappa.toFixed(2)}${pair.interval ? ` (95 %: ${low.toFixed(2)} to ${high.toFixed(2)})` : ""}`;
    return node("div", {},
      node("p", {}, node("b", {}, pair.raters.map((name) => name || "(no name)").join(" and ")), `: ${pair.equal} of ${pair.common} alike; ${kappa}${pair.interval ? "." : "; an interval needs ten documents and some that differ."}`),
      pair.differing.length ? node("p", {}, "They differ on ", pair.differing.map((id) => [isLiterature(id) ? node("span", { class: "id" }, id) : node("button", { type: "button", class: "link id prints", onclick: () => page.open(id) }, id), " "])) : null);
  });
}
