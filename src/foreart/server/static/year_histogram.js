// Years of publication as a histogram to brush; the same by keyboard in two fields.
import { drawn, node } from "./nodes.js";

const yearOf = (date) => (/^\d{4}/.test(date || "") ? Number(date.slice(0, 4)) : null);

/** The histogram and its fields; `set` gets the changed options. */
export function yearHistogram(years, asked, set) {
  const known = years.filter((item) => item.value);
  const undated = years.find((item) => !item.value)?.count || 0;
  const choose = (from, to) => set({ published_from: from ? String(from) : null, published_to: to ? String(to) : null });
  const field = (name, label, value) => node("label", {}, label, " ", node("input", {
    type: "text", inputmode: "numeric", size: 5, value: value || "", "data-at": name, placeholder: name === "published_from" ? known[0]?.value : known.at(-1)?.value,
    onchange: (event) => set({ [name]: event.target.value.trim() || null }),
  }));
  return [
    known.length ? brush(known, yearOf(asked.published_from), yearOf(asked.published_to), choose) : null,
    node("p", { class: "line years" }, field("published_from", "from", asked.published_from), field("published_to", "to", asked.published_to),
      asked.published_from || asked.published_to ? node("button", { type: "button", class: "link", "data-at": "all years", onclick: () => choose(null, null) }, "all years") : null),
    undated ? node("p", { class: "quiet" }, `${undated.toLocaleString("en")} without a date: a filter here leaves them out`) : null,
  ];
}

function brush(known, from, to, choose) {
  const most = Math.max(...known.map((item) => item.count));
  const first = Number(known[0].value);
  const within = (year, low, high) => (!low || year >= low) && (!high || year <= high);
  const bars = known.map((item, place) => drawn("rect", { class: within(first + place, from, to) ? "year" : "year off", x: place + 0.08, y: 40 - height(item.count, most), width: 0.84, height: height(item.count, most) },
    drawn("title", {}, `${item.value}: ${item.count.toLocaleString("en")}`)));
  const told = known.filter((item) => item.count).map((item) => `${item.value} ${item.count}`).slice(-12).join(", ");
  const picture = drawn("svg", { class: "histogram", viewBox: `0 0 ${known.length} 40`, preserveAspectRatio: "none", role: "img", "aria-label": `documents by year, the latest: ${told}` }, ...bars);
  let began = null;
  const at = (event) => {
    const box = picture.getBoundingClientRect();
    return first + Math.max(0, Math.min(known.length - 1, Math.floor((known.length * (event.clientX - box.left)) / box.width)));
  };
  const mark = (event) => {
    const [low, high] = [Math.min(began, at(event)), Math.max(began, at(event))];
    bars.forEach((bar, place) => bar.classList.toggle("off", !within(first + place, low, high)));
    return [low, high];
  };
  picture.addEventListener("pointerdown", (event) => { began = at(event); picture.setPointerCapture(event.pointerId); mark(event); event.preventDefault(); });
  picture.addEventListener("pointermove", (event) => { if (began !== null) mark(event); });
  picture.addEventListener("pointerup", (event) => { if (began !== null) { const range = mark(event); began = null; choose(...range); } });
  picture.addEventListener("pointercancel", () => { began = null; });
  return node("div", { class: "brush" }, picture, node("div", { class: "ends", "aria-hidden": "true" }, node("span", {}, known[0].value), node("span", {}, "drag to choose"), node("span", {}, known.at(-1).value)));
}

const height = (count, most) => (count ? Math.max(2, (40 * count) / most) : 0);
