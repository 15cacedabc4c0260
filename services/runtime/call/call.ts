// Defines a call, what every handler receives, and the outcomes that a handler may return. Depends on no transport.
import { type FragmentList, wholeList } from './fragment_list.ts';

export type Environment = 'production' | 'sandbox';

/** The owner of a record or call: a store in one environment. */
export interface Tenant {
  readonly store: string;
  readonly environment: Environment;
}

export const NO_TENANT: Tenant = { store: '', environment: 'production' };

/** The zero UUID, which stands in the database for the empty store of `NO_TENANT`. */
export const NO_STORE = '00000000-0000-0000-0000-000000000000';

declare const ledByTenant: unique symbol;
/**
 * A text that begins with store and environment, so that keys of two tenants never collide. Only `tenantKey` creates
 * it.
 */
export type TenantKey = string & { readonly [ledByTenant]: true };

/**
 * Returns `<store id>/<production|sandbox>`, followed by `own` where given. Used as a key of maps and in bus subjects.
 */
export const tenantKey = ({ store, environment }: Tenant, own?: string): TenantKey =>
  (own === undefined ? `${store}/${environment}` : `${store}/${environment}/${own}`) as TenantKey;

/** Kind of API key: `none` for a public endpoint, `internal` for a call between hosts or domains. */
export type KeyType = 'none' | 'publishable' | 'secret' | 'operator' | 'internal';

export interface Idempotency {
  /** The Idempotency-Key header: 1 to 255 printable ASCII characters. */
  readonly key: string;
  /** Method, path, and customer or session of the request, so that equal keys of two shoppers never collide. */
  readonly scope: string;
  /** SHA-256 of the body in hex. The same key with another fingerprint is a conflict. */
  readonly fingerprint: string;
  /** Whether the call may only return a stored response and never run, as for a throttled retry. */
  readonly replayOnly: boolean;
}

export interface Call {
  readonly tenant: Tenant;
  readonly keyType: KeyType;
  readonly keyId: string;
  readonly customer: string | null;
  readonly customerSession: string | null;
  readonly staffSession: string | null;
  /** Browsing session from `X-Session-Id`, which identifies an anonymous cart; null without the header. */
  readonly session: string | null;
  readonly requestId: string;
  readonly trace: string;
  /** Real time in ms since the epoch after which no caller waits for the answer. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly idempotency: Idempotency | null;
  /** Lowest catalogue revision that may be used to answer: the newest one of the tenant that the caller has seen. */
  readonly revisionMin: number;
  /** Media type of a raw body, in lower case without parameters; `application/json` for all other bodies. */
  readonly contentType: string;
  readonly rawBody: Uint8Array;
}

/** All codes of refusals. The edge's error table maps each to an HTTP status. */
export type RefusalCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  | 'quota_exceeded'
  | 'service_unavailable'
  | 'server_error'
  | 'shipping_not_deliverable'
  | 'amount_mismatch'
  | 'insufficient_stock'
  | 'promotion_not_applicable'
  | 'gift_card_not_applicable'
  | 'currency_not_available'
  | 'payment_declined'
  | 'payment_not_captured'
  | 'idempotency_conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'method_not_allowed';

export class Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly extra: RefusalExtra;

  constructor(code: RefusalCode, message: string, extra: RefusalExtra = {}) {
    this.code = code;
    this.message = message;
    this.extra = extra;
  }
}

/** OAuth error codes of RFC 6749, sections 4.1.2.1 and 5.2. */
export type OauthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'server_error'
  | 'temporarily_unavailable';

export interface RefusalExtra {
  readonly param?: string;
  readonly details?: string;
  readonly hint?: string;
  readonly retryAfterS?: number;
  readonly oauth?: OauthError;
  /**
   * Ids that caused the refusal, for the edge only. The edge may repeat the refusal for them while the catalogue
   * revision is unchanged.
   */
  readonly causes?: readonly string[];
}

export const refuse = (code: RefusalCode, message: string, extra?: RefusalExtra): Refusal =>
  new Refusal(code, message, extra);

export const invalid = (param: string, message: string): Refusal => new Refusal('invalid_request', message, { param });

const SHOWN_CHARACTERS_MAX = 40;

export const quoted = (text: string): string =>
  `"${text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX).toWellFormed()}…` : text}"`;

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const foreignCursor = (cursor = ''): Refusal =>
  invalid(
    'cursor',
    `The cursor ${quoted(cursor)} belongs to another list, filter, sort or key. Repeat the request without \`cursor\`.`,
  );

/** Returns a refusal (404) that is the same for an object that never existed and for another tenant's object. */
export const notFound = (what: string, param?: string): Refusal =>
  new Refusal('not_found', `No such ${what}.`, param === undefined ? {} : { param });

export const renamed = (refusal: Refusal, rename: (param: string) => string): Refusal => {
  const { code, message, extra } = refusal;
  if (extra.param === undefined) return refusal;
  const param = rename(extra.param);
  return new Refusal(code, message.replaceAll(`\`${extra.param}\``, `\`${param}\``), { ...extra, param });
};

/** A copy of a response becomes stale after a notice of the kind about the tenant. */
export interface Dependency {
  /** Absent: the caller's tenant. */
  readonly tenant?: Tenant;
  readonly kind: NoticeKind;
  /** Revision from which the response was made; 0 stands for the current one at the time of the call. */
  readonly revision: number;
  /** Ids of what the response shows; empty: all of the kind. */
  readonly ids: readonly string[];
}

export class Rendered {
  readonly #body: Uint8Array | null;
  readonly list: FragmentList | null;
  /** Dependencies of copies of a read, without which edges keep none; changes of a write. */
  readonly dependsOn: readonly Dependency[];
  /** Time after which copies are stale in ms; 0: no limit. */
  readonly freshMs: number;

  constructor(body: Uint8Array | FragmentList, dependsOn: readonly Dependency[] = [], freshMs = 0) {
    const whole = body instanceof Uint8Array;
    this.#body = whole ? body : null;
    this.list = whole ? null : body;
    this.dependsOn = dependsOn;
    this.freshMs = freshMs;
  }

  get body(): Uint8Array {
    return this.#body ?? wholeList(this.list as FragmentList);
  }
}

export type Reply<T> = T | Rendered | Refusal;

/** Names of notices, each with the meaning of its `ids`. Domains add theirs by `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface NoticeKinds {}

export type NoticeKind = keyof NoticeKinds;
