// The drawing of the map: dots, the draft, zoom and pan, lasso, and a cursor for the keyboard.
import { drawn, node } from "./nodes.js";

const NEAR = 14;
const MARGIN = 22;
const [LEAST, MOST] = [0.5, 24];

/** Draws points into `place`; `on` has open(point), select(points, add) and shown(point). */
export function makePlot(place, on) {
  const plot = {
    place, on, points: [], dots: new Map(), view: { scale: 1, x: 0, y: 0 }, fitted: aroundDraft, cursor: null, lassoing: false, path: null, size: [0, 0],
  };
  plot.dotsLayer = drawn("g", {});
  plot.lassoPath = drawn("path", { class: "lasso", hidden: true });
  plot.ring = drawn("circle", { class: "cursor", r: 0 });
  plot.draft = drawn("g", { class: "draft" }, drawn("path", { d: "M-9 0H9M0 -9V9" }), drawn("rect", { y: -20, width: 38, height: 18, rx: 3 }), drawn("text", { y: -7 }, "draft"));
  plot.svg = drawn("svg", { tabindex: 0, role: "application", "aria-label": "Map of documents around the draft", "aria-describedby": "trust" },
    plot.dotsLayer, plot.draft, plot.ring, plot.lassoPath);
  plot.tip = node("div", { class: "tip", hidden: true });
  place.replaceChildren(plot.svg, plot.tip);
  new ResizeObserver(() => { plot.size = [place.clientWidth, place.clientHeight]; fit(plot); }).observe(place);
  followPointer(plot);
  return plot;
}

/** Shows points at their places; the selection stays, and a view that somebody has moved. */
export function showPoints(plot, points) {
  const scores = points.map((point) => point.score);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  plot.points = points;
  plot.span = spanOf(points);
  // The best ones are drawn last, on top.
  plot.dots = new Map([...points].reverse().map((point) => {
    const share = high > low ? (point.score - low) / (high - low) : 1;
    return [point.id, drawn("circle", { r: (3.2 + 6 * Math.sqrt(share)).toFixed(1), "data-id": point.id })];
  }));
  plot.dotsLayer.replaceChildren(...plot.dots.values());
  plot.cursor = points.find((point) => point.id === plot.cursor?.id) || null;
  fit(plot);
}

/** Gives every dot its classes: its colour, and whether it is selected or faded. */
export function paint(plot, { colourOf, selected, faded }) {
  for (const [id, dot] of plot.dots) {
    dot.setAttribute("class", ["dot", colourOf.get(id), selected.has(id) ? "selected" : "", faded && faded.has(id) ? "faded" : ""].filter(Boolean).join(" "));
  }
}

/** Zooms around the middle, or around a place in pixels. */
export function zoom(plot, factor, at = [plot.size[0] / 2, plot.size[1] / 2]) {
  const { view, size } = plot;
  const scale = Math.min(MOST, Math.max(LEAST, view.scale * factor));
  const change = scale / view.scale;
  const [x, y] = [at[0] - size[0] / 2, at[1] - size[1] / 2];
  moved(plot, { scale, x: x - (x - view.x) * change, y: y - (y - view.y) * change });
}

/** All documents, as large as they fit. */
export function whole(plot) {
  plot.fitted = whole;
  plot.view = { scale: 1, x: 0, y: 0 };
  locate(plot);
}

/** The draft in the middle and all documents around it: the view at first. */
export function aroundDraft(plot) {
  const { span, size: [width, height] } = plot;
  const unit = unitOf(plot);
  const [across, down] = [Math.abs(span.x) + span.wide / 2, Math.abs(span.y) + span.high / 2];
  const scale = Math.min((width / 2 - MARGIN) / across, (height / 2 - MARGIN) / down) / unit;
  plot.fitted = aroundDraft;
  plot.view = { scale, x: span.x * unit * scale, y: -span.y * unit * scale };
  locate(plot);
}

/** Keeps what is fitted so when the size or the layout changes. */
function fit(plot) {
  if (!plot.size[0] || !plot.points.length) return;
  if (plot.fitted) plot.fitted(plot);
  else locate(plot);
}

function moved(plot, view) {
  plot.fitted = null;
  plot.view = view;
  locate(plot);
}

/** Moves the cursor to the nearest point in the direction of an arrow key, from the draft at first. */
export function step(plot, key) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const from = plot.cursor ? at(plot, plot.cursor) : at(plot, { x: 0, y: 0 });
  let best = null;
  for (const point of plot.points) {
    if (point === plot.cursor) continue;
    const [x, y] = at(plot, point);
    const along = (x - from[0]) * dx + (y - from[1]) * dy;
    const across = Math.abs((x - from[0]) * dy) + Math.abs((y - from[1]) * dx);
    if (along <= 0 || across > 1.5 * along) continue;
    const cost = along + 2 * across;
    if (!best || cost < best.cost) best = { cost, point };
  }
  if (best) putCursor(plot, best.point);
}

/** Puts the cursor on a point, shows what it is, and brings it into view. */
export function putCursor(plot, point) {
  plot.cursor = point;
  const [x, y] = at(plot, point);
  const [width, height] = plot.size;
  if (x < 0 || y < 0 || x > width || y > height) {
    moved(plot, { ...plot.view, x: plot.view.x + width / 2 - x, y: plot.view.y + height / 2 - y });
  } else locate(plot);
  tell(plot, point);
}

/** The middle and the extent of the picture with the draft in it; both axes have one scale. */
function spanOf(points) {
  const [xs, ys] = ["x", "y"].map((axis) => points.map((point) => point[axis]).concat(0));
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return { x: (left + right) / 2, y: (low + high) / 2, wide: Math.max(0.01, right - left), high: Math.max(0.01, high - low) };
}

