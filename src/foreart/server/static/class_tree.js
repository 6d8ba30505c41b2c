// The classes of the documents as a tree: subclasses with their titles, main groups below.
import { check } from "./facets.js";
import { node } from "./nodes.js";

const SHOWN = 8;

/** Subclasses with main groups; choosing one filters, whatever is below it included. */
export function classTree(answer, chosen, view) {
  const known = new Set([...answer.subclasses, ...answer.groups].map((item) => item.value));
  const gone = chosen.filter((value) => !known.has(value)).map((value) => ({ value, count: 0, title: "" }));
  const below = new Map();
  for (const item of answer.groups) {
    const parent = item.value.split(" ")[0];
    below.set(parent, [...(below.get(parent) || []), item]);
  }
  const toggle = (value, on) => view.set({ classes: on ? [...chosen, value] : chosen.length > 1 ? chosen.filter((one) => one !== value) : null });
  const every = [...gone, ...answer.subclasses];
  const shown = view.all.has("classes") ? every : every.filter((item, place) => place < SHOWN || chosen.some((one) => one.startsWith(item.value)));
  const leaf = (item) => check(`classes ${item.value}`, item.value, item.count, chosen.includes(item.value), (on) => toggle(item.value, on), item.title);
  const branch = (item) => {
    const groups = below.get(item.value) || [];
    const name = `class ${item.value}`;
    return node("li", {}, leaf(item),
      item.title ? node("small", { class: "title" }, item.title) : null,
      groups.length
        ? node("details", { open: view.open.has(name) || chosen.some((one) => one.startsWith(`${item.value} `)), ontoggle: (event) => (event.target.open ? view.open.add(name) : view.open.delete(name)) },
          node("summary", { "data-at": name }, `${groups.length} main ${groups.length === 1 ? "group" : "groups"}`), node("ul", { class: "checks" }, ...groups.map((one) => node("li", {}, leaf(one)))))
        : null);
  };
  return [
    node("ul", { class: "checks classes", "aria-label": "Classes" }, ...shown.map(branch)),
    every.length > SHOWN
      ? node("button", { type: "button", class: "link", "data-at": "more classes", onclick: () => { if (!view.all.delete("classes")) view.all.add("classes"); view.set({}); } }, view.all.has("classes") ? "fewer" : `${every.length - shown.length} more`)
      : null,
  ];
}
