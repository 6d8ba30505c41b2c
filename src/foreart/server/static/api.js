// The API: every page gets its data here. The token of the start is traded for a cookie once.

export class ApiError extends Error {
  constructor(answer) {
    super(answer.error);
    this.status = answer.status;
  }
}

const UNREACHABLE = "The server does not answer: is `foreart serve` still running?";

/** The answer of a route under /api; `body` is sent as JSON, bytes (a File or Blob) as they are. */
export async function call(method, path, body) {
  const raw = body instanceof Blob;
  const response = await fetch(`/api${path}`, {
    method,
    headers: body === undefined ? {} : { "Content-Type": raw ? "application/octet-stream" : "application/json" },
    body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
  }).catch(() => { throw new ApiError({ error: UNREACHABLE, status: 0 }); });
  const answer = await response.json().catch(() => ({ ok: false, error: "the server gives no answer", status: 502 }));
  if (!answer.ok) throw new ApiError(answer);
  return answer;
}

/** Saves the file that a route answers. */
export async function download(path, body, name) {
  const response = await fetch(`/api${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })
    .catch(() => { throw new ApiError({ error: UNREACHABLE, status: 0 }); });
  if (!response.ok) throw new ApiError(await response.json());
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Trades the token behind # for a session and removes it from the address; true if there is a session. */
export async function signedIn() {
  const token = location.hash.slice(1);
  if (/^[A-Za-z0-9_-]{32,}$/.test(token)) {
    history.replaceState(null, "", location.pathname);
    return (await call("POST", "/session", { token })).signed_in;
  }
  return (await call("GET", "/session")).signed_in;
}
