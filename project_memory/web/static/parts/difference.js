/** Differences between two values of a field, shown by words and marks and not by colour alone. */

import { h } from "../core/elements.js";
import { sentence, words } from "../core/words.js";

const MOST = 400;

/** Return the differences of several fields: `field -> [before, after]`. */
export function differences(fields) {
  const names = Object.keys(fields);
  if (!names.length) return h("p.quiet", null, "no difference in what it says");
  return h("dl.differences", null, names.map((name) => {
    const pair = fields[name];
    return [h("dt", null, sentence(words(name))), h("dd", null, difference(pair[0], pair[pair.length - 1]))];
  }));
}

/** Return how one value became another. */
export function difference(before, after) {
  if (Array.isArray(before) && Array.isArray(after)) return items(before, after);
  const [from, to] = [plain(before), plain(after)];
  return h("p.difference", null, joined(compared(pieces(from), pieces(to))).map(([sign, text]) => wrapped(sign, text)));
}

/** Return a value as a reader sees it. */
export function plain(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(plain).join("\n");
  if (typeof value !== "object") return String(value);
  return Object.entries(value).filter(([, one]) => one !== null && String(one).length).map(([key, one]) => `${words(key)}: ${plain(one)}`).join("\n");
}

function items(before, after) {
  const [from, to] = [before.map(plain), after.map(plain)];
  return h("ul.difference", null, compared(from, to).map(([sign, text]) => h("li", null, wrapped(sign, text))));
}

function wrapped(sign, text) {
  if (sign === "-") return h("del", null, h("span.unseen", null, "removed: "), text);
  if (sign === "+") return h("ins", null, h("span.unseen", null, "added: "), text);
  return text;
}

function pieces(text) {
  const found = text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
  return found.length > MOST ? text.split(/(?<=\n)/) : found;
}

/** Return steps [sign, item] from one list to another, by their longest common subsequence. */
function compared(from, to) {
  if (from.length * to.length > MOST * MOST) return [...from.map((one) => ["-", one]), ...to.map((one) => ["+", one])];
  const lengths = Array.from({ length: from.length + 1 }, () => new Uint16Array(to.length + 1));
  for (let i = from.length - 1; i >= 0; i -= 1) {
    for (let j = to.length - 1; j >= 0; j -= 1) {
      lengths[i][j] = from[i] === to[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return steps(from, to, lengths);
}

function steps(from, to, lengths) {
  const found = [];
  let [i, j] = [0, 0];
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && from[i] === to[j]) {
      found.push([" ", from[i]]);
      i += 1;
      j += 1;
    } else if (j >= to.length || (i < from.length && lengths[i + 1][j] >= lengths[i][j + 1])) {
      found.push(["-", from[i++]]);
    } else {
      found.push(["+", to[j++]]);
    }
  }
  return found;
}

/** Join what follows each other with one sign; a blank alone between two changes belongs to both. */
function joined(found) {
  const whole = [];
  let [removed, added] = ["", ""];
  const close = () => {
    if (removed) whole.push(["-", removed]);
    if (added) whole.push(["+", added]);
    [removed, added] = ["", ""];
  };
  found.forEach(([sign, text], index) => {
    const within = sign === " " && removed && added && !text.trim() && (found[index + 1]?.[0] ?? " ") !== " ";
    if (sign === "-" || within) removed += text;
    if (sign === "+" || within) added += text;
    if (sign === " " && !within) {
      close();
      whole.push([sign, text]);
    }
  });
  close();
  return whole;
}
