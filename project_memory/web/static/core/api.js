/** Ask the server: one function for each method, and one kind of error, which is in words. */

const BASE = "/api/v1";

/** What a request came to that did not succeed; `facts` holds what the code brings along. */
export class Failure extends Error {
  constructor(status, { code, message, ...facts }) {
    super(message);
    this.status = status;
    this.code = code;
    this.facts = facts;
  }
}

const listeners = new Set();

/** Call a function whenever the server says that nobody is logged in. */
export function whenRefused(listener) {
  listeners.add(listener);
}

export const get = (path, query, options) => ask("GET", path, { query, ...options });
export const remove = (path, query, options) => ask("DELETE", path, { query, ...options });
export const post = (path, body, options) => ask("POST", path, { body: body ?? {}, ...options });
export const put = (path, body, options) => ask("PUT", path, { body: body ?? {}, ...options });
export const patch = (path, body, options) => ask("PATCH", path, { body: body ?? {}, ...options });

/** Return the same functions for one project. */
export function within(project) {
  const here = (options) => ({ ...options, project });
  return {
    get: (path, query, options) => get(path, query, here(options)),
    remove: (path, query, options) => remove(path, query, here(options)),
    post: (path, body, options) => post(path, body, here(options)),
    put: (path, body, options) => put(path, body, here(options)),
    patch: (path, body, options) => patch(path, body, here(options)),
  };
}

/** Return a path of encoded segments. */
export function path(...segments) {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join("");
}

async function ask(method, path, { query = {}, body, project, signal } = {}) {
  const given = { ...query, ...(project === undefined ? {} : { project }) };
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(given)) {
    for (const one of [value].flat()) if (one !== undefined && one !== null && one !== "") search.append(key, one);
  }
  const response = await reach(`${BASE}${path}${search.size ? `?${search}` : ""}`, {
    method,
    signal,
    headers: { Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await read(response);
  if (response.ok) return answer;
  if (response.status === 401 && path !== "/session") listeners.forEach((listener) => listener());
  throw new Failure(response.status, answer.error ?? unreadable(response));
}

async function reach(url, options) {
  try {
    return await fetch(url, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, { code: "unreachable", message: "the server cannot be reached; see whether it runs, then try again" });
  }
}

async function read(response) {
  try {
    return await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(response.status, unreadable(response));
  }
}

function unreadable(response) {
  return { code: "unreadable", message: `the server answered with status ${response.status}, and nothing that can be read; its log says more` };
}
