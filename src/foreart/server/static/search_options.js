// Cut-off date and law of a search.
import { ask, asked } from "./asked.js";
import { byId } from "./nodes.js";

/** Shows what is asked in the form `options` and calls `changed` after each change. */
export function searchOptions(changed) {
  const form = byId("options");
  const show = () => {
    form.cutoff.value = asked().cutoff || "";
    form.regime.value = asked().regime || "any";
  };
  show();
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", (event) => {
    if (event.target.name === "cutoff") ask({ cutoff: event.target.value.trim() || null });
    else if (event.target.name === "regime") ask({ regime: event.target.value === "any" ? null : event.target.value });
    else return;
    changed();
  });
  return show;
}
