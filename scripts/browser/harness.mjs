// What the parts of the tour share: Chromium, pages that tell what a good page never does, and axe.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const password = "a long enough password";
export const tally = { passed: 0, failed: 0 };

export function check(ok, what, saw = "") {
  if (ok) tally.passed++;
  else {
    tally.failed++;
    console.log(`  FAIL  ${what} ${saw}`);
  }
  return ok;
}

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});

// context is a browser of its own: with cookies, a size and a theme. Motion is off, so that what is looked at stands still.
export async function context(options = {}) {
  const made = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options });
  made.setDefaultTimeout(30_000); // a busy machine is slow
  return made;
}

// open makes a page that tells what a good page never does: errors on the console, dialogs, and requests to other hosts.
// page.breaks says that a fault is on its way, which the browser and htmx note on the console.
export async function open(options = {}, within = undefined) {
  const page = await (within ?? (await context(options))).newPage();
  page.on("console", (m) => {
    // a page that is left breaks its requests off
    const expected = m.text().includes("status of 4") || /^htmx:(sendAbort|afterRequest)/.test(m.text()) || page.breaks;
    if (m.type() === "error" && !expected) check(false, page.url(), m.text());
  });
  page.on("pageerror", (e) => check(false, page.url(), e.message));
  page.on("request", (r) => new URL(r.url()).hostname === "127.0.0.1" || check(false, "a request leaves", r.url()));
  page.on("dialog", async (d) => {
    check(d.type() === "beforeunload", "no dialog opens", `${page.url()}: ${d.message()}`);
    await d.accept();
  });
  return page;
}

const inspectors = new WeakMap();
export async function inspector(page) {
  if (!inspectors.has(page)) inspectors.set(page, await page.context().newCDPSession(page));
  return inspectors.get(page);
}

// judge runs the rules of axe, which the page's own policy would keep out, and looks whether the page is wider than the
// window.
export async function judge(page, name, rules = "all") {
  await fits(page, name);
  const tools = await inspector(page);
  const loaded = await tools.send("Runtime.evaluate", { expression: "typeof window.axe", returnByValue: true });
  if (loaded.result.value !== "object") await tools.send("Runtime.evaluate", { expression: axe });
  const found = await page.evaluate(async (rules) => {
    const chosen = rules === "all" ? {} : { runOnly: rules };
    const { violations } = await window.axe.run({ resultTypes: ["violations"], ...chosen });
    return violations
      .filter((v) => ["serious", "critical"].includes(v.impact))
      .map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 100)).slice(0, 3).join(" | ")}`);
  }, rules);
  check(found.length === 0, `${name} is accessible`, found.join("\n"));
}

export async function fits(page, name) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(wide <= 0, `${name} fits the window`, `${wide} px too wide`);
}

// calls returns how a shop's server calls the API with a key.
export function calls(address, key) {
  return async (path, body) => {
    const answer = await fetch(address + path, {
      method: body ? "POST" : "GET",
      headers: { "X-API-KEY": key, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
}

// see waits until a part of the page says something, and tells whether it does.
export async function see(page, text, what = `the page says “${text}”`, where = "main") {
  const until = Date.now() + 20_000;
  let saw = "";
  do {
    saw = await page.locator(where).first().innerText({ timeout: 1000 }).catch(() => saw);
    if (saw.includes(text)) {
      await page.waitForLoadState().catch(() => {});
      return check(true, what);
    }
    await new Promise((done) => setTimeout(done, 30));
  } while (Date.now() < until);
  return check(false, what, `${page.url()} says: ${saw.slice(0, 300).replaceAll("\n", " / ")}`);
}

// until waits for something to become true.
export async function until(is, what) {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    if (await is()) return check(true, what);
    await new Promise((done) => setTimeout(done, 50));
  }
  return check(false, what);
}
