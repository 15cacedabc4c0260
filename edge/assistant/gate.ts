// Admits requests of all assistant protocols. Checks that the store and protocol exist (404), the key (401, 403, or 404
// for another store's key) and the rate limits (429).
import type { Edge } from '#edge/endpoint.ts';
import { Charge } from '#edge/gates/charge.ts';
import type { RateLease } from '#edge/gates/lease.ts';
import { type Principal, principalOf } from '#edge/gates/principal.ts';
import { UNDECIDED } from '#edge/gates/throttle.ts';
import { ownCall } from '#edge/own_call.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { type Environment, Refusal, refuse } from '#runtime/call/call.ts';
import type { Adapter } from './adapter.ts';
import type { AssistantStore } from './assistant_store.ts';

const PROTOCOL_DISABLED = refuse('not_found', 'No store speaks this protocol here.');
const KEY_NEEDED = refuse('unauthorized', 'An API key of the store is required.', {
  hint: 'Send the header `Authorization: Bearer <API_KEY>`.',
});
const OWN_KEY = refuse('forbidden', 'A store’s own key is required.', {
  hint: 'Operator keys, access tokens and restricted keys do not open the agent protocols.',
});
const KEYLESS_ID = 'assistant';
const TIMEOUT_MS = 3_000;

export class Gate {
  readonly #edge: Edge;
  readonly #charge: Charge;
  readonly #keylessPrincipals = new WeakMap<AssistantStore, Partial<Record<Environment, Principal>>>();

  constructor(edge: Edge) {
    this.#edge = edge;
    this.#charge = new Charge({ limit: 'plan' }, edge.throttle, edge.addresses);
  }

  async enter(
    context: RequestContext,
    adapter: Adapter,
    shop: AssistantStore | null,
    { path, peer }: { readonly path: string; readonly peer: () => string },
  ): Promise<Principal | Refusal> {
    if (shop === null || !shop.agents[adapter.protocol]) return PROTOCOL_DISABLED;
    const principal = await this.#principal(context, adapter.keyless(path), shop);
    if (principal instanceof Refusal) return principal;
    const { addresses, keyUses } = this.#edge;
    keyUses.note(principal, () => addresses.client(peer(), context.request.headers.get('x-forwarded-for')));
    return this.#chargeLeases(context, principal, this.#charge.leases(context, principal, peer, '', false));
  }

  /** Admits a buyer without a key to a page of the store, in the page's environment. */
  async visitPage(
    context: RequestContext,
    shop: AssistantStore,
    environment: Environment,
    peer: () => string,
  ): Promise<Principal | Refusal> {
    const principal = await this.#shopper(context, shop, environment);
    if (principal instanceof Refusal) return principal;
    return this.#chargeLeases(context, principal, this.#charge.leases(context, principal, peer, '', false));
  }

  /** Limits actions on pages that can be abused, such as guessing codes or starting payments, to a few per minute. */
  attempt(context: RequestContext, principal: Principal, peer: () => string): Promise<Principal | Refusal> {
    const { addresses, throttle } = this.#edge;
    const address = addresses.client(peer(), context.request.headers.get('x-forwarded-for'));
    const lease = throttle.operationLease('auth', principal.tenant.store, '', address);
    return this.#chargeLeases(context, principal, lease ? [lease] : []);
  }

  async #chargeLeases(
    context: RequestContext,
    principal: Principal,
    leases: readonly RateLease[],
  ): Promise<Principal | Refusal> {
    context.principal = principal;
    const { throttle } = this.#edge;
    const charge = throttle.charge(leases, Date.now(), context);
    const outcome = charge === UNDECIDED ? await throttle.settle(leases, false, context) : charge;
    if (outcome !== null) return outcome;
    context.charge = leases;
    return principal;
  }

  async #principal(
    context: RequestContext,
    keylessPrincipals: boolean,
    shop: AssistantStore,
  ): Promise<Principal | Refusal> {
    const authorization = context.request.headers.get('authorization');
    if (authorization === null) return keylessPrincipals ? this.#shopper(context, shop, 'production') : KEY_NEEDED;
    const { principals } = this.#edge;
    const found = principals.cached(authorization) ?? (await principals.resolve(authorization, context));
    if (found instanceof Refusal) return found;
    if (found.keyType === 'operator' || found.scopes !== null) return OWN_KEY;
    return found.tenant.store === shop.id ? found : PROTOCOL_DISABLED;
  }

  async #shopper(
    context: RequestContext,
    shop: AssistantStore,
    environment: Environment,
  ): Promise<Principal | Refusal> {
    const cached = this.#keylessPrincipals.get(shop);
    if (cached?.[environment]) return cached[environment];
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
    if (found instanceof Refusal) return found.code === 'not_found' ? PROTOCOL_DISABLED : found;
    const principal = principalOf(found.principal, this.#edge.throttle, null);
    this.#keylessPrincipals.set(shop, { ...this.#keylessPrincipals.get(shop), [environment]: principal });
    return principal;
  }
}
