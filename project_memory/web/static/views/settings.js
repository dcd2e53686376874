/** How the project is set up; changing that is for a person at a terminal. */

import { h } from "../core/elements.js";

/** Return the settings, and how each is changed. */
export async function render(context) {
  const project = await context.api.get("/project", {}, { signal: context.signal });
  const set = Object.entries(project.settings);
  return [
    h("h1", null, "Settings"),
    h("dl.settings", null,
      row("Project", project.name), row("Repositories", project.repository_ids.length ? project.repository_ids.map((id) => h("code", null, id)) : "none joined"),
      row("Store", `${project.store.url}, revision ${project.store.revision}`),
      set.map(([name, value]) => row(name, h("code", null, typeof value === "string" ? value : JSON.stringify(value))))),
    !set.length && h("p", null, "Every setting is as it is by itself."),
    h("p.quiet", null, "A person changes them at a terminal: ", h("code", null, "project-memory project set NAME=VALUE"), "; tokens too: ", h("code", null, "project-memory tokens --help"), "."),
    h("p.actions", null, h("a.button", { href: `/api/v1/export?project=${encodeURIComponent(context.project)}`, download: true }, "Download an export")),
  ];
}

function row(name, ...values) {
  return [h("dt", null, name), h("dd", null, values)];
}
