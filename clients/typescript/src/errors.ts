import type { Decimal, ErrorCode } from "./types.js";

/** One problem of an input. */
export interface Problem {
  /** Such as entries.0.amount. */
  path: string;
  code: string;
  message: string;
}

/** A refusal or a fault that the server has returned; or no response, or a call that could not be sent: status 0. */
export class LaurelError extends Error {
  override readonly name = "LaurelError";
  /** The status of HTTP; 0 without a response. */
  readonly status: number;
  /**
   * For programs. "response_lost": the write has had its effect, but the server no longer has its response.
   * "no_response": no connection, or none in time; cause has the error of fetch.
   */
  readonly code: ErrorCode;
  readonly problems: readonly Problem[];
  /** By which the server's log names the request. */
  readonly requestId: string | null;
  /** The body of the response, if it is JSON. */
  readonly body: unknown;
  /** Of insufficient_balance, with secret keys that write: what the member and its group have, and what was needed. */
  readonly have?: Decimal;
  readonly need?: Decimal;

  constructor(operation: string, status: number, body: unknown, requestId: string | null, cause?: unknown) {
    const known = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
    const problems = Array.isArray(known["errors"]) ? (known["errors"] as Problem[]) : [];
    const message = typeof known["message"] === "string" ? known["message"] : `status ${status}`;
    const first = problems[0]?.message ?? "";
    const text = message.includes(first) ? message : `${message}: ${first}`;
    super(`${operation}: ${text}`, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = typeof known["code"] === "string" ? known["code"] : "";
    this.problems = problems;
    this.requestId = requestId;
    this.body = status === 0 ? undefined : body;
    if (typeof known["have"] === "string") this.have = known["have"];
    if (typeof known["need"] === "string") this.need = known["need"];
  }
}

/** Reports whether an error is a response of the server with the code. */
export function hasCode(error: unknown, code: ErrorCode): error is LaurelError {
  return error instanceof LaurelError && error.code === code;
}
