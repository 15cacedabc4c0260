// Counts attempts to reset passwords with a publishable key. All of them are refused; those over these limits get 429.

import { Refusal } from '#runtime/call/call.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { parseStrict } from '#values/json.ts';
import { readBody } from './body.ts';
import type { RateLease } from './lease.ts';
import type { Throttle } from './throttle.ts';

const PER_ADDRESS = 30;
const PER_ADDRESS_AND_EMAIL = 10;
const BODY = { bytes_max: 64 * 1024, raw: [] };

const emailOf = async (request: Request): Promise<string> => {
  const body = await readBody(request, BODY);
  const read = body instanceof Refusal ? null : parseStrict(body.bytes);
  const email = read?.ok ? (read.value as { email?: unknown } | null)?.email : null;
  return typeof email === 'string' ? email.normalize('NFC').toLowerCase() : '';
};

export const resetLeases = async (
  throttle: Throttle,
  store: string,
  address: string,
  request: Request,
): Promise<readonly RateLease[]> => {
  const pair = `${address} ${sha256(await emailOf(request)).toString('hex')}`;
  return [
    throttle.lease(store, 'reset_address', address, PER_ADDRESS),
    throttle.lease(store, 'reset_pair', pair, PER_ADDRESS_AND_EMAIL),
  ];
};
