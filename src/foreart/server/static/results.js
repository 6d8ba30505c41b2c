// Results: the hits of the last draft.
import { call, signedIn } from "./api.js";
import { asked, shown } from "./asked.js";
import { byId, node, say, start } from "./nodes.js";

async function main() {
  const body = asked();
  byId("empty").hidden = Boolean(body.draft);
  if (!body.draft) return;
  const result = await call("POST", "/search", body);
  shown.hits = result.hits.map((hit) => hit.id);
  byId("summary").textContent = `${result.compared} documents compared, cut-off ${result.cutoff.date}`;
  byId("hits").replaceChildren(...result.hits.map(row));
  say(`${result.hits.length} hits`);
}

function row(hit) {
  return node("li", { value: hit.rank },
    node("h2", { lang: hit.language || null }, `${hit.rank}. ${hit.title || "(no title)"}`),
    node("p", { class: "quiet" },
      node("span", { class: "id" }, hit.id), ` ${hit.applicants.join("; ")} · ${hit.published || "undated"} · `,
      node("span", { class: `badge ${hit.status.replaceAll(" ", "-")}`, title: hit.rule }, hit.status),
      ` · score ${hit.score.toFixed(3)}`),
    hit.passage ? node("p", { lang: hit.language || null }, hit.passage.text) : null);
}

start(main, { signedIn, call });
