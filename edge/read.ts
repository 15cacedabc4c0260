// How a GET is answered: from what is kept where that still stands, else by its service; with its tag, and cut to its fields.
import type { Route } from '#proto/route.ts';
import { NO_TENANT, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { keptResponse, refusalResponse } from './answer.ts';
import type { Edge, Endpoint, Params, UrlParts } from './endpoint.ts';
import { type CacheEntry, newCacheEntry } from './gates/cache.ts';
import { CacheFreshness } from './gates/cache_freshness.ts';
import { etagOf } from './gates/etag.ts';
import { cut, readFields } from './gates/field.ts';
import { badPath, canonicalQuery, readQuery } from './gates/query.ts';
import type { RequestContext } from './request_context.ts';
import { VIEWER_PARAMETERS } from './view.ts';

/** What is kept until a revision makes it stale. */
const KEPT: readonly Route['cache'][] = ['catalog', 'feed', 'review', 'content', 'section'];

const tenantOf = ({ principal }: RequestContext): Tenant => principal?.tenant ?? NO_TENANT;

type Origin = 'HIT' | 'MISS' | 'STALE';

/** Headers are prepared for a hit. */
const marked = (response: Response, origin: Origin): Response => {
  if (origin === 'STALE') {
    response.headers.set('X-Cache', origin);
    response.headers.set('Warning', '110 - "Response is Stale"');
  } else if (origin === 'MISS' && response.status !== 304) response.headers.set('X-Cache', origin);
  return response;
};

export class Read {
  readonly #endpoint: Endpoint;
  readonly #route: Route;
  readonly #edge: Edge;
  readonly #kept: boolean;
  readonly #line: CacheFreshness;
  /** Parameters that make no difference to the answer. */
  readonly #idle: readonly string[];

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#route = endpoint.route;
    this.#edge = endpoint.edge;
    const { cache } = endpoint.route;
    this.#kept = KEPT.includes(cache) && endpoint.subject === null;
    this.#line = new CacheFreshness(endpoint.edge, cache);
    this.#idle = endpoint.route.view ? VIEWER_PARAMETERS : [];
  }

  answer(context: RequestContext, target: UrlParts, params: Params): Response | Promise<Response> {
    const scope = context.shopper?.scope ?? context.principal?.scope ?? 'public';
    if (!this.#kept) return this.#fetch(context, scope, target, params, '');
    const origin = this.#hitOrigin();
    const exact = `${scope} ${target.path}?${target.search}`;
    const kept = this.#standing(exact);
    if (kept) return this.#send(context, kept, origin);
    const query = canonicalQuery(target.search, this.#route.query, this.#idle);
    if (query === target.search) return this.#fetch(context, scope, target, params, exact);
    const canonical = `${scope} ${target.path}?${query}`;
    const same = this.#standing(canonical);
    return same ? this.#send(context, same, origin) : this.#fetch(context, scope, target, params, canonical);
  }

  #standing(key: string): CacheEntry | null {
    const kept = this.#edge.cache.get(key);
    if (!kept || !this.#line.isFresh(kept)) return null;
    kept.used = true;
    return kept;
  }

  /** `key` is where the answer is kept; empty: nowhere. */
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
    await this.#edge.turn.next();
    const session = key === '' ? this.#endpoint.sessionId(context) : '';
    if (session instanceof Refusal) return refusalResponse(context, session);
    const input: Record<string, unknown> = { ...params };
    const malformed = badPath(params) ?? readQuery(target.search, this.#route.query, input);
    if (malformed) return refusalResponse(context, malformed);
    // Undefined where there is none, so that the query cannot say it instead.
    for (const { name, header } of this.#route.headers) input[name] = context.request.headers.get(header) ?? undefined;
    if (this.#route.network !== undefined) input[this.#route.network] = context.network;
    const foreign = this.#endpoint.subject?.checkInput(context.shopper, input, context.principal?.keyType);
    if (foreign) return refusalResponse(context, foreign);
    const verdict = this.#endpoint.validate(input);
    if (!verdict.ok) {
      // A query is no JSON: what stands in a list of it is named by the parameter.
      const param = verdict.param.replace(/\[\d+\]$/, '');
      return refusalResponse(context, refuse('invalid_request', verdict.message, { param }));
    }
    const { fields } = this.#route;
    const wanted =
      fields && typeof input.fields === 'string' && input.fields !== '' ? readFields(input.fields, fields) : null;
    if (wanted instanceof Refusal) return refusalResponse(context, wanted);

    const { sharedCache } = this.#edge;
    const shared = key && sharedCache ? await sharedCache.get(key) : null;
    const origin = this.#hitOrigin();
    if (shared && this.#line.isFresh(shared)) {
      this.#edge.cache.set(key, shared);
      return this.#send(context, shared, origin);
    }

    if (this.#route.limit === 'usage' && context.principal)
      await this.#edge.throttle.reportMonth(context.principal.tenant.store, context);
    const mark = this.#line.snapshot(tenantOf(context));
    const answer = await this.#endpoint.ask(context, verdict.value, session, null, null);
    if (answer.refused) return refusalResponse(context, answer.refused);
    let body = answer.body;
    if (wanted && !this.#route.renders_fields) body = cut(body, this.#route.envelope, wanted);
    // The answer is a part of the whole batch that it came in: what is kept must not hold on to the rest.
    else if (key && body.length * 2 < body.buffer.byteLength) body = body.slice();
    const kept = newCacheEntry(
      {
        body,
        etag: etagOf(`${scope} ${context.isPerShopper ? session : ''} ${target.path}`, body),
        ...this.#line.dependenciesOf(tenantOf(context), answer, mark),
      },
      key ? 'often' : 'once',
    );
    if (key && answer.revision > 0) {
      this.#edge.cache.set(key, kept);
      sharedCache?.set(key, kept);
    }
    return this.#send(context, kept, 'MISS');
  }

  /** Asked before an entry is looked up: at the end of an outage's time everything that is kept is forgotten. */
  #hitOrigin(): Origin {
    return this.#edge.outage.stale ? 'STALE' : 'HIT';
  }

  #send(context: RequestContext, kept: CacheEntry, origin: Origin): Response | Promise<Response> {
    const response = keptResponse(context, kept, this.#route);
    if (this.#kept) this.#edge.cache[origin === 'MISS' ? 'misses' : 'hits']++;
    if (origin === 'HIT') return response;
    return response instanceof Promise ? response.then((late) => marked(late, origin)) : marked(response, origin);
  }
}
