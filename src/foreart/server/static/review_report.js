// Reports: a form is chosen, with facts that the draft does not have, made by the server and saved.
import { download } from "./api.js";
import { byId, problem } from "./nodes.js";
import { at, openName, rater } from "./review_matter.js";

const KEY = "report-form";
const LINES = ["docket", "application_number", "examiner", "art_unit", "searcher", "place"];

/** Listens to the form; the last chosen one is chosen again. `made` is called after each report. */
export function reports(made) {
  const form = byId("report-form");
  const kept = [...form.elements.form].find((choice) => choice.value === localStorage.getItem(KEY));
  if (kept) kept.checked = true;
  showFields(form);
  form.addEventListener("change", () => { localStorage.setItem(KEY, chosen(form).value); showFields(form); });
  form.addEventListener("submit", (event) => { event.preventDefault(); make(form, made); });
}

const chosen = (form) => [...form.elements.form].find((choice) => choice.checked);

/** Only the fields that the chosen form has. */
function showFields(form) {
  const { value } = chosen(form);
  const style = value.split("-")[0];
  byId("report-head").hidden = ["json", "csv", "ris", "biblatex", "bibtex"].includes(value);
  for (const field of form.querySelectorAll("[data-for]")) field.hidden = !field.dataset.for.split(" ").includes(style);
}

async function make(form, made) {
  const { value, dataset } = chosen(form);
  const plain = byId("report-head").hidden;
  const lines = plain ? [] : LINES.filter((name) => !form.elements[name].closest("[hidden]")).map((name) => [name, form.elements[name].value.trim()]);
  const body = {
    form: value, rater: rater(), ...Object.fromEntries(lines),
    ...(value.startsWith("ids-") ? { items_before: Number(form.elements.items_before.value) || 0 } : {}),
    leave_out: plain ? [] : [...form.elements.leave_out].filter((part) => part.checked).map((part) => part.value),
  };
  const button = byId("make-report");
  button.disabled = true;
  byId("report-said").textContent = "Making it …";
  try {
    await download(at("/export"), body, `${openName()}${plain ? "" : `-${value}`}${dataset.suffix}`);
    byId("report-said").textContent = plain ? "Saved by the browser." : "Saved by the browser. What is missing stands in the report.";
    problem(null);
    await made();
  } catch (error) {
    byId("report-said").textContent = "";
    problem(error);
  } finally {
    button.disabled = false;
  }
}
