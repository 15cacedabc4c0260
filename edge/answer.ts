// Builds responses: the common headers, bodies with and without a cache entry, and error objects.
import type { Route } from '#proto/route.ts';
import { type OauthError, type Refusal, type RefusalCode, refuse } from '#runtime/call/call.ts';
import type { Answer } from '#runtime/link/frame.ts';
import { type Coding, codingOf, isWorth, pack, VARY_CODING } from './compression.ts';
import type { CacheEntry } from './gates/cache.ts';
import { matches } from './gates/etag.ts';
import type { RateLease } from './gates/lease.ts';
import type { Principal } from './gates/principal.ts';
import { statusOf } from './gates/refusal.ts';
import { DASHBOARD_HEADER } from './gates/staff_session.ts';
import { leaseOf, tightestOf } from './gates/throttle.ts';
import type { RequestContext } from './request_context.ts';

export type HeaderTable = Record<string, string>;

const CACHE_CONTROL: Readonly<Record<Route['cache'], string>> = {
  none: 'private, no-store',
  catalog: 'private, max-age=0, must-revalidate',
  revalidate: 'private, max-age=0, must-revalidate',
  review: 'private, max-age=0, must-revalidate',
  content: 'private, max-age=0, must-revalidate',
  section: 'private, max-age=0, must-revalidate',
  shipping: 'private, max-age=0, must-revalidate',
  feed: 'public, max-age=60',
};

const timing = (context: RequestContext): string =>
  `edge;dur=${Math.round((performance.now() - context.startedAtMs) * 100) / 100}`;

/**
 * Headers that a response varies by: the API key, for which a staff session's cookie stands in, and the content coding;
 * personal ones also by the shopper's token, which operators pass in another header, and session.
 */
const VARY = `Authorization, ${VARY_CODING}`;
const VARY_SECRET = `Authorization, Cookie, X-Stoa-Dashboard, ${VARY_CODING}`;
const VARY_PERSONAL = `Authorization, X-Auth-Token, X-External-Auth, X-Idp-Token, X-Session-Id, ${VARY_CODING}`;
const VARY_OPERATOR = `X-Customer-Token, ${VARY_PERSONAL}`;

function callerHeaders(
  context: Pick<RequestContext, 'principal' | 'allowsAnyOrigin' | 'isPerShopper'>,
  headers: HeaderTable,
): void {
  const { principal } = context;
  if (principal) {
    headers['Svc-Environment'] = principal.tenant.environment;
    if (principal.keyType === 'operator') headers.Vary = VARY_OPERATOR;
    else if (context.isPerShopper) headers.Vary = VARY_PERSONAL;
    else headers.Vary = principal.keyType === 'secret' ? VARY_SECRET : VARY;
  } else headers.Vary = VARY_CODING;
  if (context.allowsAnyOrigin) {
    headers['Access-Control-Allow-Origin'] = '*';
    headers['Access-Control-Expose-Headers'] = '*';
  }
}

/** Sets the headers of a response whose texts may be translated. */
function languageHeaders({ language, principal }: RequestContext, headers: HeaderTable): void {
  if (language === null) return;
  headers['Content-Language'] = language;
  if (principal && principal.languages.length > 1) headers.Vary = `Accept-Language, ${headers.Vary}`;
}

export function commonHeaders(context: RequestContext, contentType: string): HeaderTable {
  const headers: HeaderTable = {
    'Content-Type': contentType,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': context.requestId,
    'Server-Timing': timing(context),
  };
  callerHeaders(context, headers);
  if (context.charge) addLimitHeaders(headers, tightestOf(context.charge));
  return headers;
}

const GATHERED_BYTES = 16 * 1024;
/**
 * Characters of the longest text that fits into the buffer as UTF-8, at three bytes a character. Bun encodes such a
 * text while writing, which saves a copy.
 */
const GATHERED_TEXT_MAX = Math.floor(GATHERED_BYTES / 3) - 1;
/** Larger bodies are not streamed: a stream would hold a second copy, and saves little. */
const STREAMED_BYTES_MAX = 1024 * 1024;

/**
 * Wraps a body that is sent after the request's event-loop tick. If such a body exceeds Bun's buffer, Bun writes each
 * part of each header separately: 60 system calls and 400 µs per response (measured). A direct stream needs two system
 * calls.
 */
function asyncBody(body: Uint8Array): Uint8Array<ArrayBuffer> | ReadableStream {
  if (body.length < GATHERED_BYTES || body.length > STREAMED_BYTES_MAX) return body as Uint8Array<ArrayBuffer>;
  return new ReadableStream({
    type: 'direct',
    pull(controller: { write(bytes: Uint8Array): void; close(): void }) {
      controller.write(body);
      controller.close();
    },
  } as never);
}

