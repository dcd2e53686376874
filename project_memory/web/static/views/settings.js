/** How the project is set up; a person may change it. */

import { h } from "../core/elements.js";
import { patch } from "../core/merging.js";
import { complain, notice } from "../core/saying.js";
import { isPerson } from "../core/session.js";
import { choice, group } from "../parts/widgets.js";

/** Settings with what may be chosen, the default first. */
const SETTINGS = {
  writes: ["What agents write", { "": "is made at once", review: "waits until a person applies it" }],
  agent_edits: ["What agents change of a person's", { "": "waits until a person applies it", demote: "is made, and the agent's word then" }],
  expectations: ["A change that would lose what is expected", { "": "names it in its receipt", strict: "is refused" }],
  questions: ["Questions without help", { "": "are kept for the gaps, without secrets", off: "are not kept" }],
};
const DEFAULTS = { writes: "direct", agent_edits: "propose", expectations: "named", questions: "kept" };

/** Return what is set, and where that may be changed the form to do so. */
export async function render(context) {
  const project = await context.api.get("/project", {}, { signal: context.signal });
  return [
    h("h1", null, "Settings"),
    h("dl.settings", null,
      row("Project", project.name),
      row("Repositories", project.repository_ids.length ? project.repository_ids.map((id) => h("code", null, id)) : "none joined"),
      row("Store", `${project.store.url}, revision ${project.store.revision}`),
      project.settings.audit && row("Limits of audits", h("code", null, JSON.stringify(project.settings.audit)))),
    isPerson() ? form(context, project.settings) : told(project.settings),
    h("p.actions", null, h("a.button", { href: `/api/v1/export?project=${encodeURIComponent(context.project)}`, download: true }, "Download an export")),
  ];
}

function row(name, ...values) {
  return [h("dt", null, name), h("dd", null, values)];
}

function told(settings) {
  return [
    h("dl.settings", null, Object.entries(SETTINGS).map(([name, [label, words]]) => row(label, words[chosen(settings, name)]))),
    h("p.quiet", null, "A person changes them: here, logged in with a code, or at a terminal with ", h("code", null, "project-memory project set"), "."),
  ];
}

function form(context, settings) {
  const fields = group(Object.fromEntries(Object.entries(SETTINGS).map(([name, [label, words]]) =>
    [name, choice({ label, value: chosen(settings, name), choices: Object.entries(words) })])));
  const before = fields.read("$", new Map());
  const submit = async (event) => {
    event.preventDefault();
    try {
      await context.api.patch("/project", { settings: patch(before, fields.read("$", new Map())) });
      notice("The settings are changed");
      await context.again();
    } catch (failure) {
      complain(failure);
    }
  };
  return h("form.writing", { submit, "aria-label": "Settings" }, fields.node, h("p.actions", null, h("button.primary", { type: "submit" }, "Save")));
}

/** Return the key of what is chosen: blank for the default, whether it was set or not. */
function chosen(settings, name) {
  const value = settings[name] ?? "";
  return value === DEFAULTS[name] ? "" : value;
}
