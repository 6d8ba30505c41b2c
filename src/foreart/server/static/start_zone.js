// One zone for a draft: dropped anywhere on the page, chosen, or pasted; faults are one sentence each.
import { call } from "./api.js";
import { asked } from "./asked.js";
import { byId, problem, say } from "./nodes.js";

const MOST = 64 << 20;

/** Listens to the zone; `given` gets the draft as the server understood it. */
export function zone(given, ready) {
  const place = byId("drop");
  const over = (event) => { event.preventDefault(); place.classList.toggle("over", event.type === "dragover"); };
  for (const name of ["dragover", "dragleave"]) document.addEventListener(name, over);
  document.addEventListener("drop", (event) => {
    over(event);
    const [file] = event.dataTransfer.files;
    const text = event.dataTransfer.getData("text/plain");
    if (event.dataTransfer.files.length > 1) problem(new Error("Drop one file at a time: each draft is searched for by itself."));
    else if (file) send(file, file.name, given, ready);
    else if (text) send(new Blob([text]), "dropped text.txt", given, ready);
  });
  byId("file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) send(file, file.name, given, ready).finally(() => { event.target.value = ""; });
  });
  byId("give-text").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = byId("paste").value;
    if (text.trim()) send(new Blob([text]), "pasted text.txt", given, ready);
    else problem(new Error("There is no text yet: paste the draft into the box, or choose its file."));
  });
}

/** The draft that an invented example of foreart is. */
export const sampleDraft = (given, ready) => reading("the sample draft", () => call("POST", `/drafts/sample${library("?")}`), given, ready);

async function send(blob, name, given, ready) {
  if (!blob.size) return problem(new Error(`${name} is empty: choose a file that has the text of the draft.`));
  if (blob.size > MOST) return problem(new Error(`${name} is too large: a draft may have 64 MB. Save it without its pictures.`));
  return reading(name, () => call("POST", `/drafts?name=${encodeURIComponent(name)}${library("&")}`, new Blob([blob])), given, ready);
}

async function reading(name, asking, given, ready) {
  const told = byId("reading");
  problem(null);
  told.textContent = `Reading ${name} …`;
  byId("drop").setAttribute("aria-busy", "true");
  try {
    await ready;
    const draft = await asking();
    byId("paste").value = "";
    say("the draft was read");
    await given(draft);
  } catch (error) {
    problem(error);
  } finally {
    told.textContent = "";
    byId("drop").removeAttribute("aria-busy");
  }
}

const library = (sign) => (asked().library ? `${sign}library=${encodeURIComponent(asked().library)}` : "");
