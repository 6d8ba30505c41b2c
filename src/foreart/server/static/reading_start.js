// What a page needs of the draft before it can show anything, and what it says if there is none.
import { call } from "./api.js";
import { asked } from "./asked.js";
import { byId, node, prose } from "./nodes.js";

/** The draft that is asked for, or the patent that stands for it; null after saying what to do, and `what` the page is for. */
export async function openedDraft(what) {
  const { draft, number, library } = asked();
  const where = library ? `?library=${encodeURIComponent(library)}` : "";
  if (!draft && !number) return emptyPage(`No draft is open in this tab. ${what}`, "/", "Give a draft");
  try {
    return draft ? await call("GET", `/drafts/${draft}${where}`) : ofPatent(await call("GET", `/documents/${encodeURIComponent(number)}${where}`));
  } catch (error) {
    return emptyPage(error.message, "/", draft ? "Give the draft again" : "Choose another");
  }
}

/** Says why there is nothing to see, and the way out; null. */
export function emptyPage(sentence, path, label) {
  const place = byId("empty");
  place.hidden = false;
  place.replaceChildren(node("p", {}, prose(`${sentence[0].toUpperCase()}${sentence.slice(1)}${/[.!?]$/.test(sentence) ? "" : "."}`)), node("p", {}, node("a", { class: "button", href: path }, label)));
  return null;
}

function ofPatent(record) {
  const whole = [...(record.description || "")];
  return {
    title: record.title || record.id,
    claims: (record.claims || []).map((text, place) => ({
      number: record.claim_numbers?.[place] ?? place + 1, text: text.replace(/^\d+\. /, ""), independent: !record.claim_depends_on?.[place]?.length, elements: [],
    })),
    paragraphs: (record.paragraphs || []).map((span) => ({ number: span.number || "", text: whole.slice(span.start, span.end).join(""), heading: Boolean(span.heading) })),
  };
}
