/** One lesson: read it, see its history and what is around it, change it. */

import * as paths from "../core/api.js";
import { h } from "../core/elements.js";
import { may } from "../core/session.js";
import { actions } from "../parts/actions.js";
import { about, labels, status } from "../parts/marks.js";
import * as edit from "./edit.js";
import * as graph from "./graph.js";
import * as history from "./history.js";
import * as lesson from "./lesson.js";

const TABS = { "": ["Lesson", lesson], history: ["History", history], graph: ["Graph", graph], edit: ["Edit", edit] };

/** Return the view of `memory/ID` and of what is below it. */
export async function render(context) {
  const [id, tab = ""] = context.rest;
  const version = context.params.get("version");
  const reading = await context.api.get(`/memories${paths.path(id)}`, { version }, { signal: context.signal });
  const [, shown] = TABS[tab] ?? TABS[""];
  const { memory } = reading;
  return [
    h("header.memory", null,
      about(h("code", null, memory.id), status({ ...memory, archived: Boolean(reading.meta.archived_at) }),
        reading.meta.pinned && h("span.mark", null, "pinned"), memory.standing && h("span.mark", null, "standing")),
      h("h1", null, memory.description),
      banners(reading, context.link),
      labels(memory.labels, context.link),
      tabs(context, memory.id, tab),
      version === null && may("write") && tab !== "edit" && actions(context, reading)),
    await shown.render(context, reading),
  ];
}

function banners({ banner, flags, redirected_from: from, superseded_by: successors }, link) {
  const texts = [banner, from && `'${from}' is its former id`, ...(flags ?? [])].filter(Boolean);
  return [texts.map((text) => h("p.banner", null, text)),
    successors.length > 0 && h("p.banner", null, "Read instead: ", successors.map((id) => h("a", { href: link("memory", [id]) }, id)))];
}

function tabs({ link }, id, shown) {
  const offered = Object.entries(TABS).filter(([name]) => name !== "edit" || may("write"));
  return h("nav.tabs", { "aria-label": "Memory" }, offered.map(([name, [words]]) =>
    h("a", { href: link("memory", [id, name].filter(Boolean)), "aria-current": name === shown && "page" }, words)));
}
