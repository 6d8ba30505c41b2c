// The draft on the left: claims by element, then its paragraphs; one of them is picked.
import { byId, node } from "./nodes.js";

/** The class of the colour of the element at this place of its claim. */
export const colourOfElement = (place) => `e${(place % 8) + 1}`;

/** The colour of a row of the chart by its label: `1.2` has that of the third element. */
export const colourOfRow = (label) => colourOfElement(Number(label.split(".")[1] || 0));

/** Fills the list; `pick` is called with `claim:1`, `element:1.2` or `paragraph:12`. */
export function fillDraft(draft, pick) {
  const list = byId("draft-list");
  byId("draft-title").textContent = draft.title || "(draft without a title)";
  const claims = draft.claims.map(claimGroup);
  list.replaceChildren(
    ...(claims.length ? claims : [node("p", { class: "note" }, "No claims were found, so there are no elements. Pick a paragraph below, or say on ", node("a", { href: "/" }, "Start"), " where the claims are.")]),
    ...sections(draft.paragraphs),
  );
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[data-pick]");
    if (option) pick(option.dataset.pick);
  });
  list.addEventListener("keydown", (event) => step(event, list, pick));
  options(list)[0]?.setAttribute("tabindex", "0");
}

/** Shows what is picked; `focus` moves the focus there too. */
export function showPicked(pick, { focus = false } = {}) {
  for (const option of options(byId("draft-list"))) {
    const on = option.dataset.pick === pick;
    option.setAttribute("aria-selected", String(on));
    option.tabIndex = on ? 0 : -1;
    if (!on) continue;
    option.scrollIntoView({ block: "nearest" });
    if (focus) option.focus();
  }
}

/** The pick of this name, or the first one if the draft has changed. */
export function known(pick) {
  const all = options(byId("draft-list"));
  return (all.find((option) => option.dataset.pick === pick) ?? all[0])?.dataset.pick ?? "";
}

/** The claim that the pick is about, 0 for paragraphs. */
export const claimOf = (pick) => (pick.startsWith("paragraph:") ? 0 : Number(pick.split(":")[1].split(".")[0]));

/** Shows beside each element how much of it the document has. */
export function showCoverage(cells) {
  const best = new Map(cells.map((cell) => [`element:${cell.row}`, cell]));
  for (const option of options(byId("draft-list"))) {
    const cell = best.get(option.dataset.pick);
    const figure = option.querySelector(".figure");
    if (!figure) continue;
    figure.textContent = cell ? `${Math.round(cell.coverage * 100)} %` : "";
    figure.className = `figure${cell ? ` ${cell.grade.replace(" ", "-")}` : ""}`;
    figure.title = cell ? `${cell.grade} in this document` : "";
  }
}

function claimGroup(claim) {
  const elements = claim.elements.length > 1 ? claim.elements : [];
  return node("div", { role: "group", "aria-label": `Claim ${claim.number}`, class: `claim${claim.independent ? " independent" : ""}` },
    option(`claim:${claim.number}`, "claim-head",
      node("b", {}, `Claim ${claim.number}`),
      node("span", { class: "about" }, claim.independent ? (elements.length ? `all ${elements.length} elements` : claim.text) : claim.text)),
    elements.map((element, place) =>
      option(`element:${claim.number}.${place}`, `element ${colourOfElement(place)}`,
        node("b", {}, `${claim.number}.${place}`), node("span", { class: "words" }, element.text), node("span", { class: "figure" }))));
}

function sections(paragraphs) {
  const made = [];
  let group = null;
  paragraphs.forEach((paragraph, place) => {
    if (paragraph.heading || !group) {
      const name = paragraph.heading ? paragraph.text : "Description";
      group = node("div", { role: "group", "aria-label": name, class: "section" }, node("div", { class: "heading" }, name));
      made.push(group);
      if (paragraph.heading) return;
    }
    group.append(option(`paragraph:${place}`, "paragraph", paragraph.number ? node("b", {}, `[${paragraph.number}]`) : null, node("span", { class: "words" }, paragraph.text)));
  });
  return made.filter((section) => section.children.length > 1);
}

function option(pick, name, ...children) {
  return node("div", { role: "option", class: name, "data-pick": pick, "aria-selected": "false", tabindex: "-1" }, ...children);
}

const options = (list) => [...list.querySelectorAll("[data-pick]")];

function step(event, list, pick) {
  const at = event.target.closest("[data-pick]");
  if (!at || event.ctrlKey || event.altKey || event.metaKey) return;
  const all = options(list);
  const place = all.indexOf(at);
  const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: all.length - 1 }[event.key];
  if (event.key === "Enter" || event.key === " ") pick(at.dataset.pick);
  else if (to === undefined) return;
  else if (all[to]) {
    at.tabIndex = -1;
    all[to].tabIndex = 0;
    all[to].focus();
  }
  event.preventDefault();
}
