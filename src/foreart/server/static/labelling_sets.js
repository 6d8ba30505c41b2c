// Expert sets: who has judged how much, and how far raters agree.
import { counted } from "./bars.js";
import { node } from "./nodes.js";

// Landis and Koch (1977); the words are customs, not tests.
const WORDS = [[0, "worse than chance"], [0.2, "slight"], [0.4, "fair"], [0.6, "moderate"], [0.8, "substantial"], [Infinity, "almost perfect"]];

/** Agreement in words. */
export const kappaWords = (kappa) => (kappa === null ? "not defined: all labels are the same" : WORDS.find(([most]) => kappa < most || (most > 0 && kappa === most))[1]);

/** The table of sets; `on` has label(set, rater) and agree(set). */
export function setsTable(sets, rater, on) {
  if (!sets.length) return [node("p", {}, "There is no set yet: make one below.")];
  return [node("ul", { class: "plain sets" }, sets.map((set) => setItem(set, rater, on)))];
}

function setItem(set, rater, on) {
  const raters = Object.entries(set.raters);
  return node("li", { class: "card set" },
    node("h3", {}, set.name, node("small", { class: "quiet" }, ` ${counted(set.pairs)} pairs`)),
    raters.length ? node("ul", { class: "plain raters" }, raters.map(([name, judged]) => node("li", {},
      node("span", { class: "rater" }, name), node("progress", { max: set.pairs, value: judged, "aria-label": `${name}: ${judged} of ${set.pairs} judged` }), node("span", { class: "quiet" }, `${counted(judged)} of ${counted(set.pairs)}`))))
      : node("p", { class: "quiet" }, "Nobody has judged anything yet."),
    node("form", { class: "fields", onsubmit: (event) => { event.preventDefault(); on.label(set.name, new FormData(event.target).get("rater").trim()); } },
      node("label", {}, "Your name ", node("input", { name: "rater", required: true, maxlength: 62, value: rater, autocomplete: "off", spellcheck: "false" })),
      " ", node("button", {}, "Label"), " ",
      raters.length > 1 ? node("button", { type: "button", class: "quiet-button", onclick: () => on.agree(set.name) }, "Agreement") : null));
}

/** How far raters agree, with words. */
export function agreementNodes(set, { judged, pairs, mean }) {
  const kappa = (value) => (value === null ? "–" : value.toFixed(2));
  return [
    node("h3", {}, `Agreement on ${set}`),
    node("p", {}, `On the mean, two raters give the same label to ${Math.round(100 * mean.equal)} of 100 pairs; weighted kappa ${kappa(mean.linear)}: ${kappaWords(mean.linear)} agreement.`),
    node("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "agreement" }, node("table", {},
      node("thead", {}, node("tr", {}, ["raters", "pairs of both", "same label", "kappa, linear", "kappa, quadratic", "agreement"].map((name) => node("th", { scope: "col" }, name)))),
      node("tbody", {}, pairs.map((pair) => node("tr", {},
        node("th", { scope: "row" }, `${pair.raters[0]} (${counted(judged[pair.raters[0]])}) and ${pair.raters[1]} (${counted(judged[pair.raters[1]])})`),
        node("td", { class: "number" }, counted(pair.common)), node("td", { class: "number" }, pair.common ? `${Math.round(100 * pair.equal)} %` : "–"),
        node("td", { class: "number" }, kappa(pair.linear)), node("td", { class: "number" }, kappa(pair.quadratic)),
        node("td", {}, pair.common ? kappaWords(pair.linear) : "no pair of both yet")))))),
    node("p", { class: "quiet caption" }, "Kappa is 1 for full agreement and 0 for that of chance; weighted, labels one apart count as nearly equal. Words after Landis and Koch (1977)."),
  ];
}
