/** Log in with a token, or with a code that vouches for a person. */

import { h } from "../core/elements.js";
import { complain } from "../core/saying.js";
import * as session from "../core/session.js";

/** Return the form. */
export function render({ why, again }) {
  const field = h("input", {
    id: "token", name: "token", type: "password", required: true, autocomplete: "current-password", autofocus: true,
    spellcheck: "false", "aria-describedby": "token-hint token-refused",
  });
  const refused = h("div", { id: "token-refused" });
  const enter = async (event) => {
    event.preventDefault();
    try {
      await session.begin(field.value.trim());
      again();
    } catch (failure) {
      complain(failure, refused);
      field.setAttribute("aria-invalid", "true");
      field.select();
      field.focus();
    }
  };
  return h("section.login", null,
    h("h1", null, "Log in"),
    why && h("p", { role: "status" }, why),
    h("form", { submit: enter, novalidate: true },
      h("p.field", null, h("label", { for: "token" }, "Token or code"), field,
        h("small", { id: "token-hint" }, "An administrator of this store gives you one. With a token of ", h("code", null, "tokens add NAME"),
          " what you write is an agent's word; with a code of ", h("code", null, "enroll NAME --person"), " it is yours, and you can decide what waits.")),
      refused,
      h("p.actions", null, h("button.primary", { type: "submit" }, "Log in"))));
}
