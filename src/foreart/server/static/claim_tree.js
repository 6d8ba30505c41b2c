// The claims as a tree of what refers to what; elements of independent claims as chips, corrected in place.
import { correct, editing, takeBack } from "./corrections.js";
import { node } from "./nodes.js";
import { counted } from "./start_sections.js";

/** The tree; a claim that refers to several stands under the first of them. */
export function claimTree(draft, changed) {
  const known = new Map(draft.claims.map((claim) => [claim.number, claim]));
  const parentOf = (claim) => claim.parents.find((number) => known.has(number) && number < claim.number);
  const below = new Map();
  for (const claim of draft.claims) {
    const parent = parentOf(claim) ?? 0;
    below.set(parent, [...(below.get(parent) || []), claim]);
  }
  const branch = (number) => (below.get(number) || []).map((claim) => node("li", {}, one(draft, claim, changed), node("ul", {}, ...branch(claim.number))));
  return [node("ul", { class: "claim-tree" }, ...branch(0)),
    takeBack("the claims", "claims" in draft.corrections, async () => changed(await correct(draft, { claims: null }), "#claims summary"))];
}

function one(draft, claim, changed) {
  const place = node("div", { class: "claim" });
  const key = `[data-claim="${claim.number}"]`;
  const parents = claim.parents.length ? `refers to ${claim.parents.length > 1 ? "claims" : "claim"} ${claim.parents.join(", ")}` : "independent";
  const elements = claim.elements.length
    ? node("ul", { class: "chips", "aria-label": `elements of claim ${claim.number}` }, ...claim.elements.map((item) => node("li", { class: `chip ${item.kind}`, title: item.kind }, item.text)))
    : null;
  const parentField = () => node("input", { type: "text", value: claim.parents.join(", "), size: 12, placeholder: "none: independent" });
  const elementField = () => node("textarea", { rows: Math.min(12, claim.elements.length + 2), spellcheck: "false", autocomplete: "off", translate: "no" }, claim.elements.map((item) => flat(item.text)).join("\n\n"));
  place.append(
    node("details", { open: claim.number === draft.claims.find((item) => item.independent)?.number },
      node("summary", {}, node("b", {}, `Claim ${claim.number}`), node("span", { class: "quiet" }, ` ${parents}`, claim.elements.length ? ` · ${counted(claim.elements.length, "element")}` : ""), node("span", { class: "begin" }, ` ${claim.text.slice(0, 160)}`)),
      elements || node("p", {}, claim.text),
      node("p", { class: "line quiet" },
        node("button", { type: "button", class: "link", "data-claim": claim.number, onclick: () => editing(place, `claims that claim ${claim.number} refers to`, parentField(), async (value) => changed(await correct(draft, { claims: withParents(draft, claim, value) }), key)) }, "Correct what it refers to"),
        claim.independent ? node("button", { type: "button", class: "link", onclick: () => editing(place, `elements of claim ${claim.number}: an empty line between two`, elementField(), async (value) => changed(await correct(draft, { claims: withElements(draft, claim, value) }), key)) }, "Correct its elements") : null)));
  return place;
}

const flat = (text) => text.split(/\s+/).join(" ").trim();

function withParents(draft, claim, value) {
  const parents = (value.match(/\d+/g) || []).map(Number);
  return merged(draft, { number: claim.number, parents });
}

function withElements(draft, claim, value) {
  return merged(draft, { number: claim.number, elements: value.split(/\n\s*\n/).map(flat).filter(Boolean) });
}

/** The corrections of all claims with those of one changed. */
function merged(draft, change) {
  const before = draft.corrections.claims || [];
  const same = before.find((item) => item.number === change.number);
  return [...before.filter((item) => item.number !== change.number), { ...same, ...change }];
}
