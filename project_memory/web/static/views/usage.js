/** How often lessons were found, applied, and found wrong. */

import { h } from "../core/elements.js";
import { count, day } from "../core/words.js";

const PAGE = 50;

/** Return the table, most used first as the server orders it. */
export async function render(context) {
  const offset = Number(context.params.get("offset") ?? 0) || 0;
  const asked = { limit: PAGE, offset };
  const [usage, stats] = await Promise.all([
    context.api.get("/usage", asked, { signal: context.signal }), context.api.get("/stats", {}, { signal: context.signal })]);
  return [
    h("h1", null, "Usage"),
    h("p.head", null, `${count(stats.memories, "memory", "memories")} (${stats.archived} archived), ${count(stats.links, "link")}, ${count(stats.labels, "label")}; ${count(usage.questions, "question")} asked.`),
    h("div.wide", { tabindex: "0", role: "region", "aria-label": "Usage of each memory" }, table(context, usage.memories)),
    pages(context, offset, usage.count),
  ];
}

function table({ link }, memories) {
  const columns = ["Found", "by its words", "Applied", "Wrong", "Days", "Last seen", "Tier"];
  return h("table", null,
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "Memory"), columns.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, memories.map(({ id, description, total, tier }) => h("tr", null,
      h("th", { scope: "row" }, h("a", { href: link("memory", [id]), title: description }, id)),
      [total.surfaced, total.surfaced_direct, total.applied, total.wrong, total.days, total.last_seen ? day(total.last_seen) : "never", tier].map((value) => h("td", null, value))))));
}

function pages({ link }, offset, all) {
  const to = (start, words) => h("a.button", { href: link("usage", [], start ? { offset: start } : {}) }, words);
  return h("p.actions", null, offset > 0 && to(Math.max(0, offset - PAGE), "Before"), offset + PAGE < all && to(offset + PAGE, "Further"));
}
