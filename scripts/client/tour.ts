// The tour of scripts/tour.sh through a client whose types are generated from openapi.json. scripts/client.sh runs it.
// It takes the server's address and two programs as laurel init --json prints them from the environment.
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./build/schema.js";
import { faultsOfDocument, Witness } from "./document.js";

type Program = Record<"organizationId" | "websiteId" | "loyaltyCurrencyId" | "websiteApiKey" | "readOnlyApiKey" | "clientApiKey", string>;
type Entry = components["schemas"]["Entry"];
type EntryQuery = NonNullable<paths["/api/loyalty/transaction_entries"]["get"]["parameters"]["query"]>;

const baseUrl = setting("LAUREL_ADDRESS");
const acme = JSON.parse(setting("LAUREL_PROGRAM")) as Program;
const other = JSON.parse(setting("LAUREL_OTHER_PROGRAM")) as Program;

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

const witness = new Witness();

function client(key?: string, memberToken?: string): Client<paths> {
  const headers = { ...(key && { "X-API-KEY": key }), ...(memberToken && { Authorization: `Bearer ${memberToken}` }) };
  const api = createClient<paths>({ baseUrl, headers });
  api.use(witness.middleware);
  return api;
}

let passed = 0;
let failed = 0;

/** Compares what the server answered with what it must answer, and shows it. */
function sees(sentence: string, got: unknown, want: unknown): void {
  const [is, must] = [JSON.stringify(got), JSON.stringify(want)];
  if (is === must) passed++;
  else failed++;
  console.log(is === must ? `  ok    ${sentence.padEnd(58)} ${is}` : `  FAIL  ${sentence.padEnd(58)} ${is}, wanted ${must}`);
}

interface Answer<T> {
  data?: T;
  error?: { message: string };
  response: Response;
}

/** Answers the body of a success; anything else ends the tour. */
function success<T>(answer: Answer<T>): T {
  if (answer.data === undefined) throw new Error(`${answer.response.url}: ${answer.response.status} ${answer.error?.message}`);
  return answer.data;
}

function refused(sentence: string, answer: Answer<unknown>, status: number, message: string): void {
  sees(sentence, [answer.response.status, answer.error?.message], [status, message]);
}

const amounts = (list: { amount: number }[]): number[] => list.map((item) => item.amount);

const wallets = {
  alice: "0x00000000000000000000000000000000000000a1",
  bob: "0x00000000000000000000000000000000000000b2",
  carol: "0x00000000000000000000000000000000000000c3",
};
const site = client(acme.websiteApiKey);
const reader = client(acme.readOnlyApiKey);

function complete(api: Client<paths>, id: string, body: components["schemas"]["CompleteRuleInputBody"]) {
  return api.POST("/api/loyalty/rules/{id}/complete", { params: { path: { id } }, body });
}

async function earn(): Promise<{ ruleId: string; orderId: string }> {
  console.log("\nMake a rule and complete it for three wallets");
  const rule = success(await site.POST("/api/loyalty/rules", { body: { name: "Welcome", type: "external_rule", amount: 10, interval: "once" } }));
  sees("a rule that pays 10 points once", [rule.amount, rule.interval, rule.loyaltyCurrencyId], [10, "once", acme.loyaltyCurrencyId]);
  for (const [name, walletAddress] of Object.entries(wallets)) {
    const done = success(await complete(site, rule.id, { walletAddress }));
    sees(`completed for ${name}`, [done.data.status, done.data.rewards[0]?.amount], ["completed", 10]);
  }
  const renamed = success(await site.POST("/api/loyalty/rules/{id}", { params: { path: { id: rule.id } }, body: { name: "Welcome!" } }));
  sees("the rule is renamed", renamed.name, "Welcome!");
  const listed = success(await client(acme.clientApiKey).GET("/api/loyalty/rules"));
  sees("a publishable key lists the rules", listed.data.map((r) => r.name), ["Welcome!"]);
  const order = success(
    await site.POST("/api/loyalty/transactions", {
      body: {
        description: "Order A-1",
        type: "order",
        loyaltyCurrencyId: acme.loyaltyCurrencyId,
        entries: [{ walletAddress: wallets.alice, amount: "5.25", idempotencyKey: "A-1", metadata: { orderId: "A-1" } }],
      },
    }),
  );
  sees("5.25 more for alice by a transaction", amounts(order.entries), [5.25]);
  return { ruleId: rule.id, orderId: order.id };
}

