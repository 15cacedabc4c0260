// Looks up stores by code or domain, and caches each until it changes.
import { type EdgeOrigin, ownCall } from '#edge/own_call.ts';
import type { RpcResponse } from '#proto/gen/rpcs.ts';
import { type Environment, NO_TENANT, Refusal } from '#runtime/call/call.ts';
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
  readonly #wire: LinkClient;
  readonly #cached = new Map<string, { readonly shop: AssistantStore; readonly until: number }>();
  #generation = 0;

  constructor(wire: LinkClient) {
    this.#wire = wire;
  }

  /** Returns null if no store has this code or domain. */
  find(name: string, origin: EdgeOrigin): AssistantStore | null | Refusal | Promise<AssistantStore | null | Refusal> {
    const cached = this.#cached.get(name);
    if (cached && performance.now() < cached.until) return cached.shop;
    return this.#ask(name, origin);
  }

  invalidate(store: string): void {
    this.#generation++;
    for (const [name, { shop }] of this.#cached) if (shop.id === store) this.#cached.delete(name);
  }

  invalidateAll(): void {
    this.#generation++;
    this.#cached.clear();
  }

  async #ask(name: string, origin: EdgeOrigin): Promise<AssistantStore | null | Refusal> {
    const generation = this.#generation;
    const call = { caller: CALLER, timeoutMs: TIMEOUT_MS, origin };
    const shop = await ownCall(this.#wire, 'Assistant/GetShop', { store: name }, call);
    if (shop instanceof Refusal) return shop.code === 'not_found' ? null : shop;
    // A change that arrived during the call may be missing from the result, which is then not cached.
    if (generation === this.#generation) {
      if (this.#cached.size >= ENTRIES_MAX)
        for (const oldest of [...this.#cached.keys()].slice(0, 1_000)) this.#cached.delete(oldest);
      this.#cached.set(name, { shop, until: performance.now() + TTL_MS });
    }
    return shop;
  }
}
