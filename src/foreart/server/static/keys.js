// The keys of every page: one table that the pages, the help and the tests read.
// Keys do nothing while a field, a dialog or an input method has the focus, and never with Ctrl, Alt or Meta.

/** Context, key, what it does. "everywhere" holds on all pages; `g` waits for a second key. */
export const KEYS = [
  ["everywhere", "?", "show the keys"],
  ["everywhere", "g s", "go to Start"],
  ["everywhere", "g r", "go to Results"],
  ["everywhere", "g d", "go to Reading"],
  ["everywhere", "g c", "go to Chart"],
  ["everywhere", "g m", "go to Map"],
  ["everywhere", "g e", "go to Evaluate"],
  ["everywhere", "Shift+D", "light or dark"],
];
