// Draft and document side by side.
import { call, signedIn } from "./api.js";
import { asked } from "./asked.js";
import { byId, start } from "./nodes.js";

function main() {
  byId("empty").hidden = Boolean(asked().draft);
}

start(main, { signedIn, call });