/**
 * Builds a response from a cache entry. Changing the entry's prepared headers in place is safe, because `Response`
 * copies them.
 */
export function cachedResponse(context: RequestContext, entry: CacheEntry, route: Route): Response | Promise<Response> {
  const { headers: requestHeaders } = context.request;
  if (matches(requestHeaders.get('if-none-match'), entry.etag)) {
    entry.notModifiedHeaders ??= cachedHeaders(context, entry, route, 'HIT-304');
    setRequestHeaders(context, entry.notModifiedHeaders);
    return new Response(null, { status: 304, headers: entry.notModifiedHeaders });
  }
  const coding = isWorth(entry.body.length) ? codingOf(requestHeaders.get('accept-encoding')) : null;
  if (coding === null) return hitResponse(context, entry, route, 'identity', entry.body);
  const encoded = entry.encodedBodies.of(coding);
  if (!(encoded instanceof Promise)) return hitResponse(context, entry, route, coding, encoded);
  context.isAsync = true;
  return encoded.then((body) => hitResponse(context, entry, route, coding, body));
}

function hitResponse(
  context: RequestContext,
  entry: CacheEntry,
  route: Route,
  coding: Coding | 'identity',
  body: Uint8Array,
): Response {
  let headers = entry.hitHeaders[coding];
  if (!headers) {
    headers = cachedHeaders(context, entry, route, 'HIT');
    if (coding !== 'identity') headers.set('Content-Encoding', coding);
    entry.hitHeaders[coding] = headers;
  }
  setRequestHeaders(context, headers);
  if (context.request.method !== 'HEAD')
    return new Response(context.isAsync ? asyncBody(body) : (body as Uint8Array<ArrayBuffer>), { headers });
  const response = new Response(null, { headers });
  response.headers.set('Content-Length', `${body.length}`);
  return response;
}

function setRequestHeaders(context: RequestContext, headers: Headers): void {
  headers.set('X-Request-Id', context.requestId);
  headers.set('Server-Timing', timing(context));
  setLimitHeaders(headers, context.charge && tightestOf(context.charge));
}

function setLimitHeaders(headers: Headers, tightest: RateLease | null): void {
  if (tightest) {
    headers.set('X-RateLimit-Limit', `${tightest.limit}`);
    headers.set('X-RateLimit-Remaining', `${tightest.remaining}`);
    headers.set('X-RateLimit-Reset', `${tightest.end}`);
  } else if (headers.has('X-RateLimit-Limit')) for (const name of LIMIT_HEADERS) headers.delete(name);
}

const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

function cachedHeaders(context: RequestContext, entry: CacheEntry, route: Route, cache: 'HIT' | 'HIT-304'): Headers {
  const headers: HeaderTable = {
    'X-Content-Type-Options': 'nosniff',
    ETag: entry.etag,
    'Cache-Control': CACHE_CONTROL[context.isPerShopper ? 'none' : route.cache],
    'X-Cache': cache,
  };
  if (cache === 'HIT') headers['Content-Type'] = route.produces;
  callerHeaders(context, headers);
  languageHeaders(context, headers);
  return new Headers(headers);
}

function addLimitHeaders(headers: HeaderTable, tightest: RateLease | null): void {
  if (!tightest) return;
  headers['X-RateLimit-Limit'] = `${tightest.limit}`;
  headers['X-RateLimit-Remaining'] = `${tightest.remaining}`;
  headers['X-RateLimit-Reset'] = `${tightest.end}`;
}

/**
 * Builds the uncached responses of one endpoint. Prepares the headers once per API key. Changing them in place for each
 * response is safe, since `Response` copies them.
 */
export class UncachedResponses {
  readonly #route: Route;
  readonly #headers = new WeakMap<Principal, Headers>();
  readonly #withoutPrincipal: Headers;

  constructor(route: Route) {
    this.#route = route;
    this.#withoutPrincipal = this.#prepared(null);
  }

  response(context: RequestContext, answer: Answer): Response | Promise<Response> {
    const { text } = answer;
    const coding = codingOf(context.request.headers.get('accept-encoding'));
    if (coding !== null && isWorth(text?.length ?? answer.body.length)) {
      const packed = pack(answer.body, coding, 'once');
      if (packed instanceof Promise) return packed.then((body) => this.#build(context, answer, body, coding));
      return this.#build(context, answer, packed, coding);
    }
    return this.#build(
      context,
      answer,
      text !== undefined && text.length <= GATHERED_TEXT_MAX ? text : answer.body,
      null,
    );
  }

