/** One proposal: what it would change, what stands against it, and the decision. */

import { ask } from "../core/asking.js";
import { h } from "../core/elements.js";
import { isPerson, may } from "../core/session.js";
import { sentence, words } from "../core/words.js";
import { change } from "../parts/changing.js";
import { differences, plain } from "../parts/difference.js";
import { about, time } from "../parts/marks.js";
import { title } from "../parts/title.js";
import { memoryForm } from "../parts/draft.js";

const WHY = { name: "reason", label: "Why", hint: "kept with the decision" };

/** Return the proposal whose number the address names. */
export async function render(context) {
  const [number] = context.rest;
  const shown = await context.api.get(`/proposals/${encodeURIComponent(number)}`, {}, { signal: context.signal });
  const { proposal } = shown;
  return [
    about(h("a", { href: context.link("review") }, "Review"), `#${proposal.number}`, h("span.mark", null, proposal.state),
      words(proposal.operation), `by ${proposal.actor.name} (${proposal.actor.authority})`, time(proposal.time)),
    h("h1", null, title(proposal)),
    proposal.because.map((because) => h("p.banner", null, because)),
    proposal.reason && h("p.reason", null, proposal.reason),
    shown.obstacle && h("p.banner", null, shown.obstacle),
    h("ul.effects", null, shown.effects.map(effect)),
    conflicts(shown.conflicts),
    decided(proposal.decision),
    proposal.state === "waiting" && may("write") && (await decision(context, shown)),
  ];
}

function effect({ id, change: what, fields, vouched }) {
  return h("li", null, h("h2", null, `${sentence(what)}: `, h("code", null, id)), differences(fields),
    vouched && Object.keys(vouched).length > 0 && h("details", null, h("summary", null, "What else would be a person's word then"),
      h("dl", null, Object.entries(vouched).map(([name, value]) => [h("dt", null, sentence(words(name))), h("dd.plain", null, plain(value))]))));
}

function conflicts(all) {
  return Object.entries(all).map(([id, fields]) => h("section.conflict", null, h("h2", null, "Changed since it was proposed: ", h("code", null, id)),
    h("dl", null, Object.entries(fields).map(([name, [base, current, proposed]]) => [h("dt", null, sentence(words(name))),
      h("dd.plain", null, h("p", null, h("b", null, "It was "), plain(base)), h("p", null, h("b", null, "It is "), plain(current)), h("p", null, h("b", null, "Proposed "), plain(proposed)))]))));
}

function decided(decision) {
  return decision && h("p.notice", null, `Decided by ${decision.actor.name} `, time(decision.time), decision.reason && `: ${decision.reason}`);
}

async function decision(context, { proposal, conflicts: found }) {
  const to = (verb) => `/proposals/${proposal.number}/${verb}`;
  const queue = () => context.go(context.link("review"));
  const skip = () => change(context, () => context.api.post(to("skip")), `Proposal ${proposal.number} is put off`, queue);
  const mine = proposal.actor.name === context.session.actor;
  const person = isPerson();
  const buttons = [
    person && proposal.note === undefined && h("button.primary", { type: "button", click: () => apply(context, to("apply"), found, queue) }, "Apply …"),
    (person || mine) && h("button", { type: "button", click: () => reject(context, to("reject"), mine, queue) }, mine ? "Withdraw …" : "Reject …"),
    person && h("button", { type: "button", click: skip }, "Put off"),
  ];
  return [
    !person && proposal.note === undefined && h("p.notice", null, "A person applies it: here, logged in with a code, or at a terminal with ", h("code", null, `project-memory review apply ${proposal.number}`)),
    h("div.actions", { role: "group", "aria-label": "Decide" }, buttons),
    proposal.note !== undefined && (await memory(context, proposal, to("apply"))),
  ];
}

async function apply(context, where, conflicts, queue) {
  const anyway = Object.keys(conflicts).length > 0;
  const given = await ask({ title: "Apply it?", confirm: "Apply", fields: [WHY], text: anyway ? "It replaces what was changed since." : "It is made as it is shown." });
  if (!given) return;
  const body = { anyway: anyway || undefined, reason: given.reason || undefined };
  await change(context, () => context.api.post(where, body), "Applied", queue);
}

async function reject(context, where, mine, queue) {
  const given = await ask({ title: mine ? "Withdraw it?" : "Reject it?", confirm: mine ? "Withdraw" : "Reject", danger: true, fields: [WHY] });
  if (given) await change(context, () => context.api.post(where, { reason: given.reason || undefined }), mine ? "Withdrawn" : "Rejected", queue);
}

/** Return the form by which a note becomes a memory. */
async function memory(context, { note, number }, where) {
  const start = { description: note.slice(0, 500), remembered_facts: [note.slice(0, 2000)] };
  const form = await memoryForm(context, {
    start, send: (draft, options) => context.api.post(where, { draft, ...options }),
    text: `Note ${number} is a memory`, save: "Make it a memory", back: context.link("review"),
  });
  return h("section", null, h("h2", null, "Make a memory of it"), form);
}
