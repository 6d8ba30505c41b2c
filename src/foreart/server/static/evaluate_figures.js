// Metrics as tables: with interval, warm and cold beside each other, and for every query.
import { barTable, counted } from "./bars.js";
import { drawn, node } from "./nodes.js";

const SHOWN = ["map", "ndcg@10", "recall@100", "pres@100"];

// What the usual metrics say, plainly; their name stands in the title.
const PLAIN = {
  map: () => "how far up all relevant documents stand; 1 if they come first",
  mrr: () => "how far up the first relevant document stands; 0.5 is second place",
  ndcg: (k) => `how well the first ${k || "ones"} are ordered; the top counts most`,
  p: (k) => `share of the first ${k} that is relevant`,
  recall: (k) => `share of the relevant documents that is among the first ${k}`,
  pres: (k) => `the same, and how early they come, for somebody who reads ${k}`,
  auc: () => "how often a relevant document scores above a random one",
  ap: () => "precision over all pairs at once, relevant and random",
};

/** The cell that says what a metric says. */
function saysCell(name, title) {
  const [base, k] = name.split("@");
  return node("td", { class: "says", title: title || null }, PLAIN[base]?.(k) || title || "");
}

export const figure = (value) => (Number.isFinite(value) ? value.toFixed(3) : "–");

/** What learning measured, warm and cold beside each other, with plain words. */
export function ownFigures({ learned, metrics }, again) {
  if (!learned) {
    return [
      node("p", {}, "The ranking uses the weights that come with foreart; nothing was measured on this corpus yet."),
      node("p", {}, again("Learn the ranking"), node("span", { class: "quiet" }, " from the citations of this corpus: takes minutes, and then says here how good it is")),
    ];
  }
  const { warm, cold, training, weights } = learned;
  const names = SHOWN.filter((name) => name in warm);
  return [
    learned.outgrown ? node("p", { class: "note" }, `The corpus has changed much since: ${learned.outgrown}. `, again("Learn again")) : null,
    node("p", { class: "about" }, inWords(warm, cold)),
    node("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "own figures" }, node("table", { class: "metrics" },
      node("thead", {}, node("tr", {}, ["metric", "as it is", "new subject", "what it says"].map((name) => node("th", { scope: "col" }, name)))),
      node("tbody", {}, names.map((name) => node("tr", {},
        node("th", { scope: "row" }, name),
        valueCell(warm[name]), valueCell(cold[name], cold.intervals?.[name]),
        saysCell(name, metrics[name])))))),
    node("p", { class: "quiet caption" },
      `Measured on ${counted(warm.judged)} patents of this corpus with their citations (${warm.how}), of ${counted(training.documents)} documents then. `,
      "“As it is”: other documents may have nearly the same citations, as those of one applicant often do. “New subject”: such siblings are hidden; expect this for a draft on what is new to the corpus. It counts how crowded the subjects of those patents have become since, and each group of siblings once",
      cold.plain ? ` (line: 95 % interval; plain means of the past rankings: map ${figure(cold.plain.map)}, recall@100 ${figure(cold.plain["recall@100"])}).` : "."),
    node("details", {}, node("summary", {}, "Weights of the signals"),
      barTable(Object.entries(weights).filter(([, weight]) => Math.abs(weight) >= 0.005).sort((one, other) => other[1] - one[1])
        .map(([name, weight]) => ({ name: `${name}  ${weight.toFixed(2)}`, count: Math.max(0, Math.round(weight * 100)) })), { head: "signal", total: 0, most: 40 })),
  ];
}

function inWords(warm, cold) {
  const share = (value) => `${Math.round(100 * value)} of 100`;
  if (!Number.isFinite(warm["recall@100"])) return "";
  const other = Number.isFinite(cold["recall@100"]) ? `; for a subject that is new here, ${share(cold["recall@100"])}` : "";
  return `Of the documents that a past patent cites and that are in this corpus, ${share(warm["recall@100"])} stand among its first 100 hits${other}.`;
}

function valueCell(value, span) {
  return node("td", { class: "value" }, node("b", { class: "figure" }, figure(value)), Number.isFinite(value) ? gauge(value, span) : null);
}

