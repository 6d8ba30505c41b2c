// Builds and finds nodes; text is always text, so nothing of a draft or a patent becomes markup.
import { ask, asked } from "./asked.js";
import { listen, switchScheme } from "./keys.js";

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; strings become text nodes, functions of `on…` are listeners. */
export function node(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same in a drawing. */
export function drawn(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

export const byId = (id) => document.getElementById(id);

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** A sentence as nodes: what stands in backticks is a command. */
export const prose = (sentence) => sentence.split("`").map((part, place, parts) => (place % 2 && place < parts.length - 1 ? node("code", {}, part) : place % 2 ? `\`${part}` : part));

/** Runs the main function of a page after signing in; errors are shown as one sentence. `context` is that of its keys. */
export async function start(main, { signedIn, call, context = "", actions = {} }) {
  byId("scheme").addEventListener("click", switchScheme);
  byId("show-keys").addEventListener("click", () => byId("keys").showModal());
  listen(context, actions);
  addEventListener("unhandledrejection", (event) => { problem(event.reason); event.preventDefault(); });
  try {
    if (!(await signedIn())) return await askPassword(call);
    await offerLibraries(call);
    await main();
  } catch (error) {
    problem(error);
  } finally {
    document.body.dataset.ready = "";
  }
}

/** Shows an error as one sentence at the top; null takes it away. */
export function problem(error) {
  const place = byId("problem");
  place.replaceChildren(...prose(error?.message ?? ""));
  place.hidden = !error;
  if (error) place.scrollIntoView({ block: "nearest" });
}

/** Says something to screen readers. */
export function say(text) {
  byId("said").textContent = text;
}

async function offerLibraries(call) {
  const { libraries } = await call("GET", "/session");
  if (libraries.length < 2) return;
  const choice = byId("library");
  choice.replaceChildren(...libraries.map((name) => node("option", { selected: name === (asked().library || libraries[0]) }, name)));
  choice.parentElement.hidden = false;
  choice.addEventListener("change", () => { ask({ library: choice.value }); location.reload(); });
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
