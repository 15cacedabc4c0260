// Resolves the shopper's token in a call's headers to a customer, and caches the result.
import { createHash } from 'node:crypto';
import { EDGE_ORIGIN, type EdgeOrigin, ownCall } from '#edge/own_call.ts';
import type { RpcResponse } from '#proto/gen/rpcs.ts';
import { Refusal, refuse, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { type Loaded, LookupCache } from '#runtime/flow/lookup_cache.ts';
import type { Caller, LinkClient } from '#runtime/link/frame.ts';
import type { Principal } from './principal.ts';

export interface Shopper extends Caller {
  readonly customer: string;
  /** Undefined if an external identity provider authenticated the customer. */
  readonly customerSession: string | undefined;
  readonly scope: string;
}

type Header = 'x-auth-token' | 'x-external-auth' | 'x-idp-token';

export interface SessionToken {
  readonly header: Header;
  readonly text: string;
}

interface CachedSession {
  readonly tenant: Tenant;
  readonly customer: string;
  readonly session: string | undefined;
  /** Shopper object of each principal; reusing it lets its encoding be cached. */
  readonly shoppers: WeakMap<Principal, Shopper>;
}

type ResolvedSession = RpcResponse<'SessionDirectory/ResolveSession' | 'SessionDirectory/ResolveAssertion'>;

const HEADERS: readonly Header[] = ['x-auth-token', 'x-external-auth', 'x-idp-token'];
const OWN_TOKEN = /^at_[A-Za-z0-9_-]{43}$/;
const FOREIGN_TOKEN = /^[\x21-\x7e]{1,8192}$/;
const TOKEN_FORM: Readonly<Record<Header, RegExp>> = {
  'x-auth-token': OWN_TOKEN,
  'x-external-auth': FOREIGN_TOKEN,
  'x-idp-token': FOREIGN_TOKEN,
};
const SESSION_ID = /^[\x21-\x7e]{1,128}$/;
const TTL_MS = 30_000;
const ENTRIES_MAX = 50_000;
const RESOLVE_TIMEOUT_MS = 3_000;
/** Includes 3 seconds for the merchant's verifier. */
const ASSERTION_TIMEOUT_MS = 6_000;

const REJECTED = refuse('unauthorized', 'The customer session is not valid.', { hint: 'Refresh it or sign in again.' });

export function readToken(headers: Headers): SessionToken | null | Refusal {
  let token: SessionToken | null = null;
  for (const header of HEADERS) {
    const text = headers.get(header);
    if (text === null || text === '') continue;
    if (token)
      return refuse('invalid_request', 'Send exactly one of x-auth-token, x-external-auth and x-idp-token.', {
        param: header,
      });
    token = { header, text };
  }
  return token;
}

export const sendsEmptyToken = (headers: Headers): boolean => HEADERS.some((header) => headers.get(header) === '');

/** Returns the browsing session's id from `X-Session-Id`; empty if none was sent, null if it is malformed. */
export function readSessionId(headers: Headers): string | null {
  const text = headers.get('x-session-id');
  if (text === null || text === '') return '';
  return SESSION_ID.test(text) ? text : null;
}

export const BAD_SESSION_ID = refuse('invalid_request', 'X-Session-Id must be 1 to 128 visible ASCII characters.', {
  param: 'X-Session-Id',
});

interface SessionRequest {
  readonly tenant: Tenant;
  readonly token: SessionToken;
  readonly origin: EdgeOrigin;
}

export class CustomerSessions {
  readonly #wire: LinkClient;
  readonly #cache: LookupCache<TenantKey, CachedSession, SessionRequest, Refusal>;

  constructor(wire: LinkClient) {
    this.#wire = wire;
    this.#cache = new LookupCache({
      now: () => performance.now(),
      entriesMax: ENTRIES_MAX,
      load: (_, request) => this.#load(request),
    });
  }

  get size(): number {
    return this.#cache.size;
  }

  /** Returns the shopper whom a token identifies, synchronously if cached. A token is valid in its own tenant only. */
  shopper(
    principal: Principal,
    token: SessionToken,
    origin: EdgeOrigin = EDGE_ORIGIN,
  ): Shopper | Refusal | Promise<Shopper | Refusal> {
    if (!TOKEN_FORM[token.header].test(token.text)) return REJECTED;
    const { tenant } = principal;
    const found = this.#cache.get(cacheKeyOf(tenant, token), { tenant, token, origin });
    if (!(found instanceof Promise)) return shopperOf(found, principal);
    return found.then((resolved) => (resolved instanceof Refusal ? resolved : shopperOf(resolved, principal)));
  }

  /** Drops the tenant's sessions of these ids; all of the tenant's if there are none. */
  invalidate(tenant: Tenant, sessions: readonly string[]): void {
    if (sessions.length === 0) this.#cache.forgetOwner(tenantKey(tenant));
    for (const session of sessions) this.#cache.forgetOwner(tenantKey(tenant, session));
  }

  invalidateAll(): void {
    this.#cache.forgetAll();
  }

  async #load({ tenant, token, origin }: SessionRequest): Promise<Loaded<CachedSession> | Refusal> {
    const found = await this.#resolve({ tenant, keyType: 'internal', keyId: '', customer: null }, token, origin);
    if (found instanceof Refusal) return found.code === 'not_found' ? REJECTED : found;
    const session = 'session_id' in found ? found.session_id : undefined;
    return {
      value: { tenant, customer: found.customer_id, session, shoppers: new WeakMap() },
      ttlMs: Math.min(TTL_MS, found.remaining_ms),
      owners: [tenantKey(tenant), ...(session === undefined ? [] : [tenantKey(tenant, session)])],
    };
  }

  #resolve(caller: Caller, { header, text }: SessionToken, origin: EdgeOrigin): Promise<ResolvedSession | Refusal> {
    if (header === 'x-auth-token') {
      const token_hash = createHash('sha256').update(text).digest('hex');
      const call = { caller, timeoutMs: RESOLVE_TIMEOUT_MS, origin };
      return ownCall(this.#wire, 'SessionDirectory/ResolveSession', { token_hash }, call);
    }
    const kind = header === 'x-idp-token' ? 'idp' : 'external_auth';
    const call = { caller, timeoutMs: ASSERTION_TIMEOUT_MS, origin };
    return ownCall(this.#wire, 'SessionDirectory/ResolveAssertion', { kind, token: text }, call);
  }
}

/** Prefixes an external token with its header's name, so that it never equals a token of Stoa's. */
const textOf = ({ header, text }: SessionToken): string => (header === 'x-auth-token' ? text : `${header} ${text}`);

/** Includes the tenant: stores that share an identity provider may receive the same token. */
const cacheKeyOf = (tenant: Tenant, token: SessionToken): TenantKey => tenantKey(tenant, textOf(token));

function shopperOf(cached: CachedSession, principal: Principal): Shopper {
  let shopper = cached.shoppers.get(principal);
  if (!shopper) {
    const { tenant, keyType, keyId, scope } = principal;
    const { customer, session } = cached;
    shopper = { tenant, keyType, keyId, customer, customerSession: session, scope: `${scope}/${customer}` };
    cached.shoppers.set(principal, shopper);
  }
  return shopper;
}
