// Start: a draft is dropped, chosen or pasted; what was understood is shown.
import { call, signedIn } from "./api.js";
import { askFor } from "./asked.js";
import { byId, node, problem, say, start } from "./nodes.js";

async function upload(blob, name) {
  problem(null);
  try {
    const draft = await call("POST", `/drafts?name=${encodeURIComponent(name)}`, blob);
    askFor(draft.draft);
    show(draft);
  } catch (error) {
    problem(error);
  }
}

function show(draft) {
  byId("understood").hidden = false;
  byId("doubts").replaceChildren(...draft.notes.map((note) => node("li", { class: "note" }, note)));
  const facts = { Title: draft.title, Priority: draft.dates.priority, Filed: draft.dates.filed, Language: draft.language };
  byId("front").replaceChildren(
    ...Object.entries(facts).map(([name, value]) => node("div", {}, node("dt", {}, name), node("dd", {}, value || "not found"))),
  );
  byId("sections").replaceChildren(
    node("ul", {}, ...draft.sections.map((item) => node("li", {}, `${item.name}: ${item.words} words`))),
  );
  byId("claims").replaceChildren(
    node("ol", {}, ...draft.claims.map((claim) => node("li", { value: claim.number }, claim.text))),
  );
  say("draft understood");
}

function main() {
  const zone = byId("drop");
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const [file] = event.dataTransfer.files;
    if (file) upload(file, file.name);
  });
  byId("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) upload(file, file.name);
  });
  byId("search").addEventListener("click", () => upload(new Blob([byId("paste").value]), "pasted text"));
}

start(main, { signedIn, call });
