// Builds and finds nodes; text is always text, so nothing of a draft or a patent becomes markup.

/** An element with attributes and children; strings become text nodes. */
export function node(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export const byId = (id) => document.getElementById(id);

/** Runs the main function of a page after signing in; errors are shown as one sentence. */
export async function start(main, { signedIn, call }) {
  try {
    if (await signedIn()) await main();
    else await askPassword(call);
  } catch (error) {
    problem(error);
  }
}

export function problem(error) {
  const place = byId("problem");
  place.textContent = error ? error.message : "";
  place.hidden = !error;
}

/** Says something to screen readers. */
export function say(text) {
  byId("said").textContent = text;
}

async function askPassword(call) {
  const { by } = await call("GET", "/session");
  if (by !== "password") throw new Error("This page needs the token: open the address that `foreart serve` printed.");
  const form = byId("sign-in");
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await call("POST", "/session", { password: new FormData(form).get("password") });
      location.reload();
    } catch (error) {
      problem(error);
    }
  });
}
