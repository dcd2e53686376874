/** Narrow a list: labels as a tree with their counts, status and dates. */

import { h } from "../core/elements.js";

/** What a status to choose means: which statuses are asked for, and which expression narrows them. */
export const STATUSES = {
  "": { words: "Current: active and stale", statuses: ["active", "stale"] },
  active: { words: "Active", statuses: ["active"] },
  stale: { words: "Stale", statuses: ["stale"] },
  superseded: { words: "Superseded", statuses: ["superseded"] },
  wrong: { words: "Wrong", statuses: ["wrong"] },
  all: { words: "Every status", statuses: ["all"] },
  archived: { words: "Archived", statuses: ["all"], expression: "is:archived" },
};

/**
 * Return the expression of chosen labels: one of each prefix must fit, and all prefixes.
 *
 * @param {{labels: string[], status: string, expression: string}} chosen
 */
export function expression({ labels, status, expression: typed }) {
  const parts = [...grouped(labels).values()].map((names) => (names.length > 1 ? `(${names.join(" OR ")})` : names[0]));
  if (STATUSES[status]?.expression) parts.push(STATUSES[status].expression);
  if (typed) parts.push(`(${typed})`);
  return parts.join(" AND ");
}

/**
 * Return the form.
 *
 * @param {object[]} tree - As the server lists the labels: each with its depth, in the order of a tree.
 * @param {object} chosen - {labels, status, after, before, expression}
 * @param {(chosen: object) => void} changed - Called with what is chosen then.
 */
export function filter(tree, chosen, changed) {
  const form = h("form", { submit: (event) => event.preventDefault(), change: () => changed(read(form)), "aria-label": "Filters" },
    h("p.field", null, h("label", { for: "status" }, "Status"),
      h("select", { id: "status", name: "status" }, Object.entries(STATUSES).map(([key, { words }]) =>
        h("option", { value: key, selected: key === chosen.status }, words)))),
    h("div.dates", null, date("after", "Changed from", chosen), date("before", "to", chosen)),
    h("fieldset.tree", null, h("legend", null, "Labels"), branches(tree, chosen.labels)),
    h("p.field", null, h("label", { for: "expression" }, "Expression"),
      h("input", { id: "expression", name: "expression", type: "text", value: chosen.expression, spellcheck: "false", autocomplete: "off", "aria-describedby": "expression-hint" }),
      h("small", { id: "expression-hint" }, "such as ", h("code", null, "area:auth AND NOT kind:decision"))),
    h("p.actions", null, h("button", { type: "reset", click: (event) => { event.preventDefault(); clear(form); changed(read(form)); } }, "Clear filters")));
  return form;
}

function date(name, words, chosen) {
  return h("p.field", null, h("label", { for: name }, words), h("input", { id: name, name, type: "date", value: chosen[name] }));
}

function branches(tree, chosen) {
  const used = tree.filter(({ total, label }) => total > 0 || chosen.includes(label));
  return [...grouped(used, ({ label }) => prefix(label)).entries()].map(([name, labels]) =>
    h("details", { open: labels.length <= 12 || labels.some(({ label }) => chosen.includes(label)) },
      h("summary", null, name), nested(labels, chosen)));
}

/** Return labels in a list whose items hold the lists of what is below them. */
function nested(labels, chosen) {
  const least = Math.min(...labels.map(({ depth }) => depth));
  const top = h("ul", null);
  const open = [top];
  for (const label of labels) {
    const depth = Math.min(label.depth - least, open.length - 1);
    open.length = depth + 1;
    const below = h("ul", null);
    open[depth].append(h("li", null, box(label, chosen), below));
    open.push(below);
  }
  top.querySelectorAll("ul:empty").forEach((empty) => empty.remove());
  return top;
}

function box({ label, total, description, deprecated }, chosen) {
  return h("label", { title: description }, h("input", { type: "checkbox", name: "label", value: label, checked: chosen.includes(label) }),
    h("span.name", null, label.slice(prefix(label).length + 1), deprecated && " (deprecated)"), h("span.total", null, total, h("span.unseen", null, " memories")));
}

function read(form) {
  const given = new FormData(form);
  return {
    labels: given.getAll("label"), status: given.get("status"), after: given.get("after"),
    before: given.get("before"), expression: given.get("expression").trim(),
  };
}

function clear(form) {
  form.querySelectorAll("input").forEach((input) => {
    if (input.type === "checkbox") input.checked = false;
    else input.value = "";
  });
  form.elements.status.value = "";
}

function prefix(label) {
  return label.split(":", 1)[0];
}

function grouped(items, key = prefix) {
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}
