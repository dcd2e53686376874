/** Register a label that a lesson should carry and that there is not yet. */

import { ask } from "../core/asking.js";
import { h } from "../core/elements.js";
import { complain, notice } from "../core/saying.js";

/** Return the button by which a label is registered, after its meaning was asked for. */
export function registering(context, label) {
  const button = h("button", { type: "button", click: () => register(context, label, button) }, `Register '${label}' …`);
  return button;
}

async function register(context, label, button) {
  const given = await ask({
    title: `Register '${label}'?`, text: "Every lesson may carry it then, and every search can ask for it.", confirm: "Register",
    fields: [
      { name: "description", label: "What it is for" },
      { name: "distinct", label: "If there is one much like it", choices: [["", "use that one"], ["yes", "it means something else"]] },
    ],
  });
  if (!given) return;
  try {
    await context.api.post("/labels", { label, description: given.description, distinct: given.distinct === "yes" });
    notice(`'${label}' is registered; save again`);
    button.remove();
  } catch (failure) {
    complain(failure);
  }
}
