// What goes wrong between people, browser and server, on an empty server: double clicks, lost connections, ended
// sessions, two editors, and names that would be code.
import { calls, check, context, fits, open, password, see } from "./harness.mjs";
import { mouse } from "./hands.mjs";
import { found } from "./pages.mjs";

const evil = "<img src=x onerror=alert(1)>";

export async function faults(address, setup) {
  const browser = await context();
  const page = await open({}, browser);
  const hand = mouse(page);
  await page.goto(setup);
  await hand.fill("E-mail", "ines@alder.example");
  await hand.fill("Password", password);
  await hand.press("button", "Continue");
  await hand.fill("Organization", "Alder & Finch");
  await hand.fill("Website", "shop.alder.example");
  await hand.fill("Currency", "Acorns");
  await hand.press("button", "Continue");
  await see(page, "New API key");
  const site = new URL(page.url()).pathname.replace("/keys/new", "");

  await hand.fill("Name", "Shop server");
  await hand.fill("Your password", password);
  await page.getByRole("button", { name: "Create key" }).dblclick();
  await see(page, "Your new API key");
  const call = calls(address, (await page.locator("#key").innerText()).trim());
  await page.goto(`${address}${site}/keys`);
  check((await page.locator("tbody tr").count()) === 1, "a double click makes one key");

  await page.goto(`${address}${site}/rules/new?type=external_rule`);
  await hand.fill("Name", evil);
  await hand.fill("Amount", "10");
  await page.getByRole("button", { name: "Create rule" }).dblclick();
  await see(page, "Rule created");
  const rule = new URL(page.url()).pathname;
  const amount = async () => {
    const { body } = await call("/api/loyalty/rules");
    check(body.data.length === 1, "there is one rule", body.data.length);
    return Number(body.data[0].amount);
  };
  check((await amount()) === 10, "a double click makes one rule");

  await sentByBack(page, hand, call, address, site);
  const plain = await context({ javaScriptEnabled: false, storageState: await browser.storageState() });
  await sentByBack(await open({}, plain), undefined, call, address, site);
  await plain.close();
  await moved(page, address, site);
  await lostConnection(page, hand, browser, address, rule, amount);
  await endedSession(page, hand, browser, address, rule, amount);
  await twoEditors(page, browser, address, rule, amount);
  await names(page, call, address, site, rule);
  await browser.close();
}

// sentByBack goes back to forms that were sent and presses the same button: each counts once.
async function sentByBack(page, hand, call, address, site) {
  const way = hand ? "with scripts" : "without scripts";
  const press = (name) => page.getByRole("button", { name }).first().click();
  const back = async (heading) => {
    await page.goBack();
    await see(page, heading, `Back leads to the form ${way}`);
  };
  const wallet = `0x${(hand ? "1" : "2").repeat(40)}`;
  const made = await call("/api/users/metadatas", { walletAddress: wallet, displayName: wallet.slice(0, 8) });
  await page.goto(`${address}${site}/members?q=${wallet}`);
  const member = await page.locator("main a.name").first().getAttribute("href");
  await page.goto(`${address}${member}/adjust`);
  await page.getByLabel("Amount", { exact: true }).fill("5");
  await page.getByLabel("Reason", { exact: true }).fill("Sorry");
  await press("Adjust balance");
  await see(page, "Sorry");
  await back("Adjust the balance");
  await press("Adjust balance");
  await page.waitForLoadState();
  const { body } = await call(`/api/loyalty/transaction_entries?walletAddress=${wallet}`);
  check(body.data.length === 1, `points of a form that Back brings up are given once ${way}`, `${made.status}: ${body.data.length}`);

  const count = async () => (await call("/api/loyalty/rule_groups")).body.data.length;
  const before = await count();
  await page.goto(`${address}${site}/groups`);
  await page.getByLabel("Name", { exact: true }).last().fill(`By hand ${way}`);
  await press("Create group");
  await see(page, "created");
  await back("Groups");
  await page.getByLabel("Name", { exact: true }).last().fill(`By hand ${way}`);
  await press("Create group");
  await see(page, "applied only once", `a form that Back brings up is told from a new one ${way}`);
  check((await count()) === before + 1, `a group of a form that Back brings up is made once ${way}`, `${before} and ${await count()}`);
}

// moved moves groups by their buttons, and looks whether the focus stays on the button that was used.
async function moved(page, address, site) {
  await page.goto(`${address}${site}/groups`);
  const first = await page.locator("ul.order li b").first().innerText();
  await page.getByRole("button", { name: `Move “${first}” down` }).focus();
  await page.keyboard.press("Enter");
  await see(page, "Order saved");
  check((await page.locator("ul.order li b").first().innerText()) !== first, "the group has moved");
  const at = await page.evaluate(() => document.activeElement.textContent.trim());
  check([`Move “${first}” down`, `Move “${first}” up`].includes(at), "the focus stays with the group that was moved", at);
}

