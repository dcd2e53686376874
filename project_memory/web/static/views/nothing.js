/** Where an address leads nowhere, or there is no project yet. */

import { h } from "../core/elements.js";

/** Return what can be done about it. */
export function render({ project }) {
  if (project === null) {
    return [h("h1", null, "No project yet"),
      h("p", null, "There is none in this store for you. In a repository, ", h("code", null, "project-memory setup"), " makes one.")];
  }
  return [h("h1", null, "There is nothing here"), h("p", null, "The address leads to no view; choose one above.")];
}
