/** What is around a lesson: a picture of its links, and the same as a list. */

import * as paths from "../core/api.js";
import { fill, h } from "../core/elements.js";
import { complain, say } from "../core/saying.js";
import { count, words } from "../core/words.js";
import { about, status } from "../parts/marks.js";
import { draw } from "../parts/picture.js";

const NODES = 40;

/** Return the picture and the list. */
export async function render(context, { memory }) {
  const place = h("div.around", null);
  const load = async (depth) => {
    try {
      const found = await context.api.get(`/memories${paths.path(memory.id)}/neighborhood`, { depth, max_nodes: NODES }, { signal: context.signal });
      await show(context, memory.id, found, place);
    } catch (failure) {
      complain(failure, place);
    }
  };
  await load(1);
  return h("section", { "aria-label": "Graph" },
    h("p.field.inline", null, h("label", { for: "depth" }, "Steps away"),
      h("select", { id: "depth", change: (event) => load(event.target.value) }, [1, 2, 3, 4].map((depth) => h("option", { value: depth }, depth)))),
    place);
}

async function show(context, id, { nodes, edges, omitted }, place) {
  const canvas = h("div.picture", { "aria-hidden": "true" });
  const text = `${count(nodes.length - 1, "memory", "memories")} around it, ${count(edges.length, "link")}${omitted ? `; ${omitted} more left out` : ""}`;
  fill(place, h("p.head", null, text), h("div.both", null, canvas, list(context, id, nodes, edges)));
  say(text);
  if (nodes.length > 1) await draw(canvas, id, nodes, edges, (to) => context.go(context.link("memory", [to, "graph"])), context.signal);
  else canvas.remove();
}

function list(context, id, nodes, edges) {
  return h("ol.nodes", { "aria-label": "The same as a list" }, nodes.map((node) => h("li", null,
    h("a", { href: context.link("memory", node.id === id ? [id] : [node.id, "graph"]), "aria-current": node.id === id && "true" }, node.description),
    about(status(node), h("code", null, node.id)),
    h("ul", null, edges.filter(({ from_id: from }) => from === node.id).map(({ kind, to_id: to, reason }) =>
      h("li", null, `${words(kind)} `, h("code", null, to), reason && ` — ${reason}`))))));
}
