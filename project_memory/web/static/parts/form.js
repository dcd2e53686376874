/** The form of a lesson: every field of a document that is edited here, in the order of reading. */

import { h } from "../core/elements.js";
import { choice, flag, group, several, text } from "./widgets.js";

const FACTS = [["", "as it is said"], ["verified", "verified"], ["assumption", "assumption"], ["deprecated", "deprecated"]];
const CHECKS = [["file_exists", "file exists"], ["file_absent", "file is absent"], ["text_present", "text is present"], ["text_absent", "text is absent"], ["dependency", "dependency"]];
const CONFIDENCE = [["", "not said"], ["low", "low"], ["medium", "medium"], ["high", "high"]];
const REACH = [["project", "this project"], ["everywhere", "every project"]];

/**
 * Return {node, read} for a document, or for a draft with some of its fields.
 *
 * @param {object} document
 * @param {string[]} known - Labels that there are.
 */
export function form(document, known) {
  const widgets = fields(document);
  const suggestions = h("datalist", { id: "known-labels" }, known.map((label) => h("option", { value: label })));
  return {
    node: [suggestions, widgets.description.node, widgets.labels.node, widgets.remembered_facts.node, widgets.solution_pattern.node,
      widgets.pitfalls.node, widgets.triggers.node,
      part("Where it holds", widgets.scope.node, widgets.tags.node), part("Evidence", widgets.evidence.node),
      part("Checks against the code", widgets.checks.node), part("Standing", widgets.standing.node)],
    read: (path, places) => group(widgets).read(path, places),
  };
}

function part(title, ...nodes) {
  return h("details.part", { open: false }, h("summary", null, title), nodes);
}

function fields(document) {
  const { scope = {}, evidence = {} } = document;
  return {
    description: text({ label: "Lesson", hint: "one sentence of 20 to 500 characters that says what was learned", value: document.description, rows: 3, required: true }),
    labels: lines("Labels", "label", document.labels ?? [""], { hint: "prefix:name, such as kind:bug", suggestions: "known-labels", short: true }),
    remembered_facts: several({ label: "Facts", one: "fact", values: document.remembered_facts ?? [""], make: fact }),
    solution_pattern: lines("What to do", "step", document.solution_pattern, { rows: 2 }),
    pitfalls: lines("Pitfalls", "pitfall", document.pitfalls, { rows: 2 }),
    triggers: lines("Recognised by", "trigger", document.triggers, { hint: "symptoms and words by which somebody would look for it" }),
    scope: group({
      files: lines("Files", "file", scope.files, { hint: "paths or globs from the top of the repository" }),
      area: text({ label: "Area", value: scope.area }),
      applies_to: lines("Applies to", "version or system", scope.applies_to),
      reach: choice({ label: "Reach", value: scope.reach ?? "project", choices: REACH }),
    }),
    tags: lines("Tags", "tag", document.tags, { short: true }),
    evidence: group({
      last_validated: text({ label: "Last validated", type: "date", value: evidence.last_validated }),
      source: text({ label: "Source", value: evidence.source, hint: "what was run, read or seen" }),
      confidence: choice({ label: "Confidence", value: evidence.confidence, choices: CONFIDENCE }),
      created_from_task: text({ label: "Came from", value: evidence.created_from_task, hint: "the task in which it was learned" }),
      related_doc: text({ label: "Document", value: evidence.related_doc, hint: "path of a Markdown file" }),
      commit: text({ label: "Commit", value: evidence.commit }),
    }),
    checks: several({ label: "Checks", one: "check", values: document.checks ?? [], make: check }),
    standing: flag({ label: "Given to every session, whatever is asked", value: document.standing, hint: "a person decides this" }),
  };
}

function lines(label, one, values = [], { hint, rows, suggestions, short } = {}) {
  const make = (value, name) => text({ label: name, hidden: true, value, rows, suggestions });
  return several({ label, one, hint, values, make, short });
}

function fact(value = "", name = "Fact") {
  const known = typeof value === "string" ? { fact: value } : value;
  const verified = text({ label: "Verified on", type: "date", value: known.verified_at });
  const status = choice({
    label: "Status", value: known.status, choices: FACTS,
    change: () => { if (status.control.value === "verified") verified.control.value ||= new Date().toISOString().slice(0, 10); },
  });
  const source = text({ label: "Source", value: known.source, hint: "needed where it is verified" });
  const inner = { fact: text({ label: name, hidden: true, value: known.fact, rows: 2 }), status, verified_at: verified, source, key: text({ label: "Key", value: known.key }), expires: text({ label: "Expires", type: "date", value: known.expires }) };
  const { fact: said, ...rest } = inner;
  const node = [said.node, h("details.more", { open: Boolean(known.status) }, h("summary", null, "Status and source"), h("div.columns", null, group(rest).node))];
  return { node, read: (path, places) => whole(group(inner).read(path, places), path, places) };
}

/** Return a fact as text alone where nothing else is said of it; problems of it are shown at its text. */
function whole(read, path, places) {
  places.set(path, places.get(`${path}.fact`));
  const said = Object.entries(read).filter(([, value]) => value !== undefined);
  if (!said.length) return undefined;
  return said.length === 1 && read.fact ? read.fact : Object.fromEntries(said);
}

function check(value = {}) {
  const inner = {
    type: choice({ label: "What is checked", value: value.type, choices: CHECKS }), path: text({ label: "Path", value: value.path }),
    text: text({ label: "Text", value: value.text, hint: "for text that is present or absent" }),
    requirement: text({ label: "Requirement", value: value.requirement, hint: "for a dependency, such as numpy>=2" }),
  };
  const read = (path, places) => {
    const { type, ...rest } = group(inner).read(path, places);
    const said = Object.entries(rest).filter(([, one]) => one !== undefined);
    places.set(path, places.get(`${path}.path`));
    return said.length ? { type, ...Object.fromEntries(said) } : undefined;
  };
  return { node: h("div.columns", null, group(inner).node), read };
}
