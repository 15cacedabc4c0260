// The error of a failed call: the API's refusal with its code, or the reason why no answer came.
import type { ErrorDetail } from '#proto/gen/client/message.ts';

/** The API's own codes. */
export type ApiCode = ErrorDetail['code'];

/** OAuth's codes, of `connect`. */
export type OAuthCode =
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied';

/** No answer came: the connection failed, the deadline passed, or what came was no answer of the API. */
export type TransportCode = 'network_error' | 'timeout' | 'unreadable_answer';

export type ErrorCode = ApiCode | OAuthCode | TransportCode;

export interface ErrorFacts {
  readonly code: ErrorCode;
  readonly message: string;
  /** `POST /v1/orders`. */
  readonly operation: string;
  readonly status: number;
  readonly unknown: boolean;
  readonly requestId?: string | null;
  readonly param?: string | undefined;
  readonly details?: string | undefined;
  readonly hint?: string | undefined;
  readonly remaining?: number | undefined;
  readonly reset?: number | undefined;
  readonly retryAfterMs?: number | null;
  readonly idempotencyKey?: string | null;
  readonly attempts?: number;
  readonly cause?: unknown;
}

export class StoaError extends Error {
  override readonly name = 'StoaError';
  readonly code: ErrorCode;
  /** The verb and path that were called. */
  readonly operation: string;
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Whether a write may have happened: look its outcome up before you repeat it. */
  readonly unknown: boolean;
  /** Id of the request in the system's log. */
  readonly requestId: string | null;
  /** Path of the first bad field in the request: `items[0].quantity`. */
  readonly param: string | undefined;
  readonly details: string | undefined;
  /** Advice for resolving the error. */
  readonly hint: string | undefined;
  readonly remaining: number | undefined;
  /** Unix seconds at which a throttle begins anew. */
  readonly reset: number | undefined;
  /** How long the API asks to wait. */
  readonly retryAfterMs: number | null;
  /** The key that a write was sent with: sent again with it, it happens once. */
  readonly idempotencyKey: string | null;
  readonly attempts: number;

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.operation = facts.operation;
    this.status = facts.status;
    this.unknown = facts.unknown;
    this.requestId = facts.requestId ?? null;
    this.param = facts.param;
    this.details = facts.details;
    this.hint = facts.hint;
    this.remaining = facts.remaining;
    this.reset = facts.reset;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.idempotencyKey = facts.idempotencyKey ?? null;
    this.attempts = facts.attempts ?? 1;
  }
}
