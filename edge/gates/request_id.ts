// Each request's name: the caller's own where it is well-formed, else one of ours.
import { randomBytes } from 'node:crypto';

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

// Unique without a random number a request: this process, then a count.
const prefix = `req_${randomBytes(9).toString('base64url').replaceAll('_', '-')}`;
let count = 0;

export const requestIdOf = (header: string | null): string =>
  header !== null && WELL_FORMED.test(header) ? header : `${prefix}${(++count).toString(36)}`;
