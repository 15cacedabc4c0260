// What can go wrong beneath a call, in the only three ways that a caller can act on.

/** Nothing was done and nothing will be: the caller may simply try again. Becomes 503 with `Retry-After`. */
export class Unavailable extends Error {
  readonly retryAfterS: number;

  constructor(message: string, options: { cause?: unknown; retryAfterS?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = 'Unavailable';
    this.retryAfterS = options.retryAfterS ?? 1;
  }
}

/** A commit was under way and it is not known how it ended: 500. The same idempotency key finds out. */
export class UnknownOutcome extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'UnknownOutcome';
  }
}

/** The five characters of a Postgres error, the system's or the driver's word for any other; empty without one. */
export const faultCode = (problem: unknown): string =>
  typeof problem === 'object' && problem !== null && 'code' in problem && typeof problem.code === 'string'
    ? problem.code
    : '';

/** The connection is gone, or never came to be: what was sent on it may or may not have been done. */
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

/** Postgres ends a session with these, or lets none begin. */
const SESSION_CODES = new Set(['25P03', '28000', '28P01', '3D000', '57P01', '57P02', '57P03', '57P05', '53300']);

/** Of these, what no waiting mends: an account or a database that is not there. */
const WRONG_ADDRESS_CODES = new Set(['28000', '28P01', '3D000']);

/** Whether the database may be asked again in a moment; false where its address has to be mended. */
export const isTransient = (problem: unknown): problem is Unavailable =>
  problem instanceof Unavailable && !WRONG_ADDRESS_CODES.has(faultCode(problem.cause));

export const isConnectionFault = (problem: unknown): boolean => {
  const code = faultCode(problem);
  return CONNECTION_CODES.has(code) || SESSION_CODES.has(code) || /^08...$/.test(code);
};

/** A transaction found that another one came first: it is rolled back and run again. */
export const concurrentKeyError = (): Error =>
  Object.assign(new Error('Two requests ran under one Idempotency-Key.'), { code: '40001' });

/** Two transactions met; one was rolled back and may be run again as it is. */
export const isContention = (problem: unknown): boolean => {
  const code = faultCode(problem);
  return code === '40001' || code === '40P01';
};

/** A lock was not given in time. Of two transactions that wait for each other either this or a deadlock is told first. */
export const isLockWait = (problem: unknown): boolean => faultCode(problem) === '55P03';

/**
 * Postgres' refusals that say "not now" rather than "not so": a statement or lock that took too long, a server without
 * memory or disk, one that only reads.
 */
const isShortage = (problem: unknown): boolean => {
  const code = faultCode(problem);
  return code === '57014' || isLockWait(problem) || code === '25006' || /^53...$/.test(code);
};

/** A fault before any commit, said in a caller's terms: `Unavailable` where another try makes sense. */
export const toFault = (problem: unknown): unknown =>
  isConnectionFault(problem) || isContention(problem) || isShortage(problem)
    ? new Unavailable(`The database cannot do this now: ${(problem as Error).message}`, { cause: problem })
    : problem;

/** Whether Postgres refused a row because one with the same key exists; `constraint` names the index. */
export const isUniqueViolation = (problem: unknown, constraint?: string): boolean =>
  faultCode(problem) === '23505' &&
  (constraint === undefined || (problem as { constraint_name?: string }).constraint_name === constraint);
