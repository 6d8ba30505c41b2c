// What others append to the matter, in another tab or by another program.
import { at } from "./review_matter.js";
import { seen } from "./review_outbox.js";

let events = null;

/** Follows the matter; `appended` gets each event, `again` is called when the stream was interrupted. */
export function follow({ appended, again, closed }) {
  leave();
  let opened = false;
  events = new EventSource(`/api${at("/events")}`);
  events.addEventListener("open", () => { if (opened) again(); opened = true; });
  events.addEventListener("appended", (event) => {
    const found = JSON.parse(event.data);
    seen.last = Math.max(seen.last, found.n);
    appended(found);
  });
  events.addEventListener("closed", (event) => { leave(); closed(JSON.parse(event.data).error); });
}

/** Stops following. */
export function leave() {
  events?.close();
  events = null;
}
