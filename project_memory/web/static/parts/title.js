/** What a proposal is about, in one line. */

import { sentence, words } from "../core/words.js";

/** Return what a proposal is about, in words. */
export function title({ operations, note }) {
  if (note) return note;
  const first = operations.slice(0, 3).map(({ op, id, label, from_id: from, memory }) => [words(op), id ?? label ?? from ?? memory?.id ?? memory?.description].filter(Boolean).join(" "));
  return sentence(first.join("; ")) + (operations.length > 3 ? `; and ${operations.length - 3} more` : "");
}
