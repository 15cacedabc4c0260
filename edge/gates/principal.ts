// Who stands behind an API key: asked once of the store domain, kept while it stands.
import { createHash } from 'node:crypto';
import { type EdgeOrigin, HOUSE, ITSELF, ownCall } from '#edge/own_call.ts';
import type { RpcResponse } from '#proto/gen/rpcs.ts';
import { Refusal, refuse, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Caller, Wire } from '#runtime/link/frame.ts';
import type { RateLease } from './lease.ts';
import type { Outage } from './outage.ts';
import type { PlanLimits, Throttle } from './throttle.ts';

/** A key's owner as the gates see it; also what goes over the link as the caller. */
export interface Principal extends Caller {
  readonly keyType: 'publishable' | 'secret' | 'operator';
  readonly hmacSecret: string;
  readonly limits: PlanLimits;
  /** Whether the store sells to businesses. */
  readonly wholesale: boolean;
  /** First part of every cache key and of every tag. */
  readonly scope: TenantKey;
  /** What each of its requests is charged to. */
  readonly leases: readonly RateLease[];
  /** What a shopper's requests are charged to, by address: these and the network's. */
  readonly shoppers: Map<string, readonly RateLease[]>;
  /** The throttle's generation that they are of. */
  shoppersOf: number;
  /** Of an access token: what it may be used for. Null of a key, which may do all that its kind may. */
  readonly scopes: ReadonlySet<string> | null;
  /** Of an operator's key: as whom it acts, by store. Null of any other. */
  readonly merchants: ReadonlyMap<string, Principal> | null;
}

interface CachedPrincipal {
  readonly principal: Principal | null;
  /** performance.now() past which it is asked again. */
  readonly until: number;
  /** performance.now() past which it is good for nothing: an access token ends by itself. */
  readonly endsAt: number;
}

const KEY = /^Bearer (svc_(?:sk|pk|mk|at)_(?:live|test)_[A-Za-z0-9_-]{8,200})$/i;
const KNOWN_MS = 60_000;
/** Short, so that a key made a moment ago opens the door. */
const UNKNOWN_MS = 1_000;
const KNOWN_MAX = 50_000;
const RESOLVE_TIMEOUT_MS = 3_000;

/** A key is good for all that its kind is, and does not end by itself. */
const whole = (answer: RpcResponse<'StoreDirectory/ResolveKey'> | Refusal) =>
  answer instanceof Refusal
    ? answer
    : { principal: answer.principal, scopes: null, expires_in_ms: Number.POSITIVE_INFINITY };

const isAccessToken = (key: string): boolean => key.startsWith('svc_at_');

export const UNAUTHORIZED = refuse('unauthorized', 'The API key is missing or invalid.', {
  hint: 'Send the header `Authorization: Bearer <API_KEY>`.',
});

/** What it calls for a merchant is charged to the operator. */
const withMerchants = (operator: Principal, stores: readonly string[]): Principal => {
  const { environment } = operator.tenant;
  const merchants = stores.map((store): [string, Principal] => [
    store,
    {
      ...operator,
      tenant: { store, environment },
      // What a shopper sees; but it is no key for a browser.
      scope: tenantKey({ store, environment }, 'operator'),
      shoppers: new Map(),
    },
  ]);
  return { ...operator, merchants: new Map(merchants) };
};

/** Who a key, or the lack of one, stands for. */
export const principalOf = (
  found: RpcResponse<'StoreDirectory/ResolveKey'>['principal'],
  throttle: Throttle,
  scopes: readonly string[] | null,
): Principal => ({
  tenant: { store: found.store_id, environment: found.environment },
  keyType: found.key_type,
  keyId: found.key_id,
  customer: null,
  hmacSecret: found.hmac_secret ?? '',
  limits: found.limits,
  wholesale: found.wholesale,
  scope: tenantKey({ store: found.store_id, environment: found.environment }, found.key_type),
  leases: throttle.planLeases({
    storeId: found.store_id,
    keyId: found.key_id,
    sandbox: found.environment === 'sandbox',
    limits: found.limits,
  }),
  shoppers: new Map(),
  shoppersOf: throttle.generation,
  scopes: scopes && new Set(scopes),
  merchants: null,
});

