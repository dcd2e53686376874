/** What was asked and not found; and what the project expects to be found. */

import { fill, h } from "../core/elements.js";
import { complain, say } from "../core/saying.js";
import { count, day } from "../core/words.js";
import { about } from "../parts/marks.js";

/** Return both lists. */
export async function render(context) {
  const [gaps, expected] = await Promise.all([
    context.api.get("/gaps", { limit: 100 }, { signal: context.signal }), context.api.get("/expectations", {}, { signal: context.signal })]);
  return [
    h("h1", null, "Gaps"),
    h("p.quiet", null, "Questions that recall did not help with, alike ones together: what nobody has written down yet."),
    h("p.head", null, gaps.keeping ? `${count(gaps.count, "group")} of ${count(gaps.questions, "question")}` : "This project keeps no questions."),
    h("ol.entries", null, gaps.gaps.map((gap) => item(context, gap))),
    expectations(context, expected.expectations),
  ];
}

function item({ link }, { example, terms, questions, unanswered, unapplied, first_day: first, last_day: last }) {
  return h("li.entry", null, h("h2", null, h("a", { href: link("memories", [], { q: example }) }, example)),
    about(count(questions, "question"), unanswered > 0 && `${unanswered} without an answer`, unapplied > 0 && `${unapplied} with none that was applied`,
      first === last ? day(last) : `${day(first)} to ${day(last)}`), about(terms.map((term) => h("code", null, term))));
}

function expectations(context, all) {
  if (!all.length) return null;
  const place = h("ul.texts", null, all.map((one) => expectation(context, one)));
  const told = h("p.head", null);
  const run = async () => {
    try {
      const { expectations: outcomes } = await context.api.get("/expectations/run", {}, { signal: context.signal });
      fill(place, outcomes.map((one) => expectation(context, one, one)));
      told.textContent = `${outcomes.filter(({ held }) => held).length} of ${outcomes.length} hold`;
      say(told.textContent);
    } catch (failure) {
      complain(failure, told);
    }
  };
  return h("section", null, h("h2", null, "Expected to be found"), place, told, h("p.actions", null, h("button", { type: "button", click: run }, "Ask them all")));
}

function expectation({ link }, { query, expects, within }, outcome) {
  return h("li", null, outcome && h(`span.mark.${outcome.held ? "verified" : "wrong"}`, null, outcome.held ? "holds" : "is lost"),
    " ", h("a", { href: link("memories", [], { q: query }) }, query), ` finds ${expects.join(", ")} within ${within}`);
}
