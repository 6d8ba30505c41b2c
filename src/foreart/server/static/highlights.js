// Own groups of highlighted words: name, words, colour, on or off; kept with the draft.
import { byId, node, say } from "./nodes.js";
import { keep, workspace } from "./workspace.js";

const COLOURS = ["yellow", "orange", "pink", "violet", "blue", "green"];

/** The groups that are switched on and have words. */
export const groupsOn = () => workspace().highlights.filter((group) => group.on && group.words.length);

/** Switches all groups on, or off if one of them is on; false if there are none. */
export function toggleAll(changed) {
  const { highlights } = workspace();
  if (!highlights.length) return false;
  const on = !highlights.some((group) => group.on);
  save(highlights.map((group) => ({ ...group, on })), changed);
  say(on ? "highlights on" : "highlights off");
  return true;
}

/** Shows the groups as switches with the number of their words in the document. */
export function showGroups(place, timesOf, changed) {
  const { highlights } = workspace();
  place.hidden = !highlights.length;
  place.replaceChildren(...highlights.map((group, at) =>
    node("button", { type: "button", class: "group", "aria-pressed": String(group.on), onclick: () => save(replaced(at, { on: !group.on }), changed) },
      node("i", { class: `swatch h${group.colour}` }), group.name || group.words.join(", ") || "(no words)", node("small", {}, ` ${timesOf(group.words)}`))));
}

/** Opens the dialog in which groups are made and changed; every change is kept at once. */
export function openHighlights(changed) {
  if (!workspace().highlights.length) save([{ name: "", words: [], colour: 1, on: true }], changed);
  byId("add-group").onclick = () => {
    const { highlights } = workspace();
    save([...highlights, { name: "", words: [], colour: (highlights.length % COLOURS.length) + 1, on: true }], changed);
    fill(changed);
    byId("highlight-groups").lastElementChild.querySelector("input").focus();
  };
  fill(changed);
  byId("highlights").showModal();
}

function fill(changed) {
  byId("highlight-groups").replaceChildren(...workspace().highlights.map((group, at) => row(group, at, changed)));
}

function row(group, at, changed) {
  const change = (changes) => save(replaced(at, changes), changed);
  return node("fieldset", { class: "highlight" }, node("legend", { class: "unseen" }, `Group ${at + 1}`),
    node("label", {}, "Name ", node("input", { value: group.name, maxlength: 60, spellcheck: "false", autocomplete: "off", onchange: (event) => change({ name: event.target.value.trim() }) })),
    node("label", {}, "Words, separated by commas ", node("input", { class: "group-words", value: group.words.join(", "), spellcheck: "false", autocomplete: "off", onchange: (event) => change({ words: wordsOf(event.target.value) }) })),
    node("label", {}, "Colour ", node("select", { onchange: (event) => change({ colour: Number(event.target.value) }) },
      COLOURS.map((name, place) => node("option", { value: place + 1, selected: group.colour === place + 1 }, name)))),
    node("label", {}, node("input", { type: "checkbox", checked: group.on, onchange: (event) => change({ on: event.target.checked }) }), " shown"),
    node("button", { type: "button", class: "quiet-button", onclick: () => { save(workspace().highlights.filter((_, place) => place !== at), changed); fill(changed); } }, "Remove"));
}

const wordsOf = (text) => [...new Set(text.split(/[,;\n]/).map((word) => word.trim().replace(/\s+/g, " ").slice(0, 80)).filter(Boolean))].slice(0, 200);

const replaced = (at, changes) => workspace().highlights.map((group, place) => (place === at ? { ...group, ...changes } : group));

async function save(highlights, changed) {
  const kept = keep({ highlights });
  changed();
  await kept;
  say("saved");
}
