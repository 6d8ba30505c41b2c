// Reports: a form is chosen, made by the server and saved.
import { download } from "./api.js";
import { byId, problem } from "./nodes.js";
import { at, openName, rater } from "./review_matter.js";

const KEY = "report-form";

/** Listens to the form; the last chosen one is chosen again. */
export function reports(made) {
  const form = byId("report-form");
  const kept = localStorage.getItem(KEY);
  for (const choice of form.elements.form) choice.checked = kept ? choice.value === kept : choice.checked;
  form.addEventListener("change", () => localStorage.setItem(KEY, form.elements.form.value));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = byId("make-report");
    button.disabled = true;
    byId("report-said").textContent = "Making it …";
    try {
      const chosen = [...form.elements.form].find((choice) => choice.checked);
      await download(at("/export", { form: chosen.value, rater: rater() }), undefined, `${openName()}${chosen.dataset.suffix}`);
      byId("report-said").textContent = "Saved by the browser. What is missing stands in the file.";
      problem(null);
      await made();
    } catch (error) {
      byId("report-said").textContent = "";
      problem(error);
    } finally {
      button.disabled = false;
    }
  });
}
