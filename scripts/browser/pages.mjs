// Looks at every page of the dashboard, as the demo fills it, and at pages of the documentation. pages.json has a place for each page of the route table,
// which a Go test compares with it.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { calls, check, context, fits, inspector, judge, open } from "./harness.mjs";

const places = JSON.parse(readFileSync(new URL("pages.json", import.meta.url), "utf8"));
const budget = 150_000; // bytes of a first visit, compressed, with everything that the page fetches

// colours are the rules of axe whose judgement a theme can change.
const colours = ["color-contrast", "link-in-text-block"];

// looks are how each page is looked at, one after the other: the page stays, its window and theme change. At 768 pixels
// it has the menu that it has at 360 and the tables that it has at 1280, so it only has to fit.
const looks = [
  { width: 1280, theme: "light", axe: "all", shot: true },
  { width: 1280, theme: "dark", axe: colours, shot: true },
  { width: 768, theme: "dark" },
  { width: 768, theme: "light" },
  { width: 360, theme: "light", axe: "all", shot: true },
  { width: 360, theme: "dark", shot: true },
];

// Nobody looks at pictures in CI, and they take a third of the time of a page.
const pictures = process.env.CI !== "true";

// pictured are the pictures of the README.
const pictured = { "admin-1280-light": "overview.png", "admin-rules-one-1280-light": "rule.png" };

const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const shape = (path) => path.replace(id, "*");
// named is a file's name: the website's id goes, other ids become "one".
const named = (path) =>
  shape(path).replace("/*", "").replaceAll("*", "one").replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "") || "start";

// patternOf is the pattern of the route table that an address belongs to; the one with the fewest holes counts.
function patternOf(path) {
  const fit = Object.keys(places).filter((p) => new RegExp(`^${p.replace(/\{\w+\}/g, "[^/]+")}$`).test(path.split("?")[0]));
  return fit.sort((a, b) => a.split("{").length - b.split("{").length)[0];
}

// found follows the links of the demo, one page of each kind and of each tab, and returns the addresses.
export async function found(within, origin, site, call) {
  const read = async (path) => {
    const answer = await within.request.get(origin + path, { headers: { accept: "text/html" } });
    return { at: new URL(answer.url()).pathname, status: answer.status(), html: (await answer.text()).replaceAll("&amp;", "&") };
  };
  const linkOf = (html, text) => html.match(new RegExp(`href="([^"]+)"[^>]*>${text}`))?.[1];
  // the fullest rule and member come first
  const rule = linkOf((await read(`${site}/rules`)).html, "(?:Daily check-in|&lt;img)");
  const { at: member } = await read(`${site}/search?q=member-005`); // one hit leads to its page
  const now = new Date();
  const replay = await call(`/api/loyalty/rules/${rule.split("/").pop()}/replay`, {
    draft: { amount: 7 }, from: new Date(now - 20 * 86400e3).toISOString(), to: now.toISOString(),
  });
  const queue = [site, rule, member, `${rule}/replays/${replay.body.id}`, `${site}/search?q=Daily`, `${rule}/lists/allotment/remove`, "/admin/account", "/admin/setup", "/admin/websites", "/", "/docs", "/docs/search?q=refund"].filter(Boolean);
  const kindOf = (path) => patternOf(path) + (path.match(/\?tab=\w+$/)?.[0] ?? "");
  const seen = new Set(queue.map(kindOf));
  const paths = [];
  const further = ["/admin/{website}/rules/{rule}", "/admin/{website}/rules/{rule}/question"];
  while (queue.length > 0) {
    const path = queue.shift();
    const { status, html } = await read(path);
    const again = paths.some((p) => kindOf(p) === kindOf(path)); // a further one, for its links alone
    if (!again) {
      check(status === 200, path, status);
      paths.push(path);
    }
    for (const [, link] of html.matchAll(/(?<!download |link rel="[a-z]+" )href="([^"]+)"/g)) {
      const url = new URL(link, origin + path);
      const next = url.pathname + (/^\?tab=\w+$/.test(url.search) ? url.search : "");
      const pattern = patternOf(next);
      if (url.origin !== origin || places[pattern] !== "page") continue;
      if (seen.has(kindOf(next)) && (seen.has(next) || !further.includes(pattern))) continue;
      seen.add(kindOf(next)).add(next);
      queue.push(next);
    }
  }
  return paths;
}

// look visits one page as for the first time and looks at it in every way.
async function look(page, origin, path, shots) {
  const tools = await inspector(page);
  let bytes = 0;
  const count = ({ encodedDataLength }) => (bytes += encodedDataLength);
  tools.on("Network.loadingFinished", count);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(origin + path);
  await page.evaluate(() => document.fonts.ready);
  tools.off("Network.loadingFinished", count);
  check(bytes > 20_000 && bytes <= budget, `${path} is small`, `${bytes} bytes`);
  for (const { width, theme, axe, shot } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    const name = `${named(path)}-${width}-${theme}`;
    if (shot && pictures) {
      await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
      const picture = pictured[name];
      if (picture) await page.screenshot({ path: join(shots, picture) });
    }
    if (axe) await judge(page, name, axe);
    else await fits(page, name);
  }
  return bytes;
}

export async function everyPage(demo, key, shots) {
  mkdirSync(shots, { recursive: true });
  const door = await open();
  await (await inspector(door)).send("Network.enable");
  const origin = new URL(demo).origin;
  await look(door, origin, new URL(demo).pathname.replace(/link.*/, "sign-in"), shots);
  await door.goto(demo);
  await judge(door, "a link");
  await door.click("button:has-text('Sign in')");
  const site = new URL(door.url()).pathname;
  const paths = await found(door.context(), origin, site, calls(origin, key));
  const storageState = await door.context().storageState();
  await door.context().close();

  const visited = new Set(paths.map(patternOf));
  for (const [pattern, place] of Object.entries(places))
    if (place === "page") check(visited.has(pattern), `the tour comes to ${pattern}`);
  let largest = 0;
  const few = process.env.LAUREL_PAGES; // the pages to look at, while writing them
  const left = paths.filter((path) => !few || path.match(few));
  await Promise.all([1, 2].map(async () => {
    const page = await open({}, await context({ storageState }));
    const tools = await inspector(page);
    await tools.send("Network.enable");
    await tools.send("Network.setCacheDisabled", { cacheDisabled: true });
    while (left.length > 0) largest = Math.max(largest, await look(page, origin, left.shift(), shots));
  }));
  console.log(`  ${paths.length} pages, at most ${largest} bytes: ${paths.map(shape).join(" ")}`);
}
