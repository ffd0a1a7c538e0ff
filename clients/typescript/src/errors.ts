import type { ErrorCode } from "./types.js";

/** One problem of an input. */
export interface Problem {
  /** Such as entries.0.amount. */
  path: string;
  code: string;
  message: string;
}

/** A refusal or a fault that the server has returned. */
export class LaurelError extends Error {
  override readonly name = "LaurelError";
  /** The status of HTTP. */
  readonly status: number;
  /** For programs. "response_lost": the write has had its effect, but the server no longer has its response. */
  readonly code: ErrorCode;
  readonly problems: readonly Problem[];
  /** By which the server's log names the request. */
  readonly requestId: string | null;
  /** The body of the response, if it is JSON. */
  readonly body: unknown;

  constructor(operation: string, status: number, body: unknown, requestId: string | null) {
    const known = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
    const message = typeof known["message"] === "string" ? known["message"] : `status ${status}`;
    super(`${operation}: ${message}`);
    this.status = status;
    this.code = typeof known["code"] === "string" ? known["code"] : "";
    this.problems = Array.isArray(known["errors"]) ? (known["errors"] as Problem[]) : [];
    this.requestId = requestId;
    this.body = body;
  }
}

/** Reports whether an error is a response of the server with the code. */
export function hasCode(error: unknown, code: ErrorCode): error is LaurelError {
  return error instanceof LaurelError && error.code === code;
}
