// Selects the rate limits that count a call: those of the plan, of the shopper's network and of the operation.
import type { RequestContext } from '#edge/request_context.ts';
import type { Route } from '#proto/route.ts';
import { NO_STORE, Refusal } from '#runtime/call/call.ts';
import { type ClientAddresses, networkOf, shopperAddress } from './address.ts';
import type { RateLease } from './lease.ts';
import type { Principal } from './principal.ts';
import type { Throttle } from './throttle.ts';

const SHOPPERS_MAX = 10_000;
const NO_LEASES: readonly RateLease[] = [];

/** Returns whether calls are also limited by client address, as everything under `/v1/auth` is. */
export const isAuth = (limit: Route['limit']): boolean => limit === 'auth' || limit === 'reset';

export type PeerAddress = () => string;

export class Charge {
  readonly #limit: Route['limit'];
  readonly #sendsNetwork: boolean;
  readonly #throttle: Throttle;
  readonly #addresses: ClientAddresses;

  constructor({ limit, network }: Pick<Route, 'limit' | 'network'>, throttle: Throttle, addresses: ClientAddresses) {
    this.#limit = limit;
    this.#sendsNetwork = network !== undefined;
    this.#throttle = throttle;
    this.#addresses = addresses;
  }

  declaredAddress(context: RequestContext, { keyType }: Principal): string | Refusal {
    if (!(isAuth(this.#limit) || this.#sendsNetwork) || keyType !== 'secret') return '';
    return shopperAddress(context.request.headers.get('x-shopper-ip'));
  }

  network(context: RequestContext, peer: PeerAddress, declared: string | Refusal): string {
    return this.#sendsNetwork && !(declared instanceof Refusal)
      ? networkOf(declared || this.client(context, peer))
      : '';
  }

  keyless(context: RequestContext, peer: PeerAddress): readonly RateLease[] {
    const own = this.#throttle.operationLease(this.#limit, NO_STORE, '', this.client(context, peer));
    return own ? [own] : NO_LEASES;
  }

  client(context: RequestContext, peer: PeerAddress): string {
    return this.#addresses.client(peer(), context.request.headers.get('x-forwarded-for'));
  }

  /**
   * Returns the leases from which the call spends a token. If the call is refused because its key lacks the right or the
   * queue is full, it spends none of the operation's own limit. Password resets always do.
   */
  leases(
    context: RequestContext,
    principal: Principal,
    peer: PeerAddress,
    declared: string | Refusal,
    denied: boolean,
  ): readonly RateLease[] {
    const limit = this.#limit;
    if (limit === 'none') return NO_LEASES;
    // Looking up a connection's address takes time, so it is skipped if networks are not limited.
    const shopper = principal.keyType === 'publishable' && principal.limits.network_hour > 0;
    if ((!shopper && (limit === 'plan' || limit === 'usage')) || declared instanceof Refusal) return principal.leases;
    const address = declared || this.client(context, peer);
    const leases = shopper ? this.#shopper(principal, address) : principal.leases;
    const own =
      denied && limit !== 'reset'
        ? null
        : this.#throttle.operationLease(limit, principal.tenant.store, principal.keyId, address);
    return own ? [...leases, own] : leases;
  }

  #shopper(principal: Principal, address: string): readonly RateLease[] {
    const throttle = this.#throttle;
    const { shopperLeases, tenant, limits } = principal;
    if (principal.shopperLeasesGeneration !== throttle.generation || shopperLeases.size >= SHOPPERS_MAX) {
      shopperLeases.clear();
      principal.shopperLeasesGeneration = throttle.generation;
    }
    let leases = shopperLeases.get(address);
    if (!leases) {
      leases = [
        ...principal.leases,
        throttle.lease(tenant.store, 'network_hour', networkOf(address), limits.network_hour),
      ];
      // Creating the lease may have evicted leases, which changes the generation.
      if (principal.shopperLeasesGeneration === throttle.generation) shopperLeases.set(address, leases);
    }
    return leases;
  }
}