  #build(context: RequestContext, { replayed }: Answer, content: Uint8Array | string, coding: Coding | null): Response {
    const headers = this.#headersOf(context);
    setRequestHeaders(context, headers);
    if (context.language !== null) headers.set('Content-Language', context.language);
    if (replayed) headers.set('Idempotent-Replayed', 'true');
    if (coding) headers.set('Content-Encoding', coding);
    const body =
      typeof content === 'string'
        ? content
        : context.isAsync
          ? asyncBody(content)
          : (content as Uint8Array<ArrayBuffer>);
    const response = new Response(body, { status: this.#route.status, headers });
    if (replayed) headers.delete('Idempotent-Replayed');
    if (coding) headers.delete('Content-Encoding');
    return response;
  }

  #headersOf(context: RequestContext): Headers {
    const { principal } = context;
    if (principal === null) return this.#withoutPrincipal;
    let headers = this.#headers.get(principal);
    if (!headers) {
      headers = this.#prepared(context);
      this.#headers.set(principal, headers);
    }
    return headers;
  }

  #prepared(context: RequestContext | null): Headers {
    const headers: HeaderTable = {
      'Content-Type': this.#route.produces,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    };
    callerHeaders(context ?? { principal: null, allowsAnyOrigin: true, isPerShopper: false }, headers);
    if (context) languageHeaders(context, headers);
    return new Headers(headers);
  }
}

export function refusalResponse(context: RequestContext, refusal: Refusal, extraHeaders?: HeaderTable): Response {
  const { code, message, extra } = refusal;
  const status = statusOf(refusal);
  const headers = commonHeaders(context, 'application/json');
  headers['Cache-Control'] = 'no-store';
  if (context.oauth) return oauthResponse(context, refusal, status, headers);
  const error: Record<string, unknown> = { code, message };
  if (extra.details !== undefined) error.details = extra.details;
  if (extra.hint !== undefined) error.hint = extra.hint;
  if (extra.param !== undefined) error.param = extra.param;
  const lease = leaseOf(refusal);
  if (lease) addLimitHeaders(headers, lease);
  if (code === 'rate_limited') {
    headers['X-RateLimit-Scope'] = 'abuse';
    error.remaining = lease?.remaining ?? 0;
    error.reset = lease?.end ?? Math.ceil(Date.now() / 1000 + (extra.retryAfterS ?? 1));
  }
  if (extra.retryAfterS !== undefined || status === 503)
    headers['Retry-After'] = `${Math.max(1, Math.ceil(extra.retryAfterS ?? 1))}`;
  error.request_id = context.requestId;
  if (extraHeaders) Object.assign(headers, extraHeaders);
  context.refusalBody = JSON.stringify({ error });
  context.refusal = code;
  return new Response(context.request.method === 'HEAD' ? null : context.refusalBody, {
    status,
    headers,
  });
}

const OAUTH_ERRORS: Readonly<Partial<Record<RefusalCode, OauthError>>> = {
  unauthorized: 'invalid_client',
  server_error: 'server_error',
  service_unavailable: 'temporarily_unavailable',
};

function oauthResponse(
  context: RequestContext,
  { code, message, extra }: Refusal,
  status: number,
  headers: HeaderTable,
): Response {
  const error = extra.oauth ?? OAUTH_ERRORS[code] ?? 'invalid_request';
  if (error === 'invalid_client') headers['WWW-Authenticate'] = 'Basic realm="Stoa"';
  if (status === 503) headers['Retry-After'] = `${Math.max(1, Math.ceil(extra.retryAfterS ?? 1))}`;
  context.refusalBody = JSON.stringify({ error, error_description: message });
  context.refusal = code;
  return new Response(context.refusalBody, { status, headers });
}

export const NOT_FOUND = refuse('not_found', 'No endpoint has this path.');

const SHOPPER_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Auth-Token, X-External-Auth, X-Idp-Token, X-Request-Id, X-Session-Id, X-Svc-Channel, X-Visitor-Id';

/** All that the script asks for, except the dashboard's header: with it a page of another site would act for the staff. */
const admittedHeaders = (requested: string | null): string =>
  requested
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name.toLowerCase() !== DASHBOARD_HEADER)
    .join(', ') ?? SHOPPER_HEADERS;

export function preflightResponse(context: RequestContext, verbs: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': verbs.join(', '),
      'Access-Control-Allow-Headers': admittedHeaders(context.request.headers.get('access-control-request-headers')),
      'Access-Control-Max-Age': '86400',
      'X-Request-Id': context.requestId,
    },
  });
}
