// A file is sent with progress, which fetch cannot tell of its requests.
import { node } from "./nodes.js";

/** Sends a file to a path of the API and shows how much of it is sent; resolves to the answer. */
export function send(path, file, place) {
  const bar = node("progress", { max: 1, value: 0, "aria-label": `sending ${file.name}` });
  const line = node("div", { class: "job" }, bar, node("span", {}, `sending ${file.name}`));
  place.append(line);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api${path}`);
    request.responseType = "json";
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (event) => { if (event.lengthComputable) bar.value = event.loaded / event.total; };
    request.onloadend = () => {
      line.remove();
      const answer = request.response;
      if (answer?.ok) resolve(answer);
      else reject(new Error(answer?.error || `${file.name} could not be sent: the server gives no answer`));
    };
    request.send(file);
  });
}
