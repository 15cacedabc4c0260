// Resolves on whose behalf an operator's key acts: the merchant named by `store_id`, with the rights of a publishable
// key, or the operator itself on endpoints open to operators.
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

/** Returns other keys unchanged, also operator keys on endpoints without merchants; the access check refuses those. */
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