async function lostConnection(page, hand, browser, address, rule, amount) {
  await page.goto(address + rule);
  await hand.fill("Amount", "33");
  page.breaks = true;
  await browser.setOffline(true);
  await hand.press("button", "Save changes");
  await see(page, "No connection. Your entries are kept", "a lost connection is told", "#notices");
  check((await page.getByLabel("Amount", { exact: true }).inputValue()) === "33", "what was typed stays");
  await browser.setOffline(false);
  page.breaks = false;
  await hand.press("button", "Save changes");
  await see(page, "Rule saved", "the same button works again");
  check((await amount()) === 33, "the edit is saved");
  check((await page.locator("#notices").innerText()) === "", "the banner goes");
  await page.goto(`${address}${rule}/history`);
  check((await page.getByText("Undo this edit").count()) === 1, "the edit is there once");
}

async function endedSession(page, hand, browser, address, rule, amount) {
  await page.goto(address + rule);
  await hand.fill("Amount", "34");
  await browser.clearCookies({ name: "laurel_admin" });
  page.breaks = true;
  await hand.press("button", "Save changes");
  await see(page, "You were signed out", "an ended session is told", "#notices");
  const [tab] = await Promise.all([browser.waitForEvent("page"), page.locator("#notices a").click()]);
  await mouse(tab).fill("E-mail", "ines@alder.example");
  await mouse(tab).fill("Password", password);
  await mouse(tab).press("button", "Sign in");
  await see(tab, "Overview", "signing in works in another tab");
  await tab.close();
  page.breaks = false;
  check((await page.getByLabel("Amount", { exact: true }).inputValue()) === "34", "what was typed is still there");
  await hand.press("button", "Save changes");
  await see(page, "Rule saved", "and the same button saves it");
  check((await amount()) === 34, "the edit after signing in is saved");
}

async function twoEditors(first, browser, address, rule, amount) {
  const second = await open({}, browser);
  await first.goto(address + rule);
  await second.goto(address + rule);
  await mouse(first).fill("Amount", "40");
  await mouse(first).press("button", "Save changes");
  await see(first, "Rule saved");
  await mouse(second).fill("Amount", "50");
  await mouse(second).press("button", "Save changes");
  await see(second, "Someone else changed this rule", "the second editor is told");
  const row = await second.locator("table.three tr", { hasText: "Amount" }).innerText();
  check(/50[^0-9]+40[^0-9]+34/.test(row), "the page shows yours, theirs and before", row);
  check(await second.evaluate(() => document.activeElement.id === "problems"), "the focus goes to what is wrong");
  check((await amount()) === 40, "nothing is saved before that is decided");
  await mouse(second).press("button", "Overwrite their changes");
  await see(second, "Rule saved", "the second editor decides");
  check((await amount()) === 50, "and that is saved");
  await second.close();
}

// names visits every page with a member and a rule whose names would be code.
async function names(page, call, address, site, rule) {
  const wallet = "0x00000000000000000000000000000000000a11ce";
  const named = await call("/api/users/metadatas", { walletAddress: wallet, displayName: evil });
  check(named.status === 200, "a member has a name", JSON.stringify(named.body));
  const done = await call(`/api/loyalty/rules/${rule.split("/").pop()}/complete`, { walletAddress: wallet });
  check(done.status === 200, "and completes the rule", JSON.stringify(done.body));
  let shown = 0;
  const paths = await found(page.context(), address, site, call);
  for (const path of paths) {
    await page.goto(address + path);
    if ((await page.locator("body").innerText()).includes(evil)) shown++;
    const made = await page.evaluate(() => document.querySelectorAll('img[src="x"], [onerror]').length);
    check(made === 0, `${path} shows names as text`);
  }
  check(shown > 8, "names are shown", `on ${shown} pages`);
  await longNames(page, call, address, rule, wallet, paths);
}

// longNames visits the same pages with the longest names there may be, without a place to break them.
async function longNames(page, call, address, rule, wallet, paths) {
  const long = "W".repeat(1000);
  for (const [path, body] of [
    [`/api/loyalty/rules/${rule.split("/").pop()}`, { name: long }],
    ["/api/users/metadatas", { walletAddress: wallet, displayName: long }],
    ["/api/loyalty/rule_groups/create", { name: long, subtitle: long }],
  ]) {
    const { status, body: said } = await call(path, body);
    check(status === 200, `${path} takes a long name`, JSON.stringify(said).slice(0, 200));
  }
  const before = page.viewportSize();
  let shown = 0;
  for (const path of paths) {
    await page.goto(address + path);
    if ((await page.locator("body").innerText()).includes(long.slice(0, 40))) shown++;
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await fits(page, `${path} with long names at ${width}`);
    }
  }
  await page.setViewportSize(before);
  check(shown > 8, "long names are shown", `on ${shown} pages`);
}
