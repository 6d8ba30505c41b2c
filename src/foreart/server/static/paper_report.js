// The reproduction of the paper: what was found, the report to download, and making it, with its time told before.
import { counted } from "./bars.js";
import { node } from "./nodes.js";

const VERDICTS = { yes: "holds here", partly: "holds in part", no: "does not hold here", open: "not computed yet" };
const SIZES = { words: "Weightings of words", topics: "Also topics and word vectors" };

// With fewer targets the findings are chance.
const FEW = 20;

const minutes = (seconds) => (seconds < 90 ? `about ${Math.max(5, Math.ceil(seconds / 5) * 5)} s` : seconds < 5400 ? `about ${Math.ceil(seconds / 60)} min` : `about ${(seconds / 3600).toFixed(1)} h`);

/** The section of the report; `make(size)` starts the job. */
export function paperNodes({ report, sizes, current }, library, make) {
  return [...(report ? foundNodes(report, current, library) : [node("p", {}, "No report was made for this library yet.")]), ...makeNodes(sizes, report, make)];
}

function foundNodes(report, current, library) {
  const { pairs, made, findings, unfinished, failed } = report;
  const stale = report.corpus.fingerprint !== current;
  const failures = Object.keys(failed);
  return [
    stale ? node("p", { class: "note" }, "The corpus has changed since this report was made.") : null,
    pairs.citing < FEW ? node("p", { class: "note" }, `Only ${counted(pairs.citing)} patents of this corpus could be compared: far too few to conclude anything from the findings.`) : null,
    node("p", {}, node("a", { class: "button", href: `/api/paper/report?library=${encodeURIComponent(library)}`, download: "paper-report.html" }, "Download the report"),
      node("span", { class: "quiet" }, ` all tables and figures in one page; made ${made.slice(0, 16).replace("T", " ")}, ${counted(pairs.targets)} patents, ${counted(pairs.cited)} cited pairs`)),
    node("ul", { class: "plain apart findings" }, findings.map((finding) => node("li", {},
      node("p", {}, node("span", { class: `badge ${finding.verdict}` }, VERDICTS[finding.verdict]), " ", node("b", {}, finding.question)),
      node("p", {}, finding.text), node("p", { class: "quiet" }, `The paper: ${finding.paper}`)))),
    unfinished.length ? node("p", { class: "quiet" }, `Not computed yet: ${unfinished.join("; ")}.`) : null,
    failures.length ? node("p", { class: "quiet" }, `Not possible here: ${Object.values(failed).join("; ")}.`) : null,
  ];
}

function makeNodes(sizes, report, make) {
  if (sizes.problem) return [node("p", { class: "note" }, `A report cannot be made: ${sizes.problem}.`)];
  return [
    node("p", { class: "actions" }, ...Object.entries(sizes.seconds).map(([size, seconds]) => node("button", { type: "button", class: "quiet-button", "data-size": size, onclick: () => make(size) },
      `${SIZES[size]}: ${seconds < 1 && report ? "is computed, write it again" : minutes(seconds)}`))),
    node("p", { class: "quiet" }, `For ${counted(sizes.targets)} patents of the last full year with citations. The times are estimates for two free cores. It can be cancelled at any moment: finished steps are kept. Training word2vec and doc2vec takes hours and stays with the command foreart paper.`),
  ];
}
