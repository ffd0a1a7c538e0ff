import { parse } from "./decimals.js";
import { LaurelError } from "./errors.js";
import { shapes } from "./types.js";

/** How a client calls the server. */
export interface Settings {
  /** The address of the server, with its prefix if it has one, but without /api: https://loyalty.example. */
  baseUrl: string;
  apiKey: string;
  /** Of users.createToken: needed beside a client key wherever a call names a member. A function may fetch a new one. */
  memberToken?: string | (() => string | Promise<string>) | undefined;
  /** Default: the fetch of the browser or of Node. */
  fetch?: typeof fetch | undefined;
  /** How often a request is sent again after the first attempt. Default 4. Only reads and keyed writes are. */
  retries?: number | undefined;
  /** The longest pause before the first retry, in milliseconds. It doubles up to 10 seconds. Default 250. */
  retryWait?: number | undefined;
  /** The longest Retry-After that the client waits for, in seconds. Default 60. */
  maxRetryAfter?: number | undefined;
  /** When a single attempt is given up, in milliseconds. Default 30,000. */
  timeout?: number | undefined;
  /** The server refuses properties and query parameters that it does not know (Prefer: handling=strict). */
  strict?: boolean | undefined;
}

/** What a single call may change. */
export interface Options {
  /** Sends the write under a key of your own. Without it the client makes one, for the retries of this call alone. */
  idempotencyKey?: string | undefined;
  /** Changes the record only if its updatedAt is still this one; else the call fails with code record_changed. */
  ifMatch?: string | undefined;
  strict?: boolean | undefined;
  signal?: AbortSignal | undefined;
  headers?: Record<string, string> | undefined;
}

export interface Call {
  method: string;
  /** With a {name} for each id. */
  path: string;
  ids?: readonly string[];
  query?: object | undefined;
  body?: unknown;
  /** Takes an Idempotency-Key. */
  isKeyed?: boolean;
  /** The object of the response, which says where its decimals are. */
  shape?: string;
}

/** What an attempt has come to. */
type Outcome<T> = { value: T; error?: undefined } | { error: LaurelError; isTemporary: boolean; after: number };

const maxPause = 10_000;
const lostResponse = '{"message":"Already carried out"}';

export class Transport {
  readonly #settings: Settings;
  readonly #base: string;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#base = checkBaseUrl(settings.baseUrl);
  }

  /** Sends a call until it has a response that is final. */
  async send<T>(template: Call, options: Options = {}): Promise<T> {
    const { retries = 4, retryWait = 250, maxRetryAfter = 60 } = this.#settings;
    const call = { ...template, path: fill(template) };
    checkNumbers(call, call.query, "");
    checkNumbers(call, call.body, "");
    const headers = await this.#headers(call, options);
    const mayRetry = call.method === "GET" || "Idempotency-Key" in headers;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt<T>(call, options, headers);
      if (outcome.error === undefined) return outcome.value;
      const isWorthIt = outcome.isTemporary && outcome.after <= maxRetryAfter;
      if (!isWorthIt || !mayRetry || attempt >= retries) throw outcome.error;
      const pause = Math.min(retryWait * 2 ** attempt, maxPause) * (0.5 + Math.random() / 2);
      await wait(Math.max(pause, outcome.after * 1000), options.signal);
    }
  }

  async #headers(call: Call, options: Options): Promise<Record<string, string>> {
    const { apiKey, memberToken, strict } = this.#settings;
    const headers: Record<string, string> = { "X-API-KEY": apiKey };
    const token = typeof memberToken === "function" ? await memberToken() : memberToken;
    if (token) headers["Authorization"] = `Bearer ${token}`;
    if (call.body !== undefined) headers["Content-Type"] = "application/json";
    if (options.strict ?? strict) headers["Prefer"] = "handling=strict";
    if (options.ifMatch !== undefined) headers["If-Match"] = `"${options.ifMatch}"`;
    if (call.isKeyed) headers["Idempotency-Key"] = options.idempotencyKey ?? newKey();
    return { ...headers, ...options.headers };
  }

  async #attempt<T>(call: Call, options: Options, headers: Record<string, string>): Promise<Outcome<T>> {
    const limit = this.#settings.timeout ?? 30_000;
    const timeout = AbortSignal.timeout(limit);
    const send = this.#settings.fetch ?? fetch;
    const address = this.#base + call.path + encodeQuery(call.query);
    const body = call.body === undefined ? {} : { body: JSON.stringify(call.body) };
    try {
      const response = await send(address, {
        method: call.method,
        headers,
        redirect: "manual", // the key must not reach another server
        signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
        ...body,
      });
      return outcomeOf<T>(call, response, await response.text());
    } catch (cause) {
      if (options.signal?.aborted) throw cause;
      const why = timeout.aborted ? `no response within ${limit} ms` : `no connection${codeOf(cause)}`;
      return { error: new LaurelError(`${call.method} ${address}`, 0, { message: why, code: "no_response" }, null, cause), isTemporary: true, after: 0 };
    }
  }
}

