/** Begin: theme, session, then whatever view the address names. */

import { complain } from "./core/saying.js";
import * as session from "./core/session.js";
import { restore } from "./core/theme.js";
import * as frame from "./frame.js";
import { follow, show } from "./navigation.js";

restore();
frame.listen();
session.whenEnded((why) => show(why));

try {
  await session.resume();
  follow();
} catch (failure) {
  const main = document.getElementById("main");
  complain(failure, main);
  main.removeAttribute("aria-busy");
}
