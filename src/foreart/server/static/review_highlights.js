// Groups of highlighted words of the matter: name, words, colour, on or off; each change is an event.
import { byId, node, problem, say } from "./nodes.js";
import { contents } from "./review_matter.js";
import { send } from "./review_outbox.js";

const COLOURS = ["yellow", "orange", "pink", "violet", "blue", "green"];
let changed = async () => {};

/** Says what is called after a change. */
export const onHighlights = (action) => { changed = action; };

const groups = () => (contents()?.state.highlights ?? []).map(({ name, words, colour, shown }) => ({ name, words, colour: Number(colour) || 1, on: shown }));

/** The groups that are switched on. */
export const groupsOn = () => groups().filter((group) => group.on);

/** Switches all groups on, or off if one of them is on; without groups, opens the dialog. */
export async function toggleAll() {
  const all = groups();
  if (!all.length) return openHighlights();
  const on = !all.some((group) => group.on);
  for (const group of all) await save({ ...group, on });
  say(on ? "highlights on" : "highlights off");
}

/** Shows the groups as switches with the number of their words in the document. */
export function showGroups(place, timesOf) {
  place.hidden = false;
  place.replaceChildren(
    ...groups().map((group) => node("button", { type: "button", class: "group", "aria-pressed": String(group.on), onclick: () => save({ ...group, on: !group.on }) },
      node("i", { class: `swatch h${group.colour}` }), group.name, node("small", {}, ` ${timesOf(group.words)}`))),
    node("button", { type: "button", class: "group", onclick: openHighlights }, "Highlights …"));
}

/** Opens the dialog in which groups are made and changed. */
export function openHighlights() {
  byId("add-group").onclick = () => {
    byId("highlight-groups").append(row({ name: "", words: [], colour: (groups().length % COLOURS.length) + 1, on: true }));
    byId("highlight-groups").lastElementChild.querySelector("input").focus();
  };
  byId("highlight-groups").replaceChildren(...groups().map(row));
  if (!groups().length) byId("highlight-groups").append(row({ name: "", words: [], colour: 1, on: true }));
  byId("highlights").showModal();
}

function row(group) {
  let kept = group;
  const change = async (changes) => {
    const next = { ...kept, ...changes };
    next.name ||= next.words[0] ?? "";
    if (kept.name && kept.name !== next.name) await save({ ...kept, words: [] });
    kept = next;
    if (next.name && next.words.length) await save(next);
  };
  const made = node("fieldset", { class: "highlight" }, node("legend", { class: "unseen" }, group.name || "New group"),
    node("label", {}, "Name ", node("input", { value: group.name, maxlength: 60, spellcheck: "false", autocomplete: "off", onchange: (event) => change({ name: event.target.value.trim() }) })),
    node("label", {}, "Words, separated by commas ", node("input", { class: "group-words", value: group.words.join(", "), spellcheck: "false", autocomplete: "off", onchange: (event) => change({ words: wordsOf(event.target.value) }) })),
    node("label", {}, "Colour ", node("select", { onchange: (event) => change({ colour: Number(event.target.value) }) }, COLOURS.map((name, place) => node("option", { value: place + 1, selected: group.colour === place + 1 }, name)))),
    node("button", { type: "button", class: "quiet-button", onclick: async () => { if (kept.name && kept.words.length) await save({ ...kept, words: [] }); made.remove(); } }, "Remove"));
  return made;
}

const wordsOf = (text) => [...new Set(text.split(/[,;\n]/).map((word) => word.trim().replace(/\s+/g, " ").slice(0, 80)).filter(Boolean))].slice(0, 200);

async function save({ name, words, colour, on }) {
  try {
    await send({ kind: "highlight", name, words, colour: String(colour), shown: on });
    await changed();
  } catch (error) {
    problem(error);
  }
}
