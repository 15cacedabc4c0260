// A call and its outcomes: what every handler receives and what it may answer. Knows no transport.
import { type FragmentList, wholeList } from './fragment_list.ts';

export type Environment = 'production' | 'sandbox';

/** The owner of every record: a store in one environment. `none` stands for calls without a key. */
export interface Tenant {
  readonly store: string;
  readonly environment: Environment;
}

export const NO_TENANT: Tenant = { store: '', environment: 'production' };

/** What stands for its store in the database. */
export const NO_STORE = '00000000-0000-0000-0000-000000000000';

declare const ledByTenant: unique symbol;
/** A text that no two tenants share, because the store and the environment lead it. Only `tenantKey` makes one. */
export type TenantKey = string & { readonly [ledByTenant]: true };

/** `<store id>/<production|sandbox>`, then what tells the tenant's own things apart: for keys of maps, and subjects. */
export const tenantKey = ({ store, environment }: Tenant, own?: string): TenantKey =>
  (own === undefined ? `${store}/${environment}` : `${store}/${environment}/${own}`) as TenantKey;

/** Who calls: the kind of API key, `none` for a public endpoint, `internal` for a call from inside the house. */
export type KeyType = 'none' | 'publishable' | 'secret' | 'operator' | 'internal';

/** What a retry is recognised by: see the specification, "Idempotency". */
export interface Idempotency {
  /** The client's own key, 1 to 255 printable ASCII characters. */
  readonly key: string;
  /** Method, concrete path and the customer or session, so that two shoppers never meet. */
  readonly scope: string;
  /** SHA-256 of the body in hex: another body under the same key is a conflict. */
  readonly fingerprint: string;
  /** Answer only what is stored; never run the call (a throttled retry). */
  readonly replayOnly: boolean;
}

export interface Call {
  readonly tenant: Tenant;
  readonly keyType: KeyType;
  /** The API key's id; empty without one. */
  readonly keyId: string;
  /** The signed-in customer's id, where a session stands behind the call. */
  readonly customer: string | null;
  /** The id of that session; null where none stands behind the call. */
  readonly customerSession: string | null;
  /** The browsing session that `X-Session-Id` names: an anonymous cart's. */
  readonly session: string | null;
  readonly requestId: string;
  /** W3C traceparent of the caller's span, or empty. */
  readonly trace: string;
  /** Real time in ms since the epoch after which no caller waits for the answer. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly idempotency: Idempotency | null;
  /** Answer from a state at least this new (the tenant's catalogue revision the caller already saw). */
  readonly revisionMin: number;
  /** The media type of a raw body, lower-case without parameters; `application/json` otherwise. */
  readonly contentType: string;
  /** The bytes of the body as they came, for endpoints whose body is not JSON alone. */
  readonly rawBody: Uint8Array;
}

/** Every reason for which a caller may be refused. The edge's error table gives each its HTTP status. */
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
  | 'payment_declined'
  | 'idempotency_conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'method_not_allowed';

/** A refusal is a value: a definite no without any side effect. */
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

/** RFC 6749, 4.1.2.1 and 5.2. */
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
  /** JSON path of the first bad field, for example `variants[0].price`. */
  readonly param?: string;
  readonly details?: string;
  readonly hint?: string;
  /** Seconds until another try makes sense. */
  readonly retryAfterS?: number;
  /** What OAuth calls it, of a call that OAuth clients make; leaves as that. */
  readonly oauth?: OauthError;
  /** Ids that the refusal is about: a call for one of them may be refused at once while the revision stands. Never shown. */
  readonly causes?: readonly string[];
}

export const refuse = (code: RefusalCode, message: string, extra?: RefusalExtra): Refusal =>
  new Refusal(code, message, extra);

/** 400 about one field of the request. */
export const invalid = (param: string, message: string): Refusal => new Refusal('invalid_request', message, { param });

/** 404, the same words for what never existed and for what belongs to another. */
export const notFound = (what: string, param?: string): Refusal =>
  new Refusal('not_found', `No such ${what}.`, param === undefined ? {} : { param });

/** The same refusal as the caller's own request puts it, its words too: what a neighbour was asked has other names. */
export const renamed = (refusal: Refusal, rename: (param: string) => string): Refusal => {
  const { code, message, extra } = refusal;
  if (extra.param === undefined) return refusal;
  const param = rename(extra.param);
  return new Refusal(code, message.replaceAll(`\`${extra.param}\``, `\`${param}\``), { ...extra, param });
};

/** An answer that is already bytes: rendered once and sent as often as asked for. */
export class Rendered {
  readonly #body: Uint8Array | null;
  /** Null where the body is in one fragment. */
  readonly list: FragmentList | null;
  /** The catalogue revision that it was made from; 0 where none applies. */
  readonly revision: number;
  /** What the edge may drop it by, beside the revision: a product's id; empty: any change of the tenant. */
  readonly subject: string;

  constructor(body: Uint8Array | FragmentList, revision = 0, subject = '') {
    const whole = body instanceof Uint8Array;
    this.#body = whole ? body : null;
    this.list = whole ? null : body;
    this.revision = revision;
    this.subject = subject;
  }

  get body(): Uint8Array {
    return this.#body ?? wholeList(this.list as FragmentList);
  }
}

/** What a handler answers: the response, its bytes, or a refusal. A fault is thrown. */
export type Reply<T> = T | Rendered | Refusal;