/** Pixels for a unit of the layout when all documents fit. */
function unitOf({ size: [width, height], span }) {
  return Math.min((width - 2 * MARGIN) / span.wide, (height - 2 * MARGIN) / span.high);
}

function at(plot, point) {
  const { size: [width, height], view, span } = plot;
  const unit = unitOf(plot) * view.scale;
  return [width / 2 + view.x + (point.x - span.x) * unit, height / 2 + view.y - (point.y - span.y) * unit];
}

function locate(plot) {
  if (!plot.size[0]) return;
  for (const point of plot.points) {
    const [x, y] = at(plot, point);
    const dot = plot.dots.get(point.id);
    dot.setAttribute("cx", x.toFixed(1));
    dot.setAttribute("cy", y.toFixed(1));
  }
  const [x, y] = at(plot, { x: 0, y: 0 });
  plot.draft.setAttribute("transform", `translate(${x} ${y})`);
  const atEdge = x > plot.size[0] - 60;
  const [ground, label] = [...plot.draft.children].slice(1);
  ground.setAttribute("x", atEdge ? -46 : 8);
  label.setAttribute("x", atEdge ? -42 : 12);
  plot.svg.classList.toggle("zoomed", plot.view.scale > 1);
  if (plot.cursor) {
    const [cx, cy] = at(plot, plot.cursor);
    plot.ring.setAttribute("cx", cx);
    plot.ring.setAttribute("cy", cy);
  }
  plot.ring.setAttribute("r", plot.cursor ? Number(plot.dots.get(plot.cursor.id).getAttribute("r")) + 4 : 0);
}

function tell(plot, point) {
  plot.tip.hidden = !point;
  if (!point) return;
  plot.tip.replaceChildren(
    node("p", { class: "tip-title" }, point.title || "(no title)"),
    node("p", {}, node("span", { class: "id" }, point.id), ` · ${point.published ? point.published.slice(0, 4) : "undated"} · `, node("bdi", {}, point.applicants.join("; ") || "no applicant")),
    node("p", { class: "quiet" }, `rank ${point.rank} · score ${point.score.toFixed(2)} · ${point.status}${point.subclass ? ` · ${point.subclass}` : ""}`));
  const [x, y] = at(plot, point);
  const { offsetWidth: wide, offsetHeight: high } = plot.tip;
  plot.tip.style.left = `${Math.max(4, Math.min(plot.size[0] - wide - 4, x + 14))}px`;
  plot.tip.style.top = `${y + high + 18 > plot.size[1] ? Math.max(4, y - high - 12) : y + 14}px`;
  plot.on.shown(point);
}

function nearest(plot, [x, y]) {
  let best = null;
  for (const point of plot.points) {
    const [px, py] = at(plot, point);
    const distance = Math.hypot(px - x, py - y);
    if (distance <= NEAR && (!best || distance < best.distance)) best = { distance, point };
  }
  return best?.point || null;
}

function followPointer(plot) {
  const { svg } = plot;
  let drag = null;
  const placeOf = (event) => {
    const box = svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    svg.setPointerCapture(event.pointerId);
    drag = { from: placeOf(event), view: plot.view, path: plot.lassoing || event.shiftKey ? [placeOf(event)] : null, add: event.shiftKey || event.ctrlKey || event.metaKey, moved: false };
  });
  svg.addEventListener("pointermove", (event) => {
    const now = placeOf(event);
    if (!drag) return hover(plot, nearest(plot, now));
    if (Math.hypot(now[0] - drag.from[0], now[1] - drag.from[1]) > 4) drag.moved = true;
    if (!drag.moved) return;
    tell(plot, null);
    if (drag.path) {
      drag.path.push(now);
      plot.lassoPath.removeAttribute("hidden");
      plot.lassoPath.setAttribute("d", `M${drag.path.map((each) => each.join(" ")).join("L")}Z`);
    } else if (plot.view.scale > 1) {
      moved(plot, { ...drag.view, x: drag.view.x + now[0] - drag.from[0], y: drag.view.y + now[1] - drag.from[1] });
    }
  });
  svg.addEventListener("pointerup", (event) => {
    const ended = drag;
    drag = null;
    plot.lassoPath.setAttribute("hidden", "");
    if (!ended) return;
    if (ended.path && ended.moved) plot.on.select(plot.points.filter((point) => inside(at(plot, point), ended.path)), ended.add);
    else if (!ended.moved) {
      const point = nearest(plot, placeOf(event));
      if (point) plot.on.open(point);
    }
  });
  svg.addEventListener("pointercancel", () => { drag = null; plot.lassoPath.setAttribute("hidden", ""); });
  svg.addEventListener("pointerleave", () => { if (!drag) hover(plot, null); });
  svg.addEventListener("dblclick", (event) => zoom(plot, 2, placeOf(event)));
  // Without Ctrl the wheel scrolls the page; a pinch of a touchpad comes with it.
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(plot, Math.exp(-event.deltaY / 300), placeOf(event));
  }, { passive: false });
}

function hover(plot, point) {
  plot.svg.classList.toggle("over", Boolean(point));
  if (point) { tell(plot, point); return; }
  // The keyboard's document stays told while the map has the focus.
  if (document.activeElement === plot.svg && plot.cursor) tell(plot, plot.cursor);
  else tell(plot, null);
}

/** Whether a place is inside of a polygon, by counting the edges to its right. */
export function inside([x, y], path) {
  let within = false;
  for (let here = 0, before = path.length - 1; here < path.length; before = here, here += 1) {
    const [[ax, ay], [bx, by]] = [path[here], path[before]];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
  }
  return within;
}
