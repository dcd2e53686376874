/** Somebody else changed the lesson meanwhile: show how, field by field, and let the writer choose. */

import { h } from "../core/elements.js";
import { same } from "../core/merging.js";
import { sentence, words } from "../core/words.js";
import { difference, differences } from "./difference.js";

/**
 * Return the choice.
 *
 * @param {{current: number, diff: object}} facts - The version that is there, and field -> [what the writer began with, what is there].
 * @param {object} mine - The merge patch that was to be made.
 * @param {object} document - What the writer has in the form.
 * @param {(patch: object, version: number) => void} go - Saves what is left of the patch.
 */
export function conflict({ current, diff }, mine, document, go) {
  const both = Object.keys(diff).filter((field) => field in mine && !same(diff[field][1], document[field]));
  const theirs = Object.fromEntries(Object.entries(diff).filter(([field]) => !both.includes(field)));
  const box = h("section.conflict", { role: "alert", "aria-labelledby": "conflict" },
    h("h2", { id: "conflict", tabindex: "-1", "data-first": true }, `Changed meanwhile: version ${current} is there now`),
    Object.keys(theirs).length > 0 && [h("p", null, "This was changed elsewhere and stays so:"), differences(theirs)],
    both.length > 0 && h("p", null, "This you both changed; choose one:"),
    both.map((field) => choice(field, diff[field], document[field])),
    h("p.actions", null, h("button.primary", { type: "button", click: () => go(chosen(box, mine, both), current) }, "Save with this")));
  return box;
}

function choice(field, [before, there], here) {
  const name = `conflict-${field}`;
  const option = (value, label, to, checked) => h("div.option", null,
    h("label", null, h("input", { type: "radio", name, value, checked }), label), difference(before, to));
  return h("fieldset", null, h("legend", null, sentence(words(field))), option("mine", "Yours", here, true), option("theirs", "Theirs", there, false));
}

function chosen(box, mine, both) {
  const dropped = both.filter((field) => box.querySelector(`input[name="conflict-${field}"]:checked`).value === "theirs");
  return Object.fromEntries(Object.entries(mine).filter(([field]) => !dropped.includes(field)));
}
