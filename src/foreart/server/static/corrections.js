// Corrections of how a draft was understood: made in place, kept by the server, taken back one by one.
import { call } from "./api.js";
import { asked } from "./asked.js";
import { node, problem, say } from "./nodes.js";
import { remember } from "./undo.js";

/** Sends corrections; null takes one back. Resolves to the draft as it is understood now. */
export async function correct(draft, changes) {
  const changed = await send(draft, changes);
  const before = Object.fromEntries(Object.keys(changes).map((key) => [key, draft.corrections[key] ?? null]));
  remember("the correction", () => send(draft, before), () => send(draft, changes));
  say("corrected; the search runs again");
  return changed;
}

function send(draft, changes) {
  const { library } = asked();
  return call("PATCH", `/drafts/${draft.draft}${library ? `?library=${encodeURIComponent(library)}` : ""}`, changes);
}

/** A small form in place of a value: `field` is the input, `save` gets its value and may throw a sentence. */
export function editing(place, label, field, save) {
  const before = [...place.childNodes];
  const opener = document.activeElement;
  const close = () => { place.replaceChildren(...before); (opener?.isConnected ? opener : place.querySelector("button"))?.focus(); };
  const fault = node("p", { class: "fault", role: "alert", hidden: true });
  const form = node("form", {
    class: "editing",
    onsubmit: async (event) => {
      event.preventDefault();
      form.setAttribute("aria-busy", "true");
      try {
        problem(null);
        await save(field.value);
      } catch (error) {
        fault.textContent = error.message.replace(/^the corrections: /, "");
        fault.hidden = false;
        field.focus();
      } finally {
        form.removeAttribute("aria-busy");
      }
    },
    onkeydown: (event) => { if (event.key === "Escape") { event.stopPropagation(); close(); } },
  },
  node("label", {}, node("span", { class: "unseen" }, label), field),
  node("button", {}, "Save"), node("button", { type: "button", class: "quiet-button", onclick: close }, "Cancel"), fault);
  place.replaceChildren(form);
  field.focus();
  field.select?.();
}

/** "corrected" with a button that takes the correction back; nothing if there is none. */
export function takeBack(what, isCorrected, undo) {
  if (!isCorrected) return null;
  return node("span", { class: "corrected" }, "corrected ",
    node("button", { type: "button", class: "link", "aria-label": `take back the correction of ${what}`, onclick: undo }, "take back"));
}
