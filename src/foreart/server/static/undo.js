// Undo and redo of what a person changes on a page, as long as it is open.
import { problem, say } from "./nodes.js";

let past = [];
let future = [];
// Steps wait for each other: somebody may press the key faster than a change is made.
let steps = Promise.resolve();

/** Remembers a change that was made: what it was, and how it is taken back and made again. */
export function remember(told, undo, redo) {
  past.push({ told, undo, redo });
  future = [];
}

/** Forgets all changes: they were made to something else than what is shown now. */
export function forgetChanges() {
  past = [];
  future = [];
}

/** The keys of undo and redo; `then` gets what the function of a change resolves to. */
export const undoKeys = (then = () => {}) => ({
  z: () => { steps = steps.then(() => step("undo", then)); },
  "Shift+Z": () => { steps = steps.then(() => step("redo", then)); },
});

async function step(way, then) {
  const [from, to] = way === "undo" ? [past, future] : [future, past];
  const change = from.at(-1);
  if (!change) return say(`nothing to ${way}`);
  try {
    const result = await change[way]();
    // The lists are others if something else was opened meanwhile.
    if (from.at(-1) === change) to.push(from.pop());
    then(result);
    say(`${way === "undo" ? "Undone" : "Done again"}: ${change.told}`);
  } catch (error) {
    problem(error);
  }
}
