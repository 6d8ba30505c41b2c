// What is charted: references by number or from the hits, claims, and the file to export.
import { call, download } from "./api.js";
import { asked, shown } from "./asked.js";
import { byId, node, problem, say } from "./nodes.js";
import { remember } from "./undo.js";
import { keep, workspace } from "./workspace.js";

/** The body of a chart: what is asked, the references and the claims that were chosen. */
export function chartBody() {
  const { references, claims } = workspace();
  return { ...asked(), numbers: references, ...(claims === "all" ? { all_claims: true } : { claims: claimNumbers(claims) }) };
}

/** The numbers of claims in a text such as `1, 5-7`. */
export function claimNumbers(text) {
  const found = [...text.matchAll(/(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?/g)].flatMap(([, first, last]) =>
    Array.from({ length: Math.min(200, Math.max(1, Number(last ?? first) - Number(first) + 1)) }, (_, place) => Number(first) + place));
  return [...new Set(found)].filter((number) => number > 0).slice(0, 200);
}

/** Listens to the tools above the matrix; `charted` makes the chart again and is false if that failed. */
export function listenToTools(charted, drawn) {
  byId("add").addEventListener("submit", (event) => {
    event.preventDefault();
    add(byId("numbers").value.split(/[\s,;]+/).filter(Boolean), charted).then((added) => { if (added) byId("numbers").value = ""; });
  });
  byId("add-best").addEventListener("click", () => addBest(charted));
  byId("choose-hits").addEventListener("click", () => chooseHits(charted));
  listenToClaims(charted);
  byId("purpose").value = workspace().purpose;
  byId("purpose").addEventListener("change", async (event) => {
    const kept = keep({ purpose: event.target.value });
    drawn();
    await kept;
  });
  byId("export").addEventListener("submit", (event) => { event.preventDefault(); exportFile(byId("form").value); });
}

/** Adds references; numbers that are not in the corpus are refused in one sentence, and none is added. */
export async function add(numbers, charted) {
  const before = workspace().references;
  const ids = await Promise.all(numbers.map(async (number) => (await found(number)).id)).catch((error) => problem(error));
  if (!ids) return false;
  const after = [...new Set([...before, ...ids])].slice(0, 50);
  if (after.length > before.length) return changeReferences(after, "references added", charted);
  say("already in the chart");
  return charted();
}

/** Charts other references; `told` says in undo and redo what has changed. */
export async function changeReferences(after, told, charted) {
  const before = workspace().references;
  const change = async (references) => { await keep({ references }); return charted(); };
  remember(told, () => change(before), () => change(after));
  return change(after);
}

/** Adds the best five hits of the search. */
export async function addBest(charted) {
  const ids = shown.hits.length ? shown.hits : (await call("POST", "/search", { ...asked(), k: 5, passages: false })).hits.map((hit) => hit.id);
  return add(ids.slice(0, 5), charted);
}

async function chooseHits(charted) {
  const { hits } = await call("POST", "/search", { ...asked(), k: 50, passages: false });
  const before = workspace().references;
  const chosen = new Set(before);
  byId("hit-choices").replaceChildren(node("ul", { class: "plain hit-choices" }, hits.map((hit) =>
    node("li", {}, node("label", {}, node("input", { type: "checkbox", checked: chosen.has(hit.id), onchange: (event) => (event.target.checked ? chosen.add(hit.id) : chosen.delete(hit.id)) }),
      ` ${hit.rank}. `, node("span", { class: "id" }, hit.id), " ", node("bdi", {}, hit.title || "(no title)"), " ", node("small", {}, `${hit.published || "undated"}, ${hit.status}`))))));
  byId("hit-list").showModal();
  byId("hit-list").addEventListener("close", () => {
    const after = [...chosen].slice(0, 50);
    if (after.join() !== before.join()) changeReferences(after, "references chosen", charted);
  }, { once: true });
}

function listenToClaims(charted) {
  const choice = byId("claims");
  const numbers = byId("claim-numbers");
  const { claims } = workspace();
  choice.value = claims === "" || claims === "all" ? claims : "some";
  numbers.value = choice.value === "some" ? claims : "";
  numbers.hidden = choice.value !== "some";
  choice.addEventListener("change", async () => {
    numbers.hidden = choice.value !== "some";
    if (choice.value === "some" && !claimNumbers(numbers.value).length) return numbers.focus();
    await keep({ claims: choice.value === "some" ? numbers.value : choice.value });
    return charted();
  });
  numbers.addEventListener("change", async () => {
    if (!claimNumbers(numbers.value).length) return problem(new Error("Give numbers of claims, such as 1, 5-7."));
    await keep({ claims: numbers.value.slice(0, 200) });
    return charted();
  });
}

async function found(number) {
  const { library } = asked();
  return call("GET", `/documents/${encodeURIComponent(number.slice(0, 200))}${library ? `?library=${encodeURIComponent(library)}` : ""}`);
}

async function exportFile(form) {
  problem(null);
  say("making the file");
  await download(`/chart/file?form=${form}`, chartBody(), `claim-chart.${form}`);
  say(`claim-chart.${form} is downloaded`);
}
