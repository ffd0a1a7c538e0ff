// Tries what the client does with every call, on a fetch that returns what is prepared here.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hasCode, Laurel, LaurelError, verifyWebhook, WebhookError, type types, type WithOwn } from "#laurel";

type Sees = (sentence: string, got: unknown, want: unknown) => void;

interface Sent {
  url: string;
  method: string;
  headers: Record<string, string>;
}

/** Returns a client whose attempts get these responses in turn, and what it sends. undefined: the line breaks. */
function clientOf(responses: (Response | undefined)[]): { laurel: Laurel; sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch = async (url: URL | string | Request, init?: RequestInit): Promise<Response> => {
    sent.push({ url: String(url), method: init?.method ?? "", headers: (init?.headers ?? {}) as Record<string, string> });
    const response = responses[sent.length - 1];
    if (response === undefined) throw new TypeError("fetch failed");
    return response;
  };
  return { laurel: new Laurel({ baseUrl: "http://shop.example/", apiKey: "key", fetch, retries: 2, retryWait: 1, maxRetryAfter: 1 }), sent };
}

const json = (body: string, status = 200, headers: Record<string, string> = {}) => new Response(body, { status, headers });
const busy = (status: number, headers: Record<string, string> = {}) => json('{"message":"Not now","code":"too_many_requests"}', status, headers);

async function attempts(responses: (Response | undefined)[], call: (laurel: Laurel) => Promise<unknown>): Promise<[number, number, string]> {
  const { laurel, sent } = clientOf(responses);
  const end = await call(laurel).then(() => "success", (error: unknown) => (error as Error).name);
  return [sent.length, new Set(sent.map((one) => one.headers["Idempotency-Key"])).size, end];
}

async function retries(sees: Sees): Promise<void> {
  const read = (laurel: Laurel) => laurel.users.get("a");
  const write = (laurel: Laurel) => laurel.rules.complete("a");
  const remove = (laurel: Laurel) => laurel.rules.delete("a");
  const good = () => json("{}");
  sees("a read after 503", await attempts([busy(503), busy(503), good()], read), [3, 1, "success"]);
  sees("a write after 429, under one key", await attempts([busy(429), good()], write), [2, 1, "success"]);
  sees("a write after a broken line", await attempts([undefined, undefined, good()], write), [3, 1, "success"]);
  sees("a write when nothing helps", await attempts([busy(503), undefined, busy(503)], write), [3, 1, "LaurelError"]);
  for (const status of [408, 409, 500, 502, 504]) {
    sees(`a write after ${status}`, await attempts([busy(status), good()], write), [2, 1, "success"]);
    sees(`a removal after ${status}`, await attempts([busy(status), good()], remove), [1, 1, "LaurelError"]);
  }
  sees("a removal is sent once", await attempts([busy(503)], remove), [1, 1, "LaurelError"]);
  sees("so is what is refused", await attempts([busy(400)], read), [1, 1, "LaurelError"]);
  sees("and what is to wait for long", await attempts([busy(429, { "Retry-After": "60" })], read), [1, 1, "LaurelError"]);
  const begun = performance.now();
  await attempts([busy(429, { "Retry-After": "1" }), good()], read);
  sees("Retry-After is heeded", performance.now() - begun >= 990, true);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 20);
  const aborted = await attempts([busy(503, { "Retry-After": "1" }), good()], (laurel) => laurel.users.get("a", {}, { signal: stop.signal }));
  sees("a signal ends the wait", aborted, [1, 1, "AbortError"]);
}

async function requests(sees: Sees): Promise<void> {
  const { laurel, sent } = clientOf([json("{}"), json('{"message":"Already carried out"}\n'), json("<html>", 502), json("<html>", 502), json("<html>", 502)]);
  const options = { strict: true, ifMatch: "2026-01-15T12:00:00.000Z", headers: { "X-Request-Id": "r1" } };
  await laurel.as(async () => "token").transactionEntries.list({ userId: "", walletAddress: ["a&b", "c"], limit: 5 }, options);
  sees("a request has what the call says", sent[0], {
    url: "http://shop.example/api/loyalty/transaction_entries?userId=&walletAddress=a%26b&walletAddress=c&limit=5",
    method: "GET",
    headers: { "X-API-KEY": "key", Authorization: "Bearer token", Prefer: "handling=strict", "If-Match": '"2026-01-15T12:00:00.000Z"', "X-Request-Id": "r1" },
  });
  const lost: unknown = await laurel.rules.update("a/b", {}, { idempotencyKey: "mine" }).catch((error: unknown) => error);
  sees("a write whose response is lost", hasCode(lost, "response_lost"), true);
  sees("its path and key", [sent[1]?.url, sent[1]?.headers["Idempotency-Key"]], ["http://shop.example/api/loyalty/rules/a%2Fb", "mine"]);
  const proxy: unknown = await laurel.users.get("a").catch((error: unknown) => error);
  sees("a page of a proxy", (proxy as Error).message, "GET /api/users/a: status 502");
}

