// Which shopper stands behind a call: exactly one of three session headers, resolved once and kept while it stands
// (specification, "Customer session tokens").
import { createHash } from 'node:crypto';
import { type EdgeOrigin, ITSELF, ownCall } from '#edge/own_call.ts';
import type { RpcResponse } from '#proto/gen/rpcs.ts';
import { Refusal, refuse, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Caller, Wire } from '#runtime/link/frame.ts';
import type { Principal } from './principal.ts';

/** A key with a customer's session behind it; what goes over the link as the caller. */
export interface Shopper extends Caller {
  readonly customer: string;
  /** Undefined where another system vouches for them. */
  readonly customerSession: string | undefined;
  /** In the key's place: part of every tag, so that two shoppers' never compare equal. */
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
  /** performance.now() past which it is asked for again. */
  readonly until: number;
  /** One caller a key, so that its encoding is kept. */
  readonly shoppers: WeakMap<Principal, Shopper>;
}

type ResolvedSession = RpcResponse<'SessionDirectory/ResolveSession' | 'SessionDirectory/ResolveAssertion'>;

const HEADERS: readonly Header[] = ['x-auth-token', 'x-external-auth', 'x-idp-token'];
/** Of ours alone: anything else need not be asked for. */
const OURS = /^at_[A-Za-z0-9_-]{43}$/;
/** What others make is theirs to say; JWTs and whatever else fits into a header of some size. */
const THEIRS = /^[\x21-\x7e]{1,8192}$/;
const FORM: Readonly<Record<Header, RegExp>> = {
  'x-auth-token': OURS,
  'x-external-auth': THEIRS,
  'x-idp-token': THEIRS,
};
const SESSION_ID = /^[\x21-\x7e]{1,128}$/;
const KNOWN_MS = 30_000;
const KNOWN_MAX = 50_000;
const FORGOTTEN_AT_ONCE = 1_000;
const RESOLVE_TIMEOUT_MS = 3_000;
/** The merchant's verifier has 3 seconds of its own. */
const ASSERTION_TIMEOUT_MS = 6_000;

const REJECTED = refuse('unauthorized', 'The customer session is not valid.', { hint: 'Refresh it or sign in again.' });

/** The one session header that a request carries; null where there is none. */
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

/** Whether the caller means to send a shopper's session, and has none. */
export const sendsEmptyToken = (headers: Headers): boolean => HEADERS.some((header) => headers.get(header) === '');

/** The browsing session that `X-Session-Id` names, empty without one; null where no session can be called so. */
export function readSessionId(headers: Headers): string | null {
  const text = headers.get('x-session-id');
  if (text === null || text === '') return '';
  return SESSION_ID.test(text) ? text : null;
}

export const BAD_SESSION_ID = refuse('invalid_request', 'X-Session-Id must be 1 to 128 visible ASCII characters.', {
  param: 'X-Session-Id',
});

export class CustomerSessions {
  readonly #wire: Wire;
  readonly #known = new Map<TenantKey, CachedSession>();
  /** The known tokens of each session. */
  readonly #tokens = new Map<TenantKey, TenantKey[]>();
  readonly #asking = new Map<TenantKey, Promise<CachedSession | Refusal>>();
  /** Rises with whatever is forgotten: what was asked for before that is not kept. */
  #generation = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get size(): number {
    return this.#known.size;
  }

  /** The shopper of a token, at once where it is known. Another tenant's token belongs to no shopper here. */
  shopper(
    principal: Principal,
    token: SessionToken,
    origin: EdgeOrigin = ITSELF,
  ): Shopper | Refusal | Promise<Shopper | Refusal> {
    if (!FORM[token.header].test(token.text)) return REJECTED;
    const known = this.#known.get(nameOf(principal.tenant, token));
    if (known && performance.now() < known.until) return shopperOf(known, principal);
    return this.#share(principal, token, origin).then((found) =>
      found instanceof Refusal ? found : shopperOf(found, principal),
    );
  }

  /** These sessions ended; without any, all of the tenant's may have. */
  forget(tenant: Tenant, sessions: readonly string[]): void {
    this.#generation++;
    for (const session of sessions)
      for (const name of this.#tokens.get(tenantKey(tenant, session))?.slice() ?? []) this.#drop(name);
    if (sessions.length > 0) return;
    for (const [name, known] of this.#known) if (sameTenant(known.tenant, tenant)) this.#drop(name);
  }

  forgetAll(): void {
    this.#generation++;
    this.#known.clear();
    this.#tokens.clear();
  }

  /** Callers who meet share one question. */
  #share(principal: Principal, token: SessionToken, origin: EdgeOrigin): Promise<CachedSession | Refusal> {
    const name = tenantKey(principal.tenant, `${this.#generation}/${textOf(token)}`);
    let asking = this.#asking.get(name);
    if (!asking) {
      asking = this.#ask(principal.tenant, token, origin).finally(() => this.#asking.delete(name));
      this.#asking.set(name, asking);
    }
    return asking;
  }

  async #ask(tenant: Tenant, token: SessionToken, origin: EdgeOrigin): Promise<CachedSession | Refusal> {
    const generation = this.#generation;
    const askedAt = performance.now();
    const found = await this.#resolve({ tenant, keyType: 'internal', keyId: '', customer: null }, token, origin);
    if (found instanceof Refusal) return found.code === 'not_found' ? REJECTED : found;
    const known: CachedSession = {
      tenant,
      customer: found.customer_id,
      session: 'session_id' in found ? found.session_id : undefined,
      until: askedAt + Math.min(KNOWN_MS, found.remaining_ms),
      shoppers: new WeakMap(),
    };
    if (generation === this.#generation && found.remaining_ms > 0) this.#keep(nameOf(tenant, token), known);
    return known;
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

  #keep(name: TenantKey, known: CachedSession): void {
    if (this.#known.size >= KNOWN_MAX)
      for (const first of [...this.#known.keys()].slice(0, FORGOTTEN_AT_ONCE)) this.#drop(first);
    this.#drop(name);
    this.#known.set(name, known);
    if (known.session === undefined) return;
    const session = tenantKey(known.tenant, known.session);
    const tokens = this.#tokens.get(session);
    if (tokens) tokens.push(name);
    else this.#tokens.set(session, [name]);
  }

  #drop(name: TenantKey): void {
    const known = this.#known.get(name);
    if (!known) return;
    this.#known.delete(name);
    if (known.session === undefined) return;
    const session = tenantKey(known.tenant, known.session);
    const others = this.#tokens.get(session)?.filter((each) => each !== name) ?? [];
    if (others.length > 0) this.#tokens.set(session, others);
    else this.#tokens.delete(session);
  }
}

/** Ours cannot be mistaken for another's: theirs have their header's name before them. */
const textOf = ({ header, text }: SessionToken): string => (header === 'x-auth-token' ? text : `${header} ${text}`);

/** Two stores that trust one identity provider may be sent the same token of it. */
const nameOf = (tenant: Tenant, token: SessionToken): TenantKey => tenantKey(tenant, textOf(token));

const sameTenant = (a: Tenant, b: Tenant): boolean => a.store === b.store && a.environment === b.environment;

function shopperOf(known: CachedSession, principal: Principal): Shopper {
  let shopper = known.shoppers.get(principal);
  if (!shopper) {
    const { tenant, keyType, keyId, scope } = principal;
    const { customer, session } = known;
    shopper = { tenant, keyType, keyId, customer, customerSession: session, scope: `${scope}/${customer}` };
    known.shoppers.set(principal, shopper);
  }
  return shopper;
}
