// Classifies faults below a call: those that a caller can retry, those with an unknown outcome, and bugs.

/** Thrown where the call had no effect and may be retried; the caller gets 503 with `Retry-After`. */
export class Unavailable extends Error {
  readonly retryAfterS: number;

  constructor(message: string, options: { cause?: unknown; retryAfterS?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = 'Unavailable';
    this.retryAfterS = options.retryAfterS ?? 1;
  }
}

/**
 * Thrown where it is unknown whether a commit took place; the caller gets 500. A retry under the same idempotency key
 * returns the outcome.
 */
export class UnknownOutcome extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'UnknownOutcome';
  }
}

/** Rethrows the fault of a call that may be repeated without harm: an unknown outcome as `Unavailable`. */
export const rethrowRetryable = (problem: unknown): never => {
  throw problem instanceof UnknownOutcome ? new Unavailable(problem.message, { cause: problem }) : problem;
};

/**
 * Returns a Postgres error's code of five characters, or the code that the system or driver gave another error; empty
 * without a code.
 */
export const faultCode = (problem: unknown): string =>
  typeof problem === 'object' && problem !== null && 'code' in problem && typeof problem.code === 'string'
    ? problem.code
    : '';

/** Error codes of lost or failed connections. Statements sent on such a connection may have been executed. */
const CONNECTION_CODES = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECTION_SILENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_SOCKET_CLOSED',
]);

const SESSION_CODES = new Set(['25P03', '28000', '28P01', '3D000', '57P01', '57P02', '57P03', '57P05', '53300']);

/** Error codes that waiting does not cure: wrong credentials, or a database that does not exist. */
const WRONG_ADDRESS_CODES = new Set(['28000', '28P01', '3D000']);

export const isTransient = (problem: unknown): problem is Unavailable =>
  problem instanceof Unavailable && !WRONG_ADDRESS_CODES.has(faultCode(problem.cause));

export const isConnectionFault = (problem: unknown): boolean => {
  const code = faultCode(problem);
  return CONNECTION_CODES.has(code) || SESSION_CODES.has(code) || /^08...$/.test(code);
};

/**
 * Returns the error thrown when another transaction has stored an answer under this key first. The error's code 40001
 * makes the transaction run again.
 */
export const concurrentKeyError = (): Error =>
  Object.assign(new Error('Two requests ran under one Idempotency-Key.'), { code: '40001' });

export const isContention = (problem: unknown): boolean => {
  const code = faultCode(problem);
  return code === '40001' || code === '40P01';
};

/**
 * Tells whether waiting for a lock timed out. Two transactions that wait for each other end with this error or a
 * deadlock error.
 */
export const isLockWait = (problem: unknown): boolean => faultCode(problem) === '55P03';

/**
 * Tells whether Postgres cannot do the work now: a time-out of a statement or lock, no memory or disk, a read-only
 * server.
 */
const isShortage = (problem: unknown): boolean => {
  const code = faultCode(problem);
  return code === '57014' || isLockWait(problem) || code === '25006' || /^53...$/.test(code);
};

/** Converts a fault before the commit into `Unavailable` if a retry may succeed; returns other faults unchanged. */
export const toFault = (problem: unknown): unknown =>
  isConnectionFault(problem) || isContention(problem) || isShortage(problem)
    ? new Unavailable(`The database cannot do this now: ${(problem as Error).message}`, { cause: problem })
    : problem;

export const isUniqueViolation = (problem: unknown, constraint?: string): boolean =>
  faultCode(problem) === '23505' &&
  (constraint === undefined || (problem as { constraint_name?: string }).constraint_name === constraint);
