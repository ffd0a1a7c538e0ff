// The tour of scripts/tour.sh through the client of clients/typescript. scripts/client.sh runs it.
// It takes the server's address and two programs as laurel init --json prints them from the environment.
import { Laurel, LaurelError, type TransactionEntriesListParams, type types, type WithOwn } from "#laurel";
import { faultsOfDocument, Witness } from "./document.js";
import { runShop } from "./shop.js";
import { tryTransport } from "./transport.js";

type Program = Record<"organizationId" | "websiteId" | "loyaltyCurrencyId" | "websiteApiKey" | "readOnlyApiKey" | "clientApiKey", string>;
type EntryQuery = TransactionEntriesListParams;

const baseUrl = setting("LAUREL_ADDRESS");
const acme = JSON.parse(setting("LAUREL_PROGRAM")) as Program;
const other = JSON.parse(setting("LAUREL_OTHER_PROGRAM")) as Program;

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

const witness = new Witness();

function client(apiKey = "", memberToken?: string): Laurel {
  return new Laurel({ baseUrl, apiKey, memberToken, fetch: witness.fetch, retries: 0 });
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

/** Answers the refusal of a call; a success ends the tour. */
async function refusalOf(call: Promise<unknown>): Promise<LaurelError> {
  const error: unknown = await call.then(() => undefined, (reason: unknown) => reason);
  if (error instanceof LaurelError) return error;
  throw error ?? new Error("the call was not refused");
}

async function refused(sentence: string, call: Promise<unknown>, status: number, message: string): Promise<void> {
  const { status: got, body } = await refusalOf(call);
  sees(sentence, [got, (body as { message: string }).message], [status, message]);
}

const amounts = (list: { amount: string }[]): string[] => list.map((item) => item.amount);

const wallets = {
  alice: "0x00000000000000000000000000000000000000a1",
  bob: "0x00000000000000000000000000000000000000b2",
  carol: "0x00000000000000000000000000000000000000c3",
};
const site = client(acme.websiteApiKey);
const reader = client(acme.readOnlyApiKey);

async function earn(): Promise<{ ruleId: string; orderId: string }> {
  console.log("\nMake a rule and complete it for three wallets");
  const rule = await site.rules.create({ name: "Welcome", type: "external_rule", amount: 10, interval: "once" });
  sees("a rule that pays 10 points once", [rule.amount, rule.interval, rule.loyaltyCurrencyId], ["10", "once", acme.loyaltyCurrencyId]);
  for (const [name, walletAddress] of Object.entries(wallets)) {
    const done = await site.rules.complete(rule.id, { walletAddress });
    sees(`completed for ${name}`, [done.data.status, done.data.rewards[0]?.amount], ["completed", "10"]);
  }
  const renamed = await site.rules.update(rule.id, { name: "Welcome!" });
  sees("the rule is renamed", renamed.name, "Welcome!");
  const listed = await client(acme.clientApiKey).rules.list();
  sees("a publishable key lists the rules", listed.data.map((r) => r.name), ["Welcome!"]);
  const order = await site.transactions.post({
    description: "Order A-1",
    type: "order",
    loyaltyCurrencyId: acme.loyaltyCurrencyId,
    entries: [{ walletAddress: wallets.alice, amount: "5.25", idempotencyKey: "A-1", metadata: { orderId: "A-1" } }],
  });
  sees("5.25 more for alice by a transaction", amounts(order.entries), ["5.25"]);
  return { ruleId: rule.id, orderId: order.id };
}

async function balances(): Promise<Record<keyof typeof wallets, types.Account>> {
  console.log("\nBalances, and ranks where bob and carol tie");
  const loyaltyCurrencyId = acme.loyaltyCurrencyId;
  const board = await reader.accounts.list({ loyaltyCurrencyId });
  sees("the leaderboard", amounts(board.data), ["15.25", "10", "10"]);
  const of = (wallet: string) => {
    const found = board.data.find((account) => account.user?.walletAddress === wallet);
    if (found === undefined) throw new Error(`${wallet} has no account`);
    return found;
  };
  const accounts = { alice: of(wallets.alice), bob: of(wallets.bob), carol: of(wallets.carol) };
  for (const [name, want] of [["alice", 1], ["bob", 2], ["carol", 2]] as const) {
    const { rank } = await reader.accounts.getRank(accounts[name].id, { organizationId: acme.organizationId, websiteId: acme.websiteId, loyaltyCurrencyId });
    sees(`the rank of ${name}`, rank, want);
  }
  return accounts;
}

async function history(ruleId: string, orderId: string, accounts: Awaited<ReturnType<typeof balances>>): Promise<void> {
  console.log("\nEntries, by each filter");
  const team = await site.users.writeMetadata({ walletAddress: wallets.bob, walletGroupIdentifier: "the-bobs", userGroupExternalIdentifier: "team-1" });
  const entries = async (query: EntryQuery): Promise<types.Entry[]> => (await reader.transactionEntries.list(query)).data;
  const newest = await entries({ limit: 1 });
  const first = newest[0]?.id ?? "";
  const all = ["5.25", "10", "10", "10"];
  const filters: [EntryQuery, string[]][] = [
    [{}, all],
    [{ organizationId: acme.organizationId }, all],
    [{ websiteId: acme.websiteId }, all],
    [{ limit: 1 }, ["5.25"]],
    [{ startingAfter: first }, ["10", "10", "10"]],
    [{ walletAddress: [wallets.alice] }, ["5.25", "10"]],
    [{ walletAddress: [wallets.alice, wallets.bob] }, ["5.25", "10", "10"]],
    [{ userId: [accounts.alice.userId ?? ""] }, ["5.25", "10"]],
    [{ walletGroupIdentifier: "the-bobs" }, ["10"]],
    [{ userGroupExternalIdentifier: "team-1" }, ["10"]],
    [{ userGroupId: team.userGroupId ?? "" }, ["10"]],
    [{ loyaltyTransactionId: orderId }, ["5.25"]],
    [{ loyaltyAccountId: accounts.bob.id }, ["10"]],
    [{ loyaltyRuleId: [ruleId] }, ["10", "10", "10"]],
    [{ loyaltyRuleType: ["external_rule"] }, ["10", "10", "10"]],
    [{ loyaltyRuleType: ["check_in"] }, []],
    [{ loyaltyRuleGroupId: acme.organizationId }, []],
    [{ idempotencyKey: "A-1" }, ["5.25"]],
    [{ type: "order" }, ["5.25"]],
    [{ direction: "debit" }, []],
    [{ loyaltyCurrencyId: [acme.loyaltyCurrencyId] }, all],
    [{ createdAtStart: "2020-01-01T00:00:00Z" }, all],
    [{ createdAtEnd: "2020-01-01T00:00:00Z" }, []],
    [{ sortDir: "asc" }, ["10", "10", "10", "5.25"]],
    [{ sortBy: "updatedAt" }, all],
    [{ sortBy: "loyaltyAccountLockVersion", walletAddress: [wallets.alice] }, ["5.25", "10"]],
    [{ userCompletedLoyaltyRuleId: [ruleId], walletAddress: [wallets.carol] }, ["10"]],
  ];
  for (const [query, want] of filters) {
    sees(Object.entries(query).map(([name, value]) => `${name}=${value}`.slice(0, 40)).join(" ") || "no filter", amounts(await entries(query)), want);
  }
  sees("the caller's metadata came back", newest[0]?.metadata, { orderId: "A-1" });
}

async function quests(): Promise<void> {
  console.log("\nHistory, progress and codes");
  const quest = await site.rules.create({ name: "Quest", type: "external_rule", amount: 7, trackProgress: true });
  await site.rules.update(quest.id, { amount: 70, editComment: "a slip" });
  const edits = (await reader.ruleEdits.list({ loyaltyRuleId: quest.id })).data;
  sees("two edits", edits.map((e) => [e.action, e.comment]), [["update", "a slip"], ["create", undefined]]);
  const undone = await site.ruleEdits.restore(edits[0]?.id ?? "", {});
  sees("the slip is undone", [undone.action, undone.data, undone.previousData], ["restore", { amount: 7 }, { amount: 70 }]);
  const walletAddress = wallets.carol;
  const at = await site.ruleStatuses.write({ loyaltyRuleId: quest.id, walletAddress, progress: 60 });
  sees("progress", at.progress, "60");
  await refused("60 is not enough", site.rules.complete(quest.id, { walletAddress }), 400, "Quest not completed");
  await site.ruleStatuses.write({ loyaltyRuleId: quest.id, walletAddress, incProgress: 60 });
  sees("100 is", (await site.rules.complete(quest.id, { walletAddress })).data.rewards[0]?.amount, "7");
  const ticket = await site.rules.create({
    name: "Ticket",
    type: "code_entry",
    amount: 3,
    metadata: { promoCodeType: "generate", promoCodeLength: 1 },
  });
  const codes = (await site.rules.listCodes(ticket.id)).data;
  const verificationCode = codes[0]?.code ?? "";
  sees("a code is good", (await site.rules.complete(ticket.id, { walletAddress, verificationCode })).data.status, "completed");
  const late = site.rules.complete(ticket.id, { walletAddress: wallets.bob, verificationCode });
  await refused("once", late, 400, "The code you entered could not be verified");
}

async function refusals(ruleId: string): Promise<void> {
  console.log("\nRefusals and keys");
  await refused("once is once", site.rules.complete(ruleId, { walletAddress: wallets.alice }), 400, "You have already been rewarded");
  await refused("nobody is named", site.rules.complete(ruleId, {}), 400, "userId or walletAddress is required");
  await refused("no such rule", site.rules.complete(acme.organizationId, { walletAddress: wallets.alice }), 404, "Loyalty rule not found");
  await refused("a malformed id", site.rules.complete("nonsense", { walletAddress: wallets.alice }), 400, "loyaltyRuleId must be a uuid");
  const overdraft = site.transactions.post({
    description: "Too much",
    loyaltyCurrencyId: acme.loyaltyCurrencyId,
    entries: [{ walletAddress: wallets.carol, amount: 20.000001, direction: "debit" }],
  });
  await refused("a millionth more than there is", overdraft, 400, "Insufficient balance");
  const query = { limit: 101 };
  await refused("a limit out of range", site.transactionEntries.list(query), 400, "limit must be between 1 and 100");
  await refused("no key", client().rules.list(), 403, "API key is required");
  await refused("a key that is none", client("nonsense").rules.list(), 403, "Invalid API key");
  const write = reader.rules.create({ name: "x", type: "external_rule" });
  await refused("a read-only key writes", write, 403, "API key is read-only");
  const stranger = client(other.websiteApiKey);
  const { organizationId, websiteId } = acme;
  await refused("another organization's key names this organization", stranger.rules.list({ organizationId }), 403,
    "API key does not have access to this organization");
  await refused("another organization's key names this website", stranger.rules.list({ websiteId }), 403,
    "API key does not have access to this website");
  await refused("another organization's key names this rule", stranger.rules.complete(ruleId, { walletAddress: wallets.alice }), 404, "Loyalty rule not found");
}

async function fields(ruleId: string): Promise<void> {
  console.log("\nSetting and clearing, tokens and lists");
  const full = await site.rules.update(ruleId, {
    maxAmountPerInterval: "2.5",
    maxAmountInterval: "daily",
    collections: [{ address: wallets.alice, network: "polygon" }],
    startTime: "2026-01-01T00:00:00+02:00",
    claimType: "auto",
    metadata: { note: "kept" } as WithOwn<types.AnyRuleMetadata>,
  });
  sees("set", [full.maxAmountPerInterval, full.collections?.length, full.startTime, full.claimType], ["2.5", 1, "2025-12-31T22:00:00.000Z", "auto"]);
  const nothing = { maxAmountPerInterval: null, maxAmountInterval: null, collections: null, startTime: null, claimType: null, metadata: null, amount: null };
  const bare = await site.rules.update(ruleId, nothing);
  sees("cleared", [bare.maxAmountPerInterval, bare.collections, bare.startTime, bare.claimType, bare.metadata, bare.amount], [null, null, null, null, {}, null]);
  const group = await site.ruleGroups.create({ name: "First steps" });
  await site.rules.update(ruleId, { loyaltyRuleGroupId: group.id, isRequired: true });
  sees("in a group", (await reader.ruleGroups.list()).data[0]?.loyaltyGroupItems[0]?.loyaltyRule.id, ruleId);
  const stars = await site.currencies.create({ name: "Stars", symbol: "STR", decimals: 0, apiAuthType: "none" });
  sees("a currency more", (await reader.currencies.list()).data.map((c) => c.name).includes(stars.name), true);
  const token = await site.users.createToken({ walletAddress: wallets.alice }, { idempotencyKey: "token-1" });
  const again = await site.users.createToken({ walletAddress: wallets.alice }, { idempotencyKey: "token-1" });
  sees("a token is shown once", [typeof token.token, typeof again.token], ["string", "undefined"]);
  const page = client(acme.clientApiKey, token.token);
  const me = await page.users.list({ walletAddress: [wallets.alice] });
  sees("with it a page reads its user", me.data.map((u) => u.walletAddress), [wallets.alice]);
  const tried = await site.rules.complete(ruleId, { walletAddress: "0x00000000000000000000000000000000000000d4", verifyOnly: true });
  sees("a completion tried only", tried.data.rewards, []);
  await site.ruleStatuses.write({ loyaltyRuleId: ruleId, walletAddress: wallets.bob, incProgress: "1.5" });
  await reader.ruleStatuses.list();
  await reader.rules.listCompletions();
  const edits = await reader.ruleEdits.list({ loyaltyRuleId: ruleId });
  sees("the rule's edits", edits.data.map((e) => e.action), ["update", "update", "update", "update", "create"]);
  await site.ruleEdits.restore(edits.data[0]?.id ?? "");
  await site.rules.listCodes(ruleId);
  sees("the website", (await reader.websites.list()).data[0]?.id, acme.websiteId);
  await site.rules.delete(ruleId);
  await site.ruleGroups.delete(group.id);
}

const { ruleId, orderId } = await earn();
const accounts = await balances();
await history(ruleId, orderId, accounts);
await quests();
await refusals(ruleId);
await fields(ruleId);
console.log("\nThe shop of the client's page, and what every call does");
await runShop(baseUrl, other, sees);
await tryTransport(sees);
console.log("\nThe document");
sees("it is OpenAPI 3.1 of strict schemas, and its examples fit", await faultsOfDocument(), []);
sees(`the ${witness.seen} answers fit it`, witness.faults, []);
console.log(`\ntypescript client: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
