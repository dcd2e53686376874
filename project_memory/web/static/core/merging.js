/** Compare documents: what was changed here, and how that meets what was changed elsewhere. */

/** Return whether two JSON values are the same; fields may be in any order. */
export function same(one, other) {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((item, index) => same(item, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => same(one[key], other[key]));
}

/** Return the merge patch (RFC 7396) from one document to another, over the other's fields. */
export function patch(before, after) {
  const changed = {};
  for (const [key, value] of Object.entries(after)) {
    if (same(before?.[key], value)) continue;
    changed[key] = isObject(value) && isObject(before?.[key]) ? patch(before[key], value) : value ?? null;
  }
  return changed;
}

/** Return a document without what is empty: fields that say nothing need not be sent. */
export function compact(value) {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).map(([key, one]) => [key, compact(one)]).filter(([, one]) => !isEmpty(one));
  return Object.fromEntries(kept);
}

function isEmpty(value) {
  return value === undefined || value === null || (Array.isArray(value) && !value.length) || (isObject(value) && !Object.keys(value).length);
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
