// What is in a corpus, from the answer of /api/stats.
import { barTable, columns, counted } from "./bars.js";
import { node } from "./nodes.js";

const DEPTHS = [["full", "with claims or description", "g4"], ["abstract", "title and abstract", "g3"], ["title", "title alone", "g2"], ["empty", "no text", "g1"]];
const FIELDS = { published: "publication date", filed: "filing date", priority: "priority date", classes: "CPC or IPC classes", citations: "citations of patents" };
const STEPS = [[0, 0], [1, 1], [2, 2], [3, 5], [6, 10], [11, 20], [21, 50], [51, 100], [101, Infinity]];

/** The figures of a corpus. */
export function figuresOf(stats) {
  const total = stats.documents;
  return [
    figure("Documents by year of publication", yearsTold(stats), columns(Object.entries(stats.years), { unit: "documents", told: yearsTold(stats) }), "wide"),
    figure("Classes", `${counted(stats.subclasses.cpc)} documents have a CPC class, ${counted(stats.subclasses.ipc_only)} an IPC class only; a document counts in each of its classes.`,
      barTable(stats.subclasses.counts.map((row) => ({ name: row.symbol, title: row.title, count: row.patents })), { head: "class", total, caption: "documents by class", most: 10 }), "tall"),
    figure("Offices, by depth of text", depthLegend(stats), barTable(Object.entries(stats.countries).map(([name, count]) => ({ name, count, parts: partsOf(stats.depth.countries[name]) })), { head: "office", total, caption: "documents by office" }), "tall"),
    figure("Citations that a document makes", `${counted(stats.citations.total)} citations of patents, ${counted(stats.citations.into_corpus)} of them to documents of this corpus; ranking learns from those.`, degrees(stats.citations.made, total)),
    figure("Citations that it receives in this corpus", "", degrees(stats.citations.received, total)),
    ...Object.entries(stats.lengths).map(([section, words]) => lengths(section, words)),
    figure("Languages", "", barTable(entries(stats.languages), { head: "language", total, most: 6 })),
    figure("Kinds of publication", "", barTable(entries(stats.kinds), { head: "kind", total, most: 6 })),
    figure("Documents without a field", "", barTable(Object.entries(stats.missing).map(([field, { patents }]) => ({ name: FIELDS[field] || field, count: patents })), { head: "field", total })),
    figure("Families", `${counted(stats.families.families)} families with ${counted(stats.families.patents)} documents; a family counts once in a list of hits.`,
      barTable(entries(stats.families.reasons), { head: "joined by", total: stats.families.patents })),
  ].filter(Boolean);
}

const entries = (counts) => Object.entries(counts).map(([name, count]) => ({ name, count }));

function figure(heading, told, drawing, kind = "") {
  return node("figure", { class: `card plot-card ${kind}` }, node("figcaption", {}, node("h3", {}, heading), told ? node("p", { class: "quiet" }, told) : null), drawing);
}

function yearsTold(stats) {
  const years = Object.keys(stats.years);
  const undated = stats.undated ? `; ${counted(stats.undated)} ${stats.undated === 1 ? "has" : "have"} no date` : "";
  return years.length ? `${years[0]} to ${years.at(-1)}${undated}.` : "No document has a date.";
}

function depthLegend(stats) {
  const items = DEPTHS.filter(([depth]) => stats.depth.all[depth]).map(([depth, told, colour]) => node("span", { class: "depth" }, node("span", { class: `swatch ${colour}` }), `${told} ${counted(stats.depth.all[depth])}`));
  return items;
}

function partsOf(depths) {
  return DEPTHS.map(([depth, told, colour]) => [colour, depths[depth], told]);
}

function degrees(histogram, total) {
  const rows = STEPS.map(([from, to]) => ({
    name: from === to ? String(from) : to === Infinity ? `over ${from - 1}` : `${from}–${to}`,
    count: histogram.filter((step) => step.citations >= from && step.citations <= to).reduce((sum, step) => sum + step.patents, 0),
  }));
  while (rows.length > 1 && !rows.at(-1).count) rows.pop();
  return barTable(rows, { head: "citations", total });
}

function lengths(section, words) {
  if (!words.patents) return null;
  const told = `${counted(words.patents)} documents; median ${counted(Math.round(words.median))} words (line), 90 % have ${counted(Math.round(words.p5))} to ${counted(Math.round(words.p95))}; logarithmic steps.`;
  const bins = words.histogram;
  const place = bins.findIndex((bin) => words.median >= bin.from && words.median < bin.before);
  const bin = bins[place];
  const at = bin ? (place + Math.log(words.median / bin.from) / Math.log(bin.before / bin.from)) / bins.length : 0;
  return figure(`Length of the ${section}`, told, columns(bins.map((each) => [counted(each.from), each.patents]), { unit: "documents", of: "words and more", told, marks: bin ? [at] : [] }));
}
