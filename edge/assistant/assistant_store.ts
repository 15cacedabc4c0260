// Looks up stores by code or domain, and caches each until it changes.
import { type EdgeOrigin, ownCall } from '#edge/own_call.ts';
import type { RpcResponse } from '#proto/gen/rpcs.ts';
import { type Environment, NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { type Loaded, LookupCache } from '#runtime/flow/lookup_cache.ts';
import type { LinkClient } from '#runtime/link/frame.ts';

export type AssistantStore = RpcResponse<'Assistant/GetShop'>;

export type Protocol = 'mcp' | 'acp' | 'ucp';

const CALLER = { tenant: NO_TENANT, keyType: 'internal', keyId: '', customer: null } as const;
const TIMEOUT_MS = 3_000;
/** Milliseconds until changes without a notice are seen, such as a newly connected payment provider. */
const TTL_MS = 10_000;
const ENTRIES_MAX = 20_000;

export const takesCards = (shop: AssistantStore, environment: Environment): boolean =>
  environment === 'production' ? shop.takes_cards_in_production : shop.takes_cards_in_sandbox;

export class AssistantStores {
  readonly #cache: LookupCache<string, AssistantStore | null, EdgeOrigin, Refusal>;

  constructor(wire: LinkClient) {
    this.#cache = new LookupCache({
      now: () => performance.now(),
      entriesMax: ENTRIES_MAX,
      load: async (name, origin): Promise<Loaded<AssistantStore | null> | Refusal> => {
        const call = { caller: CALLER, timeoutMs: TIMEOUT_MS, origin };
        const shop = await ownCall(wire, 'Assistant/GetShop', { store: name }, call);
        if (shop instanceof Refusal) return shop.code === 'not_found' ? { value: null, ttlMs: 0 } : shop;
        return { value: shop, ttlMs: TTL_MS, owners: [shop.id] };
      },
    });
  }

  /** Returns null if no store has this code or domain. */
  find(name: string, origin: EdgeOrigin): AssistantStore | null | Promise<AssistantStore | null | Refusal> {
    return this.#cache.get(name, origin);
  }

  invalidate(store: string): void {
    this.#cache.forgetOwner(store);
  }

  invalidateAll(): void {
    this.#cache.forgetAll();
  }
}
