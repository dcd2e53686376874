/** Why a lesson was found, and where: its score taken apart. */

import { h } from "../core/elements.js";
import { count } from "../core/words.js";

/** Return the explanation of one hit, closed until somebody opens it. */
export function why(hit) {
  const { why: reasons } = hit;
  if (!reasons) return null;
  return h("details.why", null,
    h("summary", null, `Score ${hit.score.toFixed(2)}`),
    h("dl", null,
      row("Words", terms(reasons)),
      row("Linked lessons", `${reasons.walk.toFixed(2)} of 1, by walking the links between what was found`),
      reasons.path.length > 0 && row("Reached through", reasons.path.join(" → ")),
      reasons.labels.length > 0 && row("Preferred labels", reasons.labels.join(", ")),
      reasons.files.length > 0 && row("Files asked for", reasons.files.join(", ")),
      reasons.status_factor !== 1 && row("Status", `counts ${reasons.status_factor} times, being ${hit.status}`),
      reasons.scored_as && row("Answers for", reasons.scored_as)));
}

function row(name, content) {
  return [h("dt", null, name), h("dd", null, content)];
}

function terms({ terms: found, text_score: score }) {
  if (!found.length) return "none of it; found by its links";
  const most = Math.max(...found.map(({ contribution }) => contribution));
  return [h("p", null, `${score.toFixed(1)} from ${count(found.length, "part")}`),
    h("ul.terms", null, found.map(({ term, field, contribution }) =>
      h("li", null, h("meter", { min: 0, max: most, value: contribution, "aria-hidden": "true" }), h("b", null, term), ` in ${field} `, h("span", null, contribution.toFixed(2)))))];
}
