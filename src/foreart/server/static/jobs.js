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
    events.addEventListener("progress", (event) => {
      const { stage, done, total } = JSON.parse(event.data);
      if (total) bar.value = done / total;
      else bar.removeAttribute("value");
      told.textContent = `${stage}${total ? ` ${done.toLocaleString("en")} of ${total.toLocaleString("en")}` : ""}`;
    });
    for (const name of ["done", "failed", "cancelled"]) events.addEventListener(name, () => end().catch(reject));
    // A restarted server knows no job of before; a closed stream of a known one is opened again by the browser.
    events.onerror = () => { if (events.readyState === EventSource.CLOSED) end().catch(reject); };
  });
}
