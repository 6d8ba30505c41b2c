// Groups of documents by a property: their colours and labels.

const MOST = 7;
const STATUSES = ["prior art", "novelty only", "date unknown", "mentioned"];

/** The properties that colour a map, by name. */
export const COLOURINGS = {
  class: "by class",
  status: "by status",
  year: "by year",
  applicant: "by applicant",
};

/** Groups of points, each `{label, title, colour, points}`; every point is in exactly one. */
export function groupsOf(points, by, classes) {
  if (by === "year") return byYear(points);
  const valueOf = { class: (point) => point.subclass, status: (point) => point.status, applicant: (point) => point.applicants[0] || "" }[by];
  const found = Map.groupBy(points, valueOf);
  if (by === "status") return byStatus(found);
  const named = [...found].filter(([value]) => value).sort((one, other) => other[1].length - one[1].length || (one[0] < other[0] ? -1 : 1));
  // One left over is shown by its own name.
  const shown = named.length > MOST + 1 ? named.slice(0, MOST) : named;
  const groups = shown.map(([value, members], place) => ({
    label: value, title: by === "class" ? classes[value] || "" : "", colour: place < MOST ? `k${place}` : "k-other", points: members,
  }));
  const rest = named.slice(shown.length).flatMap(([, members]) => members);
  if (rest.length) groups.push({ label: `${named.length - shown.length} others`, title: "", colour: "k-other", points: rest });
  if (found.has("")) groups.push({ label: by === "class" ? "no class" : "no applicant", title: "", colour: "k-none", points: found.get("") });
  return groups;
}

function byStatus(found) {
  const order = (status) => (STATUSES.indexOf(status) + STATUSES.length + 1) % (STATUSES.length + 1);
  return [...found].sort((one, other) => order(one[0]) - order(other[0]))
    .map(([status, members]) => ({ label: status, title: "", colour: `status-${status.replaceAll(" ", "-")}`, points: members }));
}

/** At most six spans of equal length, in years that people count in. */
function byYear(points) {
  const dated = points.filter((point) => /^\d{4}/.test(point.published || ""));
  const yearOf = (point) => Number(point.published.slice(0, 4));
  const years = dated.map(yearOf);
  const [first, last] = [Math.min(...years), Math.max(...years)];
  const step = [1, 2, 5, 10, 20, 50].find((each) => Math.floor(last / each) - Math.floor(first / each) < 6) || 100;
  const found = Map.groupBy(dated, (point) => Math.floor(yearOf(point) / step) * step);
  const starts = [...found.keys()].sort((one, other) => one - other);
  const lowest = starts[0];
  const groups = starts.map((start) => ({
    label: step === 1 ? String(start) : `${start}–${start + step - 1}`, title: "", colour: `s${(start - lowest) / step}`, points: found.get(start),
  }));
  const undated = points.filter((point) => !dated.includes(point));
  if (undated.length) groups.push({ label: "no date", title: "", colour: "k-none", points: undated });
  return groups;
}

/** What a trustworthiness says, as a sentence. */
export function trustSentence({ trustworthiness: value, neighbours, layout, points }) {
  if (value === null) return `Only ${points.length} documents: too few to say how far the picture can be trusted. It is never used for ranking.`;
  const words = value >= 0.95 ? "Dots that are close together are close by topics, with few exceptions"
    : value >= 0.88 ? "Most dots that are close together are close by topics, but not all"
      : value >= 0.78 ? "Groups can be believed roughly; single neighbours often cannot"
        : "This is a coarse picture: neighbours on it are often not neighbours by topics";
  const far = layout === "tsne" ? "How far apart two groups are says little." : "";
  return [`${words}: trustworthiness ${value.toFixed(2)} of 1 for the ${neighbours} nearest.`, far, "The map is never used for ranking."].filter(Boolean).join(" ");
}
