/**
 * Addresses within the page: `#/PROJECT/view/more?key=value`, everything percent-encoded, so that
 * reloading, going back and sending an address to somebody else all work.
 */

/** Return {project, view, rest, params} of a hash; `project` is null where none is named. */
export function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [project = "", view = "", ...rest] = path.split("/").map(decoded);
  return { project: project || null, view: view || "memories", rest, params: new URLSearchParams(query) };
}

/** Return the hash of a view; empty parameters are left out. */
export function address(project, view, rest = [], params = {}) {
  const path = [project, view, ...rest].map(encodeURIComponent).join("/");
  const query = new URLSearchParams(
    Object.entries(params).flatMap(([key, value]) =>
      [value].flat().filter((one) => one !== "" && one !== null && one !== undefined && one !== false).map((one) => [key, one]),
    ),
  ).toString();
  return `#/${path}${query ? `?${query}` : ""}`;
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
