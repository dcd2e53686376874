/** How values read: dates, counts, kinds and statuses. */

const DAY = 24 * 60 * 60 * 1000;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const calendar = new Intl.DateTimeFormat("en", { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" });
const whole = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** Return how long ago a timestamp was, or its date where that is more than a month. */
export function ago(timestamp, now = Date.now()) {
  const passed = now - Date.parse(timestamp);
  if (passed < 60_000) return "just now";
  if (passed < 3_600_000) return relative.format(-Math.floor(passed / 60_000), "minute");
  if (passed < DAY) return relative.format(-Math.floor(passed / 3_600_000), "hour");
  if (passed < 31 * DAY) return relative.format(-Math.floor(passed / DAY), "day");
  return day(timestamp);
}

/** Return the date of a timestamp, or of a date. */
export function day(timestamp) {
  return calendar.format(new Date(timestamp));
}

/** Return a moment in the reader's own time zone. */
export function moment(timestamp) {
  return whole.format(new Date(timestamp));
}

/** Return a number with what it counts, as in `1 memory` and `3 memories`. */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** Return a name of the program's as words, as in `superseded by`. */
export function words(name) {
  return name.replaceAll("_", " ").replaceAll("-", " ");
}

/** Return a text with a capital letter before it. */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
