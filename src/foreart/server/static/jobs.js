// Long work: started once, followed by events that survive a reload, cancelled.
import { call } from "./api.js";
import { node, say } from "./nodes.js";

/** Follows a job and shows its progress in `place`; resolves to the finished job, or rejects with its error. */
export function follow(job, place) {
  const bar = node("progress", { max: 1, "aria-label": `progress of ${job.kind}` });
  const told = node("span", {}, `${job.kind}: waiting`);
  const stop = node("button", { type: "button", class: "quiet-button", onclick: () => call("DELETE", `/jobs/${job.job}`) }, "Cancel");
  const line = node("div", { class: "job" }, bar, told, stop);
  place.append(line);
  return new Promise((resolve, reject) => {
    const events = new EventSource(`/api/jobs/${job.job}/events`);
    const end = async () => {
      events.close();
      line.remove();
      const done = await call("GET", `/jobs/${job.job}`);
      say(`${job.kind}: ${done.state}`);
      if (done.state === "failed") reject(new Error(done.error));
      else resolve(done);
    };
    // Events of before a reload come all at once; the pace is that of what follows.
    const opened = Date.now();
    let since = null;
    events.addEventListener("progress", (event) => {
      const { stage, done, total } = JSON.parse(event.data);
      if (since?.stage !== stage || done < since.done || Date.now() - opened < 800) since = { stage, done, time: Date.now() };
      if (total) bar.value = done / total;
      else bar.removeAttribute("value");
      told.textContent = `${stage}${total || done ? ` ${done.toLocaleString("en")}${total ? ` of ${total.toLocaleString("en")}${left(since, done, total)}` : ""}` : ""}`;
    });
    for (const name of ["done", "failed", "cancelled"]) events.addEventListener(name, () => end().catch(reject));
    // A restarted server knows no job of before; a closed stream of a known one is opened again by the browser.
    events.onerror = () => { if (events.readyState === EventSource.CLOSED) end().catch(reject); };
  });
}

/** How long a stage will take yet, from its pace; nothing in its first seconds. */
function left(since, done, total) {
  const spent = (Date.now() - since.time) / 1000;
  if (spent < 4 || done <= since.done || done >= total) return "";
  const seconds = (spent * (total - done)) / (done - since.done);
  return seconds < 90 ? `, about ${Math.max(1, Math.round(seconds))} s left` : `, about ${Math.round(seconds / 60)} min left`;
}
