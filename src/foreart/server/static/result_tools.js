// Keeping a search, only what is new against a kept one, and saving the result as a file.
import { call, download } from "./api.js";
import { ask, asked } from "./asked.js";
import { byId, node, problem, say } from "./nodes.js";

/** The form that keeps the search under a name. */
export function keeping(state, listKept) {
  const form = byId("keep-form");
  const close = () => { form.hidden = true; byId("keep").focus(); };
  byId("keep").addEventListener("click", () => {
    form.hidden = false;
    byId("keep-name").value ||= `${(state.result?.draft.title || state.result?.draft.source || "search").slice(0, 80)}, ${new Date().toISOString().slice(0, 10)}`;
    byId("keep-name").focus();
    byId("keep-name").select();
  });
  byId("keep-cancel").addEventListener("click", close);
  form.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = byId("keep-name").value.trim();
    if (!name) return problem(new Error("Give the search a name."));
    try {
      const kept = await call("POST", "/search", { ...asked(), keep: name });
      problem(null);
      await listKept();
      byId("keep-name").value = "";
      close();
      byId("keep").textContent = "Kept";
      setTimeout(() => { byId("keep").textContent = "Keep this search"; }, 2500);
      say(`kept: ${kept.hits.length} hits`);
    } catch (error) {
      problem(error);
    }
  });
}

/** The choice of the kept search whose hits are left out. */
export function since(state, again) {
  byId("since").addEventListener("change", (event) => { ask({ new_since: event.target.value || null }); again(); });
}

/** Shows the kept searches of this draft, and the one that is chosen. */
since.show = (state) => {
  const { draft, new_since: chosen } = asked();
  const mine = state.kept.filter((item) => item.asked.draft === draft || item.search === chosen);
  byId("since-label").hidden = !mine.length;
  byId("since").replaceChildren(node("option", { value: "" }, "nothing"), ...mine.map((item) => node("option", { value: item.search, selected: item.search === chosen }, item.name)));
};

/** Shows only the rows that have what is written in the field; nothing is searched for again. */
export function findInRows() {
  const wanted = byId("find").value.trim().toLowerCase();
  const rows = [...byId("hits").children];
  for (const row of rows) row.hidden = Boolean(wanted) && !row.textContent.toLowerCase().includes(wanted);
  byId("matching").textContent = wanted ? `${rows.filter((row) => !row.hidden).length} of ${rows.length}` : "";
}

/** The menu of files. */
export function saving() {
  const [button, list] = [byId("save"), byId("forms")];
  const toggle = (open) => { list.hidden = !open; button.setAttribute("aria-expanded", String(open)); };
  button.addEventListener("click", () => toggle(list.hidden));
  list.parentElement.addEventListener("keydown", (event) => { if (event.key === "Escape") { toggle(false); button.focus(); } });
  document.addEventListener("click", (event) => { if (!list.parentElement.contains(event.target)) toggle(false); });
  list.addEventListener("click", async (event) => {
    const { form } = event.target.dataset;
    if (!form) return;
    toggle(false);
    button.focus();
    try {
      await download(`/search/file?form=${form}`, asked(), `prior-art.${form}`);
      say("saved");
    } catch (error) {
      problem(error);
    }
  });
}