/** A value from 0 to 1 as a bar, with its interval as a line. */
function gauge(value, span) {
  return drawn("svg", { class: "gauge", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    drawn("rect", { class: "c-text", x: 0, y: 2, width: 100 * value, height: 6 }),
    span ? drawn("line", { class: "mark-line", x1: 100 * span[0], x2: 100 * span[1], y1: 5, y2: 5 }) : null);
}

/** The result of an evaluation; `search(query)` leads to the hits of a query. */
export function evaluationTables(result, search) {
  const { metrics, intervals = {}, cold, described, per_query: perQuery, titles } = result;
  const names = Object.keys(metrics);
  const level = Math.round(100 * result.conditions.level);
  const source = result.source.kind === "citations" ? `the citations of ${counted(result.queries)} patents drawn with seed ${result.source.seed}` : `${counted(result.queries)} queries with judgements`;
  return [
    node("h3", {}, `Against ${source}`),
    node("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "metrics" }, node("table", { class: "metrics" },
      node("thead", {}, node("tr", {}, ["metric", "value", `${level} % interval`, ...(cold ? ["new subject"] : []), "what it says"].map((name) => node("th", { scope: "col" }, name)))),
      node("tbody", {}, names.map((name) => node("tr", {},
        node("th", { scope: "row" }, name), valueCell(metrics[name], intervals[name]),
        node("td", { class: "date" }, intervals[name] ? `${figure(intervals[name][0])} to ${figure(intervals[name][1])}` : "–"),
        cold ? node("td", { class: "date" }, figure(cold[name])) : null,
        saysCell(name, described[name])))))),
    node("p", { class: "quiet caption" }, remarks(result)),
    perQueryTable(perQuery, titles, search),
  ];
}

function remarks(result) {
  const { cold, ranking, missing_queries: missing, unranked_queries: unranked, left_out_queries: empty, corpus, notes } = result;
  return [
    `Ranking “${ranking?.name || result.index?.name}” on ${counted(corpus?.documents || 0)} documents; bootstrap intervals over queries.`,
    cold ? `“New subject” is without siblings, which ${counted(cold.queries_with_siblings)} ${cold.queries_with_siblings === 1 ? "query has" : "queries have"}.` : "",
    missing.length ? `Not in the corpus and not counted: ${missing.join(", ")}.` : "",
    unranked.length ? `Not ranked, and counted as 0: ${unranked.join(", ")}.` : "",
    empty.length ? `Without a relevant document: ${empty.join(", ")}.` : "",
    ...notes.map((note) => `${note[0].toUpperCase()}${note.slice(1)}.`),
  ].filter(Boolean).join(" ");
}

function perQueryTable(perQuery, titles, search) {
  const queries = Object.keys(perQuery);
  const names = Object.keys(perQuery[queries[0]] || {}).filter((name) => !["auc", "ap"].includes(name));
  const body = node("tbody", {});
  let by = names[0];
  let up = true;
  const fill = () => {
    const value = (query) => perQuery[query][by] ?? -1;
    const order = [...queries].sort((one, other) => (up ? 1 : -1) * (value(one) - value(other)) || (one < other ? -1 : 1));
    body.replaceChildren(...order.map((query) => node("tr", {},
      node("td", {}, node("a", { class: "id", href: "/results", onclick: () => search(query) }, query), node("small", {}, titles[query] || "")),
      ...names.map((name) => node("td", { class: "number" }, figure(perQuery[query][name]))))));
  };
  const heads = names.map((name) => node("th", { scope: "col", class: "number" }, node("button", { type: "button", class: "sort prints", onclick: () => sort(name) }, name)));
  const sort = (name) => {
    up = name === by ? !up : true;
    by = name;
    heads.forEach((head, place) => (names[place] === by ? head.setAttribute("aria-sort", up ? "ascending" : "descending") : head.removeAttribute("aria-sort")));
    fill();
  };
  heads[0]?.setAttribute("aria-sort", "ascending");
  fill();
  const csv = () => [["query", ...names].join(","), ...queries.map((query) => [query, ...names.map((name) => perQuery[query][name] ?? "")].join(","))].join("\n");
  return node("details", {}, node("summary", {}, `Every query (${counted(queries.length)}), the worst first`),
    node("p", {}, node("a", { class: "button quiet-button", download: "per-query.csv", href: "#", onclick: (event) => { event.currentTarget.href = URL.createObjectURL(new Blob([`${csv()}\n`], { type: "text/csv" })); } }, "As CSV")),
    node("div", { class: "scroll rows", tabindex: 0, role: "region", "aria-label": "every query" }, node("table", {}, node("thead", {}, node("tr", {}, node("th", { scope: "col" }, "query"), ...heads)), body)));
}

/** Judgements of the text of a qrels file, by query; an error names the line. */
export function judgementsOf(text) {
  const found = {};
  text.split(/\r?\n/).forEach((line, place) => {
    if (!line.trim()) return;
    const [query, , document, grade, more] = line.trim().split(/\s+/);
    if (more !== undefined || !/^-?\d+$/.test(grade || "")) throw new Error(`Line ${place + 1} is no judgement: a line should be query, 0, document, grade.`);
    found[query] ??= {};
    found[query][document] = Math.max(0, Number(grade));
  });
  if (!Object.keys(found).length) throw new Error("The file has no judgements: a line should be query, 0, document, grade.");
  return found;
}
