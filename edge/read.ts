// Answers GETs: from the edge's cache if the entry is fresh, else from the service, with an ETag and the requested fields.
// submission.ts answers all other methods. Both call the service through endpoint.ts.
import type { Route } from '#proto/route.ts';
import { NO_TENANT, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { cachedResponse, refusalResponse } from './answer.ts';
import type { Edge, Endpoint, Params, UrlParts } from './endpoint.ts';
import { type CacheEntry, newCacheEntry } from './gates/cache.ts';
import { etagOf } from './gates/etag.ts';
import { readFields, selectFields } from './gates/field.ts';
import { chooseLanguage, languageScope } from './gates/language.ts';
import { badPath, canonicalQuery, readQuery } from './gates/query.ts';
import type { RequestContext } from './request_context.ts';
import { withRequestedId } from './requested_id.ts';
import { VIEWER_PARAMETERS } from './view.ts';

const CACHED_CLASSES: readonly Route['cache'][] = ['catalog', 'feed', 'review', 'content', 'section', 'shipping'];

const tenantOf = ({ principal }: RequestContext): Tenant => principal?.tenant ?? NO_TENANT;

type CacheStatus = 'HIT' | 'MISS' | 'STALE';

/** Sets `X-Cache` unless it is HIT, which the prepared headers already say. */
const withCacheHeaders = (response: Response, status: CacheStatus): Response => {
  if (status === 'STALE') {
    response.headers.set('X-Cache', status);
    response.headers.set('Warning', '110 - "Response is Stale"');
  } else if (status === 'MISS' && response.status !== 304) response.headers.set('X-Cache', status);
  return response;
};

export class Read {
  readonly #endpoint: Endpoint;
  readonly #route: Route;
  readonly #edge: Edge;
  readonly #cacheable: boolean;
  readonly #ignoredParameters: readonly string[];

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#route = endpoint.route;
    this.#edge = endpoint.edge;
    const { cache } = endpoint.route;
    this.#cacheable = CACHED_CLASSES.includes(cache) && endpoint.subjectGate === null;
    this.#ignoredParameters = endpoint.route.view ? VIEWER_PARAMETERS : [];
  }

  answer(context: RequestContext, target: UrlParts, params: Params): Response | Promise<Response> {
    const unreadable = this.#route.language === undefined ? null : chooseLanguage(context, target.search);
    if (unreadable) return refusalResponse(context, unreadable);
    const scope = context.shopper?.scope ?? context.principal?.scope ?? 'public';
    const cacheScope = context.language === null ? scope : `${scope} ${languageScope(context)}`;
    if (!this.#cacheable) return this.#admitAndCall(context, cacheScope, target, params, null);
    const status = this.#hitStatus();
    const exact = `${cacheScope} ${target.path}?${target.search}`;
    const exactEntry = this.#freshEntry(exact);
    if (exactEntry) return this.#send(context, exactEntry, status);
    const query = canonicalQuery(target.search, this.#route.query, this.#ignoredParameters);
    if (query === target.search) return this.#admitAndCall(context, cacheScope, target, params, exact);
    const canonical = `${cacheScope} ${target.path}?${query}`;
    const entry = this.#freshEntry(canonical);
    return entry
      ? this.#send(context, entry, status)
      : this.#admitAndCall(context, cacheScope, target, params, canonical);
  }

  #freshEntry(key: string): CacheEntry | null {
    const entry = this.#edge.cache.get(key);
    if (!entry || !this.#isFresh(entry)) return null;
    entry.used = true;
    return entry;
  }

  #isFresh({ dependsOn, staleAt }: CacheEntry): boolean {
    const isExpired = staleAt !== Number.POSITIVE_INFINITY && performance.now() >= staleAt;
    return !isExpired && this.#edge.freshness.isFresh(dependsOn);
  }

  async #admitAndCall(
    context: RequestContext,
    cacheScope: string,
    target: UrlParts,
    params: Params,
    cacheKey: string | null,
  ): Promise<Response> {
    context.isAsync = true;
    const shed = this.#endpoint.shed(context);
    if (shed) return refusalResponse(context, shed);
    const admitted = this.#endpoint.admit(context);
    try {
      return await this.#validateAndCall(context, cacheScope, target, params, cacheKey);
    } finally {
      admitted?.answered(performance.now());
    }
  }

  async #validateAndCall(
    context: RequestContext,
    cacheScope: string,
    target: UrlParts,
    params: Params,
    cacheKey: string | null,
  ): Promise<Response> {
    await this.#edge.tickBatcher.nextBatch();
    // All sessions share a cached response, so the service is not told which one asks.
    const session = cacheKey === null ? this.#endpoint.sessionId(context) : '';
    if (session instanceof Refusal) return refusalResponse(context, session);
    const input: Record<string, unknown> = { ...params };
    const malformed = badPath(params) ?? readQuery(target.search, this.#route.query, input);
    if (malformed) return refusalResponse(context, malformed);
    // Set even if the header is absent, so that the query cannot supply this value.
    for (const { name, header } of this.#route.headers) input[name] = context.request.headers.get(header) ?? undefined;
    if (this.#route.network !== undefined) input[this.#route.network] = context.network;
    const denied = this.#endpoint.subjectGate?.checkInput(context.shopper, input, context.principal?.keyType);
    if (denied) return refusalResponse(context, denied);
    const verdict = this.#endpoint.validate(input);
    if (!verdict.ok) {
      // Names the list parameter without an index.
      const param = verdict.param.replace(/\[\d+\]$/, '');
      return refusalResponse(context, refuse('invalid_request', verdict.message, { param }));
    }
    const { fields, language } = this.#route;
    if (language !== undefined) verdict.value[language] = context.translation;
    const selected =
      fields && typeof input.fields === 'string' && input.fields !== '' ? readFields(input.fields, fields) : null;
    if (selected instanceof Refusal) return refusalResponse(context, selected);

    const { sharedCache } = this.#edge;
    const shared = cacheKey !== null && sharedCache ? await sharedCache.get(cacheKey) : null;
    const status = this.#hitStatus();
    if (cacheKey !== null && shared && this.#isFresh(shared)) {
      this.#edge.cache.set(cacheKey, shared);
      return this.#send(context, shared, status);
    }

    // The service adds up the counts that edges have reported, so this edge's count must arrive before the call.
    if (this.#route.limit === 'usage' && context.principal)
      await this.#edge.throttle.reportMonth(context.principal.tenant.store, context);
    const { freshness } = this.#edge;
    const askedAt = freshness.noticeCount;
    const answer = await this.#endpoint.callService(context, verdict.value, session, null, null);
    if (answer.refused) return refusalResponse(context, withRequestedId(answer.refused, input, params));
    let body = answer.body;
    if (selected && !this.#route.renders_fields) body = selectFields(body, this.#route.envelope, selected);
    // The body is a view into the buffer of a batch of answers, which the cache would otherwise keep in memory: a small
    // one is copied.
    else if (cacheKey !== null && body.length * 2 < body.buffer.byteLength) body = body.slice();
    const dependsOn = freshness.dependenciesOf(tenantOf(context), answer.dependsOn, askedAt);
    // Uncached reads need an entry too, for their ETag and compression.
    const representation = newCacheEntry(
      {
        body,
        etag: etagOf(`${cacheScope} ${context.isPerShopper ? session : ''} ${target.path}`, body),
        dependsOn: dependsOn ?? [],
        staleAt: answer.freshMs ? performance.now() + answer.freshMs : Number.POSITIVE_INFINITY,
      },
      cacheKey === null ? 'once' : 'often',
    );
    if (cacheKey !== null && dependsOn !== null) {
      this.#edge.cache.set(cacheKey, representation);
      sharedCache?.set(cacheKey, representation);
    }
    return this.#send(context, representation, 'MISS');
  }

  /** Call before the freshness check, since `outage.stale` invalidates the cache at the end of the stale period. */
  #hitStatus(): CacheStatus {
    return this.#edge.outage.stale ? 'STALE' : 'HIT';
  }

  #send(context: RequestContext, entry: CacheEntry, status: CacheStatus): Response | Promise<Response> {
    const response = cachedResponse(context, entry, this.#route);
    if (this.#cacheable) this.#edge.cache[status === 'MISS' ? 'misses' : 'hits']++;
    if (status === 'HIT') return response;
    return response instanceof Promise
      ? response.then((resolved) => withCacheHeaders(resolved, status))
      : withCacheHeaders(response, status);
  }
}
