import { parse } from "./decimals.js";
import { LaurelError } from "./errors.js";
import { shapes } from "./types.js";

/** How a client calls the server. */
export interface Settings {
  /** The address of the server, with its prefix if it has one: https://loyalty.example. */
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
  path: string;
  query?: object;
  body?: unknown;
  /** Takes an Idempotency-Key. */
  isKeyed?: boolean;
  /** The object of the response, which says where its decimals are. */
  shape?: string;
}

const maxPause = 10_000;
const lostResponse = '{"message":"Already carried out"}';

export class Transport {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Sends a call until it has a response that is final. */
  async send<T>(call: Call, options: Options = {}): Promise<T> {
    const { retries = 4, retryWait = 250, maxRetryAfter = 60 } = this.#settings;
    const headers = await this.#headers(call, options);
    const mayRetry = call.method === "GET" || "Idempotency-Key" in headers;
    for (let attempt = 0; ; attempt++) {
      let pause = Math.min(retryWait * 2 ** attempt, maxPause) * (0.5 + Math.random() / 2);
      try {
        const response = await this.#attempt(call, options, headers);
        const text = await response.text();
        if (response.ok) return this.#success<T>(call, response, text);
        const after = Number(response.headers.get("Retry-After") ?? 0) || 0;
        const isWorthIt = (response.status === 429 || response.status === 503) && after <= maxRetryAfter;
        if (!isWorthIt || !mayRetry || attempt >= retries) throw failure(call, response, text);
        pause = Math.max(pause, after * 1000);
      } catch (error) {
        if (error instanceof LaurelError || options.signal?.aborted || !mayRetry || attempt >= retries) throw error;
      }
      await wait(pause, options.signal);
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

  async #attempt(call: Call, options: Options, headers: Record<string, string>): Promise<Response> {
    const timeout = AbortSignal.timeout(this.#settings.timeout ?? 30_000);
    const send = this.#settings.fetch ?? fetch;
    return send(this.#settings.baseUrl.replace(/\/+$/, "") + call.path + encodeQuery(call.query), {
      method: call.method,
      headers,
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    });
  }

  #success<T>(call: Call, response: Response, text: string): T {
    if (call.isKeyed && text.trim() === lostResponse) {
      const body = { message: "Already carried out", code: "response_lost" };
      throw new LaurelError(`${call.method} ${call.path}`, response.status, body, response.headers.get("X-Request-Id"));
    }
    return (text === "" ? undefined : parse(text, shapes, call.shape)) as T;
  }
}

function failure(call: Call, response: Response, text: string): LaurelError {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined; // a proxy's page
  }
  return new LaurelError(`${call.method} ${call.path}`, response.status, body, response.headers.get("X-Request-Id"));
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

/** Reads page after page. */
export async function* eachItem<T extends { id: string }>(
  startingAfter: string | undefined,
  read: (startingAfter: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  for (let after = startingAfter; ; ) {
    const page = await read(after);
    yield* page.data;
    after = page.data.at(-1)?.id;
    if (!page.hasNextPage || after === undefined) return;
  }
}
