// Resolves API keys, access tokens and staff sessions to principals and caches them.
import { createHash } from 'node:crypto';
import { EDGE_CALLER, EDGE_ORIGIN, type EdgeOrigin, type OwnCall, ownCall } from '#edge/own_call.ts';
import type { RpcResponse } from '#proto/gen/rpcs.ts';
import { APP_PREFIX } from '#runtime/audit/actor.ts';
import { Refusal, refuse, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { type Loaded, LookupCache } from '#runtime/flow/lookup_cache.ts';
import type { Caller, LinkClient } from '#runtime/link/frame.ts';
import type { StaffRole } from '#services/commerce/staff_role.ts';
import type { RateLease } from './lease.ts';
import type { Outage } from './outage.ts';
import {
  hashOfToken,
  readStaffCredential,
  SESSION_ENDED,
  type StaffCredential,
  type StaffToken,
} from './staff_session.ts';
import type { PlanLimits, Throttle } from './throttle.ts';

export interface Principal extends Caller {
  readonly keyType: 'publishable' | 'secret' | 'operator';
  readonly hmacSecret: string;
  /** The HMAC secret before a rotation, and the real time in ms until which it is accepted; null without a rotation. */
  readonly previousHmacSecret: { readonly secret: string; readonly untilMs: number } | null;
  readonly limits: PlanLimits;
  readonly wholesale: boolean;
  /** The store's languages, its default one first; empty for an operator. */
  readonly languages: readonly string[];
  readonly scope: TenantKey;
  readonly leases: readonly RateLease[];
  /** Rate leases of shoppers' requests by IP address: those of the API key and one of the address's network. */
  readonly shopperLeases: Map<string, readonly RateLease[]>;
  /** Value of `throttle.generation` for which `shopperLeases` is valid. */
  shopperLeasesGeneration: number;
  /** Scopes of an access token or a restricted key; null for a full key. */
  readonly scopes: ReadonlySet<string> | null;
  /** Whether an API key was sent; its uses are recorded. */
  readonly isApiKey: boolean;
  /** Role of the staff account that calls; null for keys and access tokens. */
  readonly role: StaffRole | null;
  /** Principals for which an operator's key may act, by the merchant's store id; null for other keys. */
  readonly merchants: ReadonlyMap<string, Principal> | null;
}

interface CachedPrincipal {
  /** Null if the key is unknown. */
  readonly principal: Principal | null;
  /** Expiry of the token or key in ms of the monotonic clock; infinite for a key without end. */
  readonly endsAt: number;
}

interface CredentialRequest {
  readonly credential: StaffToken | string;
  readonly origin: EdgeOrigin;
}

const KEY = /^Bearer (svc_(?:sk|pk|mk|at)_(?:live|test)_[A-Za-z0-9_-]{8,200})$/i;
const TTL_MS = 60_000;
const UNKNOWN_KEY_TTL_MS = 1_000;
const ENTRIES_MAX = 50_000;
const RESOLVE_TIMEOUT_MS = 3_000;
/** Owner of unknown keys, which any store may be given, and of operators' keys, which name merchants. */
const EVERY_STORE = '*';

interface Resolved extends Pick<RpcResponse<'ConnectDirectory/ResolveAccessToken'>, 'principal' | 'expires_in_ms'> {
  readonly scopes: readonly string[] | null;
  readonly name?: string | null;
  readonly staff?: Pick<Principal, 'role' | 'staffSession'>;
}

const asSession = (answer: RpcResponse<'StaffDirectory/ResolveStaffSession'> | Refusal): Resolved | Refusal =>
  answer instanceof Refusal ? answer : { ...answer, staff: { role: answer.role, staffSession: answer.session_id } };

const asResolved = (answer: RpcResponse<'StoreDirectory/ResolveKey'> | Refusal): Resolved | Refusal =>
  answer instanceof Refusal
    ? answer
    : {
        principal: answer.principal,
        // A host of the release before knows none of these.
        scopes: answer.scopes ?? null,
        name: answer.name ?? null,
        expires_in_ms: answer.expires_in_ms ?? Number.POSITIVE_INFINITY,
      };

const isAccessToken = (key: string): boolean => key.startsWith('svc_at_');

export const UNAUTHORIZED = refuse('unauthorized', 'The API key is missing or invalid.', {
  hint: 'Send the header `Authorization: Bearer <API_KEY>`.',
});

const unknownOf = (credential: StaffToken | string): Refusal =>
  typeof credential === 'string' ? UNAUTHORIZED : SESSION_ENDED;

/** Adds one principal per merchant; calls on a merchant's behalf count against the operator's limits. */
const withMerchants = (operator: Principal, stores: readonly string[]): Principal => {
  const { environment } = operator.tenant;
  const merchants = stores.map((store): [string, Principal] => [
    store,
    {
      ...operator,
      tenant: { store, environment },
      // Keeps the cached responses of operators apart from those of publishable keys, which scripts of any origin may
      // read.
      scope: tenantKey({ store, environment }, 'operator'),
      shopperLeases: new Map(),
    },
  ]);
  return { ...operator, merchants: new Map(merchants) };
};

type FoundPrincipal = RpcResponse<'StoreDirectory/ResolveKey'>['principal'];

/** A host of the release before names no previous secret. */
const previousOf = ({ previous_hmac_secret: previous }: FoundPrincipal): Principal['previousHmacSecret'] =>
  previous == null ? null : { secret: previous.secret, untilMs: previous.until_ms };

export const principalOf = (
  found: FoundPrincipal,
  throttle: Throttle,
  scopes: readonly string[] | null,
): Principal => ({
  tenant: { store: found.store_id, environment: found.environment },
  keyType: found.key_type,
  keyId: found.key_id,
  customer: null,
  hmacSecret: found.hmac_secret ?? '',
  previousHmacSecret: previousOf(found),
  limits: found.limits,
  wholesale: found.wholesale,
  // A host of the release before knows none.
  languages: found.languages ?? [],
  scope: tenantKey({ store: found.store_id, environment: found.environment }, found.key_type),
  leases: throttle.planLeases({
    storeId: found.store_id,
    keyId: found.key_id,
    sandbox: found.environment === 'sandbox',
    limits: found.limits,
  }),
  shopperLeases: new Map(),
  shopperLeasesGeneration: throttle.generation,
  scopes: scopes && new Set(scopes),
  isApiKey: false,
  role: null,
  merchants: null,
});

/** Returns the secrets that sign a principal's requests: two during a rotation. */
export const hmacSecretsOf = (principal: Principal | null, nowMs: number): readonly string[] => {
  if (principal === null) return [''];
  const { hmacSecret, previousHmacSecret: previous } = principal;
  return previous !== null && nowMs < previous.untilMs ? [hmacSecret, previous.secret] : [hmacSecret];
};

export class Principals {
  readonly #wire: LinkClient;
  readonly #throttle: Throttle;
  readonly #outage: Outage;
  readonly #cache: LookupCache<string, CachedPrincipal, CredentialRequest, Refusal>;

  constructor(wire: LinkClient, throttle: Throttle, outage: Outage) {
    this.#wire = wire;
    this.#throttle = throttle;
    this.#outage = outage;
    this.#cache = new LookupCache({
      now: () => performance.now(),
      entriesMax: ENTRIES_MAX,
      load: (_, request) => this.#load(request),
    });
  }

  cached(authorization: string): Principal | null {
    const cached = this.#cache.peek(authorization);
    if (!cached?.value.principal) return null;
    const { principal, endsAt } = cached.value;
    const nowMs = performance.now();
    // During an outage no key can be resolved, so a stale entry is used as long as stale responses are served.
    return nowMs < cached.staleAt || (nowMs < endsAt && this.#outage.stale) ? principal : null;
  }

  /** `authorization` is the header's value, or the name of a staff session. */
  async resolve(
    authorization: string | StaffCredential,
    origin: EdgeOrigin = EDGE_ORIGIN,
  ): Promise<Principal | Refusal> {
    const credential = readStaffCredential(authorization) ?? KEY.exec(authorization)?.[1];
    if (!credential) return UNAUTHORIZED;
    const found = await this.#cache.get(authorization, { credential, origin });
    return found instanceof Refusal ? found : (found.principal ?? unknownOf(credential));
  }

  invalidate(storeId: string): void {
    this.#cache.forgetOwner(storeId);
    this.#cache.forgetOwner(EVERY_STORE);
  }

  invalidateAll(): void {
    this.#cache.forgetAll();
  }

  async #load({ credential, origin }: CredentialRequest): Promise<Loaded<CachedPrincipal> | Refusal> {
    const answer = await this.#look(credential, { caller: EDGE_CALLER, timeoutMs: RESOLVE_TIMEOUT_MS, origin });
    if (answer instanceof Refusal) {
      if (answer.code !== 'not_found') return answer;
      return { value: { principal: null, endsAt: 0 }, ttlMs: UNKNOWN_KEY_TTL_MS, owners: [EVERY_STORE] };
    }
    const { principal: found, scopes, name, expires_in_ms, staff } = answer;
    const isAccess = typeof credential === 'string' && isAccessToken(credential);
    const principal = {
      ...principalOf(found, this.#throttle, scopes),
      isApiKey: typeof credential === 'string' && !isAccess,
      ...(isAccess && { keyId: `${APP_PREFIX}${found.key_id}` }),
      ...(name && { actorName: name }),
      ...staff,
    };
    const isOperator = found.key_type === 'operator';
    return {
      value: {
        principal: isOperator ? withMerchants(principal, found.operator_stores) : principal,
        endsAt: performance.now() + expires_in_ms,
      },
      ttlMs: Math.min(TTL_MS, expires_in_ms),
      owners: [found.store_id, ...(isOperator ? [EVERY_STORE] : [])],
    };
  }

  async #look(credential: StaffToken | string, call: OwnCall): Promise<Resolved | Refusal> {
    if (typeof credential !== 'string') {
      const { environment, token } = credential;
      const question = { token_hash: hashOfToken(token), environment };
      return asSession(await ownCall(this.#wire, 'StaffDirectory/ResolveStaffSession', question, call));
    }
    const keyHash = createHash('sha256').update(credential).digest('hex');
    return isAccessToken(credential)
      ? ownCall(this.#wire, 'ConnectDirectory/ResolveAccessToken', { token_hash: keyHash }, call)
      : asResolved(await ownCall(this.#wire, 'StoreDirectory/ResolveKey', { key_hash: keyHash }, call));
  }
}
