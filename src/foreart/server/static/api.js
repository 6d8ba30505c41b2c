// The API: every page gets its data here. The token of the start is traded for a cookie once.

export class ApiError extends Error {
  constructor(answer) {
    super(answer.error);
    this.status = answer.status;
  }
}

const UNREACHABLE = "The server does not answer: is `foreart serve` still running?";

/** The answer of a route under /api; `body` is sent as JSON, bytes (a File or Blob) as they are.
 *
 * What is fetched `ahead` waits until the server has nothing else to do; a `signal` ends the request. */
export async function call(method, path, body, { ahead = false, signal } = {}) {
  const raw = body instanceof Blob;
  const response = await fetch(`/api${path}`, {
    method,
    signal,
    headers: {
      ...(body === undefined ? {} : { "Content-Type": raw ? "application/octet-stream" : "application/json" }),
      ...(ahead ? { Priority: "u=7" } : {}),
    },
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

/** Trades the token behind # for a session and removes it from the address; true if there is a session.
 *
 * The token of an earlier start (a bookmark, an old tab) is none: the session it once opened may still be there. */
export async function signedIn() {
  const token = location.hash.slice(1);
  if (/^[A-Za-z0-9._~+/=-]{32,}$/.test(token)) {
    history.replaceState(null, "", location.pathname);
    const opened = await call("POST", "/session", { token }).catch((error) => {
      if (![401, 429].includes(error.status)) throw error;
    });
    if (opened) return opened.signed_in;
  }
  return (await call("GET", "/session")).signed_in;
}
