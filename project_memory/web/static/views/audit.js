/** What an audit finds, most serious first, each finding with what would put it right. */

import { ask } from "../core/asking.js";
import { h } from "../core/elements.js";
import { may } from "../core/session.js";
import { count, sentence, words } from "../core/words.js";
import { change } from "../parts/changing.js";
import { plain } from "../parts/difference.js";

/** Return the findings by their code. */
export async function render(context) {
  const report = await context.api.get("/audit", {}, { signal: context.signal });
  const { findings, counts, checked, notes } = report;
  return [
    h("h1", null, "Audit"),
    h("p.head", null, `${count(checked, "memory", "memories")} looked at: ${count(counts.error, "error")}, ${count(counts.warning, "warning")}, ${count(counts.note, "note")}. Nothing is changed unless you say so.`),
    notes.map((text) => h("p.quiet", null, text)),
    [...byCode(findings)].map(([code, found]) => group(context, code, found, report)),
    !findings.length && h("p", null, "Nothing to mend."),
  ];
}

function byCode(findings) {
  const groups = new Map();
  for (const finding of findings) groups.set(finding.code, [...(groups.get(finding.code) ?? []), finding]);
  return groups;
}

function group(context, code, findings, report) {
  const [{ severity }] = findings;
  return h("section.findings", null, h("h2", null, h(`span.mark.${severity}`, null, severity), ` ${sentence(words(code))} `, h("small", null, findings.length)),
    h("ul", null, findings.map((finding) => item(context, finding, report))));
}

function item(context, finding, report) {
  const { subject, message, action, evidence } = finding;
  const known = Object.keys(evidence).length > 0 && h("details", null, h("summary", null, "Evidence"), h("p.plain", null, plain(evidence)));
  return h("li", null, h("div", null, named(context.link, subject), h("p", null, sentence(message)), known),
    action && may("write") && h("button", { type: "button", "aria-label": `${sentence(words(action.operation))} ${subject} …`, click: () => act(context, finding, report) }, `${sentence(words(action.operation))} …`));
}

/** Return what a finding is about, as a link where that leads anywhere. */
function named(link, subject) {
  const proposal = subject.match(/^proposal (\d+)$/);
  if (proposal) return h("a", { href: link("review", [proposal[1]]) }, subject);
  if (/^[a-z][a-z0-9]*:[a-z0-9-]+$/.test(subject)) return h("a", { href: link("memories", [], { label: subject }) }, subject);
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(subject)) return h("a", { href: link("memory", [subject]) }, subject);
  return h("code", null, subject);
}

async function act(context, { code, subject, action }, report) {
  const given = await ask({
    title: `${sentence(words(action.operation))} '${subject}'?`, confirm: sentence(words(action.operation)),
    text: h("div", null, h("p", null, "This is done as the audit has printed it, and can be undone."), h("pre", null, JSON.stringify({ op: action.operation, ...action.arguments }, null, 1))),
    fields: [{ name: "reason", label: "Why", hint: "kept in history" }],
  });
  if (!given) return;
  const body = { code, subject, action: { operation: action.operation, arguments: action.arguments }, revision: report.store.revision, reason: given.reason || undefined };
  await change(context, async () => (await context.api.post("/audit/apply", body)).applied.receipt, `${sentence(words(action.operation))}: '${subject}'`);
}
