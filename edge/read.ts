// How a GET is answered: from what is kept where that still stands, else by its service; with its tag, and cut to its fields.
import type { Route } from '#proto/route.ts';
import { NO_TENANT, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { keptResponse, refusalResponse } from './answer.ts';
import type { Edge, Endpoint, Params, Target } from './endpoint.ts';
import { type Kept, newlyKept } from './gates/cache.ts';
import { etagOf } from './gates/etag.ts';
import { cut, readFields } from './gates/field.ts';
import { Line } from './gates/line.ts';
import { badPath, canonicalQuery, readQuery } from './gates/query.ts';
import { VIEWER_PARAMETERS } from './view.ts';
import type { Visit } from './visit.ts';

/** What is kept until a revision makes it stale. */
const KEPT: readonly Route['cache'][] = ['catalog', 'feed', 'review', 'content'];

const tenantOf = ({ principal }: Visit): Tenant => principal?.tenant ?? NO_TENANT;

const missed = (response: Response): Response => {
  if (response.status !== 304) response.headers.set('X-Cache', 'MISS');
  return response;
};

export class Read {
  readonly #endpoint: Endpoint;
  readonly #route: Route;
  readonly #edge: Edge;
  readonly #kept: boolean;
  readonly #line: Line;
  /** Parameters that make no difference to the answer. */
  readonly #idle: readonly string[];

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#route = endpoint.route;
    this.#edge = endpoint.edge;
    const { cache } = endpoint.route;
    this.#kept = KEPT.includes(cache) && endpoint.subject === null;
    this.#line = new Line(endpoint.edge, cache);
    this.#idle = endpoint.route.view ? VIEWER_PARAMETERS : [];
  }

  answer(visit: Visit, target: Target, params: Params): Response | Promise<Response> {
    const scope = visit.shopper?.scope ?? visit.principal?.scope ?? 'public';
    if (!this.#kept) return this.#fetch(visit, scope, target, params, '');
    const exact = `${scope} ${target.path}?${target.search}`;
    const kept = this.#standing(exact);
    if (kept) return this.#send(visit, kept, 'HIT');
    const query = canonicalQuery(target.search, this.#route.query, this.#idle);
    if (query === target.search) return this.#fetch(visit, scope, target, params, exact);
    const canonical = `${scope} ${target.path}?${query}`;
    const same = this.#standing(canonical);
    return same ? this.#send(visit, same, 'HIT') : this.#fetch(visit, scope, target, params, canonical);
  }

  #standing(key: string): Kept | null {
    const kept = this.#edge.cache.get(key);
    if (!kept || !this.#line.stands(kept)) return null;
    kept.used = true;
    return kept;
  }

  /** `key` is where the answer is kept; empty: nowhere. */
  async #fetch(visit: Visit, scope: string, target: Target, params: Params, key: string): Promise<Response> {
    visit.late = true;
    await this.#edge.turn.next();
    const session = key === '' ? this.#endpoint.sessionId(visit) : '';
    if (session instanceof Refusal) return refusalResponse(visit, session);
    const input: Record<string, unknown> = { ...params };
    const malformed = badPath(params) ?? readQuery(target.search, this.#route.query, input);
    if (malformed) return refusalResponse(visit, malformed);
    if (this.#route.network !== undefined) input[this.#route.network] = visit.network;
    const foreign = this.#endpoint.subject?.checkInput(visit.shopper, input, visit.principal?.keyType);
    if (foreign) return refusalResponse(visit, foreign);
    const verdict = this.#endpoint.validate(input);
    if (!verdict.ok)
      return refusalResponse(visit, refuse('invalid_request', verdict.message, { param: verdict.param }));
    const { fields } = this.#route;
    const wanted =
      fields && typeof input.fields === 'string' && input.fields !== '' ? readFields(input.fields, fields) : null;
    if (wanted instanceof Refusal) return refusalResponse(visit, wanted);

    const { sharedCache } = this.#edge;
    const shared = key && sharedCache ? await sharedCache.get(key) : null;
    if (shared && this.#line.stands(shared)) {
      this.#edge.cache.set(key, shared);
      return this.#send(visit, shared, 'HIT');
    }

    if (this.#route.limit === 'usage' && visit.principal)
      await this.#edge.throttle.tell(visit.principal.tenant.store, visit);
    const mark = this.#line.mark(tenantOf(visit));
    const answer = await this.#endpoint.ask(visit, verdict.value, session, null, null);
    if (answer.refused) return refusalResponse(visit, answer.refused);
    let body = answer.body;
    if (wanted) body = cut(body, this.#route.envelope, wanted);
    // The answer is a part of the whole batch that it came in: what is kept must not hold on to the rest.
    else if (key && body.length * 2 < body.buffer.byteLength) body = body.slice();
    const kept = newlyKept(
      {
        body,
        etag: etagOf(`${scope} ${visit.personal ? session : ''} ${target.path}`, body),
        ...this.#line.follow(tenantOf(visit), answer, mark),
      },
      key ? 'often' : 'once',
    );
    if (key && answer.revision > 0) {
      this.#edge.cache.set(key, kept);
      sharedCache?.set(key, kept);
    }
    return this.#send(visit, kept, 'MISS');
  }

  #send(visit: Visit, kept: Kept, from: 'HIT' | 'MISS'): Response | Promise<Response> {
    const response = keptResponse(visit, kept, this.#route);
    if (from === 'HIT') return response;
    return response instanceof Promise ? response.then(missed) : missed(response);
  }
}
