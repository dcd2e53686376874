/** Make elements. Text stays text: nothing here parses markup, and the browser is told to refuse it. */

/**
 * Return an element.
 *
 * @param {string} tag - `name`, or `name.class.class`.
 * @param {object} attributes - A function is a listener for the event of its name; `true` is an
 *   attribute without value; null, undefined and false are none.
 * @param {...(Node|string|number|Array|null|undefined|false)} children - Nothing is put for the last three.
 */
export function h(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) assign(element, key, value);
  element.append(...shown(children));
  return element;
}

/** Replace what is in an element. */
export function fill(element, ...children) {
  element.replaceChildren(...shown(children));
  return element;
}

function shown(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

function assign(element, key, value) {
  if (value === null || value === undefined || value === false) return;
  if (typeof value === "function") element.addEventListener(key, value);
  else if (key === "value") element.value = value;
  else element.setAttribute(key, value === true ? "" : value);
}
