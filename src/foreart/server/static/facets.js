// Facets: how the documents that may be hits divide, and filters that apply before ranking. Used by Start and Results.
import { call } from "./api.js";
import { ask, asked } from "./asked.js";
import { classTree } from "./class_tree.js";
import { node, problem, say } from "./nodes.js";
import { termFields } from "./term_fields.js";
import { yearHistogram } from "./year_histogram.js";

/** The lists of checkboxes: option of the search, key of the answer, heading, and how a value is written. */
const LISTS = [
  ["statuses", "statuses", "Status on the cut-off date"],
  ["countries", "countries", "Office"],
  ["applicants", "applicants", "Applicant"],
  ["languages", "languages", "Language"],
  ["depths", "depths", "Text", { full: "full text", abstract: "abstract or claims only", title: "title only", empty: "no text" }],
];
const NOT_HITS = ["own family", "after the date"];
const SHOWN = 7;
/** What narrows a search, and the dimension that it belongs to. */
export const FILTERS = {
  statuses: "statuses", countries: "countries", applicants: "applicants", languages: "languages", depths: "depths", classes: "classes",
  published_from: "years", published_to: "years", must: "must", without: "without", ignore: "ignore", kinds: "kinds", new_since: "new_since", only_new: "only_new",
};

/** Shows facets in `place`; `changed` is called after each filter. `show` asks the server again. */
export function facets(place, changed) {
  const open = new Set(["statuses", "years", "classes", "countries"]);
  const view = { place, open, all: new Set(), latest: 0, set };

  async function set(changes) {
    ask(changes);
    changed();
    await show().catch(problem);
  }

  async function show() {
    const mine = ++view.latest;
    place.setAttribute("aria-busy", "true");
    try {
      const found = await answers();
      if (mine === view.latest) draw(view, found);
    } finally {
      if (mine === view.latest) place.removeAttribute("aria-busy");
    }
  }
  return { show };
}

/** The facets of what is asked, and of each dimension without its own filters: what else could be chosen there. */
async function answers() {
  const body = asked();
  const dimensions = [...new Set(Object.keys(body).map((key) => FILTERS[key]).filter((name) => ["statuses", "countries", "applicants", "languages", "depths", "classes", "years"].includes(name)))];
  const without = (dimension) => Object.fromEntries(Object.entries(body).filter(([key]) => FILTERS[key] !== dimension));
  const [all, ...others] = await Promise.all([body, ...dimensions.map(without)].map((one) => call("POST", "/facets", one)));
  return { all, of: (dimension) => others[dimensions.indexOf(dimension)] ?? all };
}

function draw(view, { all, of }) {
  const focused = view.place.contains(document.activeElement) ? document.activeElement.dataset.at : null;
  const body = asked();
  view.place.replaceChildren(
    node("p", { class: "facet-total" }, node("b", {}, all.admissible.toLocaleString("en")), ` of ${all.documents.toLocaleString("en")} documents may count`),
    group(view, "statuses", LISTS[0][2], checks(view, LISTS[0], of("statuses"), body)),
    group(view, "years", "Year of publication", yearHistogram(of("years").years, body, view.set)),
    group(view, "classes", "Class (CPC)", classTree(of("classes"), body.classes || [], view)),
    ...LISTS.slice(1).map((list) => group(view, list[0], list[2], checks(view, list, of(list[0]), body))),
    group(view, "terms", "Words and numbers", termFields(body, view.set)));
  if (focused) view.place.querySelector(`[data-at="${CSS.escape(focused)}"]`)?.focus();
  say(`${all.admissible.toLocaleString("en")} documents may count`);
}

function group(view, name, heading, content) {
  return node("details", { open: view.open.has(name), ontoggle: (event) => (event.target.open ? view.open.add(name) : view.open.delete(name)) },
    node("summary", { "data-at": `group ${name}` }, heading), content);
}

function checks(view, [option, key, heading, words = {}], answer, body) {
  const chosen = body[option] || [];
  const known = answer[key].filter((item) => item.value && !NOT_HITS.includes(item.value));
  const gone = chosen.filter((value) => !known.some((item) => item.value === value)).map((value) => ({ value, count: 0, title: "" }));
  const every = [...gone, ...known];
  const shown = view.all.has(option) ? every : every.filter((item, place) => place < SHOWN || chosen.includes(item.value));
  const toggle = (value, on) => view.set({ [option]: on ? [...chosen, value] : chosen.length > 1 ? chosen.filter((one) => one !== value) : null });
  const unknown = answer[key].find((item) => !item.value);
  return [
    node("ul", { class: "checks", "aria-label": heading }, ...shown.map((item) => node("li", {}, check(`${option} ${item.value}`, words[item.value] || item.value, item.count, chosen.includes(item.value), (on) => toggle(item.value, on), item.title)))),
    every.length > shown.length || view.all.has(option) && every.length > SHOWN
      ? node("button", { type: "button", class: "link", "data-at": `more ${option}`, onclick: () => { if (!view.all.delete(option)) view.all.add(option); view.set({}); } }, view.all.has(option) ? "fewer" : `${every.length - shown.length} more`)
      : null,
    unknown ? node("p", { class: "quiet" }, `${unknown.count.toLocaleString("en")} unknown: a filter here leaves them out`) : null,
  ];
}

/** A checkbox with its label and count. */
export function check(at, label, count, checked, change, title = "") {
  return node("label", { title: title || null },
    node("input", { type: "checkbox", checked, "data-at": at, onchange: (event) => change(event.target.checked) }),
    node("span", { class: "what" }, label), node("span", { class: "count" }, count.toLocaleString("en")));
}
