// Which limits a call is charged to: the plan's windows, the shopper's network, the operation's own.
import type { RequestContext } from '#edge/request_context.ts';
import type { Route } from '#proto/route.ts';
import { Refusal } from '#runtime/call/call.ts';
import { type ClientAddresses, networkOf, shopperAddress } from './address.ts';
import type { RateLease } from './lease.ts';
import type { Principal } from './principal.ts';
import { addressIn, type Throttle } from './throttle.ts';

/** Addresses a key remembers; past it all are looked up anew. */
const SHOPPERS_MAX = 10_000;
const NO_LEASES: readonly RateLease[] = [];

/** Whether the client's address is counted, too: of everything under `/v1/auth`. */
export const isAuth = (limit: Route['limit']): boolean => limit === 'auth' || limit === 'reset';

/** The address at the other end of the socket. */
export type ChargedPeer = () => string;

export class Charge {
  readonly #limit: Route['limit'];
  /** Whether the endpoint is told the caller's network. */
  readonly #tells: boolean;
  readonly #throttle: Throttle;
  readonly #addresses: ClientAddresses;

  constructor({ limit, network }: Pick<Route, 'limit' | 'network'>, throttle: Throttle, addresses: ClientAddresses) {
    this.#limit = limit;
    this.#tells = network !== undefined;
    this.#throttle = throttle;
    this.#addresses = addresses;
  }

  /** A server calls for many shoppers from one address: it may say for whom. Empty where it does not. */
  namedAddress(context: RequestContext, { keyType }: Principal): string | Refusal {
    if (!(isAuth(this.#limit) || this.#tells) || keyType !== 'secret') return '';
    return shopperAddress(context.request.headers.get('x-shopper-ip'));
  }

  /** The caller's network, or that of the address which a server `named`, where the endpoint is told; empty elsewhere. */
  network(context: RequestContext, peer: ChargedPeer, named: string | Refusal): string {
    return this.#tells && !(named instanceof Refusal) ? networkOf(named || this.#client(context, peer)) : '';
  }

  #client(context: RequestContext, peer: ChargedPeer): string {
    return this.#addresses.client(peer(), context.request.headers.get('x-forwarded-for'));
  }

  /**
   * The plan's windows, the shopper's network and the operation's own limit, by the address that a server `named`. Who is
   * kept out, by its key or for want of room, did not attempt the operation, but for a password's reset, of which every
   * attempt counts.
   */
  leases(
    context: RequestContext,
    principal: Principal,
    peer: ChargedPeer,
    named: string | Refusal,
    out: boolean,
  ): readonly RateLease[] {
    const limit = this.#limit;
    if (limit === 'none') return NO_LEASES;
    // A network is not counted where it has no limit, and to know it costs a look at the socket.
    const shopper = principal.keyType === 'publishable' && principal.limits.network_hour > 0;
    if ((!shopper && (limit === 'plan' || limit === 'usage')) || named instanceof Refusal) return principal.leases;
    const address = named || this.#client(context, peer);
    const leases = shopper ? this.#shopper(principal, address) : principal.leases;
    const own =
      out && limit !== 'reset'
        ? null
        : this.#throttle.operationLease(
            limit,
            principal.tenant.store,
            principal.keyId,
            addressIn(principal.tenant, address),
          );
    return own ? [...leases, own] : leases;
  }

  /** What a shopper at this address is charged to, found once while the key is known. */
  #shopper(principal: Principal, address: string): readonly RateLease[] {
    const throttle = this.#throttle;
    const { shoppers, tenant, limits } = principal;
    if (principal.shoppersOf !== throttle.generation || shoppers.size >= SHOPPERS_MAX) {
      shoppers.clear();
      principal.shoppersOf = throttle.generation;
    }
    let leases = shoppers.get(address);
    if (!leases) {
      leases = [
        ...principal.leases,
        throttle.lease(tenant.store, 'network_hour', addressIn(tenant, networkOf(address)), limits.network_hour),
      ];
      // Making it may have let others go.
      if (principal.shoppersOf === throttle.generation) shoppers.set(address, leases);
    }
    return leases;
  }
}
