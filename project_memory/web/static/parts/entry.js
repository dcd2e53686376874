/** One lesson in a list: its sentence first, then what it is called and where it stands. */

import { h } from "../core/elements.js";
import { about, labels, status, time } from "./marks.js";
import { why } from "./why.js";

/** Return a lesson as an item of a list. */
export function entry(memory, link) {
  return h("li.entry", { class: `entry ${memory.status}` },
    h("h2", null, h("a", { href: link("memory", [memory.id]) }, memory.description)),
    memory.banner && h("p.banner", null, memory.banner),
    memory.flags?.map((flag) => h("p.banner", null, flag)),
    about(status(memory), h("code", null, memory.id), time(memory.updated_at), labels(memory.labels, link)),
    why(memory));
}
