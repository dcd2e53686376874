/** Save a form: problems are shown at their fields, and what others changed meanwhile is asked about. */

import { fill, h } from "../core/elements.js";
import { refusal, say } from "../core/saying.js";
import { count } from "../core/words.js";
import { registering } from "./registering.js";
import { mark } from "./widgets.js";

/**
 * Return the form with its buttons.
 *
 * @param {object} context - Of the view.
 * @param {object} given
 * @param {{node: any, read: Function}} given.widget - The fields.
 * @param {(document: object, options: {dry_run: boolean, reason?: string}) => Promise<object>} given.send - Returns a receipt.
 * @param {(receipt: object) => void} given.done - Goes on after it was saved.
 * @param {(failure: Failure, document: object) => Node|null} given.meet - Returns what to show for a failure that it knows.
 * @param {string} given.save - Words of the button.
 * @param {string} given.back - Where to go without saving.
 */
export function writing(context, { widget, send, done, meet = () => null, save, back }) {
  const start = JSON.stringify(widget.read("$", new Map()));
  const told = h("div", null);
  const reason = h("input", { id: "reason", type: "text", autocomplete: "off", "aria-describedby": "reason-hint" });
  let saved = false;
  context.guard(() => !saved && JSON.stringify(widget.read("$", new Map())) !== start);
  const submit = async (options) => {
    const places = new Map();
    const document = widget.read("$", places);
    mark(places, []);
    fill(told);
    try {
      const receipt = await send(document, { ...options, reason: reason.value.trim() || undefined });
      if (options.dry_run) fill(told, checked(receipt, context.link));
      else {
        saved = true;
        await done(receipt);
      }
    } catch (failure) {
      fill(told, meet(failure, document) ?? problems(context, failure, places, document));
      told.querySelector("[data-first]")?.focus();
    }
  };
  return h("form.writing", { submit: (event) => { event.preventDefault(); submit({ dry_run: false }); }, novalidate: true },
    widget.node,
    h("p.field", null, h("label", { for: "reason" }, "Why"), reason, h("small", { id: "reason-hint" }, "kept in history")),
    told,
    h("p.actions.last", null, h("button.primary", { type: "submit" }, save),
      h("button", { type: "button", click: () => submit({ dry_run: true }) }, "Check only"), h("a.button", { href: back }, "Cancel")));
}

/** Return what could not be shown at a field; what could is only counted. */
function problems(context, failure, places, entered) {
  const found = failure.facts?.problems ?? [...secrets(failure), ...labels(failure, entered)];
  if (!found.length) return refusal(failure);
  const left = mark(places, found);
  const text = `${count(found.length, "thing")} to mend; nothing was saved`;
  say(text);
  for (const details of document.querySelectorAll("details:has([aria-invalid])")) details.open = true;
  document.querySelector("[aria-invalid]")?.focus();
  return h("div.refusal", { role: "alert" }, h("p", null, text), left.map((words) => h("p", null, words)), unregistered(context, found, entered));
}

function unregistered(context, found, entered) {
  const named = found.filter(({ code }) => code === "unknown-label").map(({ path }) => entered.labels[Number(path.match(/\d+/)[0])]);
  return named.length > 0 && h("p.actions", null, named.map((label) => registering(context, label)));
}

function secrets(failure) {
  return (failure.facts?.findings ?? []).map(([path, rule]) => ({ path, message: `looks like a secret (${rule}); say where it lives instead` }));
}

function labels({ facts, message }, entered) {
  const place = (entered.labels ?? []).indexOf(facts?.label);
  return place < 0 ? [] : [{ path: `$.labels[${place}]`, message }];
}

function checked(receipt, link) {
  const twins = receipt.near_duplicates.filter(({ twin }) => twin);
  return h("div.notice", { role: "status" }, h("p", null, "It is valid; nothing was saved."),
    receipt.warnings.map(({ message }) => h("p", null, message)),
    twins.length > 0 && h("p", null, "Much like it: ", twins.map(({ twin, score }) => [h("a", { href: link("memory", [twin]) }, twin), ` (${score.toFixed(2)}) `])));
}
