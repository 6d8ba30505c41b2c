// The other parts of a document: figures, citations, family, and the reasons of its score.
import { badge, timeLine } from "./hits.js";
import { drawn, node } from "./nodes.js";
import { units } from "./offsets.js";

const percent = (value) => `${Math.round(value * 100)} %`;
const signed = (value, digits = 3) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;

/** What the description says of each figure. */
export function figuresPanel(record) {
  const whole = record.description || "";
  const at = units(whole);
  if (!record.figures.length) return node("p", { class: "quiet" }, "No sentence of the description says what a figure shows.");
  return node("dl", { class: "figures" }, record.figures.map((figure) =>
    node("div", {}, node("dt", {}, `Fig. ${figure.figure}`), node("dd", { dir: "auto" }, whole.slice(at(figure.start), at(figure.end))))));
}

/** What a document cites and what cites it; documents of the corpus open with `open`. */
export function citationsPanel(record, found, open) {
  const known = new Set(found.cites.map((one) => bare(one.id)));
  const absent = record.citations.map((one) => one.id).filter((id) => !known.has(bare(id)));
  const literature = (record.non_patent_citations || []).map((one) => one.text);
  return node("div", {},
    linked("Cites, in the corpus", found.cites, open, "None of the documents that it cites is in the corpus."),
    linked("Cited by, in the corpus", found.cited_by, open, "No document of the corpus cites it."),
    plain("Cites, not in the corpus", absent), plain("Other literature", literature));
}

/** The members of its family. */
export function familyPanel(record, found, open) {
  const known = new Set(found.family.map((one) => bare(one.id)));
  const absent = (record.family_refs || []).filter((id) => !known.has(bare(id)) && bare(id) !== bare(record.id));
  return node("div", {}, linked("Family, in the corpus", found.family, open, "No other member of its family is in the corpus."), plain("Family, not in the corpus", absent));
}

/** Status with its rule, dates on a line, rank and score. */
export function standing(reasons, range) {
  return [
    badge(reasons.status, reasons.rule),
    node("span", { class: "rule", title: reasons.rule }, reasons.rule),
    timeLine(reasons, reasons.cutoff.date, range),
    node("span", { class: "quiet" }, `${reasons.sentences.place} · score ${reasons.score.toFixed(3)}`),
  ];
}

/** The three channels that add most, in one line; what a channel compares is in its title. */
export function whyLine(reasons) {
  const top = greatest(reasons).filter((channel) => channel.contribution > 0).slice(0, 3);
  return top.flatMap((channel, place) => {
    const words = (channel.words?.shown ?? []).slice(0, 4).map((share) => share.word).join(", ");
    return [place ? " · " : "", node("span", { title: channel.about }, channel.channel), ` ${signed(channel.contribution, 2)}${words ? ` (${words})` : ""}`];
  });
}

/** All channels with what they add, exactly as much as the score. */
export function reasonsPanel(reasons) {
  const channels = greatest(reasons);
  const most = Math.max(...channels.map((channel) => Math.abs(channel.contribution)), 1e-9);
  const silent = channels.filter((channel) => !channel.contribution).map((channel) => channel.channel);
  const { sentences } = reasons;
  return node("div", { class: "reasons" },
    node("p", {}, badge(reasons.status, reasons.rule), ` ${reasons.rule}`),
    [sentences.chance, sentences.hub, ...reasons.notes].filter(Boolean).map((sentence) => node("p", { class: "said" }, sentence)),
    node("h3", {}, `Why it is at ${sentences.place.startsWith("rank") ? sentences.place : "its place"}`),
    node("ol", { class: "plain channel-list" }, channels.filter((channel) => channel.contribution).map((channel) => channelLine(channel, most))),
    node("p", { class: "sum" }, `sum ${reasons.sum.toFixed(6)} = score ${reasons.score.toFixed(6)}`),
    silent.length ? node("p", { class: "quiet" }, `Nothing from: ${silent.join(", ")}.`) : null,
    reasons.bridges.length ? bridgeList(reasons) : null);
}

/** Words of the document that may mean what words of the draft mean. */
export function bridgesOf(reasons) {
  return reasons.bridges.map((bridge) => ({ term: bridge.document.term, meaning: `may mean “${bridge.draft.term}” of the draft (${bridge.kind})` }));
}

function channelLine(channel, most) {
  const width = (100 * Math.abs(channel.contribution)) / most;
  const words = channel.words;
  const shown = (words?.shown ?? []).slice(0, 10);
  const others = words ? words.others + words.shown.length - shown.length : 0;
  return node("li", {},
    node("div", { class: "line" }, node("b", {}, channel.channel), node("span", { class: "figure" }, signed(channel.contribution)),
      drawn("svg", { class: `bar${channel.contribution < 0 ? " less" : ""}`, viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" }, drawn("rect", { x: 0, width, height: 8 })),
      node("span", { class: "quiet" }, channel.about)),
    channel.sentence ? node("p", { class: "quiet" }, channel.sentence) : null,
    shown.length ? node("p", { class: "word-list" }, shown.map((share) => node("span", {}, share.word, " ", node("small", {}, share.adds === null ? share.contribution.toFixed(3) : signed(share.adds)))),
      others ? node("span", {}, node("small", {}, `and ${others.toLocaleString("en")} other words`)) : null) : null,
    channel.causes.length ? node("p", { class: "word-list" }, channel.causes.slice(0, 6).map((cause) => node("span", { title: cause.title || null }, node("bdi", {}, cause.name), cause.contribution === null ? null : node("small", {}, ` ${signed(cause.contribution)}`))),
      channel.causes_count > 6 ? node("span", {}, node("small", {}, `and ${(channel.causes_count - 6).toLocaleString("en")} more`)) : null) : null);
}

function bridgeList(reasons) {
  return node("div", {}, node("h3", {}, "Other words that may mean the same"),
    node("ul", { class: "plain" }, reasons.bridges.map((bridge) => node("li", {}, `draft: ${bridge.draft.term} · document: `, node("span", { class: "bridge" }, bridge.document.term), node("small", {}, ` ${bridge.kind}, ${percent(bridge.similarity)}`)))));
}

const greatest = (reasons) => [...reasons.channels].sort((one, other) => Math.abs(other.contribution) - Math.abs(one.contribution));

function linked(title, documents, open, none) {
  return node("section", {}, node("h3", {}, `${title} `, node("small", {}, documents.length)),
    documents.length ? node("ul", { class: "plain document-list" }, documents.map((one) =>
      node("li", {}, node("button", { type: "button", class: "link prints", onclick: () => open(one.id) }, one.id), " ", node("bdi", {}, one.title || "(no title)"), " ", node("small", {}, one.published || "")))) : node("p", { class: "quiet" }, none));
}

function plain(title, items) {
  if (!items.length) return null;
  return node("section", {}, node("h3", {}, `${title} `, node("small", {}, items.length)), node("ul", { class: "plain absent" }, items.map((item) => node("li", {}, item))));
}

const bare = (id) => id.replace(/(?<=\d)[A-Z]\d?$/, "");
