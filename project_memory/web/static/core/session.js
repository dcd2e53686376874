/** Who is logged in; the session itself is a cookie that no script can read. */

import * as api from "./api.js";

let known = null;
const CODE = /^[0-9a-f]{32}$/;
const listeners = new Set();

/** Call a function, with why, whenever somebody is no longer logged in. */
export function whenEnded(listener) {
  listeners.add(listener);
}

/** Return {actor, role, asserts, projects, rights} of who is logged in, or null. */
export function current() {
  return known;
}

/** Return whether who is logged in has a right. */
export function may(right) {
  return known !== null && known.rights.includes(right);
}

/** Ask the server who is logged in. */
export async function resume() {
  try {
    known = await api.get("/session");
  } catch (failure) {
    if (failure.status !== 401) throw failure;
    known = null;
  }
  return known;
}

/** Log in with a token, or with a code that was given out for a person and is used up by it. */
export async function begin(secret) {
  known = await api.post("/session", CODE.test(secret) ? { code: secret } : { token: secret });
  return known;
}

/** Return whether what is written here is a person's word. */
export function isPerson() {
  return known?.asserts === "user";
}

/** Log out. */
export async function end() {
  await api.remove("/session");
  ended("You are logged out.");
}

function ended(why) {
  known = null;
  listeners.forEach((listener) => listener(why));
}

api.whenRefused(() => ended("The session has ended; log in again."));
