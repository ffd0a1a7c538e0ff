// Drives the dashboard in Chromium. Run by scripts/browser.sh, which sets:
//   LAUREL_EMPTY   empty servers: "name address setup-link", one a line
//   LAUREL_DEMO    the demo's link, and LAUREL_DEMO_KEY its website key
//   LAUREL_ACCOUNTS  a server whose members connect accounts: its address, its website key, the address of a shop, and its setup link
//   LAUREL_SHOTS   the folder for screenshots
import { browser, check, tally } from "./harness.mjs";
import { accounts } from "./accounts.mjs";
import { everyPage } from "./pages.mjs";
import { faults } from "./faults.mjs";
import { firstHour } from "./firsthour.mjs";
import { widget } from "./widget.mjs";

const only = process.env.LAUREL_ONLY; // one part, while writing it
async function part(name, run) {
  if (only && !name.match(only)) return;
  const begin = Date.now();
  try {
    await run();
  } catch (e) {
    check(false, `${name} goes on`, e.stack);
  }
  console.log(`  ${name}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
}

const empty = Object.fromEntries(process.env.LAUREL_EMPTY.trim().split("\n").map((line) => {
  const [name, ...rest] = line.split(" ");
  return [name, rest];
}));

// Two at once: the pages of the demo, and what people do on servers of their own.
await Promise.all([
  part("every page of the demo", () => everyPage(process.env.LAUREL_DEMO, process.env.LAUREL_DEMO_KEY, process.env.LAUREL_SHOTS)),
  (async () => {
    for (const way of ["script", "keyboard", "plain"]) await part(`the first hour, ${way}`, () => firstHour(way, ...empty[way]));
    await part("widget", () => widget(new URL(process.env.LAUREL_DEMO).origin, process.env.LAUREL_DEMO_KEY, process.env.LAUREL_SHOTS));
    await part("accounts", () => accounts(...process.env.LAUREL_ACCOUNTS.split(" ")));
    await part("faults", () => faults(...empty.faults));
  })(),
]);
await browser.close();
console.log(`\ndashboard: ${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed ? 1 : 0);
