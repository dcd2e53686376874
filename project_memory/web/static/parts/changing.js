/** Change something: tell what became of it, and offer to take it back. */

import { complain, notice } from "../core/saying.js";
import { count } from "../core/words.js";

/** Operations whose receipts name proposals that they decided, not such as they left to a person. */
const DECIDING = new Set(["review", "reject", "skip", "undo"]);

/**
 * Make a change and tell of it; what goes wrong is told too, and null returned.
 *
 * @param {object} context - Of the view.
 * @param {() => Promise<object>} made - Asks for the change, and returns its receipt.
 * @param {string} text - What was done, for a change that was made.
 * @param {(receipt: object) => void} after - Goes on; by default shows the view anew.
 */
export async function change(context, made, text, after = () => context.again()) {
  try {
    const receipt = await made();
    tell(context, receipt, text);
    await after(receipt);
    return receipt;
  } catch (failure) {
    complain(failure);
    return null;
  }
}

/** Tell what became of a change that was asked for. */
export function tell(context, receipt, text) {
  const more = [...receipt.warnings.map(({ message }) => message), ...receipt.notes,
    ...receipt.lost_expectations.map(({ query }) => `'${query}' finds it no more`)];
  const whole = [text, ...more].join("; ");
  if (receipt.proposals.length && !DECIDING.has(receipt.operation)) {
    const waiting = receipt.proposals.join(", ");
    notice(`Proposed as ${waiting}: a person decides it${more.length ? `; ${more.join("; ")}` : ""}`);
  } else if (receipt.memories.length + receipt.labels.length + receipt.expectations.length === 0) {
    notice(receipt.proposals.length ? whole : more.join("; ") || "Nothing changed");
  } else {
    notice(whole, { undo: () => back(context, receipt.revision) });
  }
}

async function back(context, revision) {
  const receipt = await context.api.post("/undo", { revision });
  notice(`Taken back: ${count(receipt.memories.length, "memory", "memories")} as before`);
  await context.again();
}
