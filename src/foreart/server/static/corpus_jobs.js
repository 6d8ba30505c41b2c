// Jobs of a library: what each does, in words, and what came of it.
import { counted } from "./bars.js";
import { badge } from "./hits.js";
import { node } from "./nodes.js";

export const KINDS = { add: "adding files", build: "building", learn: "learning", doctor: "checking", sample: "the sample corpus" };

/** The file that a person knows: uploads are kept under a name of our own. */
export const fileName = (path) => path.split("/").pop().replace(/^[0-9a-f]{8}-/, "");

/** One sentence for a job that has ended. */
export function outcome(job) {
  if (job.state === "failed") return `${KINDS[job.kind] || job.kind} failed: ${job.error}`;
  if (job.state === "cancelled") return `${KINDS[job.kind] || job.kind} was cancelled; what was stored before stays.`;
  const { result } = job;
  if (job.kind === "add" || job.kind === "sample") return `${(result.files || []).join(", ") || "The sample corpus"}: ${added(result)}`;
  if (job.kind === "build") return "The indexes are up to date: everything is searched.";
  if (job.kind === "learn") return `The ranking was learned from ${counted(result.metrics?.judged || 0)} patents: MAP ${(result.metrics?.map || 0).toFixed(2)}.`;
  if (job.kind === "doctor") return result.ok ? "The check found nothing wrong." : "The check found something to repair.";
  return `${job.kind} is done.`;
}

function added({ read, added: fresh, replaced, unchanged, rejected }) {
  const parts = [[fresh, "added"], [replaced, "completed"], [unchanged, "here already"], [rejected, "not readable"]].filter(([count]) => count).map(([count, what]) => `${counted(count)} ${what}`);
  return `${counted(read)} records read${parts.length ? `: ${parts.join(", ")}` : ""}.`;
}

const WORDS = { bad: "repair", note: "note", ok: "in order" };

/** A sentence with its commands as code. */
function withCode(sentence) {
  return sentence.split("`").map((part, place) => (place % 2 ? node("code", {}, part) : part));
}

/** The findings of a check, what must be done first; `offers` are pairs of a word of the sentence and a button for it. */
export function findingsList(findings, offers) {
  const line = ({ subject, state, sentence }) => node("li", { class: "finding" },
    node("span", { class: `badge ${{ bad: "novelty-only", note: "mentioned", ok: "prior-art" }[state]}` }, WORDS[state]), " ",
    node("b", {}, subject), ": ", withCode(sentence), " ", state === "ok" ? null : offers.filter(([word]) => sentence.includes(word)).slice(0, 1).map(([, make]) => make()));
  const loud = ["bad", "note"].flatMap((state) => findings.filter((finding) => finding.state === state && !finding.subject.startsWith("extra")));
  const quiet = findings.filter((finding) => !loud.includes(finding));
  return [
    loud.length ? node("ul", { class: "plain apart" }, loud.map(line)) : node("p", {}, "Nothing to do: corpus, indexes and ranking are in order."),
    node("details", {}, node("summary", {}, `${quiet.length} more, in order or about optional parts`), node("ul", { class: "plain apart" }, quiet.map(line))),
  ];
}

/** A job that has ended, for the list. */
export function doneItem(job) {
  const time = new Date(job.started * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return node("li", { class: `ended ${job.state}` }, node("span", { class: "date" }, time), " ", job.state === "failed" ? badge("failed") : null, " ", outcome(job));
}