async function balances(): Promise<Record<keyof typeof wallets, components["schemas"]["Account"]>> {
  console.log("\nBalances, and ranks where bob and carol tie");
  const loyaltyCurrencyId = acme.loyaltyCurrencyId;
  const board = success(await reader.GET("/api/loyalty/accounts", { params: { query: { loyaltyCurrencyId } } }));
  sees("the leaderboard", amounts(board.data), [15.25, 10, 10]);
  const of = (wallet: string) => {
    const found = board.data.find((account) => account.user?.walletAddress === wallet);
    if (found === undefined) throw new Error(`${wallet} has no account`);
    return found;
  };
  const accounts = { alice: of(wallets.alice), bob: of(wallets.bob), carol: of(wallets.carol) };
  for (const [name, want] of [["alice", 1], ["bob", 2], ["carol", 2]] as const) {
    const { rank } = success(
      await reader.GET("/api/loyalty/accounts/{id}/rank", {
        params: { path: { id: accounts[name].id }, query: { organizationId: acme.organizationId, websiteId: acme.websiteId, loyaltyCurrencyId } },
      }),
    );
    sees(`the rank of ${name}`, rank, want);
  }
  return accounts;
}

async function history(ruleId: string, orderId: string, accounts: Awaited<ReturnType<typeof balances>>): Promise<void> {
  console.log("\nEntries, by each filter");
  const team = success(
    await site.POST("/api/users/metadatas", {
      body: { walletAddress: wallets.bob, walletGroupIdentifier: "the-bobs", userGroupExternalIdentifier: "team-1" },
    }),
  );
  const entries = async (query: EntryQuery): Promise<Entry[]> =>
    success(await reader.GET("/api/loyalty/transaction_entries", { params: { query } })).data;
  const newest = await entries({ limit: 1 });
  const first = newest[0]?.id ?? "";
  const all = [5.25, 10, 10, 10];
  const filters: [EntryQuery, number[]][] = [
    [{}, all],
    [{ organizationId: acme.organizationId }, all],
    [{ websiteId: acme.websiteId }, all],
    [{ limit: 1 }, [5.25]],
    [{ startingAfter: first }, [10, 10, 10]],
    [{ walletAddress: [wallets.alice] }, [5.25, 10]],
    [{ walletAddress: [wallets.alice, wallets.bob] }, [5.25, 10, 10]],
    [{ userId: [accounts.alice.userId ?? ""] }, [5.25, 10]],
    [{ walletGroupIdentifier: "the-bobs" }, [10]],
    [{ userGroupExternalIdentifier: "team-1" }, [10]],
    [{ userGroupId: team.userGroupId ?? "" }, [10]],
    [{ loyaltyTransactionId: orderId }, [5.25]],
    [{ loyaltyAccountId: accounts.bob.id }, [10]],
    [{ loyaltyRuleId: [ruleId] }, [10, 10, 10]],
    [{ loyaltyRuleType: ["external_rule"] }, [10, 10, 10]],
    [{ loyaltyRuleType: ["check_in"] }, []],
    [{ loyaltyRuleGroupId: acme.organizationId }, []],
    [{ idempotencyKey: "A-1" }, [5.25]],
    [{ type: "order" }, [5.25]],
    [{ direction: "debit" }, []],
    [{ loyaltyCurrencyId: [acme.loyaltyCurrencyId] }, all],
    [{ createdAtStart: "2020-01-01T00:00:00Z" }, all],
    [{ createdAtEnd: "2020-01-01T00:00:00Z" }, []],
    [{ sortDir: "asc" }, [10, 10, 10, 5.25]],
    [{ sortBy: "updatedAt" }, all],
    [{ sortBy: "loyaltyAccountLockVersion", walletAddress: [wallets.alice] }, [5.25, 10]],
    [{ userCompletedLoyaltyRuleId: [ruleId], walletAddress: [wallets.carol] }, [10]],
  ];
  for (const [query, want] of filters) {
    sees(Object.entries(query).map(([name, value]) => `${name}=${value}`.slice(0, 40)).join(" ") || "no filter", amounts(await entries(query)), want);
  }
  sees("the caller's metadata came back", newest[0]?.metadata, { orderId: "A-1" });
}

