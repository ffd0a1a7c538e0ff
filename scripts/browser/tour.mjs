// Drives the dashboard in Chromium: the first hour on an empty server, then every page of the demo at two widths and in
// both themes. Run by scripts/browser.sh, which sets:
//   LAUREL_ADDRESS, LAUREL_SETUP   an empty server and its setup link
//   LAUREL_DEMO                    the demo's link
//   LAUREL_SHOTS                   the folder for screenshots
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const { LAUREL_ADDRESS: address, LAUREL_SETUP: setup, LAUREL_DEMO: demo, LAUREL_SHOTS: shots } = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
mkdirSync(shots, { recursive: true });

let passed = 0;
let failed = 0;
function check(ok, what, saw = "") {
  if (ok) passed++;
  else {
    failed++;
    console.log(`  FAIL  ${what} ${saw}`);
  }
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});

// open makes a page that tells what a good page never does: errors on the console, and requests to other hosts.
async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const home = new URL(address).hostname;
  page.on("console", (m) => m.type() === "error" && !m.text().includes("status of 4") && check(false, page.url(), m.text()));
  page.on("pageerror", (e) => check(false, page.url(), e.message));
  page.on("request", (r) => new URL(r.url()).hostname === home || check(false, "a request leaves", r.url()));
  return page;
}

// judge runs axe, which the page's own policy would keep out, and looks whether the page is wider than the window.
async function judge(page, name) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(wide <= 0, `${name} fits the window`, `${wide} px too wide`);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Runtime.evaluate", { expression: axe });
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run();
    return violations
      .filter((v) => ["serious", "critical"].includes(v.impact))
      .map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 100)).slice(0, 3).join(" | ")}`);
  });
  check(found.length === 0, `${name} is accessible`, found.join("\n"));
}

async function firstHour() {
  console.log("\nThe first hour");
  const page = await open();
  await page.goto(setup);
  await page.fill("#f-email", "ines@alder.example");
  await page.fill("#f-name", "Ines Baptiste");
  await page.fill("#f-password", "a long enough password");
  await page.click("text=Continue");
  await page.fill("#f-organization", "Alder & Finch");
  await page.fill("#f-website", "shop.alder.example");
  await page.fill("#f-currency", "Acorns");
  await page.click("text=Continue");
  check((await page.textContent("h1")).includes("New key"), "setup leads to the first key");
  await page.fill("#f-name", "Shop server");
  await page.fill("#f-confirm", "a long enough password");
  await page.click("text=Make key");
  const key = (await page.textContent("#key")).trim();
  check(key.startsWith("lrl_w_"), "the key is shown", key);
  await page.click("text=I have stored the key");

  const call = async (path, body) => {
    const answer = await fetch(address + path, {
      method: body ? "POST" : "GET",
      headers: { "X-API-KEY": key, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const rule = await call("/api/loyalty/rules", { name: "Visit", type: "external_rule", interval: "daily", amount: 10 });
  check(rule.status === 200, "the key makes a rule", JSON.stringify(rule.body));
  await page.click("nav >> text=Overview");
  check((await page.textContent("main")).includes("Let a member complete it"), "the overview says what comes next");
  const wallet = "0x00000000000000000000000000000000000a11ce";
  const done = await call(`/api/loyalty/rules/${rule.body.id}/complete`, { walletAddress: wallet });
  check(done.status === 200, "a member completes it", JSON.stringify(done.body));
  await page.reload();
  check((await page.textContent("main")).includes("earned Visit"), "the overview shows it");
  await page.click("text=API keys");
  await page.click("td a:has-text('Revoke')");
  await page.click("button:has-text('Revoke key')");
  check((await call("/api/loyalty/rules")).status === 403, "a revoked key is refused");
  await page.click("summary:has-text('account menu')");
  await page.click("text=Sign out");
  check((await page.textContent("h1")).includes("Sign in"), "signing out leads to the door");
  await page.goto(`${address}/admin`);
  check(page.url().includes("sign-in"), "and nothing is seen without signing in", page.url());
  await page.context().close();
}

const shape = (path) => path.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "*");
// named is a file's name: the website's id goes, other ids become "one".
const named = (path) =>
  shape(path).replace("/*", "").replaceAll("*", "one").replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "") || "start";

// pictured are the pictures of the README.
const pictured = { "admin-1280-light": "overview.png", "admin-rules-one-1280-light": "rule.png" };

// everyPage follows the links of the demo, one page of each kind.
async function everyPage() {
  console.log("\nEvery page of the demo");
  const first = await open();
  await first.goto(demo);
  await first.click("button:has-text('Sign in')");
  check((await first.textContent("h1")).includes("Overview"), "the demo's link signs in");
  const state = await first.context().storageState();
  const origin = new URL(first.url()).origin;
  const queue = [new URL(first.url()).pathname, "/admin/account", "/admin/setup"];
  const seen = new Set(queue.map(shape));
  const paths = [];
  while (queue.length > 0) {
    const path = queue.shift();
    const answer = await first.goto(origin + path);
    if (!(answer.headers()["content-type"] ?? "").startsWith("text/html")) continue;
    paths.push(path);
    check(answer.status() === 200, path, answer.status());
    const links = await first.$$eval("a[href]", (all) => all.filter((a) => !a.closest("[download]")).map((a) => a.href));
    for (const link of links) {
      const url = new URL(link);
      const next = url.pathname;
      if (url.origin !== origin || !next.startsWith("/admin/") || /export|\.csv|proof/.test(next) || seen.has(shape(next))) continue;
      seen.add(shape(next));
      queue.push(next);
    }
  }
  await first.context().close();
  for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [360, "light"], [360, "dark"]]) {
    const page = await open({ viewport: { width, height: 900 }, colorScheme, storageState: state });
    for (const path of paths) {
      await page.goto(origin + path);
      const name = `${named(path)}-${width}-${colorScheme}`;
      await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
      const picture = pictured[name];
      if (picture) await page.screenshot({ path: join(shots, picture) });
      await judge(page, name);
    }
    await page.context().close();
  }
  const door = await open({ viewport: { width: 360, height: 900 } });
  await door.goto(`${origin}/admin/sign-in`);
  await door.screenshot({ path: join(shots, "sign-in-360-light.png"), fullPage: true });
  await judge(door, "sign-in");
  console.log(`  ${paths.length} pages: ${paths.map(shape).join(" ")}`);
}

try {
  await firstHour();
  await everyPage();
} catch (e) {
  check(false, "the tour goes on", e.stack);
}
await browser.close();
console.log(`\ndashboard: ${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
