/**
 * A client of the API of Laurel, a loyalty service. It needs fetch and nothing else, in Node and in browsers.
 *
 *     const laurel = new Laurel({ baseUrl: "https://loyalty.example", apiKey });
 *     await laurel.rules.complete(ruleId, { walletAddress: "customer-1042", rangeValue: "49.90", idempotencyKey: "order-7731" });
 */
import { Areas } from "./api.js";
import { type Settings, Transport } from "./transport.js";

export class Laurel extends Areas {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    super(new Transport(settings));
    this.#settings = settings;
  }

  /** Returns a client with the same settings that sends the token of a member. */
  as(memberToken: NonNullable<Settings["memberToken"]>): Laurel {
    return new Laurel({ ...this.#settings, memberToken });
  }
}

export * from "./api.js";
export { hasCode, LaurelError, type Problem } from "./errors.js";
export type { Options, Settings } from "./transport.js";
export type * as types from "./types.js";
export type { Decimal, ErrorCode, RuleType, WithOwn } from "./types.js";
export { verifyWebhook, WebhookError, type WebhookEvent, type WebhookOptions } from "./webhooks.js";
