// Literature that is no patent: entered by a person, judged and categorised like a document, and kept for the report.
import { byId, node, problem, say } from "./nodes.js";
import { claims, noteItems, parsed } from "./review_marks.js";
import { contents, judgementOf, JUDGED } from "./review_matter.js";
import { send } from "./review_outbox.js";

const FIELDS = ["title", "item", "published", "volume", "pages", "publisher", "place", "identifier", "language"];
// Lists in one field: authors have commas of their own.
const LISTS = ["authors", "places"];
let changed = () => {};
/** The item that the form changes, "" for a new one. */
let editing = "";

/** Listens to the form; `done` is called when something is on the disk. */
export function literature(done) {
  changed = done;
  byId("literature-form").addEventListener("submit", (event) => { event.preventDefault(); keep(); });
  byId("literature-cancel").addEventListener("click", () => fill(null));
}

/** Shows the list as it is now. */
export function showLiterature() {
  const { state } = contents();
  byId("literature-list").replaceChildren(...state.literature.map((item) => row(item, state)));
  byId("no-literature").hidden = state.literature.length > 0;
}

function row(item, state) {
  const id = item.document;
  const judgement = judgementOf(id)?.judgement ?? "unjudged";
  const given = node("input", { size: 12, maxlength: 200, spellcheck: "false", autocomplete: "off", placeholder: "x 1,3-5", "aria-label": `category and claims of ${id}` });
  const note = node("input", { size: 24, maxlength: 100000, spellcheck: "false", autocomplete: "off", "aria-label": `note on ${id}` });
  const categorise = (event) => {
    event.preventDefault();
    const found = parsed(given.value);
    if (!found) return problem(new Error("Write letters, then claim numbers: x 1,3-5."));
    put({ kind: "category", document: id, category: found.letters.join(","), claims: found.numbers });
  };
  return node("li", { class: "judged-row", "data-id": id },
    node("span", { class: `tag judged ${judgement}` }, JUDGED[judgement]),
    node("div", {},
      node("span", { class: "id" }, id), " ", node("span", { class: "judged-title", dir: "auto" }, cited(item)),
      item.places.length ? node("p", { class: "quiet" }, item.places.join("; ")) : null,
      state.categories.filter((one) => one.document === id).map((one) => node("p", {}, node("b", {}, one.category), claims(one), " ",
        node("button", { type: "button", class: "link", "aria-label": `remove category ${one.category} of ${id}`, onclick: () => put({ kind: "category", document: id, category: one.category, claims: one.claims, withdrawn: true }) }, "remove"))),
      node("ul", { class: "plain" }, noteItems(state.notes.filter((one) => one.document === id), put)),
      node("form", { class: "line", onsubmit: categorise }, given, node("button", { class: "quiet-button" }, "Give a category")),
      node("form", { class: "line", onsubmit: (event) => { event.preventDefault(); if (note.value.trim()) put({ kind: "note", document: id, text: note.value }); } }, note, node("button", { class: "quiet-button" }, "Add a note"))),
    node("p", { class: "change" }, node("label", {}, node("span", { class: "unseen" }, `Judgement of ${id}`),
      node("select", { onchange: (event) => put({ kind: "judgement", document: id, judgement: event.target.value }) },
        Object.entries(JUDGED).map(([value, label]) => node("option", { value, selected: value === judgement }, label)))),
      " ", node("button", { type: "button", class: "link", "aria-label": `change ${id}`, onclick: () => fill(item) }, "change"),
      " ", node("button", { type: "button", class: "link", "aria-label": `withdraw ${id}`, onclick: () => put({ ...bodyOf(item), withdrawn: true }) }, "withdraw")));
}

/** As reports cite it, in short. */
function cited({ reference }) {
  return [reference.authors.join("; "), reference.title, reference.item, reference.published, reference.pages && `p. ${reference.pages}`].filter(Boolean).join(", ");
}

const bodyOf = ({ document: id, reference, places, translated }) => ({ kind: "literature", document: id, ...reference, places, translated });

/** A field by its name: `elements.item` would be a method of the collection. */
const field = (name) => byId("literature-form").elements.namedItem(name);

/** Puts an item into the form to change it; null empties the form. */
function fill(item) {
  byId("literature-form").reset();
  editing = item?.document ?? "";
  if (item) {
    for (const name of FIELDS) field(name).value = item.reference[name];
    field("form").value = item.reference.form;
    field("authors").value = item.reference.authors.join("; ");
    field("places").value = item.places.join("; ");
    field("translated").checked = item.translated;
    byId("literature-new").open = true;
    field("title").focus();
  }
  byId("literature-cancel").hidden = !item;
  byId("literature-keep").textContent = item ? `Change ${item.document}` : "Add it";
}

async function keep() {
  const listed = LISTS.map((name) => [name, field(name).value.split(";").map((one) => one.trim()).filter(Boolean)]);
  const body = {
    kind: "literature", document: editing, ...Object.fromEntries(FIELDS.map((name) => [name, field(name).value.trim()])), ...Object.fromEntries(listed),
    form: field("form").value, translated: field("translated").checked,
  };
  if (await put(body)) {
    fill(null);
    say("kept");
  }
}

/** Sends an event and shows what it changed; whether it was taken. */
async function put(body) {
  let failed = null;
  await send(body).catch((error) => { failed = error; });
  await changed();
  problem(failed);
  return !failed;
}
