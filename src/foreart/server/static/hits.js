// What every page shows of a hit: status, score in shares of channels, and its dates against the cut-off.
import { drawn, node } from "./nodes.js";

/** The class of the colour of a group of channels. */
export const colourOf = (group) =>
  ({ text: "c-text", claims: "c-claims", subject: "c-subject", citations: "c-citations", named: "c-named", "people and classes": "c-people" })[group] || "c-often";

/** The status as a word with a colour; the rule is its title. */
export function badge(status, rule = "") {
  return node("span", { class: `badge ${status.replaceAll(" ", "-")}`, title: rule || null }, status);
}

/** A bar whose length is the score relative to the best, in shares of channels. */
export function scoreBar(hit, best) {
  const shares = (hit.shares || []).filter((share) => share.contribution > 0);
  const total = shares.reduce((sum, share) => sum + share.contribution, 0) || 1;
  const length = best > 0 ? Math.max(0.02, Math.min(1, hit.score / best)) : 1;
  let x = 0;
  const pieces = (shares.length ? shares : [{ group: "text", contribution: 1 }]).map((share) => {
    const width = (100 * length * share.contribution) / (shares.length ? total : 1);
    const piece = drawn("rect", { class: colourOf(share.group), x, width, height: 8 }, drawn("title", {}, `${share.group} ${share.contribution.toFixed(2)}`));
    x += width;
    return piece;
  });
  return drawn("svg", { class: "bar shares", viewBox: "0 0 100 8", preserveAspectRatio: "none", role: "img", "aria-label": `score ${hit.score.toFixed(2)}` }, ...pieces);
}

const DAY = 86_400_000;
const timeOf = (date) => (date ? Date.parse(date.length === 4 ? `${date}-07-01` : date.slice(0, 10)) : NaN);

/** Priority, filing and publication on a line, with the cut-off; `range` is `[first, last]` in milliseconds. */
export function timeLine(hit, cutoff, range) {
  const [first, last] = range;
  const at = (time) => 4 + (192 * (time - first)) / Math.max(DAY, last - first);
  const dates = [["priority", hit.priority], ["filed", hit.filed], ["published", hit.published]].filter(([, date]) => Number.isFinite(timeOf(date)));
  const told = dates.map(([name, date]) => `${name} ${date}`).join(", ") || "no dates";
  const times = dates.map(([, date]) => at(timeOf(date)));
  return drawn("svg", { class: `timeline ${hit.status.replaceAll(" ", "-")}`, viewBox: "0 0 200 18", role: "img", "aria-label": `${told}; cut-off ${cutoff || "none"}` },
    drawn("title", {}, `${told}; cut-off ${cutoff || "none"}`),
    drawn("line", { class: "axis", x1: 4, x2: 196, y1: 9, y2: 9 }),
    times.length > 1 ? drawn("line", { class: "span", x1: Math.min(...times), x2: Math.max(...times), y1: 9, y2: 9 }) : null,
    Number.isFinite(timeOf(cutoff)) ? drawn("line", { class: "cutoff", x1: at(timeOf(cutoff)), x2: at(timeOf(cutoff)), y1: 1, y2: 17 }) : null,
    ...dates.map(([name], place) =>
      name === "published"
        ? drawn("circle", { class: "published", cx: times[place], cy: 9, r: 4 })
        : drawn("circle", { class: name, cx: times[place], cy: 9, r: 3 })));
}

/** The range of time that the dates of all hits and the cut-off need. */
export function rangeOf(hits, cutoff) {
  const times = hits.flatMap((hit) => [hit.priority, hit.filed, hit.published]).concat(cutoff).map(timeOf).filter(Number.isFinite);
  return times.length ? [Math.min(...times), Math.max(...times)] : [0, DAY];
}
