// Keeping the search of this tab in a matter, and the matters of the library, for pages that are not Review.
import { call } from "./api.js";
import { asked } from "./asked.js";
import { node, problem } from "./nodes.js";
import { setOpen } from "./review_matter.js";
import { search } from "./review_matters.js";

const matters = async () => {
  const { library } = asked();
  return (await call("GET", `/matters${library ? `?library=${encodeURIComponent(library)}` : ""}`)).matters;
};
const openable = (item) => !item.problem && item.title !== null;

function go(name) {
  setOpen(name);
  location.assign("/review");
}

/** A button that asks in which matter; its search is made and kept there, and Review opens. */
export function keepInMatter() {
  const place = node("span", { class: "keep-in-matter" });
  const button = node("button", { type: "button", class: "quiet-button", onclick: () => choose(place, button).catch(problem) }, "Review in a matter …");
  place.append(button);
  return place;
}

async function choose(place, button) {
  const found = (await matters()).filter(openable);
  if (!found.length) return go("");
  const select = node("select", { "aria-label": "Matter", translate: "no" }, found.map((item) => node("option", { value: item.name }, item.title || item.name)), node("option", { value: "" }, "a new matter …"));
  const keep = node("button", { type: "button", class: "quiet-button", onclick: async () => {
    if (!select.value) return go("");
    keep.disabled = true;
    await search(select.value).then(() => go(select.value), (error) => { problem(error); keep.disabled = false; });
  } }, "Keep and review");
  place.replaceChildren(select, " ", keep, " ", node("button", { type: "button", class: "quiet-button", onclick: () => { place.replaceChildren(button); button.focus(); } }, "Cancel"));
  select.focus();
}

/** Lists the matters in a section that is hidden while there are none. */
export async function listMatters(list) {
  const found = await matters();
  list.replaceChildren(...found.slice(0, 8).map((item) => node("li", {},
    node("div", { class: "kept-name" }, node("b", { translate: "no" }, item.title || item.name), node("small", {}, `${item.name}${item.sealed ? " · sealed" : ""} · ${new Date(item.changed * 1000).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}`)),
    node("div", { class: "actions" }, node("button", { type: "button", class: "quiet-button", onclick: () => go(item.name) }, "Review")))));
  list.parentElement.hidden = !found.length;
}
