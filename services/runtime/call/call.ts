// Defines a call and its outcomes: what every handler receives and may answer. Knows no transport.
import { type FragmentList, wholeList } from './fragment_list.ts';

export type Environment = 'production' | 'sandbox';

/** The owner of every record: a store in one environment. `none` stands for calls without a key. */
export interface Tenant {
  readonly store: string;
  readonly environment: Environment;
}

export const NO_TENANT: Tenant = { store: '', environment: 'production' };

/** The zero UUID stands for `NO_TENANT`'s store in the database. */
export const NO_STORE = '00000000-0000-0000-0000-000000000000';

declare const ledByTenant: unique symbol;
/** A text that begins with store and environment, so that no two tenants share one. Only `tenantKey` makes one. */
export type TenantKey = string & { readonly [ledByTenant]: true };

/** `<store id>/<production|sandbox>`, then `own`. For keys of maps and subjects. */
export const tenantKey = ({ store, environment }: Tenant, own?: string): TenantKey =>
  (own === undefined ? `${store}/${environment}` : `${store}/${environment}/${own}`) as TenantKey;

/** The kind of API key: `none` for a public endpoint, `internal` for a call between hosts or domains. */
export type KeyType = 'none' | 'publishable' | 'secret' | 'operator' | 'internal';

export interface Idempotency {
  /** The client's own key, 1 to 255 printable ASCII characters. */
  readonly key: string;
  /** Method, concrete path, and customer or session, so that keys of two shoppers never collide. */
  readonly scope: string;
  /** SHA-256 of the body in hex: another body under the same key is a conflict. */
  readonly fingerprint: string;
  /** Answer only a stored response and never run the call, as for a throttled retry. */
  readonly replayOnly: boolean;
}

export interface Call {
  readonly tenant: Tenant;
  readonly keyType: KeyType;
  readonly keyId: string;
  /** The signed-in customer's id; null without a session. */
  readonly customer: string | null;
  readonly customerSession: string | null;
  /** The browsing session of `X-Session-Id`, which names an anonymous cart. */
  readonly session: string | null;
  readonly requestId: string;
  readonly trace: string;
  /** Real time in ms since the epoch after which no caller waits for the answer. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly idempotency: Idempotency | null;
  /** Answer from a state at least this new: the newest catalogue revision of the tenant that the caller has seen. */
  readonly revisionMin: number;
  /** The media type of a raw body, lower-case without parameters; `application/json` otherwise. */
  readonly contentType: string;
  readonly rawBody: Uint8Array;
}

/** Every code of a refusal. The edge's error table gives each its HTTP status. */
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
  readonly param?: string;
  readonly details?: string;
  readonly hint?: string;
  readonly retryAfterS?: number;
  readonly oauth?: OauthError;
  /**
   * Ids that caused the refusal. The edge may repeat the refusal for them while the revision is unchanged. Never sent
   * to callers.
   */
  readonly causes?: readonly string[];
}

export const refuse = (code: RefusalCode, message: string, extra?: RefusalExtra): Refusal =>
  new Refusal(code, message, extra);

export const invalid = (param: string, message: string): Refusal => new Refusal('invalid_request', message, { param });

const SHOWN_CHARACTERS_MAX = 40;

/** A text of a request as a message quotes it: its beginning alone where it is long. */
export const quoted = (text: string): string =>
  `"${text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text}"`;

/** A number with its noun in a message: "1 unit", "3 units". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** 400 for a cursor that `decodeCursor` does not recognise. */
export const foreignCursor = (cursor = ''): Refusal =>
  invalid(
    'cursor',
    `The cursor ${quoted(cursor)} belongs to another list, filter, sort or key. Repeat the request without \`cursor\`.`,
  );

/** 404 with the same text for what never existed and for what belongs to another tenant. */
export const notFound = (what: string, param?: string): Refusal =>
  new Refusal('not_found', `No such ${what}.`, param === undefined ? {} : { param });

/** Translates the refusal's `param`, in its message as well, from another domain's field name to the caller's own. */
export const renamed = (refusal: Refusal, rename: (param: string) => string): Refusal => {
  const { code, message, extra } = refusal;
  if (extra.param === undefined) return refusal;
  const param = rename(extra.param);
  return new Refusal(code, message.replaceAll(`\`${extra.param}\``, `\`${param}\``), { ...extra, param });
};

/** A response that is already rendered as bytes, or as a list of fragments. */
export class Rendered {
  readonly #body: Uint8Array | null;
  readonly list: FragmentList | null;
  /** The catalogue revision that it was rendered from; 0 without one. */
  readonly revision: number;
  /** Identifies what the edge drops it by, a product's id for example; empty: any change of the tenant drops it. */
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

export type Reply<T> = T | Rendered | Refusal;
