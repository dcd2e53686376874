/** All lessons: newest first, until something is typed; then what fits best, with why. */

import { fill, h } from "../core/elements.js";
import { complain, say } from "../core/saying.js";
import { count } from "../core/words.js";
import { entry } from "../parts/entry.js";
import { STATUSES, expression, filter } from "../parts/filter.js";

const PAUSE = 160;
const PAGE = 20;

/** Return the view: the search, the filters, and the list that both narrow. */
export async function render(context) {
  const { params, api, signal } = context;
  const tree = (await api.get("/labels/tree", {}, { signal })).labels;
  const chosen = read(params);
  const list = new Listing(context, chosen);
  const search = h("input", {
    id: "search", type: "search", value: chosen.q, placeholder: "A symptom, an error, a question …", autocomplete: "off",
    spellcheck: "false", "aria-describedby": "search-hint", input: () => list.later({ q: search.value }),
  });
  const choose = (narrowed) => list.now(narrowed);
  await list.load();
  return [
    h("h1.unseen", null, "Memories"),
    h("form.search", { role: "search", submit: (event) => { event.preventDefault(); list.now({ q: search.value }); } },
      h("label", { for: "search" }, "Search"), search,
      h("span.hint", { id: "search-hint" }, "press ", h("kbd", null, "/"))),
    h("div.found", null,
      h("aside", null, h("details.filters", { open: matchMedia("(min-width: 52rem)").matches }, h("summary", null, "Filters"), filter(tree, chosen, choose))),
      h("section", { "aria-label": "Results" }, list.head, list.place, list.more)),
  ];
}

/** The list, and what it was asked for last: answers that come too late are dropped. */
class Listing {
  constructor(context, chosen) {
    this.context = context;
    this.chosen = chosen;
    this.head = h("p.head", null);
    this.place = h("div", null);
    this.more = h("p", null);
    this.asked = new AbortController();
    context.signal.addEventListener("abort", () => this.asked.abort());
  }

  later(change) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.now(change), PAUSE);
  }

  async now(change) {
    clearTimeout(this.waiting);
    Object.assign(this.chosen, change);
    this.context.note(this.context.link("memories", [], written(this.chosen)));
    await this.load();
  }

  async load(offset = 0) {
    this.asked.abort();
    this.asked = new AbortController();
    const { signal } = this.asked;
    this.place.setAttribute("aria-busy", "true");
    try {
      const found = await answers(this.context.api, this.chosen, offset, signal);
      if (signal.aborted) return;
      this.show(found, offset);
    } catch (failure) {
      if (signal.aborted) return;
      fill(this.head);
      fill(this.more);
      complain(failure, this.place);
    } finally {
      if (!signal.aborted) this.place.removeAttribute("aria-busy");
    }
  }

  show({ memories, warnings, text, next }, offset) {
    const items = memories.map((memory) => entry(memory, this.context.link));
    fill(this.head, text);
    say(text);
    if (offset) this.place.querySelector("ol").append(...items);
    else fill(this.place, items.length > 0 && h("ol.entries", null, items), aside(warnings, this.context.link));
    fill(this.more, next && h("button", { type: "button", click: () => this.load(next) }, "Show more"));
    if (offset) items[0]?.querySelector("a").focus();
  }
}

async function answers(api, chosen, offset, signal) {
  const narrowed = {
    label_query: expression(chosen), status_filter: STATUSES[chosen.status].statuses,
    after: chosen.after, before: chosen.before, limit: PAGE, offset,
  };
  if (!chosen.q.trim()) {
    const page = await api.get("/memories", { ...narrowed, order: "recent" }, { signal });
    return { memories: page.memories, warnings: [], next: page.next_offset, text: `${count(page.total, "memory", "memories")}, newest first` };
  }
  const found = await api.get("/lookup", { ...narrowed, query: chosen.q, explain: true, full_count: 0, max_tokens: 40_000 }, { signal });
  const all = offset + found.answers.length + found.omitted;
  const text = found.nothing_relevant || all === 0 ? "Nothing fits; try other words, or fewer filters" : `${count(all, "memory fits", "memories fit")}, best first`;
  return { memories: found.answers, warnings: offset ? [] : found.warnings, next: found.next_offset, text };
}

function aside(warnings, link) {
  if (!warnings.length) return null;
  return h("section.warned", { "aria-labelledby": "warned" },
    h("h2", { id: "warned" }, "Not to be relied on"), h("ol.entries", null, warnings.map((memory) => entry(memory, link))));
}

function read(params) {
  const status = params.get("status") ?? "";
  return {
    q: params.get("q") ?? "", labels: params.getAll("label"), status: status in STATUSES ? status : "",
    after: params.get("after") ?? "", before: params.get("before") ?? "", expression: params.get("expression") ?? "",
  };
}

function written({ q, labels, status, after, before, expression: typed }) {
  return { q: q.trim(), label: labels, status, after, before, expression: typed };
}
