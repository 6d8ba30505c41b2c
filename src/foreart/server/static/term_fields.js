// Filters that are written: words that must or must not be in the text, a part of an applicant's name, documents to ignore.
import { node } from "./nodes.js";

const FIELDS = [
  ["must", "Text must have", "a word, a phrase, screw*"],
  ["without", "Text must not have", "a word, a phrase, screw*"],
  ["applicants", "Part of an applicant's name", "siemens"],
  ["ignore", "Ignore documents and their families", "US7585299B2"],
  ["emphasise", "Emphasise words of the draft", "they count more"],
];

/** A field for each; Enter or leaving it adds what was written. */
export function termFields(body, set) {
  return node("div", { class: "term-fields" }, ...FIELDS.map(([option, label, example]) =>
    node("label", {}, node("span", {}, label), node("input", {
      type: "text", placeholder: example, autocomplete: "off", spellcheck: "false", "data-at": `term ${option}`,
      onchange: (event) => {
        const given = event.target.value.split(option === "ignore" ? /[\s,;]+/ : /;/).map((item) => item.trim()).filter(Boolean);
        if (given.length) set({ [option]: [...new Set([...(body[option] || []), ...given])] });
      },
    }))));
}
