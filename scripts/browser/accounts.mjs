// Members connect accounts through a real OpenID Connect provider: one links, earns a rule and unlinks; a second one is
// refused and moves the account. Admins sign in to the dashboard with the same provider.
import { join } from "node:path";
import { check, context, judge, open, see } from "./harness.mjs";

const alice = "0x00000000000000000000000000000000000a11ce";
const bob = "0x0000000000000000000000000000000000000b0b";

// accounts runs on an empty server whose driver of code_host is the provider. keys are those of a program.
export async function accounts(address, key, shop, setup) {
  const call = async (method, path, body) => {
    const answer = await fetch(address + path, {
      method,
      headers: { "X-API-KEY": key, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const metadata = async (wallet) => (await call("GET", `/api/users?walletAddress=${wallet}`)).body.data[0]?.userMetadata[0] ?? {};

  // flow starts a flow for a wallet, and goes through it in a browser of its own as who logs in by a name.
  const flow = async (wallet, name, choice = "Log in") => {
    const back = encodeURIComponent(`${shop}/account?from=laurel`);
    const started = await call("GET", `/api/code_host/auth?responseType=json&walletAddress=${wallet}&redirect=${back}`);
    check(started.status === 200, "a flow starts", JSON.stringify(started.body));
    const page = await open({}, await context());
    await page.goto(started.body.url);
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: choice }).click();
    await page.waitForURL(`${shop}/**`);
    const query = new URL(page.url()).searchParams;
    check(query.get("from") === "laurel", "the redirect keeps its parameters", page.url());
    return { page, query };
  };

  const rule = await call("POST", "/api/loyalty/rules", {
    name: "Connect your code host", type: "connected_code_host", amount: 10,
    loyaltyCurrencyId: (await call("GET", "/api/loyalty/currencies")).body.data[0].id,
  });
  check(rule.status === 200, "a rule is made", JSON.stringify(rule.body));
  const complete = (wallet) => call("POST", `/api/loyalty/rules/${rule.body.id}/complete`, { walletAddress: wallet });

  const denied = await flow(alice, "octavia", "Cancel");
  await see(denied.page, "error ACCESS_DENIED", "a member who cancels is told so");
  const early = await complete(alice);
  check(early.status === 400 && early.body.message === "Code host not connected", "nothing is earned yet", JSON.stringify(early.body));

  const linked = await flow(alice, "octavia");
  await see(linked.page, "success", "a member links an account");
  const found = await metadata(alice);
  check(found.codeHostUserId === "octavia" && found.codeHostUser === "name-of-octavia" && found.codeHostVerifiedAt,
    "the account is in the metadata", JSON.stringify(found));
  await linked.page.goBack({ waitUntil: "commit" }).catch(() => {}); // the browser may leave the callback out
  const done = await complete(alice);
  check(done.status === 200, "and earns the rule", JSON.stringify(done.body));

  const refused = await flow(bob, "octavia");
  await see(refused.page, "error MAXIMUM_ACCOUNT_LINKED", "a second member is refused");
  check(refused.query.get("message") === "Code host account is already connected to another user", "in words", refused.query.toString());
  const moved = await call("POST", "/api/users/verify", { walletAddress: bob, accountLinkData: refused.query.get("accountLinkData") });
  check(moved.status === 200 && (await metadata(bob)).codeHostUserId === "octavia" && (await metadata(alice)).codeHostUserId === null,
    "and moves the account", JSON.stringify(moved.body));
  const twice = await complete(bob);
  check(twice.status === 400, "which earns the rule once", JSON.stringify(twice.body));

  const unlinked = await call("DELETE", "/api/code_host/auth", { walletAddress: bob });
  check(unlinked.status === 200 && (await metadata(bob)).codeHostUserId === null, "and unlinks it", JSON.stringify(unlinked.body));
  await see((await flow(alice, "octavia")).page, "success", "after which the first links it again");
  await signIn(address, setup);
}

// sizes are the windows and themes in which the pages are looked at.
const sizes = [
  { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
  { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  { viewport: { width: 390, height: 844 }, colorScheme: "light" },
];

// signIn lets the first admin join by the setup link and the provider, sign in again, confirm and unlink.
async function signIn(address, setup) {
  const login = async (page, name) => {
    await page.getByLabel("Name").fill(name);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL(`${address}/admin/**`);
  };
  const look = async (page, name) => {
    for (const { viewport, colorScheme } of sizes) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await judge(page, name);
      const file = `provider-${name}-${viewport.width}-${colorScheme}.png`;
      await page.screenshot({ path: join(process.env.LAUREL_SHOTS, file), fullPage: true });
    }
    await page.setViewportSize(sizes[0].viewport);
  };

  const page = await open({}, await context());
  await page.goto(setup);
  await look(page, "setup");
  await page.getByRole("link", { name: "Continue with Acme ID" }).click();
  await login(page, "ines");
  await page.goto(`${address}/admin/account`);
  await see(page, "ines@acme.example", "the first admin joins without a password");
  check(await page.getByLabel("Name").inputValue() === "Name of ines", "with the name that the provider knows");
  await look(page, "account");

  await page.goto(`${address}/admin/`);
  const site = new URL(page.url()).pathname.split("/")[2];
  await page.goto(`${address}/admin/${site}/keys/new`);
  await look(page, "key");
  await page.getByRole("link", { name: "Acme ID", exact: true }).click();
  await login(page, "ines");
  await see(page, "You confirmed with Acme ID", "an admin without password confirms at the provider");
  await look(page, "key-confirmed");
  await page.getByLabel("Name").fill("Shop server");
  await page.getByRole("button", { name: "Create key" }).click();
  await see(page, "Your new API key", "and creates a key");

  const out = await open({}, await context());
  await out.goto(`${address}/admin/account`);
  await look(out, "sign-in");
  await out.getByRole("link", { name: "Sign in with Acme ID" }).click();
  await login(out, "otto");
  await see(out, "Nobody with the e-mail address otto@acme.example has an account here", "a stranger is refused");
  await look(out, "refused");

  const again = await open({}, await context());
  await again.goto(`${address}/admin/account`);
  await again.getByRole("link", { name: "Sign in with Acme ID" }).click();
  await login(again, "ines");
  check(new URL(again.url()).pathname === "/admin/account", "the sign-in leads to the page that was asked for", again.url());
  await again.getByRole("button", { name: "Unlink" }).click();
  await see(again, "Account unlinked", "an admin unlinks");
  await page.goto(`${address}/admin/account`);
  check(new URL(page.url()).pathname === "/admin/sign-in", "which ends the other sessions", page.url());
}