async function quests(): Promise<void> {
  console.log("\nHistory, progress and codes");
  const quest = success(await site.POST("/api/loyalty/rules", { body: { name: "Quest", type: "external_rule", amount: 7, trackProgress: true } }));
  await site.POST("/api/loyalty/rules/{id}", { params: { path: { id: quest.id } }, body: { amount: 70, editComment: "a slip" } });
  const edits = success(await reader.GET("/api/loyalty/rule_edits", { params: { query: { loyaltyRuleId: quest.id } } })).data;
  sees("two edits", edits.map((e) => [e.action, e.comment]), [["update", "a slip"], ["create", undefined]]);
  const undone = success(await site.POST("/api/loyalty/rule_edits/{id}/restore", { params: { path: { id: edits[0]?.id ?? "" } }, body: {} }));
  sees("the slip is undone", [undone.action, undone.data, undone.previousData], ["restore", { amount: 7 }, { amount: 70 }]);
  const walletAddress = wallets.carol;
  const at = success(await site.POST("/api/loyalty/rule_statuses", { body: { loyaltyRuleId: quest.id, walletAddress, progress: 60 } }));
  sees("progress", at.progress, 60);
  refused("60 is not enough", await complete(site, quest.id, { walletAddress }), 400, "Quest not completed");
  await site.POST("/api/loyalty/rule_statuses", { body: { loyaltyRuleId: quest.id, walletAddress, incProgress: 60 } });
  sees("100 is", success(await complete(site, quest.id, { walletAddress })).data.rewards[0]?.amount, 7);
  const metadata = { promoCodeType: "generate", promoCodeLength: 1 };
  const ticket = success(await site.POST("/api/loyalty/rules", { body: { name: "Ticket", type: "code_entry", amount: 3, metadata } }));
  const codes = success(await site.GET("/api/loyalty/rules/{id}/codes", { params: { path: { id: ticket.id } } })).data;
  const verificationCode = codes[0]?.code ?? "";
  sees("a code is good", success(await complete(site, ticket.id, { walletAddress, verificationCode })).data.status, "completed");
  const late = await complete(site, ticket.id, { walletAddress: wallets.bob, verificationCode });
  refused("once", late, 400, "The code you entered could not be verified");
}

async function refusals(ruleId: string): Promise<void> {
  console.log("\nRefusals and keys");
  refused("once is once", await complete(site, ruleId, { walletAddress: wallets.alice }), 400, "You have already been rewarded");
  refused("nobody is named", await complete(site, ruleId, {}), 400, "userId or walletAddress is required");
  refused("no such rule", await complete(site, acme.organizationId, { walletAddress: wallets.alice }), 404, "Loyalty rule not found");
  refused("a malformed id", await complete(site, "nonsense", { walletAddress: wallets.alice }), 400, "loyaltyRuleId must be a uuid");
  const overdraft = await site.POST("/api/loyalty/transactions", {
    body: {
      description: "Too much",
      loyaltyCurrencyId: acme.loyaltyCurrencyId,
      entries: [{ walletAddress: wallets.carol, amount: 20.000001, direction: "debit" }],
    },
  });
  refused("a millionth more than there is", overdraft, 400, "Insufficient balance");
  const query = { limit: 101 };
  refused("a limit out of range", await site.GET("/api/loyalty/transaction_entries", { params: { query } }), 400, "limit must be between 1 and 100");
  refused("no key", await client().GET("/api/loyalty/rules"), 403, "API key is required");
  refused("a key that is none", await client("nonsense").GET("/api/loyalty/rules"), 403, "Invalid API key");
  const write = await reader.POST("/api/loyalty/rules", { body: { name: "x", type: "external_rule" } });
  refused("a read-only key writes", write, 403, "API key is read-only");
  const stranger = client(other.websiteApiKey);
  const { organizationId, websiteId } = acme;
  refused("another organization's key names this organization", await stranger.GET("/api/loyalty/rules", { params: { query: { organizationId } } }), 403,
    "API key does not have access to this organization");
  refused("another organization's key names this website", await stranger.GET("/api/loyalty/rules", { params: { query: { websiteId } } }), 403,
    "API key does not have access to this website");
  refused("another organization's key names this rule", await complete(stranger, ruleId, { walletAddress: wallets.alice }), 404, "Loyalty rule not found");
}

