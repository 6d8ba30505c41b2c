// The front of a draft: title, people, language and dates, each with where it comes from, corrected in place.
import { correct, editing, takeBack } from "./corrections.js";
import { drawn, node } from "./nodes.js";

const LANGUAGES = { en: "English", de: "German", fr: "French", es: "Spanish", it: "Italian", nl: "Dutch", ja: "Japanese", zh: "Chinese", ko: "Korean", ru: "Russian", other: "other" };
const names = (list) => list.join("; ");
/** Key of the correction, label, its value in the draft, and how it is shown. */
const FACTS = [
  ["title", "Title", (draft) => draft.title],
  ["priority", "Priority", (draft) => draft.dates.priority || ""],
  ["filed", "Filed", (draft) => draft.dates.filed || ""],
  ["applicants", "Applicants", (draft) => names(draft.applicants)],
  ["inventors", "Inventors", (draft) => names(draft.inventors)],
  ["language", "Language", (draft) => draft.language, (value) => LANGUAGES[value] || value],
];

/** The facts as a list; `changed` gets the draft as it is understood after a correction. */
export function front(draft, changed) {
  return FACTS.map(([key, label, valueOf, shown = (value) => value]) => {
    const value = valueOf(draft);
    const place = node("dd", {});
    const edit = () => editing(place, label, fieldOf(key, value), async (given) => changed(await correct(draft, { [key]: sent(key, given) }), `[data-fact="${key}"]`));
    const ground = draft.grounds[key];
    place.append(
      node("span", { class: value ? "value" : "value none" }, value ? shown(value) : "not found"),
      node("span", { class: "ground" },
        key in draft.corrections ? null : ground ? `${ground} ` : null,
        takeBack(label.toLowerCase(), key in draft.corrections, async () => changed(await correct(draft, { [key]: null }), `[data-fact="${key}"]`)),
        " ", node("button", { type: "button", class: "link", "data-fact": key, "aria-label": `correct ${label.toLowerCase()}`, onclick: edit }, "correct")));
    return node("div", { class: `fact ${key}` }, node("dt", {}, label), place);
  });
}

function fieldOf(key, value) {
  if (key === "language") return node("select", {}, ...Object.entries(LANGUAGES).map(([code, name]) => node("option", { value: code, selected: code === value }, name)));
  const dated = key === "priority" || key === "filed";
  return node("input", { type: "text", value, autocomplete: "off", spellcheck: "false", size: dated ? 12 : 48,
    placeholder: dated ? "2014-03-10" : key === "title" ? null : "names, with semicolons between them" });
}

function sent(key, value) {
  if (key !== "applicants" && key !== "inventors") return value.trim();
  return value.split(";").map((name) => name.trim()).filter(Boolean);
}

const SHOWN = [["priority", "Priority"], ["filed", "Filed"]];

/** The dates of the draft on a line with the cut-off, and a sentence that says where it comes from. */
export function dateLine(draft, cutoff, admissible) {
  const today = new Date().toISOString().slice(0, 10);
  const dates = [...SHOWN.map(([key, label]) => [draft.dates[key], label]), [today, "Today"]].filter(([date]) => date);
  const times = [...dates.map(([date]) => Date.parse(date)), ...(cutoff ? [Date.parse(cutoff.date)] : [])].filter(Number.isFinite);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const at = (date) => 40 + (280 * (Date.parse(date) - first)) / Math.max(864e5, last - first);
  const line = drawn("svg", { class: "dates", viewBox: "0 0 360 74", role: "img", "aria-label": dates.map(([date, label]) => `${label} ${date}`).join(", ") },
    cutoff ? drawn("rect", { class: "before", x: 0, y: 33, width: Math.max(2, at(cutoff.date)), height: 8 }) : null,
    drawn("line", { class: "axis", x1: 0, x2: 360, y1: 37, y2: 37 }),
    ...dates.map(([date, label], place) => drawn("g", {},
      drawn("circle", { cx: at(date), cy: 37, r: 5 }),
      drawn("text", { x: at(date), y: place % 2 ? 56 : 24, "text-anchor": "middle" }, label),
      drawn("text", { class: "tick", x: at(date), y: place % 2 ? 70 : 11, "text-anchor": "middle" }, date))),
    cutoff ? drawn("line", { class: "cutoff", x1: at(cutoff.date), x2: at(cutoff.date), y1: 26, y2: 48 }) : null);
  const told = cutoff
    ? node("p", {}, "Cut-off ", node("b", { class: "date" }, cutoff.date), ` (${cutoff.source}). `,
      node("span", { class: "quiet" }, `What was published before it counts as prior art; earlier applications published later are marked.${admissible ? ` ${admissible}` : ""}`))
    : null;
  return [line, told];
}
