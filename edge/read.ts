// Answers a GET from the cache if the entry is fresh, else from the service, with an ETag and only the requested
// fields.
import type { Route } from '#proto/route.ts';
import { NO_TENANT, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { cachedResponse, refusalResponse } from './answer.ts';
import type { Edge, Endpoint, Params, UrlParts } from './endpoint.ts';
import { type CacheEntry, newCacheEntry } from './gates/cache.ts';
import { CacheFreshness } from './gates/cache_freshness.ts';
import { etagOf } from './gates/etag.ts';
import { readFields, selectFields } from './gates/field.ts';
import { badPath, canonicalQuery, readQuery } from './gates/query.ts';
import type { RequestContext } from './request_context.ts';
import { VIEWER_PARAMETERS } from './view.ts';

const CACHED_CLASSES: readonly Route['cache'][] = ['catalog', 'feed', 'review', 'content', 'section'];

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
  readonly #freshness: CacheFreshness;
  readonly #ignoredParameters: readonly string[];

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#route = endpoint.route;
    this.#edge = endpoint.edge;
    const { cache } = endpoint.route;
    this.#cacheable = CACHED_CLASSES.includes(cache) && endpoint.subject === null;
    this.#freshness = new CacheFreshness(endpoint.edge, cache);
    this.#ignoredParameters = endpoint.route.view ? VIEWER_PARAMETERS : [];
  }

  answer(context: RequestContext, target: UrlParts, params: Params): Response | Promise<Response> {
    const scope = context.shopper?.scope ?? context.principal?.scope ?? 'public';
    if (!this.#cacheable) return this.#fetch(context, scope, target, params, '');
    const status = this.#hitStatus();
    const exact = `${scope} ${target.path}?${target.search}`;
    const exactEntry = this.#freshEntry(exact);
    if (exactEntry) return this.#send(context, exactEntry, status);
    const query = canonicalQuery(target.search, this.#route.query, this.#ignoredParameters);
    if (query === target.search) return this.#fetch(context, scope, target, params, exact);
    const canonical = `${scope} ${target.path}?${query}`;
    const entry = this.#freshEntry(canonical);
    return entry ? this.#send(context, entry, status) : this.#fetch(context, scope, target, params, canonical);
  }

  #freshEntry(key: string): CacheEntry | null {
    const entry = this.#edge.cache.get(key);
    if (!entry || !this.#freshness.isFresh(entry)) return null;
    entry.used = true;
    return entry;
  }

  async #fetch(
    context: RequestContext,
    scope: string,
    target: UrlParts,
    params: Params,
    key: string,
  ): Promise<Response> {
    context.isAsync = true;
    const shed = this.#endpoint.shed(context);
    if (shed) return refusalResponse(context, shed);
    const entry = this.#endpoint.enter(context);
    try {
      return await this.#ask(context, scope, target, params, key);
    } finally {
      entry?.answered(performance.now());
    }
  }

  async #ask(context: RequestContext, scope: string, target: UrlParts, params: Params, key: string): Promise<Response> {
    await this.#edge.tickBatcher.nextBatch();
    const session = key === '' ? this.#endpoint.sessionId(context) : '';
    if (session instanceof Refusal) return refusalResponse(context, session);
    const input: Record<string, unknown> = { ...params };
    const malformed = badPath(params) ?? readQuery(target.search, this.#route.query, input);
    if (malformed) return refusalResponse(context, malformed);
    // Set even if the header is absent, so that the query cannot supply this value.
    for (const { name, header } of this.#route.headers) input[name] = context.request.headers.get(header) ?? undefined;
    if (this.#route.network !== undefined) input[this.#route.network] = context.network;
    const denied = this.#endpoint.subject?.checkInput(context.shopper, input, context.principal?.keyType);
    if (denied) return refusalResponse(context, denied);
    const verdict = this.#endpoint.validate(input);
    if (!verdict.ok) {
      // Names the list parameter without an index.
      const param = verdict.param.replace(/\[\d+\]$/, '');
      return refusalResponse(context, refuse('invalid_request', verdict.message, { param }));
    }
    const { fields } = this.#route;
    const selected =
      fields && typeof input.fields === 'string' && input.fields !== '' ? readFields(input.fields, fields) : null;
    if (selected instanceof Refusal) return refusalResponse(context, selected);

    const { sharedCache } = this.#edge;
    const shared = key && sharedCache ? await sharedCache.get(key) : null;
    const status = this.#hitStatus();
    if (shared && this.#freshness.isFresh(shared)) {
      this.#edge.cache.set(key, shared);
      return this.#send(context, shared, status);
    }

    if (this.#route.limit === 'usage' && context.principal)
      await this.#edge.throttle.reportMonth(context.principal.tenant.store, context);
    const snapshot = this.#freshness.snapshot(tenantOf(context));
    const answer = await this.#endpoint.ask(context, verdict.value, session, null, null);
    if (answer.refused) return refusalResponse(context, answer.refused);
    let body = answer.body;
    if (selected && !this.#route.renders_fields) body = selectFields(body, this.#route.envelope, selected);
    // The body is a slice of a buffer that holds a whole batch; copying it lets the buffer be freed.
    else if (key && body.length * 2 < body.buffer.byteLength) body = body.slice();
    const entry = newCacheEntry(
      {
        body,
        etag: etagOf(`${scope} ${context.isPerShopper ? session : ''} ${target.path}`, body),
        ...this.#freshness.dependenciesOf(tenantOf(context), answer, snapshot),
      },
      key ? 'often' : 'once',
    );
    if (key && answer.revision > 0) {
      this.#edge.cache.set(key, entry);
      sharedCache?.set(key, entry);
    }
    return this.#send(context, entry, 'MISS');
  }

  /** Must be called before the cache lookup: if the outage period has ended, this call clears the cache. */
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
