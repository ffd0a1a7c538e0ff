// The shop of clients/typescript/README.md: its functions are the examples of that page. The tour runs them.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hasCode, Laurel, LaurelError, verifyWebhook, WebhookError, type WebhookEvent } from "#laurel";

export class Shop {
  constructor(
    private readonly laurel: Laurel,
    private readonly ruleId: string,
    private readonly currencyId: string,
  ) {}

  static async open(baseUrl: string, apiKey: string): Promise<Shop> {
    const laurel = new Laurel({ baseUrl, apiKey });
    const rule = await laurel.rules.create({
      name: "A point for each euro",
      type: "external_rule",
      amount: 1,
      interval: "unlimited",
      metadata: { rewardPerValue: true, roundTo: 0 },
    });
    return new Shop(laurel, rule.id, rule.loyaltyCurrencyId ?? "");
  }

  /** Credits the points of an order, once, and returns how many. */
  async orderPaid(customer: string, order: string, total: string): Promise<string> {
    const { data } = await this.laurel.rules.complete(this.ruleId, {
      walletAddress: customer,
      rangeValue: total,
      idempotencyKey: order,
    });
    return data.rewards[0]?.amount ?? "0";
  }

  /** Takes points of an order back, once for each return. */
  async orderReturned(order: string, returned: string, points: number): Promise<void> {
    await this.laurel.transactions.reverseByKey({ of: { idempotencyKey: order }, amount: points, idempotencyKey: returned });
  }

  async balance(customer: string): Promise<string> {
    const { data } = await this.laurel.accounts.list({ walletAddress: customer, loyaltyCurrencyId: this.currencyId });
    return data[0]?.amount ?? "0";
  }

  /** Lists all that a customer has got and spent, newest first, however many pages that takes. */
  async history(customer: string): Promise<string[]> {
    const lines: string[] = [];
    for await (const entry of this.laurel.transactionEntries.all({ walletAddress: customer, limit: 100 })) {
      lines.push(`${entry.createdAt.slice(0, 10)} ${entry.direction} ${entry.amount}`);
    }
    return lines;
  }

  /** For a page of the shop: a token of the customer, which the page sends beside the client key. */
  async tokenFor(customer: string): Promise<string> {
    const { token } = await this.laurel.users.createToken({ walletAddress: customer, expiresInSeconds: 3600 });
    return token ?? "";
  }
}

/** What a page of the shop does: its client has a client key and a way to a token of its customer. */
export async function balanceOnPage(laurel: Laurel, currencyId: string): Promise<string> {
  const me = await laurel.users.me();
  return me.accounts.find((account) => account.loyaltyCurrencyId === currencyId)?.amount ?? "0";
}

/** A receiver of webhooks. */
export function receive(signingKey: string, process: (event: WebhookEvent) => Promise<void>) {
  const processed = new Set<string>(); // yours is a table, written in the transaction of process
  return createServer(async (request, response) => {
    try {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const event = await verifyWebhook(Buffer.concat(parts), request.headers, signingKey);
      if (!processed.has(event.id)) await process(event);
      processed.add(event.id);
      response.writeHead(204).end();
    } catch (error) {
      console.error(error instanceof WebhookError ? error.message : error);
      response.writeHead(error instanceof WebhookError ? 401 : 500).end(); // both are sent again later
    }
  });
}

type Sees = (sentence: string, got: unknown, want: unknown) => void;
type Keys = Record<"organizationId" | "websiteId" | "loyaltyCurrencyId" | "websiteApiKey" | "clientApiKey", string>;

export async function runShop(baseUrl: string, keys: Keys, sees: Sees): Promise<void> {
  const shop = await Shop.open(baseUrl, keys.websiteApiKey);
  sees("an order of 59.90 pays", await shop.orderPaid("cust_1001", "order-1", "59.90"), "59");
  sees("once", await shop.orderPaid("cust_1001", "order-1", "59.90"), "59");
  await shop.orderReturned("order-1", "return-1", 20);
  await shop.orderReturned("order-1", "return-1", 20);
  sees("a return of 20, once", await shop.balance("cust_1001"), "39");
  sees("the history has a line for each", (await shop.history("cust_1001")).map((line) => line.slice(11)), ["debit 20", "credit 59"]);
  const tokens: string[] = [];
  const fetchToken = async () => {
    tokens.push(await shop.tokenFor("cust_1001"));
    return tokens.at(-1) ?? "";
  };
  const onPage = new Laurel({ baseUrl, apiKey: keys.clientApiKey, memberToken: fetchToken });
  sees("a page reads the balance of its customer", await balanceOnPage(onPage, keys.loyaltyCurrencyId), "39");

  const laurel = new Laurel({ baseUrl, apiKey: keys.websiteApiKey });
  const large = "7999999999999.999999";
  const gift = await laurel.transactions.post({
    description: "A gift", loyaltyCurrencyId: keys.loyaltyCurrencyId, entries: [{ walletAddress: "whale", amount: large }],
  });
  sees("no digit of an amount is lost", [gift.entries[0]?.amount, await shop.balance("whale")], [large, large]);
  const refusal: unknown = await laurel.rules.create({ name: "x", type: "external_rule", amount: "much" }).catch((error: unknown) => error);
  sees("an error has its code and problems", refusal instanceof LaurelError && [refusal.code, refusal.problems.map((p) => p.path)], ["invalid_request", ["amount"]]);
  const rule = await laurel.rules.update((await laurel.rules.list()).data[0]?.id ?? "", { description: "new" });
  const late: unknown = await laurel.rules.update(rule.id, { name: "late" }, { ifMatch: rule.createdAt }).catch((error: unknown) => error);
  sees("a change of an old version is refused", hasCode(late, "record_changed"), true);
  const all: string[] = [];
  for await (const entry of laurel.transactionEntries.all({ limit: 2 })) all.push(entry.id);
  sees("pages are read to the end", [all.length, new Set(all).size], [3, 3]);

  let deliver: (event: WebhookEvent) => void = () => undefined;
  const received = new Promise<WebhookEvent>((resolve) => (deliver = resolve));
  let signingKey = "";
  const receiver = createServer((request, response) => receive(signingKey, async (event) => deliver(event)).emit("request", request, response));
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const subscription = await laurel.subscriptions.create({
    name: "CRM", organizationId: keys.organizationId, websiteId: keys.websiteId,
    callbackUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    platformSubscriptions: [{ tableNames: ["LoyaltyTransactionEntry"] }],
  });
  signingKey = subscription.signingKey ?? "";
  const sent = await laurel.subscriptions.sendTest(subscription.id);
  sees("an event is delivered and verified", (await received).id, sent.id);
  await laurel.subscriptions.delete(subscription.id);
  receiver.closeAllConnections();
  receiver.close();
}