export class Principals {
  readonly #wire: Wire;
  readonly #throttle: Throttle;
  readonly #outage: Outage;
  readonly #known = new Map<string, CachedPrincipal>();
  readonly #asking = new Map<string, Promise<Principal | Refusal>>();
  #generation = 0;

  constructor(wire: Wire, throttle: Throttle, outage: Outage) {
    this.#wire = wire;
    this.#throttle = throttle;
    this.#outage = outage;
  }

  /** The principal of an `Authorization` header, when it can be told without asking. */
  known(authorization: string): Principal | null {
    const known = this.#known.get(authorization);
    if (!known?.principal) return null;
    const nowMs = performance.now();
    // Without a host a key cannot be asked for anew.
    return nowMs < known.until || (nowMs < known.endsAt && this.#outage.stale) ? known.principal : null;
  }

  async resolve(authorization: string, origin: EdgeOrigin = ITSELF): Promise<Principal | Refusal> {
    const key = KEY.exec(authorization)?.[1];
    if (!key) return UNAUTHORIZED;
    const known = this.#known.get(authorization);
    if (known && performance.now() < known.until) return known.principal ?? UNAUTHORIZED;
    let asking = this.#asking.get(authorization);
    if (!asking) {
      const own = this.#ask(authorization, key, origin).finally(() => {
        if (this.#asking.get(authorization) === own) this.#asking.delete(authorization);
      });
      this.#asking.set(authorization, own);
      asking = own;
    }
    return asking;
  }

  /** Keys, plan or limits of a store changed: its keys are asked for again. */
  forget(storeId: string): void {
    this.#outdate();
    for (const [authorization, { principal }] of this.#known)
      if (principal === null || principal.tenant.store === storeId || principal.keyType === 'operator')
        this.#known.delete(authorization);
  }

  forgetAll(): void {
    this.#outdate();
    this.#known.clear();
  }

  /** What is being asked for may have been read before the change: it is kept by no cache and joined by no later caller. */
  #outdate(): void {
    this.#generation++;
    this.#asking.clear();
  }

  async #ask(authorization: string, key: string, origin: EdgeOrigin): Promise<Principal | Refusal> {
    const generation = this.#generation;
    const keyHash = createHash('sha256').update(key).digest('hex');
    const call = { caller: HOUSE, timeoutMs: RESOLVE_TIMEOUT_MS, origin };
    const answer = isAccessToken(key)
      ? await ownCall(this.#wire, 'ConnectDirectory/ResolveAccessToken', { token_hash: keyHash }, call)
      : whole(await ownCall(this.#wire, 'StoreDirectory/ResolveKey', { key_hash: keyHash }, call));
    if (answer instanceof Refusal) {
      if (answer.code !== 'not_found') return answer;
      const until = performance.now() + UNKNOWN_MS;
      this.#keep(authorization, { principal: null, until, endsAt: until }, generation);
      return UNAUTHORIZED;
    }
    const { principal: found, scopes, expires_in_ms } = answer;
    const principal = principalOf(found, this.#throttle, scopes);
    const asked = found.key_type === 'operator' ? withMerchants(principal, found.operator_stores) : principal;
    const nowMs = performance.now();
    const until = nowMs + Math.min(KNOWN_MS, expires_in_ms);
    this.#keep(authorization, { principal: asked, until, endsAt: nowMs + expires_in_ms }, generation);
    return asked;
  }

  #keep(authorization: string, known: CachedPrincipal, generation: number): void {
    if (generation !== this.#generation) return;
    if (this.#known.size >= KNOWN_MAX)
      for (const first of [...this.#known.keys()].slice(0, 1_000)) this.#known.delete(first);
    this.#known.set(authorization, known);
  }
}