/** A server that redirects, and one to which it does. */
async function redirects(sees: Sees): Promise<void> {
  let strayed = 0;
  const other = createServer((_, response) => (strayed++, response.end("{}")));
  const first = createServer((request, response) => {
    const isStart = request.url === "/api/email/auth?responseType=json";
    response.writeHead(isStart ? 200 : 301, { Location: addressOf(other) }).end(isStart ? '{"url":"https://a.example"}' : "");
  });
  const addressOf = (server: typeof other) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const server of [other, first]) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = addressOf(first);
  const target = addressOf(other);
  const laurel = new Laurel({ baseUrl: base, apiKey: "key", retryWait: 1, retries: 1 });
  const error = await errorOf(laurel.rules.create({ name: "x", type: "external_rule" }));
  sees("a redirect is an error", [error.status, error.message], [301, `POST /api/loyalty/rules: a redirect to ${target}, which the client does not follow`]);
  sees("and gets no key", strayed, 0);
  sees("a connection starts without one", (await laurel.connections.start("email")).url, "https://a.example");
  for (const server of [other, first]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  const gone = await errorOf(laurel.users.me());
  sees("no server", [gone.message, gone.status, gone.code, gone.cause instanceof Error],
    [`GET ${base}/api/users/me: no connection (ECONNREFUSED)`, 0, "no_response", true]);
}

async function errorOf(call: Promise<unknown>): Promise<LaurelError> {
  const error: unknown = await call.then(() => undefined, (reason: unknown) => reason);
  if (error instanceof LaurelError) return error;
  throw error ?? new Error("the call was not refused");
}

/** What a client does not send, and what it says of it. */
async function refusals(sees: Sees): Promise<void> {
  const { laurel, sent } = clientOf([json('{"message":"Invalid request","code":"invalid_request","errors":[{"path":"rangeValue","code":"required","message":"rangeValue is required"}]}', 400),
    json('{"message":"Insufficient balance","code":"insufficient_balance","have":8999999999999.999999,"need":1}', 400), json("<html>")]);
  sees("the reason of a refusal", (await errorOf(laurel.rules.complete("a"))).message, "POST /api/loyalty/rules/a/complete: Invalid request: rangeValue is required");
  const { have, need } = await errorOf(laurel.rules.complete("a"));
  sees("what is there, and what is needed", [have, need], ["8999999999999.999999", "1"]);
  sees("a success that is no JSON", (await errorOf(laurel.rules.complete("a"))).message, "POST /api/loyalty/rules/a/complete: the response is no JSON");
  for (const [id, want] of [["", "id is empty"], ["..", 'id is "..", which is no id'], [".", 'id is ".", which is no id']] as const) {
    sees(`the id ${JSON.stringify(id)}`, (await errorOf(laurel.rules.update(id, {}))).message, `POST /api/loyalty/rules/{id}: ${want}`);
  }
  const holds = laurel.transactions.post({ description: "x", entries: [{ walletAddress: "a", amount: Number.NaN }] });
  sees("NaN", (await errorOf(holds)).problems.map((p) => [p.path, p.message]), [["entries.0.amount", "entries.0.amount is NaN, which is no number of JSON"]]);
  sees("no end", (await errorOf(laurel.users.list({ limit: Infinity }))).message, "GET /api/users: limit is Infinity, which is no number of JSON");
  sees("nothing of this is sent", sent.length, 3);
  for (const [baseUrl, want] of [["loyalty.example", "it must be"], ["", "it must be"], ["ftp://a.example", "it must be"], ["https://a.example/api/", "leave out /api"]] as const) {
    let message = "";
    try {
      new Laurel({ baseUrl, apiKey: "key" });
    } catch (error) {
      message = (error as Error).message;
    }
    sees(`the address ${JSON.stringify(baseUrl)}`, message.includes(want), true);
  }
}

/** The compiler finds mistakes in typing in the metadata of rules; properties of the caller's own take a cast. */
export const own: types.CreateRuleBody = { name: "x", type: "check_in", metadata: { enableStreaks: true, own: 1 } as WithOwn<types.CheckInMetadata> };
// @ts-expect-error it is enableStreaks
export const mistyped: types.CreateRuleBody = { name: "x", type: "check_in", metadata: { enableStreak: true } };

