/** From the address to a view, with focus, title and whatever was typed looked after. */

import { within } from "./core/api.js";
import { ask } from "./core/asking.js";
import { fill, h } from "./core/elements.js";
import { address, parse } from "./core/routes.js";
import * as session from "./core/session.js";
import { complain, moveOn } from "./core/saying.js";
import * as frame from "./frame.js";
import * as login from "./views/login.js";
import * as nothing from "./views/nothing.js";

const VIEWS = {
  memories: () => import("./views/memories.js"),
  memory: () => import("./views/memory.js"),
  new: () => import("./views/new.js"),
  review: () => import("./views/review.js"),
  audit: () => import("./views/audit.js"),
  usage: () => import("./views/usage.js"),
  gaps: () => import("./views/gaps.js"),
  settings: () => import("./views/settings.js"),
};

let leaving = new AbortController();
let here = location.hash;
let unsaved = () => false;
let arrived = false;

/** Show the view of the address, now and whenever it changes. */
export function follow() {
  addEventListener("hashchange", changed);
  addEventListener("beforeunload", (event) => {
    if (unsaved()) event.preventDefault();
  });
  show();
}

/** Go to an address; the same one again is shown anew. */
export function go(hash) {
  if (location.hash === hash) show();
  else location.hash = hash;
}

/** Change the address without showing anything anew: the view has done so itself. */
export function note(hash) {
  history.replaceState(history.state, "", hash);
  here = hash;
}

/** Show the view of the address; `why` is told where that is the form to log in. */
export async function show(why = "") {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  unsaved = () => false;
  const main = document.getElementById("main");
  const asked = place();
  frame.draw(asked);
  main.setAttribute("aria-busy", "true");
  try {
    const view = await chosen(asked);
    const content = await view.render({
      ...asked, why, signal, session: session.current(), api: within(asked.project), go, note,
      again: () => show(),
      guard: (question) => { unsaved = question; },
      link: (view, rest, params) => address(asked.project, view, rest, params),
    });
    if (!signal.aborted) settle(main, content, asked);
  } catch (failure) {
    if (!signal.aborted) settle(main, [h("h1", null, "This cannot be shown"), h("div")], asked, failure);
  } finally {
    if (!signal.aborted) main.removeAttribute("aria-busy");
  }
}

/** Return what the address asks for, with a project of those that there are where it names none. */
function place() {
  const asked = parse(location.hash);
  const known = session.current()?.projects ?? [];
  if (asked.project === null && known.length) {
    note(address(known[0], "memories"));
    return parse(location.hash);
  }
  return asked;
}

async function chosen(asked) {
  if (session.current() === null) return login;
  if (asked.project === null) return nothing;
  return asked.view in VIEWS ? VIEWS[asked.view]() : nothing;
}

function settle(main, content, asked, failure) {
  fill(main, content);
  if (failure) complain(failure, main.querySelector("div"));
  const heading = main.querySelector("h1");
  document.title = [heading?.textContent, asked.project, "Project memory"].filter(Boolean).join(" · ");
  frame.draw(asked);
  focus(main, heading);
  scrollTo(0, 0);
}

/** Go on reading at the heading; a page that was only just opened is read from its top. */
function focus(main, heading) {
  if (heading) heading.tabIndex = -1;
  const first = main.querySelector("[autofocus]") ?? (arrived ? heading ?? main : null);
  first?.focus({ preventScroll: true });
  arrived = true;
}

async function changed() {
  if (location.hash === here) return;
  const wanted = location.hash;
  if (unsaved()) {
    note(here);
    if ((await leave()) === null) return;
    unsaved = () => false;
    location.hash = wanted;
    return;
  }
  here = wanted;
  moveOn();
  show();
}

function leave() {
  return ask({ title: "Leave without saving?", text: "What you typed here is lost then.", confirm: "Leave", danger: true });
}
