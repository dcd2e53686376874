/** Light or dark: as the system has it, until somebody chooses. */

const KEY = "theme";
const THEMES = ["system", "light", "dark"];

/** Apply what was chosen before. */
export function restore() {
  apply(chosen());
}

/** Return `system`, `light` or `dark`. */
export function chosen() {
  const kept = localStorage.getItem(KEY);
  return THEMES.includes(kept) ? kept : "system";
}

/** Take the next theme, and return it. */
export function next() {
  const theme = THEMES[(THEMES.indexOf(chosen()) + 1) % THEMES.length];
  localStorage.setItem(KEY, theme);
  apply(theme);
  return theme;
}

function apply(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.dispatchEvent(new Event("themechange"));
}
