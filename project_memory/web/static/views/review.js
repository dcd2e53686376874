/** What waits to be decided: notes and proposed changes, with what each would do. */

import { h } from "../core/elements.js";
import { may } from "../core/session.js";
import { count, sentence, words } from "../core/words.js";
import { about, time } from "../parts/marks.js";
import { title } from "../parts/title.js";
import * as proposal from "./proposal.js";

const STATES = ["waiting", "applied", "rejected", "withdrawn", "all"];

/** Return the queue, or one proposal of it. */
export async function render(context) {
  if (context.rest.length) return proposal.render(context);
  const state = context.params.get("state") ?? "waiting";
  const { proposals } = await context.api.get("/proposals", { state }, { signal: context.signal });
  return [
    h("h1", null, "Review"),
    h("p.quiet", null, "What agents may not decide by themselves, and notes that nobody has made a memory of."),
    h("nav.tabs", { "aria-label": "State" }, STATES.map((name) =>
      h("a", { href: context.link("review", [], name === "waiting" ? {} : { state: name }), "aria-current": name === state && "page" }, sentence(name)))),
    h("p.head", null, proposals.length ? count(proposals.length, "proposal") : "Nothing here."),
    h("ol.entries", null, proposals.map((one) => item(context, one))),
    !may("write") && h("p.quiet", null, "Your token may read only."),
  ];
}

function item({ link }, one) {
  const { number, actor, time: when, operation, note, because, reason, state, skipped_at: skipped } = one;
  return h("li.entry", null,
    h("h2", null, h("a", { href: link("review", [number]) }, note ?? title(one))),
    because.map((text) => h("p.banner", null, text)),
    reason && h("p.reason", null, reason),
    about(h("span.mark", null, state), skipped && h("span.mark", null, "put off"), `#${number}`, words(operation), `by ${actor.name}`, time(when)));
}
