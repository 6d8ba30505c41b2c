// The sections of a draft as bands in proportion to their words, and where each begins, corrected paragraph by paragraph.
import { correct, takeBack } from "./corrections.js";
import { byId, node } from "./nodes.js";

const NAMES = {
  title: "Title", related: "Related applications", field: "Field", background: "Background", summary: "Summary", drawings: "Figures",
  detailed: "Detailed description", numerals: "Reference signs", description: "Description, undivided", claims: "Claims", abstract: "Abstract",
};
const OUTSIDE = ["claims", "abstract"];

/** Bands, their legend and the button that opens the corrections. */
export function sections(draft, changed) {
  const bands = node("div", { class: "bands", "aria-hidden": "true" });
  for (const section of draft.sections.filter((item) => item.words)) {
    const band = node("span", { class: `band s-${section.name}`, title: `${NAMES[section.name]}: ${counted(section.words, "word")}` }, node("span", {}, NAMES[section.name]));
    band.style.flexGrow = section.words;
    bands.append(band);
  }
  const listed = node("ul", { class: "legend" }, ...draft.sections.map((section) =>
    node("li", {}, node("span", { class: `swatch s-${section.name}` }), NAMES[section.name], " ", node("b", {}, section.words.toLocaleString("en")), " words")));
  const done = async (changes) => changed(await correct(draft, changes), "#correct-sections");
  return [bands, listed,
    node("p", { class: "line quiet" },
      draft.paragraphs.length ? node("button", { id: "correct-sections", type: "button", class: "link", onclick: () => openEditor(draft, changed) }, "Correct where sections begin") : null,
      takeBack("the sections", "sections" in draft.corrections, () => done({ sections: null })))];
}

export const counted = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;

function openEditor(draft, changed) {
  const dialog = byId("section-editor");
  const starts = new Map(draft.borders.map((border) => [border.start, border.name]));
  const rows = draft.paragraphs.map((paragraph, place) => {
    const choice = node("select", { "aria-label": `section from paragraph ${place + 1}` },
      node("option", { value: "" }, "…"), ...Object.entries(NAMES).filter(([name]) => name !== "title").map(([name, label]) => node("option", { value: name, selected: starts.get(place) === name }, label)));
    const mark = () => row.classList.toggle("begins", Boolean(choice.value));
    choice.addEventListener("change", mark);
    const row = node("li", {}, choice, node("span", { class: paragraph.heading ? "heading" : "" }, paragraph.number ? `[${paragraph.number}] ` : "", beginning(paragraph.text)));
    mark();
    return row;
  });
  byId("section-rows").replaceChildren(...rows);
  const fault = byId("section-fault");
  fault.hidden = true;
  byId("section-form").onsubmit = async (event) => {
    event.preventDefault();
    try {
      const answer = await inSomeOrder(draft, chosen(draft, rows));
      dialog.close();
      changed(answer, "#correct-sections");
    } catch (error) {
      fault.textContent = error.message.replace(/^the corrections: /, "");
      fault.hidden = false;
    }
  };
  dialog.showModal();
}

/** The first words of a paragraph, as far as they fit in two or three lines. */
const beginning = (text) => (text.length > 160 ? `${text.slice(0, 160).replace(/\s+\S*$/, "")} …` : text);

function chosen(draft, rows) {
  return rows.flatMap((row, place) => {
    const name = row.querySelector("select").value;
    return name ? [{ name, starts: draft.paragraphs[place].text.split("\n")[0].split(/\s+/).slice(0, 12).join(" ") }] : [];
  });
}

/** Claims and abstract are no paragraphs of the description, and may stand before it in the file: the order that fits is kept. */
async function inSomeOrder(draft, inside) {
  const taken = new Set(inside.map((item) => item.name));
  const [claims, abstract] = OUTSIDE.map((name) => draft.understood.sections.filter((item) => item.name === name && !taken.has(name)));
  const orders = [[...inside, ...claims, ...abstract], [...abstract, ...inside, ...claims], [...claims, ...abstract, ...inside], [...abstract, ...claims, ...inside]];
  for (const [place, order] of orders.entries()) {
    try {
      return await correct(draft, { sections: order });
    } catch (error) {
      if (place === orders.length - 1 || !/no later paragraph begins/.test(error.message)) throw error;
    }
  }
}
