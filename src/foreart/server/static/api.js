// The API: every page gets its data here. The token of the start is traded for a cookie once.

export class ApiError extends Error {
  constructor(answer) {
    super(answer.error);
    this.status = answer.status;
  }
}

/** The answer of a route under /api; `body` is sent as JSON, bytes (a File or Blob) as they are. */
export async function call(method, path, body) {
  const raw = body instanceof Blob;
  const response = await fetch(`/api${path}`, {
    method,
    headers: body === undefined ? {} : { "Content-Type": raw ? "application/octet-stream" : "application/json" },
    body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({ ok: false, error: "the server gives no answer", status: 502 }));
  if (!answer.ok) throw new ApiError(answer);
  return answer;
}

/** A file that a route under /api makes of a JSON body. */
export async function download(path, body) {
  const response = await fetch(`/api${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  if (response.ok) return response.blob();
  throw new ApiError(await response.json().catch(() => ({ error: "the server gives no answer", status: 502 })));
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
