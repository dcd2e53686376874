/** Ask before something is done: one dialogue at a time, closed by Escape, focus given back. */

import { h } from "./elements.js";

/**
 * Ask, and return what was entered by name, or null where it was called off.
 *
 * @param {{title: string, text?: string|Node, confirm: string, danger?: boolean, fields?: Array}} question -
 *   Each field is {name, label, hint?, required?, choices?, value?}.
 */
export function ask({ title, text, confirm, danger = false, fields = [] }) {
  const inputs = fields.map(input);
  const form = h("form", { method: "dialog" },
    h("h2", { id: "asked" }, title),
    typeof text === "string" ? h("p", null, text) : text,
    inputs.map(({ row }) => row),
    h("p.actions", null,
      h("button", { type: "submit", value: "yes", class: danger ? "danger" : "primary" }, confirm),
      h("button", { type: "submit", value: "no", formnovalidate: true, autofocus: danger }, "Cancel")));
  const dialog = h("dialog", { "aria-labelledby": "asked" }, form);
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes" ? entered(inputs) : null);
    });
    dialog.showModal();
  });
}

function input({ name, label, hint, required = false, choices, value = "" }) {
  const id = `asked-${name}`;
  const control = choices
    ? h("select", { id, name, value: undefined }, choices.map(([key, words]) => h("option", { value: key, selected: key === value }, words)))
    : h("input", { id, name, type: "text", required, value, autocomplete: "off", "aria-describedby": hint && `${id}-hint` });
  return { name, control, row: h("p.field", null, h("label", { for: id }, label), control, hint && h("small", { id: `${id}-hint` }, hint)) };
}

function entered(inputs) {
  return Object.fromEntries(inputs.map(({ name, control }) => [name, control.value.trim()]));
}
