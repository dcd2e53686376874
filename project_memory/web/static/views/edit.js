/** Edit a lesson; what is sent is only what was changed. */

import * as paths from "../core/api.js";
import { complain } from "../core/saying.js";
import { patch } from "../core/merging.js";
import { tell } from "../parts/changing.js";
import { conflict } from "../parts/conflict.js";
import { form } from "../parts/form.js";
import { writing } from "../parts/writing.js";

/** Return the form for a lesson as it was read. */
export async function render(context, { memory, meta }) {
  const { labels } = await context.api.get("/labels/tree", {}, { signal: context.signal });
  const widget = form(memory, labels.map(({ label }) => label));
  const before = widget.read("$", new Map());
  const where = `/memories${paths.path(memory.id)}`;
  const back = context.link("memory", [memory.id]);
  const send = (document, options) => context.api.patch(where, { patch: patch(before, document), if_version: meta.version, ...options });
  const done = (receipt) => {
    tell(context, receipt, `'${memory.id}' is changed`);
    context.go(back);
  };
  const settled = async (left, version) => {
    try {
      const receipt = await context.api.patch(where, { patch: left, if_version: version });
      context.guard(() => false);
      done(receipt);
    } catch (failure) {
      complain(failure);
    }
  };
  const meet = (failure, document) =>
    failure.code === "version-conflict" ? conflict(failure.facts, patch(before, document), document, settled) : null;
  return writing(context, { widget, send, done, meet, save: "Save", back });
}
