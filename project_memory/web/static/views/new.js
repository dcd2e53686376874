/** Write a lesson, or a note that waits to be made one. */

import { h } from "../core/elements.js";
import { complain } from "../core/saying.js";
import { tell } from "../parts/changing.js";
import { memoryForm } from "../parts/draft.js";

/** Return both forms. */
export async function render(context) {
  const form = await memoryForm(context, {
    start: {}, send: (memory, options) => context.api.post("/memories", { memory, ...options }),
    text: "The lesson is kept", save: "Keep it", back: context.link("memories"),
  });
  return [
    h("h1", null, "New memory"),
    h("p.quiet", null, "A lesson that cost something to learn: what happens, why, and what to do about it."),
    form, note(context),
  ];
}

function note(context) {
  const field = h("textarea", { id: "note", rows: 2, required: true, "aria-describedby": "note-hint" });
  const submit = async (event) => {
    event.preventDefault();
    try {
      tell(context, await context.api.post("/notes", { text: field.value }), "Noted");
      field.value = "";
    } catch (failure) {
      complain(failure);
    }
  };
  return h("details.part", null, h("summary", null, "Or only a note"), h("form", { submit },
    h("p.field", null, h("label", { for: "note" }, "Note"), field, h("small", { id: "note-hint" }, "waits in the review until somebody makes a memory of it")),
    h("p.actions", null, h("button", { type: "submit" }, "Keep the note"))));
}
