/**
 * Fields of a form. Each widget has `node` to show and `read(path, places)`, which returns its
 * value (undefined where it is empty) and enters in `places` where a problem of a path is shown.
 */

import { fill, h } from "../core/elements.js";

let made = 0;

/** Return an id that no other element has. */
function fresh() {
  made += 1;
  return `field-${made}`;
}

/** Return a field of text: one line, or with `rows` several. */
export function text({ label, hint, value = "", rows, suggestions, required, type = "text", hidden = false }) {
  const id = fresh();
  const given = { id, required, list: suggestions, "aria-describedby": [hint && `${id}-hint`, `${id}-problem`].filter(Boolean).join(" "), value };
  const control = rows ? h("textarea", { ...given, rows, list: null }) : h("input", { ...given, type, autocomplete: "off", spellcheck: suggestions ? "false" : null });
  return { ...single(id, label, hint, control, hidden), control };
}

/** Return a field that takes one of `choices`, which are [value, words]. */
export function choice({ label, hint, value = "", choices, change }) {
  const id = fresh();
  const control = h("select", { id, "aria-describedby": [hint && `${id}-hint`, `${id}-problem`].filter(Boolean).join(" "), change },
    choices.map(([key, words]) => h("option", { value: key, selected: key === value }, words)));
  return { ...single(id, label, hint, control), control };
}

/** Return a field that is true or absent. */
export function flag({ label, hint, value = false }) {
  const id = fresh();
  const control = h("input", { id, type: "checkbox", checked: value, "aria-describedby": `${id}-problem` });
  const slot = problem(id);
  return {
    node: h("p.field.flag", null, control, h("label", { for: id }, label), hint && h("small", null, hint), slot),
    read: (path, places) => (places.set(path, { control, slot }), control.checked),
  };
}

function single(id, label, hint, control, hidden = false) {
  const slot = problem(id);
  return {
    node: h("p.field", null, h("label", { for: id, class: hidden && "unseen" }, label), control, hint && h("small", { id: `${id}-hint` }, hint), slot),
    read(path, places) {
      places.set(path, { control, slot });
      return control.value.trim() || undefined;
    },
  };
}

function problem(id) {
  return h("small.problem", { id: `${id}-problem` });
}

/** Return fields that belong together, as an object. */
export function group(widgets) {
  return {
    node: Object.values(widgets).map(({ node }) => node),
    read: (path, places) => Object.fromEntries(Object.entries(widgets).map(([name, widget]) => [name, widget.read(`${path}.${name}`, places)])),
  };
}

/**
 * Return a list of fields that can be added to and taken from; rows that are empty are left out.
 *
 * @param {{label: string, one: string, hint?: string, values: Array, make: (value: any, label: string) => object, short?: boolean}} given -
 *   `make` returns the widget of a row; short ones stand beside each other.
 */
export function several({ label, one, hint, values, make, short = false }) {
  const id = fresh();
  const rows = [];
  const list = h("ol.rows", { class: short ? "rows short" : "rows" });
  const more = h("button", { type: "button", click: () => add(undefined, true) }, `Add ${one}`);
  const add = (value, focus = false) => {
    const widget = make(value, `${one} ${rows.length + 1}`);
    const row = { widget, item: null };
    row.item = h("li", null, h("div", null, widget.node), h("button.plain", { type: "button", "aria-label": `Remove this ${one}`, click: () => take(row) }, "×"));
    rows.push(row);
    list.append(row.item);
    if (focus) row.item.querySelector("input, textarea, select").focus();
  };
  const take = (row) => {
    rows.splice(rows.indexOf(row), 1);
    row.item.remove();
    more.focus();
  };
  for (const value of values) add(value);
  const slot = problem(id);
  return {
    node: h("fieldset.several", { "aria-describedby": `${id}-problem` }, h("legend", null, label), hint && h("small", null, hint), list, more, slot),
    read(path, places) {
      places.set(path, { control: more, slot });
      const kept = [];
      for (const { widget } of rows) {
        const value = widget.read(`${path}[${kept.length}]`, places);
        if (value !== undefined) kept.push(value);
      }
      return kept;
    },
  };
}

/**
 * Show problems at their fields, and return those for which there is none.
 *
 * @param {Map<string, object>} places - As `read` has entered them.
 * @param {{path: string, message: string, fix?: string}[]} problems
 */
export function mark(places, problems) {
  clear(places);
  const left = [];
  for (const found of problems) {
    const place = nearest(places, found.path);
    const words = [found.message, found.fix].filter(Boolean).join("; ");
    if (!place) left.push(words);
    else {
      place.control.setAttribute("aria-invalid", "true");
      place.slot.append(h("span", null, words));
    }
  }
  [...places.values()].find(({ control }) => control.hasAttribute("aria-invalid"))?.control.focus();
  return left;
}

function clear(places) {
  for (const { control, slot } of places.values()) {
    control.removeAttribute("aria-invalid");
    fill(slot);
  }
}

/** Return the place of a path, or of what it is in. */
function nearest(places, path) {
  for (let here = path; here.length > 1; here = here.replace(/(\.[^.[]*|\[\d+\])$/, "")) {
    if (places.has(here)) return places.get(here);
    if (!/[.[]/.test(here)) return undefined;
  }
  return undefined;
}
