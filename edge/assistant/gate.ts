// What every request of an assistant passes, whatever its protocol: the store and whether it speaks the protocol (404),
// the key where there is one (401, 403; another store's: 404), and the throttles of a publishable key (429).
import type { Edge } from '#edge/endpoint.ts';
import { Charge } from '#edge/gates/charge.ts';
import type { RateLease } from '#edge/gates/lease.ts';
import { type Principal, principalOf } from '#edge/gates/principal.ts';
import { addressIn, UNDECIDED } from '#edge/gates/throttle.ts';
import { ownCall } from '#edge/own_call.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { type Environment, Refusal, refuse } from '#runtime/call/call.ts';
import type { Adapter } from './adapter.ts';
import type { AssistantStore } from './shop.ts';

const NOT_HERE = refuse('not_found', 'No store speaks this protocol here.');
const KEY_NEEDED = refuse('unauthorized', 'An API key of the store is required.', {
  hint: 'Send the header `Authorization: Bearer <API_KEY>`.',
});
const OWN_KEY = refuse('forbidden', 'A store’s own key is required.', {
  hint: 'Operator keys and access tokens do not open the agent protocols.',
});
/** Under which those who come without a key are counted. */
const KEYLESS_ID = 'assistant';
const TIMEOUT_MS = 3_000;

export class Gate {
  readonly #edge: Edge;
  readonly #charge: Charge;
  /** Who shops without a key, as long as the store is known as it is. */
  readonly #keyless = new WeakMap<AssistantStore, Partial<Record<Environment, Principal>>>();

  constructor(edge: Edge) {
    this.#edge = edge;
    this.#charge = new Charge({ limit: 'plan' }, edge.throttle, edge.addresses);
  }

  /** Who calls, charged; or why not. */
  async enter(
    context: RequestContext,
    adapter: Adapter,
    shop: AssistantStore | null,
    { path, peer }: { readonly path: string; readonly peer: () => string },
  ): Promise<Principal | Refusal> {
    if (shop === null || !shop.agents[adapter.protocol]) return NOT_HERE;
    const principal = await this.#principal(context, adapter.keyless(path), shop);
    if (principal instanceof Refusal) return principal;
    return this.#charged(context, principal, this.#charge.leases(context, principal, peer, '', false));
  }

  /** A buyer at one of the store's pages: without a key, in the environment of what the page shows. */
  async visitPage(
    context: RequestContext,
    shop: AssistantStore,
    environment: Environment,
    peer: () => string,
  ): Promise<Principal | Refusal> {
    const principal = await this.#shopper(context, shop, environment);
    if (principal instanceof Refusal) return principal;
    return this.#charged(context, principal, this.#charge.leases(context, principal, peer, '', false));
  }

  /** What a page's visitor may do a few times a minute: guess, and begin payments. */
  attempt(context: RequestContext, principal: Principal, peer: () => string): Promise<Principal | Refusal> {
    const { addresses, throttle } = this.#edge;
    const address = addresses.client(peer(), context.request.headers.get('x-forwarded-for'));
    const lease = throttle.operationLease('auth', principal.tenant.store, '', addressIn(principal.tenant, address));
    return this.#charged(context, principal, lease ? [lease] : []);
  }

  async #charged(
    context: RequestContext,
    principal: Principal,
    leases: readonly RateLease[],
  ): Promise<Principal | Refusal> {
    context.principal = principal;
    const { throttle } = this.#edge;
    const charged = throttle.charge(leases, Date.now(), context);
    const outcome = charged === UNDECIDED ? await throttle.settle(leases, false, context) : charged;
    if (outcome !== null) return outcome;
    context.charge = leases;
    return principal;
  }

  async #principal(context: RequestContext, keyless: boolean, shop: AssistantStore): Promise<Principal | Refusal> {
    const authorization = context.request.headers.get('authorization');
    if (authorization === null) return keyless ? this.#shopper(context, shop, 'production') : KEY_NEEDED;
    const { principals } = this.#edge;
    const found = principals.cached(authorization) ?? (await principals.resolve(authorization, context));
    if (found instanceof Refusal) return found;
    if (found.keyType === 'operator' || found.scopes !== null) return OWN_KEY;
    return found.tenant.store === shop.id ? found : NOT_HERE;
  }

  /** A shopper's rights. */
  async #shopper(
    context: RequestContext,
    shop: AssistantStore,
    environment: Environment,
  ): Promise<Principal | Refusal> {
    const known = this.#keyless.get(shop);
    if (known?.[environment]) return known[environment];
    const tenant = { store: shop.id, environment };
    const found = await ownCall(
      this.#edge.wire,
      'StoreDirectory/ActAsShopper',
      { key_id: KEYLESS_ID },
      {
        caller: { tenant, keyType: 'internal', keyId: '', customer: null },
        timeoutMs: TIMEOUT_MS,
        origin: context,
      },
    );
    if (found instanceof Refusal) return found.code === 'not_found' ? NOT_HERE : found;
    const principal = principalOf(found.principal, this.#edge.throttle, null);
    this.#keyless.set(shop, { ...this.#keyless.get(shop), [environment]: principal });
    return principal;
  }
}
