// The first hour on an empty server, with a mouse, by keyboard alone, and without JavaScript.
import { calls, check, context, judge, open, password, see } from "./harness.mjs";
import { keyboard, mouse } from "./hands.mjs";

const wallet = "0x00000000000000000000000000000000000a11ce";

// firstHour goes from the setup link to signing out. way: script, keyboard or plain.
export async function firstHour(way, address, setup) {
  const browser = await context({ javaScriptEnabled: way !== "plain" });
  const page = await open({}, browser);
  const hand = way === "keyboard" ? keyboard(page) : mouse(page);
  const is = (what) => `${way}: ${what}`;
  // menu follows a link of the menu. A group that the page is not in is folded, and opened first.
  const menu = async (name, expected, group) => {
    if (group && way === "keyboard") await hand.press("button", group);
    if (group && way !== "keyboard") await page.locator("details.group > summary", { hasText: group }).click();
    await hand.press("link", name);
    await see(page, expected, is(`the menu leads to ${name}`));
  };

  await page.goto(setup);
  await hand.fill("E-mail", "ines@alder.example");
  await hand.fill("Name optional", "Ines Baptiste");
  await hand.fill("Password", password);
  await hand.press("button", "Continue");
  await see(page, "Set up your program", is("the link makes an account"));
  await hand.fill("Organization", "Alder & Finch");
  await hand.fill("Website", "shop.alder.example");
  await hand.fill("Currency", "Acorns");
  await hand.press("button", "Continue");
  await see(page, "New API key", is("setup leads to the first key"));
  const site = new URL(page.url()).pathname.replace("/keys/new", "");

  await hand.skip();
  await hand.fill("Name", "Shop server");
  await hand.fill("Your password", password);
  await hand.press("button", "Create key");
  await see(page, "Your new API key", is("the key is made"));
  const key = (await page.locator("#key").innerText()).trim();
  check(key.startsWith("lrl_w_"), is("the key is shown"), key);
  if (way === "script") await judge(page, "the page of a new key");
  await hand.skip();
  await hand.press("link", "I have stored the key");
  await see(page, "Shop server", is("the key is listed"));
  check(!(await page.content()).includes(key), is("the key is not shown again"));
  const call = calls(address, key);

  await menu("Rules", "Rules define what members can do", "Program");
  await hand.skip();
  await hand.press("link", /^\s*Create rule/);
  await see(page, "Choose what members do", is("a rule begins with its type"));
  await hand.skip();
  await hand.press("link", "Check-in");
  await see(page, "New rule: Check-in", is("each type has its form"));
  if (way === "plain") await keepsTheForm(page, hand, browser, is);
  await hand.skip();
  await hand.fill("Name", "Visit");
  await hand.fill("Amount", "10");
  await hand.choose("How often a member can earn the reward", "Once a day");
  await addRow(page, hand, is);
  await hand.press("button", "Create rule");
  await see(page, "Rule created", is("the form makes a rule"));
  const rule = new URL(page.url()).pathname.split("/").pop();

  await tries(page, hand, way, is);
  const done = await call(`/api/loyalty/rules/${rule}/complete`, { walletAddress: wallet });
  check(done.status === 200, is("a member completes it by the key"), JSON.stringify(done.body));
  await menu("Overview", "Newest entries");
  await see(page, "got the reward for “Visit”", is("the overview shows it"));
  await menu("Members", "All members");
  await hand.skip();
  await hand.press("link", /^0x0000/);
  await see(page, "Visit", is("the page of the member shows the entry"));
  await see(page, "+10", is("and its amount"));

  await page.goto(`${address}${site}/rules/${rule}`);
  await hand.skip();
  await hand.fill("Amount", "12");
  await hand.press("button", "Save changes");
  await see(page, "Rule saved", is("an edit is saved"));
  check((await page.getByLabel("Amount", { exact: true }).inputValue()) === "12", is("the form shows it"));
  await hand.skip();
  await hand.press("link", "History");
  await see(page, "Undo this edit", is("the history has it"));
  await hand.skip();
  await hand.press("button", /^\s*Undo this edit/);
  await see(page, "Edit undone", is("the edit is undone"));
  const { body } = await call("/api/loyalty/rules");
  check(body.data.length === 1 && Number(body.data[0].amount) === 10, is("the rule pays what it paid"), JSON.stringify(body).slice(0, 200));

  await menu("API keys", "Shop server", "Integrate");
  await hand.skip();
  await hand.press("link", /^\s*Revoke/);
  await see(page, "Requests with this key will stop working", is("revoking asks first"));
  await hand.skip();
  await hand.press("button", "Revoke key");
  await see(page, "Key revoked", is("the key is revoked"));
  const refused = await call("/api/loyalty/rules");
  check([401, 403].includes(refused.status), is("a revoked key is refused"), refused.status);
  await (way === "keyboard" ? hand.press("button", /account menu/) : page.locator("summary", { hasText: "account menu" }).click());
  await hand.press("button", "Sign out");
  await see(page, "Sign in to the dashboard of this Laurel server", is("signing out leads to the door"));
  await page.goto(`${address}${site}/rules`);
  check(page.url().includes("sign-in"), is("nothing is seen without signing in"), page.url());
  await browser.close();
}

