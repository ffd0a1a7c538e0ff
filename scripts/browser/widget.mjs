// Looks at the widget: on the demo's page as it is, and on a page whose server returns what is prepared here.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { calls, check, judge, open, until } from "./harness.mjs";

const looks = [
  { width: 1280, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
  { width: 360, colorScheme: "light" },
  { width: 360, colorScheme: "dark" },
];

// text returns what the widget shows, without the parts that only load.
const text = (page, part) =>
  page.evaluate((part) => {
    const root = document.querySelector("laurel-widget")?.shadowRoot;
    const section = root?.querySelector(part ? `section[part=${part}]` : ".box");
    return section && !root.querySelector("[aria-busy]") ? section.innerText : "";
  }, part);

const loaded = (page, what) => until(async () => (await text(page)) !== "", `the widget loads ${what}`);

export async function widget(address, key, shots) {
  mkdirSync(shots, { recursive: true });
  for (const look of looks) {
    const page = await open({ viewport: { width: look.width, height: 900 }, colorScheme: look.colorScheme });
    await page.goto(`${address}/demo`);
    const name = `widget-${look.width}-${look.colorScheme}`;
    await loaded(page, name);
    await judge(page, name);
    if (process.env.CI !== "true") await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
    if (look === looks[0]) await asTheServerSays(page, address, key);
    await page.context().close();
  }
  await states(address);
}

async function asTheServerSays(page, address, key) {
  const call = calls(address, key);
  const currency = (await call("/api/loyalty/currencies")).body.data[0];
  const [leader] = (await call(`/api/loyalty/accounts?loyaltyCurrencyId=${currency.id}&limit=1`)).body.data;
  const number = (value) => new Intl.NumberFormat("en", { maximumFractionDigits: 6 }).format(value);
  check((await text(page, "leaderboard")).includes(`${number(leader.amount)} ${currency.symbol}`), "the widget shows who leads", await text(page, "leaderboard"));
  check((await text(page, "leaderboard")).includes("You"), "and the member's own place");
  check(/^Your points\s+[\d,.]+ \w+\s+Rank [\d,.]+/.test(await text(page, "balance")), "and the balance with its rank", await text(page, "balance"));
  check((await text(page, "badges")).includes("Earned"), "and a badge that is earned", await text(page, "badges"));
  const outline = await page.evaluate(() => getComputedStyle(document.querySelector("laurel-widget").shadowRoot.querySelector(".me")).outline);
  check(outline === "rgb(138, 59, 18) solid 2px", "the shop's colours reach the widget", outline);
  const halfway = await page.evaluate(() => [...document.querySelector("laurel-widget").shadowRoot.querySelectorAll("[part=quests] progress")].map((bar) => bar.value));
  check(halfway.includes(50), "and the progress of a quest", JSON.stringify(halfway));
}

const hostile = `<img src=x onerror="window.pwned=1">`;
const id = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

// answers are what a server of one member returns.
const answers = {
  "users/me": { id: id(1), accounts: [{ loyaltyCurrencyId: id(2), amount: 1234567.5, rank: 9 }] },
  "loyalty/currencies": { data: [{ id: id(2), symbol: hostile }] },
  "loyalty/rules": { data: [
    { id: id(3), name: hostile, description: hostile, rewardType: "points", amount: 5, loyaltyCurrencyId: id(2) },
    { id: id(4), name: "Done quest", description: "", rewardType: "points", amount: 5, loyaltyCurrencyId: id(2) },
    { id: id(5), name: "Begun quest", description: "", rewardType: "points", amount: 5, loyaltyCurrencyId: id(2), trackProgress: true },
  ] },
  "loyalty/rule_statuses": { data: [{ loyaltyRuleId: id(5), progress: 40 }] },
  "loyalty/transaction_entries": { data: [{ loyaltyTransaction: { loyaltyRule: { id: id(4) } } }] },
  "loyalty/badges": { data: [
    { id: id(6), name: hostile, description: hostile, imageUrl: "javascript:window.pwned=1", loyaltyBadgeUsers: [] },
    { id: id(7), name: "Regular", description: "", imageUrl: "", loyaltyBadgeUsers: [{ userId: id(1), status: "active", progress: [] }] },
  ] },
  "loyalty/accounts": { data: [{ userId: id(8), amount: 2e6, user: { userMetadata: [{ displayName: hostile }], walletAddress: null } }] },
};
const empty = { "users/me": { id: id(1), accounts: [] }, "loyalty/currencies": { data: [{ id: id(2), symbol: "P" }] } };

// states shows the widget each answer that it may get.
async function states(address) {
  const page = await open({ colorScheme: "light" });
  page.breaks = true; // refusals are noted on the console
  let answer = (path) => answers[path];
  const asked = [];
  await page.route(`${address}/shop*`, (route) => route.fulfill({
    contentType: "text/html",
    headers: { "Content-Security-Policy": `default-src 'none'; script-src ${address}; connect-src ${address}; img-src data:` },
    body: `<!doctype html><html lang="en"><title>Shop</title><script src="${address}/widget.js" defer></script>
      <main><laurel-widget client-key="ck" member-token="mt"></laurel-widget></main></html>`,
  }));
  await page.route(`${address}/api/**`, async (route) => {
    const url = new URL(route.request().url());
    asked.push([url, route.request().headers()]);
    const body = await answer(url.pathname.replace("/api/", ""));
    await route.fulfill({ status: body?.status ?? 200, json: body ?? { data: [] } });
  });
  const show = async (what, how) => {
    answer = how;
    asked.length = 0;
    await page.goto(`${address}/shop?${encodeURIComponent(what)}`);
    await loaded(page, what);
  };

  await show("names that are markup", (path) => answers[path]);
  check((await text(page)).includes(hostile) && !(await page.evaluate(() => window.pwned)), "names are text", await text(page));
  check((await text(page, "balance")).includes("1,234,567.5"), "amounts are written as in the page's language");
  const quests = await text(page, "quests");
  check(quests.indexOf("Begun quest") < quests.indexOf(hostile) && quests.indexOf(hostile) < quests.indexOf("Done quest"), "quests begun come first, those done last", quests);
  check((await text(page, "leaderboard")).includes("You"), "a member below the top is added");
  check(asked.every(([, headers]) => headers["x-api-key"] === "ck" && headers.authorization === "Bearer mt"), "each call has the key and the token");
  check(new Set(asked.map(([url]) => url.href)).size === asked.length, "no call is made twice", asked.map(([url]) => url.href).join(" "));
  await judge(page, "the widget with hostile names");

  await show("nothing yet", (path) => empty[path]);
  const none = await text(page);
  check(["You have no points yet.", "No quests at the moment.", "No badges yet.", "No points yet."].every((one) => none.includes(one)), "each part says that it is empty", none);

  await page.addInitScript(() => {
    window.events = [];
    for (const type of ["laurel-loaded", "laurel-error", "laurel-token-needed"]) document.addEventListener(type, (e) => window.events.push(`${type} ${e.detail?.part ?? ""}`));
  });
  await show("a server that fails", () => ({ status: 500, message: "Internal server error" }));
  check((await text(page)).match(/This could not be loaded\./g)?.length === 4, "each part says that it failed", await text(page));
  check((await page.evaluate(() => window.events)).includes("laurel-error balance"), "and the page hears of it");
  await judge(page, "the widget without its server");
  answer = (path) => answers[path];
  await page.getByRole("button", { name: "Try again" }).first().click();
  await until(async () => (await text(page, "balance")).includes("1,234,567.5"), "a part is loaded again");

  const asksForToken = () => page.evaluate(() => window.events.filter((one) => one.startsWith("laurel-token-needed")).length);
  const refused = { status: 403, message: "Member token is required", code: "member_token_required" };
  await show("an expired token", (path) => (asked.at(-1)[1].authorization === "Bearer mt" || path === "users/me" ? refused : answers[path]));
  await until(async () => (await asksForToken()) === 1, "the page hears that a token is needed");
  check((await text(page, "balance")).includes("Sign in") && (await text(page, "quests")).includes("Done quest"), "what nobody needs a token for is shown", await text(page));
  await page.evaluate(() => document.querySelector("laurel-widget").setAttribute("member-token", "as bad"));
  await loaded(page, "without the other bad token");
  check((await asksForToken()) === 1, "a page whose tokens are refused is not asked again at once");
  answer = (path) => answers[path];
  await page.evaluate(() => document.querySelector("laurel-widget").setAttribute("member-token", "new"));
  await until(async () => (await text(page, "balance")).includes("1,234,567.5"), "a new token loads the widget again");

  const before = await asksForToken();
  await page.evaluate((texts) => {
    const one = document.querySelector("laurel-widget");
    one.removeAttribute("member-token");
    for (const [name, value] of Object.entries({ parts: "quests balance", texts, lang: "de", limit: "1" })) one.setAttribute(name, value);
  }, JSON.stringify({ quests: "Aufgaben", signIn: "Bitte anmelden." }));
  await until(async () => (await text(page)).startsWith("Aufgaben"), "parts, texts and limits are those of the attributes");
  check((await text(page)).includes("Bitte anmelden.") && !(await text(page)).includes("Begun quest\n"), "without a token it asks to sign in", await text(page));
  await until(async () => (await asksForToken()) === before + 1, "and the page hears that a token is missing");

  let release;
  const waiting = new Promise((resolve) => (release = resolve));
  answer = async (path) => (await waiting, answers[path]);
  await page.goto(`${address}/shop?slow`);
  await page.waitForFunction(() => document.querySelector("laurel-widget")?.shadowRoot?.querySelectorAll("[aria-busy] [role=status]").length === 4);
  check(true, "each part says that it loads");
  release();
  await loaded(page, "what came late");
  await page.context().close();
}
