// The active filters as chips that can be taken back, and what they removed.
import { ask, asked } from "./asked.js";
import { node } from "./nodes.js";

const LABELS = {
  statuses: "status", countries: "office", applicants: "applicant", languages: "language", depths: "text", classes: "class", kinds: "kind",
  must: "must have", without: "without", ignore: "ignored", emphasise: "emphasised", emphasise_classes: "emphasised class",
};

/** The chips; `changed` is called after one is taken back. `names` are those of kept searches by id. */
export function filterChips(names, changed) {
  const body = asked();
  const back = (label, changes) => node("li", {}, node("button", {
    type: "button", class: "filter-chip", "aria-label": `take back: ${label}`,
    onclick: () => { ask(changes); changed(); },
  }, label, node("span", { "aria-hidden": "true" }, " ×")));
  const chips = Object.entries(LABELS).flatMap(([option, label]) =>
    (body[option] || []).map((value) => back(`${label} ${value}`, { [option]: body[option].length > 1 ? body[option].filter((one) => one !== value) : null })));
  if (body.published_from || body.published_to) {
    const years = [body.published_from && `from ${body.published_from}`, body.published_to && `to ${body.published_to}`].filter(Boolean).join(" ");
    chips.push(back(`published ${years}`, { published_from: null, published_to: null }));
  }
  if (body.new_since) chips.push(back(`only new since ${names.get(body.new_since) || "a kept search"}`, { new_since: null }));
  if (chips.length > 1) {
    const none = Object.fromEntries([...Object.keys(LABELS), "published_from", "published_to", "new_since"].map((option) => [option, null]));
    chips.push(node("li", {}, node("button", { type: "button", class: "link", onclick: () => { ask(none); changed(); } }, "take all back")));
  }
  return chips;
}

/** What the filters removed, each, and how much of it only because something is unknown. */
export function removedSentence(removed, compared) {
  const each = Object.entries(removed.each);
  if (!each.length) return "";
  const told = each.map(([name, number]) => `${name}: ${number.toLocaleString("en")}${removed.unknown[name] ? `, ${removed.unknown[name].toLocaleString("en")} of them because it is unknown` : ""}`);
  return `Filters removed ${removed.together.toLocaleString("en")} of ${(removed.together + compared).toLocaleString("en")} documents before ranking (${told.join("; ")}).`;
}
