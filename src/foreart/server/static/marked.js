// Text with marks, from offsets of the server: nodes are built, never parsed.
import { node } from "./nodes.js";

/** Nodes of a text; `spans` are `[start, end, classes, title]`, and where they overlap, all their classes hold. */
export function marked(text, spans, name = "mark") {
  const cuts = [...new Set([0, text.length, ...spans.flatMap(([start, end]) => [start, end])])]
    .filter((cut) => cut >= 0 && cut <= text.length)
    .sort((one, other) => one - other);
  return cuts.slice(0, -1).map((start, place) => {
    const piece = text.slice(start, cuts[place + 1]);
    const over = spans.filter(([from, to]) => from <= start && to >= cuts[place + 1]);
    if (!over.length) return document.createTextNode(piece);
    return node(name, { class: over.map((span) => span[2]).filter(Boolean).join(" ") || null, title: over.find((span) => span[3])?.[3] }, piece);
  });
}

/** Start and end of every occurrence of some words, whole words, whatever their case. */
export function occurrences(text, words) {
  if (!words.length) return [];
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join("|")})(?![\\p{L}\\p{N}])`, "giu"));
  return [...found].map((match) => [match.index, match.index + match[0].length]);
}
