// The keys of every page: one table that the pages, the help and the tests read.
// Keys do nothing while a field, a dialog or an input method has the focus, and never with Ctrl, Alt or Meta.

/** Context, key, what it does. "everywhere" holds on all pages; a second key after a space follows the first. */
export const KEYS = [
  ["everywhere", "?", "show the keys"],
  ["everywhere", "/", "find on this page"],
  ["everywhere", "g s", "go to Start"],
  ["everywhere", "g r", "go to Results"],
  ["everywhere", "g d", "go to Reading"],
  ["everywhere", "g c", "go to Chart"],
  ["everywhere", "g v", "go to Review"],
  ["everywhere", "g m", "go to Map"],
  ["everywhere", "g o", "go to Corpus"],
  ["everywhere", "g e", "go to Evaluate"],
  ["everywhere", "Shift+D", "light or dark"],
  ["everywhere", "Escape", "close, or leave what is open"],
  ["start", "z", "undo the last correction"],
  ["start", "Shift+Z", "correct again"],
  ["list", "j", "next"],
  ["list", "k", "previous"],
  ["list", "Enter", "open"],
  ["list", "Space", "mark for comparison"],
  ["list", "u", "next unseen"],
  ["list", "o", "only new ones"],
  ["list", "c", "compare marked"],
  ["list", "f", "facets"],
  ["reading", "j", "next document"],
  ["reading", "k", "previous document"],
  ["reading", "]", "next passage"],
  ["reading", "[", "previous passage"],
  ["reading", "1–9", "element of the claim"],
  ["reading", "h", "own highlights on or off"],
  ["reading", "b", "words of similar meaning on or off"],
  ["reading", "e", "why it is ranked here"],
  ["reading", "a", "add to the chart or take out"],
  ["chart", "Arrows", "next cell"],
  ["chart", "Enter", "quotes of the cell"],
  ["chart", "o", "open the reference beside the draft"],
  ["chart", "1–5", "own grade of the cell"],
  ["chart", "0", "take the own grade back"],
  ["chart", "q", "quotes on or off"],
  ["chart", "z", "undo the last grade, or the last change of references"],
  ["chart", "Shift+Z", "redo"],
  ["review", "r", "relevant, and on"],
  ["review", "m", "maybe, and on"],
  ["review", "i", "irrelevant, and on"],
  ["review", "l", "later, and on"],
  ["review", "Shift+R", "relevant, and stay"],
  ["review", "Shift+M", "maybe, and stay"],
  ["review", "Shift+I", "irrelevant, and stay"],
  ["review", "Shift+L", "later, and stay"],
  ["review", "v", "category: letters x y a d e p t o l &, claim numbers, Enter"],
  ["review", "n", "note: Ctrl+Enter saves"],
  ["review", "z", "undo"],
  ["review", "Shift+Z", "redo"],
  ["review", "j", "next document without a judgement"],
  ["review", "k", "the document before"],
  ["review", "h", "own highlights on or off"],
  ["review", "e", "why it is shown now"],
  ["map", "Arrows", "nearest document in that direction, when the map has the focus"],
  ["map", "j", "next document by rank"],
  ["map", "k", "previous document by rank"],
  ["map", "Enter", "read it"],
  ["map", "Space", "select it, or take it out"],
  ["map", "l", "lasso or move"],
  ["map", "+", "zoom in"],
  ["map", "-", "zoom out"],
  ["map", "0", "all documents, as large as they fit"],
  ["map", "d", "the draft in the middle, as at first"],
  ["map", "v", "next colouring"],
  ["map", "Escape", "clear the selection"],
  ["corpus", "a", "choose files to add"],
  ["corpus", "b", "build the indexes"],
  ["judging", "0–5", "label of the pair"],
  ["judging", "n", "comment"],
  ["judging", "s", "skip the pair for now"],
  ["judging", "Backspace", "back to the pair before"],
];
const PAGES = { s: "/", r: "/results", d: "/reading", c: "/chart", v: "/review", m: "/map", o: "/corpus", e: "/evaluate" };
const OFF = "single-keys-off";
let waiting = false;

/** Listens to the keys of a context: `actions` maps a key of the table to a function of the event. */
export function listen(context, actions) {
  document.addEventListener("keydown", (event) => {
    if (!meant(event) || localStorage.getItem(OFF)) return;
    if (follow(event)) return;
    const action = actions[named(event)] ?? everywhere[named(event)];
    if (!action || action(event) === false) return;
    event.preventDefault();
  });
  fillHelp(context);
}

/** The name of a key as in the table: a range stands for each of its digits. */
export function named(event) {
  if (event.key === " ") return "Space";
  if (event.key.startsWith("Arrow")) return "Arrows";
  if (event.shiftKey && /^[A-Z]$/.test(event.key)) return `Shift+${event.key}`;
  return event.key;
}

/** The actions of digits in a range such as `1–9`, each called with its number. */
export function digits(first, last, action) {
  return Object.fromEntries(Array.from({ length: last - first + 1 }, (_, place) => [String(first + place), () => action(first + place)]));
}

const everywhere = {
  "?": () => document.getElementById("keys").showModal(),
  "/": () => {
    const field = [...document.querySelectorAll("[data-find]")].find((one) => one.checkVisibility());
    if (!field) return false;
    field.focus();
  },
  g: () => { waiting = true; setTimeout(() => { waiting = false; }, 1500); },
  "Shift+D": () => switchScheme(),
};

/** Light becomes dark and dark becomes light; kept in this browser. */
export function switchScheme() {
  const root = document.documentElement;
  const now = root.dataset.scheme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.dataset.scheme = now === "dark" ? "light" : "dark";
  localStorage.setItem("scheme", root.dataset.scheme);
}

function meant(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented) return false;
  if (document.querySelector("dialog[open]")) return false;
  const at = event.target;
  if (at.isContentEditable || at.matches("select, textarea, input:not([type=checkbox], [type=radio], [type=button])")) return false;
  // Enter and Space belong to the link or button that has the focus.
  return !((event.key === "Enter" || event.key === " ") && at.closest("a, button, summary, input, label"));
}

function follow(event) {
  if (!waiting) return false;
  waiting = false;
  if (!PAGES[event.key]) return false;
  location.assign(PAGES[event.key]);
  return true;
}

function fillHelp(context) {
  const dialog = document.getElementById("keys");
  const list = dialog.querySelector("dl");
  list.replaceChildren();
  for (const [where, key, meaning] of KEYS) {
    if (where !== "everywhere" && where !== context) continue;
    const term = document.createElement("dt");
    const shown = document.createElement("kbd");
    shown.textContent = key;
    term.append(shown);
    const told = document.createElement("dd");
    told.textContent = meaning;
    list.append(term, told);
  }
  const off = dialog.querySelector("input");
  off.checked = Boolean(localStorage.getItem(OFF));
  off.addEventListener("change", () => (off.checked ? localStorage.setItem(OFF, "1") : localStorage.removeItem(OFF)));
}
