/** What is around every view: the project, where one can go, the theme, who is logged in. */

import { fill, h } from "./core/elements.js";
import { address } from "./core/routes.js";
import { complain, say } from "./core/saying.js";
import * as session from "./core/session.js";
import * as theme from "./core/theme.js";

const PLACES = [
  ["memories", "Memories"], ["review", "Review"], ["audit", "Audit"],
  ["usage", "Usage"], ["gaps", "Gaps"],
];
const SIGNS = { system: "◐", light: "○", dark: "●" };

/** Draw it for the place where the reader is. */
export function draw({ project, view }) {
  const who = session.current();
  fill(document.getElementById("top"),
    h("a.brand", { href: project ? address(project, "memories") : "#/" }, mark(), h("span.word", null, "Project memory")),
    who && project && [projects(who, project), places(project, view)],
    h("div.end", null, who && project && session.may("write") && h("a.button", { href: address(project, "new") }, "New", h("span.word", null, "\u00a0memory")),
      themes(), who && person(who)));
}

/** Listen for `/`, which leads to the search from everywhere, and lead past the frame itself. */
export function listen() {
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address after the # is the view's
    document.getElementById("main").focus();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    const field = document.querySelector("#search") ?? document.querySelector(".brand");
    event.preventDefault();
    if (field.id === "search") field.focus();
    else field.click();
  });
}

function typing(target) {
  return target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName);
}

function mark() {
  return h("img", { src: "/static/icon.svg", alt: "", width: 22, height: 22 });
}

function projects(who, project) {
  const known = who.projects.includes(project) ? who.projects : [project, ...who.projects];
  return h("label.project", null, h("span.unseen", null, "Project"),
    h("select", { id: "project", change: (event) => { location.hash = address(event.target.value, "memories"); } },
      known.map((name) => h("option", { value: name, selected: name === project }, name))));
}

function places(project, view) {
  const shown = session.may("administer") ? [...PLACES, ["settings", "Settings"]] : PLACES;
  const now = view === "memory" ? "memories" : view;
  return h("nav", { "aria-label": "Views" }, shown.map(([name, words]) =>
    h("a", { href: address(project, name), "aria-current": name === now && "page" }, words)));
}

function themes() {
  const name = (chosen) => [h("span.unseen", null, "Theme: "), h("span", { "aria-hidden": "true" }, SIGNS[chosen], " "), h("span.word", null, chosen)];
  const button = h("button.plain", { type: "button", id: "theme", title: "Change the theme", click: () => {
    fill(button, name(theme.next()));
    say(`Theme: ${theme.chosen()}`);
  } }, name(theme.chosen()));
  return button;
}

function person(who) {
  return h("span.person", null, h("span.word", { title: `may ${who.rights.join(", ")}` }, `${who.actor} · ${who.role}${session.isPerson() ? "" : ", as an agent"}`),
    h("button.plain", { type: "button", id: "logout", click: leave }, "Log out"));
}

async function leave() {
  try {
    await session.end();
  } catch (failure) {
    complain(failure);
  }
}
