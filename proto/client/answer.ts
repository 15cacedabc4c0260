// Reads what came back: the body by its kind, a refusal as an error with all that it says.
import { type ErrorCode, type ErrorFacts, StoaError } from './error.ts';
import { NOT_DONE, readRetryAfter } from './retry.ts';
import type { Route } from './route.ts';

/** A failed call. */
export interface CallFacts {
  readonly route: Route;
  readonly idempotencyKey: string | null;
  readonly attempts: number;
  /** Whether an earlier attempt may have been carried out: a later one that is only put off does not settle that. */
  readonly unsettled: boolean;
}

const errorOf = (
  { route, idempotencyKey, attempts }: CallFacts,
  facts: Omit<ErrorFacts, 'operation' | 'unknown'> & { readonly unknown: boolean },
): StoaError =>
  new StoaError({
    ...facts,
    operation: `${route.verb} ${route.path}`,
    unknown: route.writes && facts.unknown,
    idempotencyKey,
    attempts,
  });

export const networkError = (facts: CallFacts, cause: unknown): StoaError =>
  errorOf(facts, { code: 'network_error', message: 'The connection failed.', status: 0, unknown: true, cause });

export const timeoutError = (facts: CallFacts, cause: unknown, unknown = true): StoaError =>
  errorOf(facts, { code: 'timeout', message: 'No answer came in time.', status: 0, unknown, cause });

export const parseAnswer = (facts: CallFacts, { status, headers }: Response, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = 'The answer is not JSON.';
    const requestId = headers.get('x-request-id');
    throw errorOf(facts, { code: 'unreadable_answer', message, status, unknown: true, requestId, cause });
  }
};

type Loose = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
const textIn = (object: Loose, name: string): string | undefined =>
  typeof object[name] === 'string' ? object[name] : undefined;
const numberIn = (object: Loose, name: string): number | undefined =>
  typeof object[name] === 'number' ? object[name] : undefined;

/** 500 and what stands between may have lost the answer of a write that happened. */
const UNKNOWN: ReadonlySet<number> = new Set([500, 502, 504]);

export const refusalOf = (facts: CallFacts, { status, headers }: Response, text: string): StoaError => {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = null;
  }
  const errorObject: Loose = isObject(body) && isObject(body.error) ? body.error : {};
  const oauth = isObject(body) ? textIn(body, 'error') : undefined;
  const errorMessage =
    textIn(errorObject, 'message') ?? (isObject(body) ? textIn(body, 'error_description') : undefined);
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), Date.now());
  const putOff = NOT_DONE.has(status) || (status === 409 && retryAfterMs !== null);
  return errorOf(facts, {
    code: (textIn(errorObject, 'code') ?? oauth ?? 'unreadable_answer') as ErrorCode,
    message: errorMessage ?? `The answer is ${status}.`,
    status,
    unknown: UNKNOWN.has(status) || (facts.unsettled && putOff),
    requestId: textIn(errorObject, 'request_id') ?? headers.get('x-request-id'),
    param: textIn(errorObject, 'param'),
    details: textIn(errorObject, 'details'),
    hint: textIn(errorObject, 'hint'),
    remaining: numberIn(errorObject, 'remaining'),
    reset: numberIn(errorObject, 'reset'),
    retryAfterMs,
  });
};
