// What the library lacks, said with what to do about it; the sample corpus is one click away.
import { call } from "./api.js";
import { asked } from "./asked.js";
import { follow } from "./jobs.js";
import { node, problem } from "./nodes.js";

/** The state of the library that is used. */
export async function stateOf() {
  const { libraries } = await call("GET", "/libraries");
  return libraries.find((item) => item.name === asked().library) || libraries[0];
}

/** Shows in `place` what is missing; `again` runs when it was made. True if searches are possible. */
export function teach(place, state, again) {
  place.replaceChildren(...(!state.documents ? empty(place, again) : !state.indexes.length ? unbuilt(place, state, again) : []));
  place.hidden = !place.childElementCount;
  return place.hidden;
}

/** One sentence about a corpus without citations or weights of its own; "" if there is nothing to say. */
export function weightsNote(state) {
  if (!state.indexes.length || state.learned) return "";
  return state.citations
    ? "The ranking uses default weights; Corpus → Learn fits them to the citations of your corpus."
    : "This corpus has no citations, so the ranking uses texts, classes and names only.";
}

function empty(place, again) {
  return [
    node("h2", {}, "This library has no documents yet"),
    node("p", {}, "foreart searches the patents that you give it; nothing is fetched and nothing leaves this machine. Add the full texts of your field once, then every draft is compared with all of them."),
    node("p", { class: "actions" },
      node("button", { id: "load-sample", type: "button", onclick: (event) => run(event.target, place, "sample", again) }, "Load the sample corpus"),
      node("a", { class: "button quiet-button", href: "/corpus" }, "Add files of patents")),
    node("p", { class: "quiet" }, "The sample has 50 invented patents and takes a few seconds: enough to see what every page does."),
  ];
}

function unbuilt(place, state, again) {
  return [
    node("h2", {}, `${state.documents.toLocaleString("en")} documents, but no index yet`),
    node("p", {}, "Indexes are built once and brought up to date after new files. A thousand patents take about a minute; this page can be closed meanwhile."),
    node("p", { class: "actions" }, node("button", { id: "build", type: "button", onclick: (event) => run(event.target, place, "build", again) }, "Build the indexes")),
  ];
}

async function run(button, place, kind, again) {
  button.disabled = true;
  try {
    const library = asked().library;
    await follow(await call("POST", `/jobs/${kind}${library ? `?library=${encodeURIComponent(library)}` : ""}`), place);
    await again();
  } catch (error) {
    problem(error);
    button.disabled = false;
  }
}
