// Reports: a form is chosen, with facts that the draft does not have, previewed, made by the server and saved.
import { call, download } from "./api.js";
import { byId, problem } from "./nodes.js";
import { sheetNodes } from "./report_sheet.js";
import { at, openName, rater } from "./review_matter.js";

const KEY = "report-form";
const LINES = ["docket", "application_number", "examiner", "art_unit", "searcher", "place"];

/** Listens to the form; the last chosen one is chosen again. `made` is called after each report. */
export function reports(made) {
  const form = byId("report-form");
  const kept = [...form.elements.form].find((choice) => choice.value === localStorage.getItem(KEY));
  if (kept) kept.checked = true;
  showFields(form);
  form.addEventListener("change", () => { localStorage.setItem(KEY, chosen(form).value); showFields(form); forget(); });
  byId("preview-report").addEventListener("click", () => preview(form));
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

/** What is asked of the server: the form, and the facts that its fields have. */
function bodyOf(form) {
  const { value } = chosen(form);
  const plain = byId("report-head").hidden;
  const lines = plain ? [] : LINES.filter((name) => !form.elements[name].closest("[hidden]")).map((name) => [name, form.elements[name].value.trim()]);
  return {
    form: value, rater: rater(), ...Object.fromEntries(lines),
    ...(value.startsWith("ids-") ? { items_before: Number(form.elements.items_before.value) || 0 } : {}),
    leave_out: plain ? [] : [...form.elements.leave_out].filter((part) => part.checked).map((part) => part.value),
  };
}

/** Does what a button asks for, and says what came of it. */
async function busy(button, doing, action) {
  button.disabled = true;
  byId("report-said").textContent = doing;
  try {
    byId("report-said").textContent = await action();
    problem(null);
  } catch (error) {
    byId("report-said").textContent = "";
    problem(error);
  } finally {
    button.disabled = false;
  }
}

const make = (form, made) => busy(byId("make-report"), "Making it …", async () => {
  const plain = byId("report-head").hidden;
  const { value, dataset } = chosen(form);
  await download(at("/export"), bodyOf(form), `${openName()}${plain ? "" : `-${value}`}${dataset.suffix}`);
  await made();
  return plain ? "Saved by the browser." : "Saved by the browser. What is missing stands in the report.";
});

const preview = (form) => busy(byId("preview-report"), "Making the preview …", async () => {
  const found = await call("POST", at("/preview"), bodyOf(form));
  byId("report-preview").replaceChildren(...sheetNodes(found));
  byId("report-preview").hidden = false;
  byId("report-preview").scrollIntoView({ block: "nearest" });
  return "This is what the file will show; no file was made.";
});

/** A preview of other facts is no preview. */
function forget() {
  byId("report-preview").hidden = true;
  byId("report-preview").replaceChildren();
  byId("report-said").textContent = "";
}