// addRow adds a row to a list of the form, fills it, and expects what was typed before to stay.
async function addRow(page, hand, is) {
  await hand.press("button", /Add row to Streak bonuses/);
  const row = page.locator(".lines .line").first();
  await row.waitFor().catch(async (e) => {
    const states = await row.evaluateAll((all) => all.map((at) => JSON.stringify({
      box: at.getBoundingClientRect(), display: getComputedStyle(at).display, drawn: at.checkVisibility(),
      list: at.closest(".lines").getBoundingClientRect(), page: document.readyState, sheets: document.styleSheets.length,
    })));
    throw new Error(`no row is seen: ${states.join("; ") || "none is there"}; ${e.message}`);
  });
  check((await page.getByLabel("Name", { exact: true }).inputValue()) === "Visit", is("a new row keeps what was typed"));
  const [first, second] = await page.$$eval(".lines .line input.num", (all) => all.map((a) => a.getAttribute("aria-label")));
  await hand.fill(first, "3");
  await hand.fill(second, "5");
}

// tries judges a draft: live with script, by the button otherwise. Nothing is written.
async function tries(page, hand, way, is) {
  await hand.skip();
  await hand.fill("Amount", "11");
  if (way === "script") await see(page, "Would be rewarded", is("the verdict comes while typing"), "#try-result");
  else await hand.press("button", "Test rule");
  await see(page, "Would be rewarded", is("the dry run tells the verdict"), "#try-result");
  await see(page, "11 Acorns", is("the dry run judges what is typed"), "#try-result");
}

// keepsTheForm ends the session in the middle of a form, and expects what was typed after signing in.
async function keepsTheForm(page, hand, browser, is) {
  await hand.fill("Name", "Typed before the session ended");
  await hand.fill("Amount", "77");
  await browser.clearCookies({ name: "laurel_admin" });
  await hand.press("button", "Create rule");
  await see(page, "Sign in", is("a form without a session leads to the door"));
  if (await page.getByRole("link", { name: /sign in/i }).count()) await page.getByRole("link", { name: /sign in/i }).first().click();
  await hand.fill("E-mail", "ines@alder.example");
  await hand.fill("Password", password);
  await hand.press("button", "Sign in");
  await see(page, "Not saved yet", is("signing in leads back, and says that nothing was saved"));
  const typed = [await page.getByLabel("Name", { exact: true }).inputValue(), await page.getByLabel("Amount", { exact: true }).inputValue()];
  check(typed.join() === "Typed before the session ended,77", is("what was typed is back"), typed);
}
