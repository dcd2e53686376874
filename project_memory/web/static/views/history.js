/** What was changed in a lesson, when, by whom and why; with the way back. */

import * as paths from "../core/api.js";
import { ask } from "../core/asking.js";
import { fill, h } from "../core/elements.js";
import { complain } from "../core/saying.js";
import { may } from "../core/session.js";
import { words } from "../core/words.js";
import { change } from "../parts/changing.js";
import { differences } from "../parts/difference.js";
import { about, time } from "../parts/marks.js";

const PAGE = 20;

/** Return the revisions of a lesson, newest first. */
export async function render(context, { memory, meta }) {
  const place = h("div", null);
  await load(context, memory.id, meta.version, PAGE, place);
  return h("section", { "aria-label": "History" }, compare(context, memory.id, meta.version), place);
}

async function load(context, id, version, limit, place) {
  const { revisions } = await context.api.get(`/memories${paths.path(id)}/history`, { limit }, { signal: context.signal });
  fill(place, h("ol.revisions", null, revisions.map((revision) => item(context, id, version, revision))),
    revisions.length === limit && h("button", { type: "button", click: () => load(context, id, version, limit + PAGE, place) }, "Show more"));
}

function item(context, id, version, { number, time: when, actor, authority, operation, reason, undoes }) {
  const place = h("div", null);
  const open = h("details", { toggle: () => open.open && !place.hasChildNodes() && detail(context, id, version, number, place) },
    h("summary", null, h("b", null, words(operation)), ` by ${actor}`, authority !== "user" && ` (${authority})`, " ", time(when),
      undoes && ` · takes back revision ${undoes}`), place);
  return h("li", null, open, reason && h("p.reason", null, reason));
}

async function detail(context, id, current, number, place) {
  try {
    const { differences: all } = await context.api.get(`/history/${number}`, {}, { signal: context.signal });
    const mine = all.filter((one) => one.id === id || one.after?.id === id || one.before?.id === id);
    fill(place, mine.map(({ version, fields }) => [about(`Version ${version}`, way(context, id, current, version)), differences(fields)]),
      !mine.length && h("p.quiet", null, "nothing of this memory itself"));
  } catch (failure) {
    complain(failure, place);
  }
}

function way(context, id, current, version) {
  if (version === current) return h("span.mark", null, "as it is");
  return [h("a", { href: context.link("memory", [id], { version }) }, "Read it so"),
    may("write") && h("button", { type: "button", click: () => revert(context, id, version) }, `Put back to version ${version} …`)];
}

async function revert(context, id, version) {
  const given = await ask({
    title: `Put '${id}' back to version ${version}?`, confirm: "Put back", fields: [{ name: "reason", label: "Why", hint: "kept in history" }],
    text: "That is one more change: what came after stays in history.",
  });
  if (!given) return;
  const body = { version, reason: given.reason || undefined };
  await change(context, () => context.api.post(`/memories${paths.path(id)}/revert`, body), `'${id}' is as in version ${version}`);
}

function compare(context, id, version) {
  if (version < 2) return null;
  const place = h("div", { "aria-live": "polite" });
  const numbers = Array.from({ length: version }, (_, index) => version - index);
  const choice = (name, label, chosen) => [h("label", { for: name }, label),
    h("select", { id: name, name }, numbers.map((number) => h("option", { value: number, selected: number === chosen }, number)))];
  const submit = async (event) => {
    event.preventDefault();
    const given = new FormData(event.target);
    try {
      const { fields } = await context.api.get(`/memories${paths.path(id)}/diff`, { old: given.get("old"), new: given.get("new") }, { signal: context.signal });
      fill(place, differences(fields));
    } catch (failure) {
      complain(failure, place);
    }
  };
  return [h("form.compare", { submit, "aria-label": "Compare versions" }, choice("old", "Compare version", version - 1), choice("new", "with", version),
    h("button", { type: "submit" }, "Compare")), place];
}
