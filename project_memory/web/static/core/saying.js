/** Tell what happened: to who listens, and in a notice that can take it back. */

import { fill, h } from "./elements.js";
import { sentence } from "./words.js";

const LONGEST = 12_000;

/** Say something to who listens to the page. */
export function say(text) {
  document.getElementById("said").textContent = text;
}

/**
 * Show what was done.
 *
 * @param {string} text
 * @param {{undo?: () => Promise<void>}} options - `undo` takes it back.
 */
export function notice(text, { undo } = {}) {
  const close = () => box.remove();
  const box = h("div.toast", null, h("p", null, text),
    undo && h("button", { type: "button", click: () => taken(close, undo) }, "Undo"),
    h("button.plain", { type: "button", "aria-label": "Close this notice", click: close }, "×"));
  fill(document.getElementById("notices"), box);
  // what can be undone stays until something else happens
  if (!undo) setTimeout(close, LONGEST);
}

/** Take away a notice that who reads has left behind: one step leads to what it tells of, two lead away. */
export function moveOn() {
  for (const box of document.querySelectorAll(".toast")) {
    if (box.dataset.passed) box.remove();
    else box.dataset.passed = "once";
  }
}

/** Show what went wrong, in an element or in a notice. */
export function complain(failure, place = null) {
  if (failure.name === "AbortError") return;
  const box = refusal(failure);
  if (place) fill(place, box);
  else fill(document.getElementById("notices"), h("div.toast", null, box, h("button.plain", { type: "button", "aria-label": "Close this notice", click: (event) => event.target.closest(".toast").remove() }, "×")));
}

/** Return a box that says why something failed; a defect of the page says so too. */
export function refusal(failure) {
  if (failure.code === undefined) console.error(failure);
  const text = failure.code === undefined ? `the page itself failed: ${failure.message}` : failure.message;
  return h("div.refusal", { role: "alert" }, text.split("\n").map((line) => h("p", null, sentence(line))));
}

async function taken(close, undo) {
  close();
  try {
    await undo();
  } catch (failure) {
    complain(failure);
  }
}
