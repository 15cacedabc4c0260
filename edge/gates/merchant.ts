// Determines for whom an operator's key acts: for the merchant that `store_id` names, with the rights of a publishable
// key, or for the operator itself where the endpoint allows that.
import type { Route } from '#proto/route.ts';
import { notFound, type Refusal, refuse } from '#runtime/call/call.ts';
import type { Principal } from './principal.ts';
import { readQuery } from './query.ts';

const NAME = 'store_id';
const PARAMETERS = [{ name: NAME, type: 'text' }] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const NO_MERCHANT = refuse('invalid_request', `\`${NAME}\` is required with an operator’s key.`, {
  param: NAME,
  hint: 'Name the merchant for whom you call: `?store_id=…`.',
});
const BAD_MERCHANT = refuse('invalid_request', `\`${NAME}\` must be a UUID.`, { param: NAME });

/**
 * Returns the principal unchanged for all other keys, and on endpoints that no merchant's key may call; the access
 * check refuses the latter.
 */
export const actingAs = (principal: Principal, access: Route['access'], search: string): Principal | Refusal => {
  if (principal.merchants === null || !access.merchant) return principal;
  const read: Record<string, unknown> = {};
  const malformed = readQuery(search, PARAMETERS, read);
  if (malformed) return malformed;
  const named = read[NAME];
  if (access.operator && (named === undefined || named === '')) return principal;
  if (typeof named !== 'string' || named === '') return NO_MERCHANT;
  const store = named.toLowerCase();
  if (!UUID.test(store)) return BAD_MERCHANT;
  return principal.merchants.get(store) ?? notFound('store', NAME);
};
