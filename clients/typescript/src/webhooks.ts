/** One event of a subscription. */
export interface WebhookEvent {
  /** The same in each attempt: skip an event that you have processed. */
  id: string;
  type: string;
  timestamp: string;
  data: unknown;
}

/** A request that no subscription of yours has sent, or an old one; or a body or key that cannot be verified. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

export interface WebhookOptions {
  /** How far the time of a request may be off, in seconds. Default 300. */
  tolerance?: number;
  /** The current time, in milliseconds. Default: Date.now(). */
  now?: number;
}

type Headers_ = Headers | Record<string, string | string[] | undefined>;

/**
 * Checks the signature and the time of a request of a subscription (version v2), and returns its event. The body is the
 * raw body, before anything has parsed it. Several signing keys hold while one is being replaced.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers_,
  signingKeys: string | readonly string[],
  options: WebhookOptions = {},
): Promise<WebhookEvent> {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  if (!isRaw) throw new WebhookError("Pass the raw body, not a parsed one");
  const keys = (typeof signingKeys === "string" ? [signingKeys] : (signingKeys ?? [])).map(keyOf);
  if (keys.length === 0) throw new WebhookError(noKey);
  const id = header(headers, "webhook-id");
  const stamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature").split(" ").filter((one) => one.startsWith("v1,"));
  if (id === "" || !/^\d+$/.test(stamp) || signatures.length === 0) throw new WebhookError("The headers of a webhook are missing");
  const now = options.now ?? Date.now();
  if (Math.abs(now / 1000 - Number(stamp)) > (options.tolerance ?? 300)) throw new WebhookError("The time of the webhook is too far off");
  const encoder = new TextEncoder();
  const raw = typeof body === "string" ? encoder.encode(body) : body;
  const head = encoder.encode(`${id}.${stamp}.`);
  const signed = new Uint8Array(head.length + raw.length);
  signed.set(head);
  signed.set(raw, head.length);
  let isSigned = false;
  for (const secret of keys) {
    const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of signatures) {
      // verify compares in constant time
      if (await crypto.subtle.verify("HMAC", key, decode(signature.slice(3)), signed)) isSigned = true;
    }
  }
  if (!isSigned) throw new WebhookError("The signature of the webhook is wrong");
  try {
    return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookError("The body of the webhook is no JSON");
  }
}

const noKey = "signingKey is missing or is no whsec_ key";

/** Returns the bytes of a signing key. */
function keyOf(text: unknown): Uint8Array<ArrayBuffer> {
  const secret = typeof text === "string" ? decode(text.replace(/^whsec_/, "")) : new Uint8Array();
  if (secret.length === 0) throw new WebhookError(noKey);
  return secret;
}

function header(headers: Headers_, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const value = Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1] ?? "";
  return typeof value === "string" ? value : (value[0] ?? "");
}

/** Decodes base64; nothing that is none is a signature. */
function decode(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