async function fields(ruleId: string): Promise<void> {
  console.log("\nSetting and clearing, tokens and lists");
  const params = { path: { id: ruleId } };
  const full = success(
    await site.POST("/api/loyalty/rules/{id}", {
      params,
      body: {
        maxAmountPerInterval: "2.5",
        maxAmountInterval: "daily",
        collections: [{ address: wallets.alice, network: "polygon" }],
        startTime: "2026-01-01T00:00:00+02:00",
        claimType: "auto",
        metadata: { note: "kept" },
      },
    }),
  );
  sees("set", [full.maxAmountPerInterval, full.collections?.length, full.startTime, full.claimType], [2.5, 1, "2025-12-31T22:00:00.000Z", "auto"]);
  const nothing = { maxAmountPerInterval: null, maxAmountInterval: null, collections: null, startTime: null, claimType: null, metadata: null, amount: null };
  const bare = success(await site.POST("/api/loyalty/rules/{id}", { params, body: nothing }));
  sees("cleared", [bare.maxAmountPerInterval, bare.collections, bare.startTime, bare.claimType, bare.metadata, bare.amount], [null, null, null, null, {}, null]);
  const group = success(await site.POST("/api/loyalty/rule_groups/create", { body: { name: "First steps" } }));
  success(await site.POST("/api/loyalty/rules/{id}", { params, body: { loyaltyRuleGroupId: group.id, isRequired: true } }));
  sees("in a group", success(await reader.GET("/api/loyalty/rule_groups")).data[0]?.loyaltyGroupItems[0]?.loyaltyRule.id, ruleId);
  const stars = success(await site.POST("/api/loyalty/currencies", { body: { name: "Stars", symbol: "STR", decimals: 0, apiAuthType: "none" } }));
  sees("a currency more", success(await reader.GET("/api/loyalty/currencies")).data.map((c) => c.name).includes(stars.name), true);
  const header = { "Idempotency-Key": "token-1" };
  const token = success(await site.POST("/api/users/tokens", { params: { header }, body: { walletAddress: wallets.alice } }));
  const again = success(await site.POST("/api/users/tokens", { params: { header }, body: { walletAddress: wallets.alice } }));
  sees("a token is shown once", [typeof token.token, typeof again.token], ["string", "undefined"]);
  const page = client(acme.clientApiKey, token.token);
  const me = success(await page.GET("/api/users", { params: { query: { walletAddress: [wallets.alice] } } }));
  sees("with it a page reads its user", me.data.map((u) => u.walletAddress), [wallets.alice]);
  const tried = success(await complete(site, ruleId, { walletAddress: "0x00000000000000000000000000000000000000d4", verifyOnly: "true" }));
  sees("a completion tried only", tried.data.rewards, []);
  success(await site.POST("/api/loyalty/rule_statuses", { body: { loyaltyRuleId: ruleId, walletAddress: wallets.bob, incProgress: "1.5" } }));
  success(await reader.GET("/api/loyalty/rule_statuses"));
  success(await reader.GET("/api/loyalty/rules/status"));
  const edits = success(await reader.GET("/api/loyalty/rule_edits", { params: { query: { loyaltyRuleId: ruleId } } }));
  sees("the rule's edits", edits.data.map((e) => e.action), ["update", "update", "update", "update", "create"]);
  success(await site.POST("/api/loyalty/rule_edits/{id}/restore", { params: { path: { id: edits.data[0]?.id ?? "" } } }));
  success(await site.GET("/api/loyalty/rules/{id}/codes", { params }));
  sees("the website", success(await reader.GET("/api/websites")).data[0]?.id, acme.websiteId);
  success(await site.DELETE("/api/loyalty/rules/{id}", { params }));
  success(await site.DELETE("/api/loyalty/rule_groups/{id}", { params: { path: { id: group.id } } }));
}

const { ruleId, orderId } = await earn();
const accounts = await balances();
await history(ruleId, orderId, accounts);
await quests();
await refusals(ruleId);
await fields(ruleId);
console.log("\nThe document");
sees("it is OpenAPI 3.1 of strict schemas, and its examples fit", await faultsOfDocument(), []);
sees(`the ${witness.seen} answers fit it`, witness.faults, []);
console.log(`\ngenerated client: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
