// Category, note, seed and ignore of the shown document.
import { byId, node, problem, say } from "./nodes.js";
import { contents } from "./review_matter.js";
import { send } from "./review_outbox.js";

const LETTERS = {
  X: "relevant alone", Y: "relevant in combination", A: "background", D: "cited in the application", P: "published between priority and filing",
  E: "earlier application", O: "not written", T: "theory", L: "other reasons", "&": "same family",
};
let page;

/** `page` has `current()`, the id that is shown, and `changed()`, called when something is on the disk. */
export function marksOf(given) {
  page = given;
  byId("categorise").addEventListener("click", openCategory);
  byId("write-note").addEventListener("click", openNote);
  byId("category").addEventListener("input", hint);
  byId("category-form").addEventListener("submit", (event) => { event.preventDefault(); giveCategory(); });
  byId("note-form").addEventListener("submit", (event) => { event.preventDefault(); saveNote(); });
  byId("note").addEventListener("keydown", (event) => { if (event.key === "Enter" && event.ctrlKey) { event.preventDefault(); saveNote(); } });
  for (const form of ["category-form", "note-form"]) byId(form).addEventListener("keydown", (event) => { if (event.key === "Escape") close(form); });
  addEventListener("beforeunload", (event) => { if (byId("note").value.trim() || byId("matter-note").value.trim()) event.preventDefault(); });
  for (const kind of ["seed", "ignore"]) byId(kind).addEventListener("click", () => toggle(kind));
}

/** Shows categories, notes and the state of the buttons for a document. */
export function showMarksOf(id) {
  const { state } = contents();
  const categories = state.categories.filter((item) => item.document === id);
  byId("document-categories").replaceChildren(...categories.map((item) => node("li", {}, node("b", {}, item.category), claims(item), " ",
    node("button", { type: "button", class: "link", "aria-label": `remove category ${item.category}`, onclick: () => put({ kind: "category", document: id, category: item.category, claims: item.claims, withdrawn: true }) }, "remove"))));
  byId("document-notes").replaceChildren(...noteItems(state.notes.filter((item) => item.document === id), put));
  byId("seed").setAttribute("aria-pressed", String(state.seeds.some((item) => item.document === id)));
  byId("ignore").setAttribute("aria-pressed", String(state.ignored.some((item) => item.document === id || item.family.includes(id))));
}

/** Notes with who wrote them; each can be changed or removed. */
export function noteItems(notes, act) {
  return notes.map((note) => {
    const place = node("li", { class: "note-item" });
    const replace = (text) => act({ kind: "note", text, document: note.document, replaces: note.n });
    const edit = () => {
      const field = node("textarea", { rows: 3, maxlength: 100000, spellcheck: "false", autocomplete: "off", translate: "no", "aria-label": "Note" });
      field.value = note.text;
      field.addEventListener("keydown", (event) => { if (event.key === "Enter" && event.ctrlKey) replace(field.value); });
      place.replaceChildren(field, node("p", { class: "line" }, node("button", { type: "button", class: "quiet-button", onclick: () => replace(field.value) }, "Save")));
      field.focus();
    };
    place.append(node("span", { class: "written", dir: "auto" }, note.text), node("small", {}, note.rater ? `${note.rater} ` : "",
      node("button", { type: "button", class: "link", onclick: edit }, "change"), " ", node("button", { type: "button", class: "link", onclick: () => replace("") }, "remove")));
    return place;
  });
}

export const claims = ({ claims: numbers }) => (numbers.length ? ` claims ${ranges(numbers)}` : " all claims");

/** Opens the field for a category. */
export function openCategory() {
  byId("category-form").hidden = false;
  byId("category").focus();
  hint();
}

/** Opens the field for a note. */
export function openNote() {
  byId("note-form").hidden = false;
  byId("note").focus();
}

/** Saves a note that was written but not saved, before another document is shown. */
export function leaveDocument() {
  if (byId("note").value.trim()) saveNote();
  byId("category").value = "";
  byId("category-form").hidden = true;
  byId("note-form").hidden = true;
}

/** Letters and claim numbers of what was typed: `x 1,3-5`, `p,x 2`; null if there is no known letter. */
export function parsed(text) {
  const found = /^\s*([A-Za-z&][A-Za-z&,\s]*)([\d\s,;–-]*)$/.exec(text);
  if (!found) return null;
  const letters = [...new Set(found[1].toUpperCase().replace(/[\s,]/g, ""))];
  const numbers = [];
  for (const part of found[2].split(/[\s,;]+/).filter(Boolean)) {
    const [first, last = first] = part.split(/[–-]/).map(Number);
    if (!(first >= 1 && last >= first && last <= 10_000 && last - first < 1000)) return null;
    for (let number = first; number <= last; number += 1) numbers.push(number);
  }
  return letters.every((letter) => letter in LETTERS) ? { letters, numbers: [...new Set(numbers)].sort((one, other) => one - other) } : null;
}

function hint() {
  const text = byId("category").value;
  const given = parsed(text);
  byId("category-hint").textContent = given
    ? `${given.letters.map((letter) => `${letter}: ${LETTERS[letter]}`).join("; ")} · ${given.numbers.length ? `claims ${ranges(given.numbers)}` : "all claims"}`
    : text.trim() ? "write letters, then claim numbers: x 1,3-5" : `letters ${Object.keys(LETTERS).join(" ")}, then claim numbers`;
}

async function giveCategory() {
  const given = parsed(byId("category").value);
  if (!given) return hint();
  byId("category").value = "";
  close("category-form");
  await put({ kind: "category", document: page.current(), category: given.letters.join(","), claims: given.numbers });
  say(`category ${given.letters.join(",")} given`);
}

async function saveNote() {
  const text = byId("note").value;
  if (!text.trim()) return close("note-form");
  byId("note").value = "";
  close("note-form");
  await put({ kind: "note", text, document: page.current() }, () => { byId("note").value ||= text; openNote(); });
  say("saved");
}

function close(form) {
  byId(form).hidden = true;
  byId("document").focus({ preventScroll: true });
}

async function toggle(kind) {
  const on = byId(kind).getAttribute("aria-pressed") === "true";
  byId(kind).setAttribute("aria-pressed", String(!on));
  await put({ kind, document: page.current(), withdrawn: on });
  say(on ? "taken back" : kind === "seed" ? "it is a seed" : "it is left out");
}

/** Sends an event and shows what it changed; the text of a refused note stays in its field. */
async function put(body, refused = () => {}) {
  try {
    await send(body);
    problem(null);
  } catch (error) {
    refused();
    problem(error);
  }
  await page.changed();
}

function ranges(numbers) {
  const runs = [];
  for (const number of numbers) {
    if (runs.at(-1)?.[1] === number - 1) runs.at(-1)[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(", ");
}
