// Sorts faults beneath a call into those that a caller can retry, those with an unknown outcome, and bugs.

/** The call had no effect: the caller may retry. Becomes 503 with `Retry-After`. */
export class Unavailable extends Error {
  readonly retryAfterS: number;

  constructor(message: string, options: { cause?: unknown; retryAfterS?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = 'Unavailable';
    this.retryAfterS = options.retryAfterS ?? 1;
  }
}

/** A commit was in flight and its outcome is unknown: 500. A retry under the same idempotency key finds out. */
export class UnknownOutcome extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'UnknownOutcome';
  }
}

/** A Postgres error's five characters, the system's or driver's code for any other error; empty without one. */
export const faultCode = (problem: unknown): string =>
  typeof problem === 'object' && problem !== null && 'code' in problem && typeof problem.code === 'string'
    ? problem.code
    : '';

/** Codes of a connection that is lost or was never made: statements sent on it may have been executed. */
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

/** Codes that waiting does not mend: wrong credentials or no such database. */
const WRONG_ADDRESS_CODES = new Set(['28000', '28P01', '3D000']);

/** Whether a retry can succeed without a change of the database's address. */
export const isTransient = (problem: unknown): problem is Unavailable =>
  problem instanceof Unavailable && !WRONG_ADDRESS_CODES.has(faultCode(problem.cause));

export const isConnectionFault = (problem: unknown): boolean => {
  const code = faultCode(problem);
  return CONNECTION_CODES.has(code) || SESSION_CODES.has(code) || /^08...$/.test(code);
};

/** Another transaction stored an answer under this key first. Code 40001 has the transaction run again. */
export const concurrentKeyError = (): Error =>
  Object.assign(new Error('Two requests ran under one Idempotency-Key.'), { code: '40001' });

/** Serialization failure or deadlock: the transaction was rolled back and may run again. */
export const isContention = (problem: unknown): boolean => {
  const code = faultCode(problem);
  return code === '40001' || code === '40P01';
};

/** Lock time-out. Two transactions that wait for each other end with this or with a deadlock error. */
export const isLockWait = (problem: unknown): boolean => faultCode(problem) === '55P03';

/** Postgres errors that mean "not now": a time-out of a statement or lock, no memory or disk, a read-only server. */
const isShortage = (problem: unknown): boolean => {
  const code = faultCode(problem);
  return code === '57014' || isLockWait(problem) || code === '25006' || /^53...$/.test(code);
};

/** Converts a fault before the commit into `Unavailable` where a retry makes sense. */
export const toFault = (problem: unknown): unknown =>
  isConnectionFault(problem) || isContention(problem) || isShortage(problem)
    ? new Unavailable(`The database cannot do this now: ${(problem as Error).message}`, { cause: problem })
    : problem;

export const isUniqueViolation = (problem: unknown, constraint?: string): boolean =>
  faultCode(problem) === '23505' &&
  (constraint === undefined || (problem as { constraint_name?: string }).constraint_name === constraint);
