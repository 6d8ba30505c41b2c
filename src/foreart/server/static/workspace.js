// What a person keeps beside a draft: highlights, and the choices of its chart. Kept with the draft on the server and
// removed with it, for the words of a draft have no place in the browser; for a patent as the draft, in this tab.
import { call } from "./api.js";
import { asked } from "./asked.js";

const BLANK = { highlights: [], references: [], claims: "", purpose: "novelty" };
let kept = BLANK;
let sending = Promise.resolve();
// What the server has not confirmed yet; it is sent again if the page is left before.
let unsent = null;

/** Loads what is kept; `workspace()` has it then. */
export async function loadWorkspace() {
  const { draft } = asked();
  kept = draft ? only(await call("GET", `/drafts/${draft}/workspace`)) : { ...BLANK, ...JSON.parse(sessionStorage.getItem("workspace") || "{}") };
  return kept;
}

/** What is kept: highlights, references, claims and purpose. */
export const workspace = () => kept;

/** Keeps changes; they hold at once, and are on the server when this resolves. */
export async function keep(changes) {
  kept = { ...kept, ...changes };
  const { draft } = asked();
  if (!draft) sessionStorage.setItem("workspace", JSON.stringify(kept));
  else {
    unsent = { ...unsent, ...changes };
    // One after the other: the last change is the one that stays.
    await (sending = sending.catch(() => {}).then(() => send(draft)));
  }
}

/** Adds a reference to the chart or takes it out. */
export function toggleReference(id) {
  const { references } = kept;
  return keep({ references: references.includes(id) ? references.filter((one) => one !== id) : [...references, id] });
}

async function send(draft) {
  const changes = unsent;
  if (!changes) return;
  await call("PUT", `/drafts/${draft}/workspace`, changes);
  if (unsent === changes) unsent = null;
}

addEventListener("pagehide", () => {
  const { draft } = asked();
  const headers = { "Content-Type": "application/json" };
  if (draft && unsent) fetch(`/api/drafts/${draft}/workspace`, { method: "PUT", headers, body: JSON.stringify(unsent), keepalive: true });
});

function only({ highlights, references, claims, purpose }) {
  return { highlights, references, claims, purpose };
}
