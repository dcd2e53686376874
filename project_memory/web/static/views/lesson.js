/** The text of a lesson, and beside it where it holds, what vouches for it and how it is used. */

import * as paths from "../core/api.js";
import { h } from "../core/elements.js";
import { count, day, words } from "../core/words.js";
import { links } from "../parts/links.js";
import { about, time } from "../parts/marks.js";

/** Return the lesson's text in one column and what is known about it in another. */
export async function render(context, reading) {
  const { memory, meta } = reading;
  const past = context.params.get("version") !== null;
  const usage = past ? null : await used(context, memory.id);
  return h("div.lesson", null,
    h("div.text", null,
      facts(memory.remembered_facts, reading.facts ?? []),
      list("What to do", memory.solution_pattern), list("Pitfalls", memory.pitfalls, "pitfalls"),
      list("Recognised by", memory.triggers, "triggers"), checks(memory.checks ?? []),
      links(context, memory, past)),
    h("aside", null, scope(memory), evidence(memory.evidence), record(meta, memory), usage && counters(usage)));
}

async function used({ api, signal }, id) {
  const { memories, questions } = await api.get(`/memories${paths.path(id)}/usage`, {}, { signal });
  return memories.length ? { ...memories[0], questions } : null;
}

function section(title, ...content) {
  return h("section", null, h("h2", null, title), content);
}

function list(title, texts, kind = "") {
  return texts.length > 0 && section(title, h("ul", { class: `texts ${kind}` }, texts.map((text) => h("li", null, text))));
}

function facts(all, lessened) {
  return section("Facts", h("ul.facts", null, all.map((fact, position) => {
    const known = typeof fact === "string" ? { fact } : fact;
    const less = lessened.find((one) => one.position === position);
    return h("li", null, h("p", null, known.fact), about(
      known.status && h(`span.mark.${known.status}`, null, less ? `${less.status}, expired ${day(less.expired)}` : known.status),
      known.key && h("code", null, known.key), known.verified_at && `verified ${day(known.verified_at)}`,
      known.expires && !less && `expires ${day(known.expires)}`, known.source && h("cite", null, known.source)));
  })));
}

function checks(all) {
  return all.length > 0 && section("Checks against the code", h("ul.texts", null, all.map(({ type, path, text, requirement }) =>
    h("li", null, words(type), " ", [path, text, requirement].filter(Boolean).map((part) => [h("code", null, part), " "])))));
}

function scope({ scope: { project, area, files, applies_to: applies, reach }, tags }) {
  return section("Where it holds", details({
    Files: files.length > 0 && files.map((file) => h("code", null, file)), Area: area, "Applies to": applies.join(", "),
    Reach: reach === "everywhere" && "every project", Project: project, Tags: tags.join(", "),
  }));
}

function evidence({ created_from_task: task, last_validated: validated, created, source, related_doc: doc, commit, confidence }) {
  return section("Evidence", details({
    "Last validated": day(validated), Source: source, Confidence: confidence, "Came from": task,
    Created: created && day(created), Document: doc && h("code", null, doc), Commit: commit && h("code", null, commit),
  }));
}

function record(meta, memory) {
  return section("Record", details({
    Version: meta.version, Changed: time(meta.updated_at), "Asserted by": meta.asserted_by, Author: meta.author,
    "Archived": meta.archived_at && time(meta.archived_at), "Status because": memory.status_reason,
  }));
}

function counters({ total, tier, questions }) {
  return section("Use", details({
    Found: `${count(total.surfaced, "time")}, ${total.surfaced_direct} by its own words`, Applied: count(total.applied, "time"),
    "Found wrong": count(total.wrong, "time"), "Last seen": total.last_seen && day(total.last_seen),
    Tier: `${tier}, after ${count(questions, "question")}`,
  }));
}

function details(rows) {
  return h("dl", null, Object.entries(rows).filter(([, value]) => value).map(([name, value]) => [h("dt", null, name), h("dd", null, value)]));
}
