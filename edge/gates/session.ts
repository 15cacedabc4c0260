// Resolves the shopper's token in a call's headers to a customer, and caches the result.
import { createHash } from 'node:crypto';
import { EDGE_ORIGIN, type EdgeOrigin, ownCall } from '#edge/own_call.ts';
import type { RpcResponse } from '#proto/gen/rpcs.ts';
import { Refusal, refuse, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
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
  readonly until: number;
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
const EVICTED_AT_ONCE = 1_000;
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

export class CustomerSessions {
  readonly #wire: LinkClient;
  readonly #cached = new Map<TenantKey, CachedSession>();
  readonly #tokens = new Map<TenantKey, TenantKey[]>();
  readonly #pending = new Map<TenantKey, Promise<CachedSession | Refusal>>();
  #generation = 0;

  constructor(wire: LinkClient) {
    this.#wire = wire;
  }

  get size(): number {
    return this.#cached.size;
  }

  /** Returns the shopper whom a token identifies, synchronously if cached. A token is valid in its own tenant only. */
  shopper(
    principal: Principal,
    token: SessionToken,
    origin: EdgeOrigin = EDGE_ORIGIN,
  ): Shopper | Refusal | Promise<Shopper | Refusal> {
    if (!TOKEN_FORM[token.header].test(token.text)) return REJECTED;
    const cached = this.#cached.get(cacheKeyOf(principal.tenant, token));
    if (cached && performance.now() < cached.until) return shopperOf(cached, principal);
    return this.#share(principal, token, origin).then((found) =>
      found instanceof Refusal ? found : shopperOf(found, principal),
    );
  }

  invalidate(tenant: Tenant, sessions: readonly string[]): void {
    this.#generation++;
    for (const session of sessions)
      for (const name of this.#tokens.get(tenantKey(tenant, session))?.slice() ?? []) this.#drop(name);
    if (sessions.length > 0) return;
    for (const [name, cached] of this.#cached) if (sameTenant(cached.tenant, tenant)) this.#drop(name);
  }

  invalidateAll(): void {
    this.#generation++;
    this.#cached.clear();
    this.#tokens.clear();
  }

  #share(principal: Principal, token: SessionToken, origin: EdgeOrigin): Promise<CachedSession | Refusal> {
    const name = tenantKey(principal.tenant, `${this.#generation}/${textOf(token)}`);
    let pending = this.#pending.get(name);
    if (!pending) {
      pending = this.#ask(principal.tenant, token, origin).finally(() => this.#pending.delete(name));
      this.#pending.set(name, pending);
    }
    return pending;
  }

  async #ask(tenant: Tenant, token: SessionToken, origin: EdgeOrigin): Promise<CachedSession | Refusal> {
    const generation = this.#generation;
    const requestedAt = performance.now();
    const found = await this.#resolve({ tenant, keyType: 'internal', keyId: '', customer: null }, token, origin);
    if (found instanceof Refusal) return found.code === 'not_found' ? REJECTED : found;
    const cached: CachedSession = {
      tenant,
      customer: found.customer_id,
      session: 'session_id' in found ? found.session_id : undefined,
      until: requestedAt + Math.min(TTL_MS, found.remaining_ms),
      shoppers: new WeakMap(),
    };
    if (generation === this.#generation && found.remaining_ms > 0) this.#store(cacheKeyOf(tenant, token), cached);
    return cached;
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

  #store(name: TenantKey, cached: CachedSession): void {
    if (this.#cached.size >= ENTRIES_MAX)
      for (const first of [...this.#cached.keys()].slice(0, EVICTED_AT_ONCE)) this.#drop(first);
    this.#drop(name);
    this.#cached.set(name, cached);
    if (cached.session === undefined) return;
    const session = tenantKey(cached.tenant, cached.session);
    const tokens = this.#tokens.get(session);
    if (tokens) tokens.push(name);
    else this.#tokens.set(session, [name]);
  }

  #drop(name: TenantKey): void {
    const cached = this.#cached.get(name);
    if (!cached) return;
    this.#cached.delete(name);
    if (cached.session === undefined) return;
    const session = tenantKey(cached.tenant, cached.session);
    const others = this.#tokens.get(session)?.filter((each) => each !== name) ?? [];
    if (others.length > 0) this.#tokens.set(session, others);
    else this.#tokens.delete(session);
  }
}

/** Prefixes an external token with its header's name, so that it never equals a token of Stoa's. */
const textOf = ({ header, text }: SessionToken): string => (header === 'x-auth-token' ? text : `${header} ${text}`);

/** Includes the tenant: stores that share an identity provider may receive the same token. */
const cacheKeyOf = (tenant: Tenant, token: SessionToken): TenantKey => tenantKey(tenant, textOf(token));

const sameTenant = (a: Tenant, b: Tenant): boolean => a.store === b.store && a.environment === b.environment;

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
