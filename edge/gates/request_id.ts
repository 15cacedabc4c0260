// Returns the caller's request id if it is well-formed, else a new one.
import { randomBytes } from 'node:crypto';

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

// A random prefix of the process and a counter make each id unique; generating a random id per request would cost more.
const prefix = `req_${randomBytes(9).toString('base64url').replaceAll('_', '-')}`;
let count = 0;

export const requestIdOf = (header: string | null): string =>
  header !== null && WELL_FORMED.test(header) ? header : `${prefix}${(++count).toString(36)}`;
