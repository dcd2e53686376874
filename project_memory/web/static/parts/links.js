/** What a lesson is linked to, and how a link is made or taken away. */

import * as paths from "../core/api.js";
import { ask } from "../core/asking.js";
import { h } from "../core/elements.js";
import { may } from "../core/session.js";
import { sentence, words } from "../core/words.js";
import { change } from "./changing.js";

const KINDS = ["related", "supersedes", "superseded_by", "contradicts", "depends_on", "required_by", "caused_by", "causes", "generalizes", "specializes"];

/** Return the links of a lesson by kind; those of a past version cannot be changed. */
export function links(context, memory, past) {
  const kinds = KINDS.filter((kind) => memory.relationships[kind].length);
  const changes = may("write") && !past;
  return (kinds.length > 0 || changes) && h("section", null, h("h2", null, "Links"),
    kinds.map((kind) => [h("h3", null, sentence(words(kind))),
      h("ul.links", null, memory.relationships[kind].map((target) => link(context, memory.id, kind, target, changes)))]),
    changes && h("p.actions", null, h("button", { type: "button", click: () => add(context, memory.id) }, "Link to …")));
}

function link(context, id, kind, target, changes) {
  const { id: to, reason } = typeof target === "string" ? { id: target } : target;
  const take = () => change(context, () => context.api.remove(where(id, kind, to)), `'${id}' and '${to}' are not linked any more`);
  return h("li", null, h("a", { href: context.link("memory", [to]) }, to), reason && h("span", null, ` — ${reason}`),
    changes && h("button.plain", { type: "button", "aria-label": `Remove the link to ${to}`, click: take }, "×"));
}

async function add(context, id) {
  const given = await ask({
    title: "Link to another memory", confirm: "Link", fields: [
      { name: "kind", label: "How", choices: KINDS.map((kind) => [kind, words(kind)]), value: "related" },
      { name: "to", label: "Id of the other memory", required: true },
      { name: "reason", label: "Why", hint: "needed for related and contradicts" },
    ],
  });
  if (!given) return;
  const body = given.reason ? { link_reason: given.reason } : {};
  await change(context, () => context.api.put(where(id, given.kind, given.to), body), `'${id}' ${words(given.kind)} '${given.to}'`);
}

function where(id, kind, to) {
  return `/memories${paths.path(id, "links", kind, to)}`;
}
