// The merchants that an operator sells for now: neither suspended nor lapsed.
import type { SellingMerchant } from '#proto/gen/store_directory.ts';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { LookupCache } from '#runtime/flow/lookup_cache.ts';

export interface SellingMerchants {
  /** Returns the operator's merchants, ordered by id; null if the tenant is a store. */
  get(tenant: Tenant): readonly SellingMerchant[] | null | Promise<readonly SellingMerchant[] | null>;
  /** Drops cached merchants of this operator, or of operators that sell for this store. */
  forget(owner: string): void;
}

const OPERATORS_MAX = 1_000;
/** A notice may be lost, and the products of a merchant that no longer sells must be gone within 2 s. */
const MERCHANTS_TTL_MS = 1_000;
/** A store never becomes an operator. */
const STORE_TTL_MS = 60_000;

export const openSellingMerchants = ({ ask, clock }: Pick<Runtime, 'ask' | 'clock'>): SellingMerchants => {
  const cache = new LookupCache<string, readonly SellingMerchant[] | null, Tenant>({
    now: () => clock.real(),
    entriesMax: OPERATORS_MAX,
    load: async (operator, tenant) => {
      const reply = await ask('StoreDirectory/ListSellingMerchants', tenant, { operator_id: operator });
      if (!(reply instanceof Refusal)) {
        const { merchants } = reply;
        const owners = [operator, ...merchants.map(({ store_id }) => store_id)];
        return { value: merchants, ttlMs: MERCHANTS_TTL_MS, owners };
      }
      if (reply.code === 'not_found') return { value: null, ttlMs: STORE_TTL_MS };
      throw new Unavailable(reply.message);
    },
  });
  return { get: (tenant) => cache.get(tenant.store, tenant), forget: (owner) => cache.forgetOwner(owner) };
};
