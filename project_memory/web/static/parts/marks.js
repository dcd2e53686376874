/** Small marks beside a lesson: its status, labels and moments. */

import { h } from "../core/elements.js";
import { ago, moment } from "../core/words.js";

/** Return a status as a mark; nothing for `active`, which most are. */
export function status(memory) {
  const marks = [];
  if (memory.status !== "active") marks.push(h(`span.mark.${memory.status}`, null, memory.status));
  if (memory.archived) marks.push(h("span.mark", null, "archived"));
  return marks;
}

/** Return labels as links to what carries them. */
export function labels(names, link) {
  return h("ul.labels", { "aria-label": "Labels" }, names.map((name) => {
    const [prefix, rest] = name.split(/:(.*)/s);
    return h("li", null, h("a", { href: link("memories", [], { label: name }) }, h("span", null, `${prefix}:`), rest));
  }));
}

/** Return when something was, as a reader says it, with the moment itself beside it. */
export function time(timestamp) {
  return h("time", { datetime: timestamp, title: moment(timestamp) }, ago(timestamp));
}

/** Return a line of small remarks, each by itself. */
export function about(...parts) {
  const said = parts.flat(Infinity).filter((part) => part !== null && part !== undefined && part !== false && part !== "");
  return h("div.about", null, said.map((part) => (part instanceof Node ? part : h("span", null, part))));
}
