/** The form of a lesson that is not there yet. */

import { h } from "../core/elements.js";
import { compact } from "../core/merging.js";
import { refusal } from "../core/saying.js";
import { tell } from "./changing.js";
import { form } from "./form.js";
import { text } from "./widgets.js";
import { writing } from "./writing.js";

/**
 * Return the form, with the labels that may be used.
 *
 * @param {object} context - Of the view.
 * @param {object} given
 * @param {object} given.start - Fields of the draft that it begins with.
 * @param {(draft: object, options: object) => Promise<object>} given.send - Returns a receipt.
 * @param {string} given.text - What was done then.
 * @param {string} given.save - Words of the button.
 * @param {string} given.back - Where to go without saving.
 */
export async function memoryForm(context, { start, send, text: done, save, back }) {
  const { labels } = await context.api.get("/labels/tree", {}, { signal: context.signal });
  const fields = form(start, labels.filter(({ deprecated }) => !deprecated).map(({ label }) => label));
  const id = text({ label: "Id", hint: "made from the lesson where it is left empty; words-joined-by-hyphens" });
  let twice;
  const widget = {
    node: [fields.node, id.node],
    read: (path, places) => ({ ...fields.read(path, places), id: id.read(`${path}.id`, places) }),
  };
  return writing(context, {
    widget, save, back,
    send: (document, options) => send(drafted(document), { allow_duplicate: twice, ...options }),
    done: (receipt) => {
      tell(context, receipt, done);
      context.go(receipt.memories.length ? context.link("memory", [receipt.memories[0].id]) : context.link("review"));
    },
    meet: (failure, document) => {
      if (failure.code !== "memory-exists" || failure.facts.memory_id === document.id) return null;
      return h("div", null, refusal(failure), h("p.flag", null,
        h("input", { id: "twice", type: "checkbox", change: (event) => { twice = event.target.checked || undefined; } }),
        h("label", { for: "twice" }, "Keep it all the same")));
    },
  });
}

/** Return a draft of what was entered: what is empty, or so by itself, is not said. */
function drafted({ standing, ...document }) {
  const draft = compact({ ...document, standing: standing || undefined });
  if (draft.scope?.reach === "project") delete draft.scope.reach;
  return compact(draft);
}
