// Tries what the client does with every call, on a fetch that returns what is prepared here.
import { hasCode, Laurel, verifyWebhook } from "#laurel";

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
  const { laurel, sent } = clientOf([json("{}"), json('{"message":"Already carried out"}\n'), json("<html>", 502)]);
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
  sees("no headers", await verify(body, { "webhook-signature": "" }), "The headers of a webhook are missing");
}

export async function tryTransport(sees: Sees): Promise<void> {
  await retries(sees);
  await requests(sees);
  await decimals(sees);
  await webhooks(sees);
}
