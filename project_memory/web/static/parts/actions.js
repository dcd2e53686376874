/** What can be done to a lesson without editing its text. */

import * as paths from "../core/api.js";
import { ask } from "../core/asking.js";
import { h } from "../core/elements.js";
import { complain, notice } from "../core/saying.js";
import { change } from "./changing.js";

const REASON = { name: "reason", label: "Why", hint: "kept in history" };
const STATUSES = [["active", "active: it holds"], ["stale", "stale: it may not hold any more"], ["wrong", "wrong: it misleads"]];

/** Return the buttons for a lesson as it was read. */
export function actions(context, { memory, meta }) {
  const to = (verb) => `/memories${paths.path(memory.id)}/${verb}`;
  const post = (verb, text, body) => () => change(context, () => context.api.post(to(verb), body), text);
  const archived = Boolean(meta.archived_at);
  return h("div.actions", { role: "group", "aria-label": "Change this memory" },
    button("Still holds", post("touch", "Validated today")),
    button("Status …", () => restate(context, memory, meta, to("status"))),
    archived ? button("Unarchive", post("unarchive", `'${memory.id}' is found again`)) : button("Archive", post("archive", `'${memory.id}' is archived`)),
    meta.pinned ? button("Unpin", post("unpin", `'${memory.id}' may be archived by audits`)) : button("Pin", post("pin", `'${memory.id}' is kept from audits`)),
    button("Useful", () => use(context, { memory_ids: [memory.id] }, "Counted as applied")),
    button("Misleading", () => use(context, { wrong_ids: [memory.id] }, "Counted as wrong")),
    button("Delete …", () => remove(context, memory, meta), "danger"));
}

function button(words, click, kind) {
  return h("button", { type: "button", class: kind, click }, words);
}

async function restate(context, memory, meta, where) {
  const given = await ask({
    title: "Change the status", confirm: "Change",
    fields: [{ name: "status", label: "Status", choices: STATUSES, value: meta.own_status }, { ...REASON, required: true }],
  });
  if (given) await change(context, () => context.api.post(where, { ...given, if_version: meta.version }), `'${memory.id}' is ${given.status}`);
}

async function remove(context, memory, meta) {
  const given = await ask({
    title: `Delete '${memory.id}'?`, confirm: "Delete", danger: true, fields: [REASON],
    text: "It and its links go; history keeps the text, and this can be undone.",
  });
  if (!given) return;
  const reason = given.reason || undefined;
  const asked = () => context.api.remove(`/memories${paths.path(memory.id)}`, { if_version: meta.version, reason });
  await change({ ...context, again: () => context.go(context.link("memory", [memory.id])) }, asked, `'${memory.id}' is deleted`,
    (receipt) => (receipt.proposals.length ? context.again() : context.go(context.link("memories"))));
}

async function use(context, body, text) {
  try {
    await context.api.post("/uses", body);
    notice(text);
  } catch (failure) {
    complain(failure);
  }
}