/** Judges a response. */
function outcomeOf<T>(call: Call, response: Response, text: string): Outcome<T> {
  const fail = (body: unknown, isTemporary = false, after = 0, cause?: unknown): Outcome<T> => {
    const error = new LaurelError(`${call.method} ${call.path}`, response.status, body, response.headers.get("X-Request-Id"), cause);
    return { error, isTemporary, after };
  };
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    const location = response.headers.get("Location");
    return fail({ message: `a redirect to ${location ?? "another address"}, which the client does not follow`, code: "redirected" });
  }
  if (!response.ok) {
    return fail(parseBody(text), isTemporary(response.status), Number(response.headers.get("Retry-After") ?? 0) || 0);
  }
  if (call.isKeyed && text.trim() === lostResponse) return fail({ message: "Already carried out", code: "response_lost" });
  try {
    return { value: (text === "" ? undefined : parse(text, shapes, call.shape)) as T };
  } catch (cause) {
    return fail({ message: "the response is no JSON" }, false, 0, cause); // a proxy's page
  }
}

/** Reports whether a request with this status may succeed later. Refusals by the rules of the service are 400. */
function isTemporary(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

const amountsOfErrors = { Error: { have: "#", need: "#" } };

/** Returns the body of an error; undefined if it is no JSON, such as a proxy's page. */
function parseBody(text: string): unknown {
  try {
    return parse(text, amountsOfErrors, "Error");
  } catch {
    return undefined;
  }
}

/** Returns the code of a network error in parentheses, such as ECONNREFUSED; browsers give none. */
function codeOf(error: unknown): string {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if ("code" in one && typeof one.code === "string") return ` (${one.code})`;
  }
  return error instanceof Error && error.message !== "" ? ` (${error.message})` : "";
}

/** Returns the address without its last slash. */
function checkBaseUrl(text: string): string {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new TypeError(`baseUrl is ${JSON.stringify(text)}: it must be an address such as https://loyalty.example`);
  }
  const base = text.replace(/\/+$/, "");
  if (/\/api$/.test(base)) throw new TypeError(`baseUrl is ${JSON.stringify(text)}: leave out /api, which the client adds`);
  return base;
}

/** An error of a call that is not sent. */
function unsent(call: Call, path: string, message: string): LaurelError {
  const problem = { path, code: "invalid_request", message };
  return new LaurelError(`${call.method} ${call.path}`, 0, { message, code: problem.code, errors: [problem] }, null);
}

/** Puts the ids into the path. One that is empty, "." or ".." would lead to another path. */
function fill(call: Call): string {
  let at = 0;
  return call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id: unknown = call.ids?.[at++];
    if (typeof id !== "string" || id === "") throw unsent(call, name, `${name} is empty`);
    if (id === "." || id === "..") throw unsent(call, name, `${name} is "${id}", which is no id`);
    return encodeURIComponent(id);
  });
}

/** Refuses numbers that JSON does not have: they would become null. */
function checkNumbers(call: Call, value: unknown, path: string): void {
  if (typeof value === "number" && !Number.isFinite(value)) throw unsent(call, path, `${path} is ${value}, which is no number of JSON`);
  if (typeof value === "bigint") throw unsent(call, path, `${path} is a bigint: send it as a text`);
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value)) checkNumbers(call, item, path === "" ? name : `${path}.${name}`);
}

/** Returns 32 random hexadecimal digits. crypto.randomUUID is missing on pages without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function encodeQuery(query: object | undefined): string {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) out.append(name, String(one));
    }
  }
  const text = out.toString();
  return text === "" ? "" : `?${text}`;
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", end, { once: true });
  });
}

interface Page<T> {
  data: T[];
  hasNextPage: boolean;
}

/** Reads page after page. next returns the parameters that lead from the last item of a page to the next page. */
export async function* eachItem<T, P extends object>(
  params: P,
  read: (params: P) => Promise<Page<T>>,
  next: (last: T) => object,
): AsyncGenerator<T, void, undefined> {
  for (let at = params; ; ) {
    const page = await read(at);
    yield* page.data;
    const last = page.data.at(-1);
    if (!page.hasNextPage || last === undefined) return;
    at = { ...at, ...next(last) };
  }
}