async function pages(sees: Sees): Promise<void> {
  const page = (id: string, hasNextPage: boolean) => json(JSON.stringify({ data: [{ id }], hasNextPage }));
  const { laurel, sent } = clientOf([page("a", true), page("b", true), page("c", false)]);
  const ids: string[] = [];
  for await (const bid of laurel.auctionBids.all({ skip: 2 })) ids.push(bid.id);
  sees("items are left out once only", [ids, sent.map((one) => new URL(one.url).search)], [["a", "b", "c"], ["?skip=2", "?startingAfter=a", "?startingAfter=b"]]);
  const soon = (day: number, hasNextPage: boolean) => json(JSON.stringify({ data: [{ amount: 1, expiresAt: `2026-01-0${day}T00:00:00.000Z` }], hasNextPage }));
  const expiring = clientOf([soon(1, true), soon(2, false)]);
  for await (const item of expiring.laurel.accounts.allExpiring("a")) ids.push(item.expiresAt.slice(0, 10));
  sees("so are points that expire", [ids.slice(3), new URL(expiring.sent[1]?.url ?? "").search], [["2026-01-01", "2026-01-02"], "?after=2026-01-01T00%3A00%3A00.000Z"]);
  const write = clientOf([json("{}")]);
  await write.laurel.badges.create({ name: "x" } as never, { idempotencyKey: "k", query: { websiteId: "w" } });
  sees("a write has its query in its options", [new URL(write.sent[0]?.url ?? "").search, write.sent[0]?.headers["Idempotency-Key"]], ["?websiteId=w", "k"]);
}

async function decimals(sees: Sees): Promise<void> {
  const body = '{"data":[{"amount":8999999999999.999999,"createdAt":"\\"1.50\\"","metadata":{"amount":1.50,"big":12345678901234567890},"loyaltyAccountEndAmount":null},{"amount":-5}],"hasNextPage":false}';
  const { data } = await clientOf([json(body)]).laurel.transactionEntries.list();
  sees("decimals are exact, and free JSON is as it was", data, [
    { amount: "8999999999999.999999", createdAt: '"1.50"', metadata: { amount: 1.5, big: 12345678901234567890 }, loyaltyAccountEndAmount: null },
    { amount: "-5" },
  ]);
}

async function webhooks(sees: Sees): Promise<void> {
  // The example of https://www.standardwebhooks.com.
  const key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const body = '{"test": 2432232314}';
  const headers = { "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330", "webhook-signature": "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" };
  const now = 1614265330_000;
  const verify = (text: string, edits: Record<string, string>, keys: string | string[] = key) =>
    verifyWebhook(text, { ...headers, ...edits }, keys, { now }).then(() => "verified", (error: unknown) => (error as Error).message);
  const wrong = "The signature of the webhook is wrong";
  sees("a webhook of a known key", await verify(body, {}, ["whsec_AAAA", key]), "verified");
  sees("bytes and Headers do as well", await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), key, { now }), { test: 2432232314 });
  sees("another body", await verify(`${body} `, {}), wrong);
  sees("another id", await verify(body, { "webhook-id": "x" }), wrong);
  sees("another key", await verify(body, {}, "whsec_AAAA"), wrong);
  sees("no base64", await verify(body, { "webhook-signature": "v1,?" }), wrong);
  sees("an old time", await verify(body, { "webhook-timestamp": "1614265029" }), "The time of the webhook is too far off");
  const missing = "signingKey is missing or is no whsec_ key";
  for (const bad of ["", "whsec_", "whsec_?", []]) sees(`the key ${JSON.stringify(bad)}`, await verify(body, {}, bad), missing);
  for (const parsed of [{ test: 1 }, undefined, null]) {
    const error: unknown = await verifyWebhook(parsed as never, headers, key, { now }).catch((reason: unknown) => reason);
    sees("a parsed body", error instanceof WebhookError && error.message, "Pass the raw body, not a parsed one");
  }
  const unset: unknown = await verifyWebhook(body, headers, undefined as never, { now }).catch((reason: unknown) => reason);
  sees("no key", unset instanceof WebhookError && unset.message, missing);
  sees("no headers", await verify(body, { "webhook-signature": "" }), "The headers of a webhook are missing");
}

export async function tryTransport(sees: Sees): Promise<void> {
  await retries(sees);
  await requests(sees);
  await redirects(sees);
  await refusals(sees);
  await pages(sees);
  await decimals(sees);
  await webhooks(sees);
}
