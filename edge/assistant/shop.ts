// Stores as assistants find them: asked for once by code or domain, kept until the store changes.
import { type EdgeOrigin, ownCall } from '#edge/own_call.ts';
import type { RpcResponse } from '#proto/gen/rpcs.ts';
import { type Environment, NO_TENANT, Refusal } from '#runtime/call/call.ts';
import type { Wire } from '#runtime/link/frame.ts';

export type AssistantStore = RpcResponse<'Assistant/GetShop'>;

export type Protocol = 'mcp' | 'acp' | 'ucp';

const CALLER = { tenant: NO_TENANT, keyType: 'internal', keyId: '', customer: null } as const;
const TIMEOUT_MS = 3_000;
/** What no notice tells of, such as a provider that was connected, is seen then. */
const KNOWN_MS = 10_000;
const KNOWN_MAX = 20_000;

/** Whether a payment token can pay there. */
export const takesCards = (shop: AssistantStore, environment: Environment): boolean =>
  environment === 'production' ? shop.takes_cards_in_production : shop.takes_cards_in_sandbox;

export class AssistantStores {
  readonly #wire: Wire;
  readonly #known = new Map<string, { readonly shop: AssistantStore; readonly until: number }>();
  #generation = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Null where no store is called so. */
  find(name: string, origin: EdgeOrigin): AssistantStore | null | Refusal | Promise<AssistantStore | null | Refusal> {
    const known = this.#known.get(name);
    if (known && performance.now() < known.until) return known.shop;
    return this.#ask(name, origin);
  }

  forget(store: string): void {
    this.#generation++;
    for (const [name, { shop }] of this.#known) if (shop.id === store) this.#known.delete(name);
  }

  forgetAll(): void {
    this.#generation++;
    this.#known.clear();
  }

  async #ask(name: string, origin: EdgeOrigin): Promise<AssistantStore | null | Refusal> {
    const generation = this.#generation;
    const call = { caller: CALLER, timeoutMs: TIMEOUT_MS, origin };
    const shop = await ownCall(this.#wire, 'Assistant/GetShop', { store: name }, call);
    if (shop instanceof Refusal) return shop.code === 'not_found' ? null : shop;
    // What was read before a change may be of before it.
    if (generation === this.#generation) {
      if (this.#known.size >= KNOWN_MAX)
        for (const oldest of [...this.#known.keys()].slice(0, 1_000)) this.#known.delete(oldest);
      this.#known.set(name, { shop, until: performance.now() + KNOWN_MS });
    }
    return shop;
  }
}
