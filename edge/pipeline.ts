// The way of a request through the gates, in the contract's order: key, access, throttle, session, body, signature,
// validation, cache, link. The same for every endpoint; what differs stands in its row of the route table.
import type { Route } from '#proto/route.ts';
import { compile, type Validate } from '#proto/validate.ts';
import { type Idempotency, NO_TENANT, Refusal, refuse, tenantKey } from '#runtime/call.ts';
import { failpoint } from '#runtime/failpoint.ts';
import type { Answer, Caller, Wire } from '#runtime/link/frame.ts';
import { Question } from '#runtime/link/question.ts';
import type { Log } from '#runtime/log.ts';
import { span } from '#runtime/trace.ts';
import { parseStrict } from '#values/strict_json.ts';
import type { Activity } from './activity.ts';
import { keptResponse, refusalResponse, WrittenAnswers } from './answer.ts';
import { checkAccess } from './gates/access.ts';
import { type ClientAddresses, networkOf, shopperAddress } from './gates/address.ts';
import { type Body, readBody } from './gates/body.ts';
import type { Cache, Kept } from './gates/cache.ts';
import { etagOf } from './gates/etag.ts';
import { cut, readFields } from './gates/field.ts';
import { readIdempotency } from './gates/idempotency.ts';
import { type Lane, laneOf } from './gates/lane.ts';
import type { Lease } from './gates/lease.ts';
import { type Principal, type Principals, UNAUTHORIZED } from './gates/principal.ts';
import { canonicalQuery, readQuery } from './gates/query.ts';
import { resetLeases } from './gates/reset.ts';
import type { Revisions } from './gates/revision.ts';
import { BAD_SESSION_ID, readSessionId, type Sessions, type Shopper } from './gates/session.ts';
import type { SharedCache } from './gates/shared_cache.ts';
import { checkSignature, refusedBody } from './gates/signature.ts';
import type { SoldOut } from './gates/sold_out.ts';
import { SubjectGate } from './gates/subject.ts';
import { type Throttle, UNDECIDED } from './gates/throttle.ts';
import type { Turn } from './turn.ts';
import type { Visit } from './visit.ts';

/** What all endpoints of one edge share. */
export interface Edge {
  readonly wire: Wire;
  readonly principals: Principals;
  /** What each store asked lately. */
  readonly activity: Activity;
  readonly throttle: Throttle;
  readonly sessions: Sessions;
  readonly revisions: Revisions;
  readonly cache: Cache;
  readonly soldOut: SoldOut;
  readonly sharedCache: SharedCache | null;
  readonly addresses: ClientAddresses;
  readonly log: Log;
  readonly turn: Turn;
}

/** Where the bytes of the path and query begin and end in a request's URL. */
export interface Target {
  readonly path: string;
  /** Without its question mark. */
  readonly search: string;
}

type Params = Readonly<Record<string, string>>;
type Peer = () => string;

const TIMEOUT_MS = 10_000;
const PAYMENT_TIMEOUT_MS = 15_000;
/** Addresses a key remembers; past it all are looked up anew. */
const SHOPPERS_MAX = 10_000;
const NO_LEASES: readonly Lease[] = [];

const PLAIN_BODY = { bytes_max: 1024 * 1024, raw: [] };

const withoutAbsent = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

const PUBLIC: Caller = { tenant: NO_TENANT, keyType: 'none', keyId: '', customer: null };

export class Pipeline {
  readonly #route: Route;
  readonly #edge: Edge;
  readonly #validate: Validate;
  /** Null where no shopper stands behind a call. */
  readonly #subject: SubjectGate | null;
  readonly #kept: boolean;
  /** Counted by the client's address, too. */
  readonly #auth: boolean;
  readonly #timeoutMs: number;
  readonly #lane: Lane | null;
  readonly #written: WrittenAnswers;

  constructor(route: Route, edge: Edge) {
    this.#route = route;
    this.#edge = edge;
    this.#validate = compile(route);
    this.#subject = route.access.session === 'none' ? null : new SubjectGate(route);
    this.#kept = (route.cache === 'catalog' || route.cache === 'feed') && this.#subject === null;
    this.#auth = route.limit === 'auth' || route.limit === 'reset';
    this.#written = new WrittenAnswers(route);
    this.#lane = laneOf(route);
    this.#timeoutMs = route.timeout_ms ?? (route.limit === 'payment' ? PAYMENT_TIMEOUT_MS : TIMEOUT_MS);
  }

  /** Compiles the validator before the first request has to wait for it. */
  warm(): void {
    this.#validate({});
  }

  /** Answers at once where everything needed is at hand. */
  serve(visit: Visit, target: Target, params: Params, peer: Peer): Response | Promise<Response> {
    if (this.#route.access.key === 'none') return this.#answer(visit, target, params, null);
    const authorization = visit.request.headers.get('authorization');
    if (authorization === null) return refusalResponse(visit, UNAUTHORIZED);
    const principal = this.#edge.principals.known(authorization);
    if (principal) return this.#knownCaller(visit, principal, target, params, peer);
    return this.#edge.principals.resolve(authorization).then((resolved) => {
      visit.late = true;
      return resolved instanceof Refusal
        ? refusalResponse(visit, resolved)
        : this.#knownCaller(visit, resolved, target, params, peer);
    });
  }

  #knownCaller(
    visit: Visit,
    principal: Principal,
    target: Target,
    params: Params,
    peer: Peer,
  ): Response | Promise<Response> {
    visit.principal = principal;
    visit.personal = this.#subject !== null;
    const named = this.#namedAddress(visit, principal);
    const denied = checkAccess(this.#route.access, principal);
    const full = this.#lane?.full ?? null;
    const leases = this.#leases(visit, principal, peer, named, denied !== null || full !== null);
    const { throttle } = this.#edge;
    const go = (throttled: Refusal | null): Response | Promise<Response> => {
      if (throttled === null) visit.charge = leases;
      if (denied && this.#route.limit === 'reset') return this.#refuseReset(visit, peer, throttled, denied);
      if (denied) return refusalResponse(visit, denied);
      if (throttled !== null)
        return this.#mayReplay(visit)
          ? this.#admitted(visit, target, params, throttled)
          : refusalResponse(visit, throttled);
      if (named instanceof Refusal) return refusalResponse(visit, named);
      if (full) return refusalResponse(visit, full);
      return this.#admitted(visit, target, params, null);
    };
    const outcome = throttle.charge(leases, Date.now());
    if (outcome !== UNDECIDED) return go(outcome);
    visit.late = true;
    const settle = async (): Promise<Response> => throttle.settle(leases, this.#route.verb === 'GET').then(go);
    return this.#lane === null || denied || full ? settle() : this.#lane.run(visit, settle);
  }

  /** Whoever may not reset passwords is told so, as long as he does not try too often. */
  async #refuseReset(visit: Visit, peer: Peer, throttled: Refusal | null, denied: Refusal): Promise<Response> {
    visit.late = true;
    const { principal, request } = visit;
    if (throttled || !principal) return refusalResponse(visit, throttled ?? denied);
    const { throttle, addresses } = this.#edge;
    const address = addresses.client(peer(), request.headers.get('x-forwarded-for'));
    const leases = await resetLeases(throttle, principal.tenant.store, address, request);
    return refusalResponse(visit, (await throttle.settle(leases)) ?? denied);
  }

  /** A server calls for many shoppers from one address: it may say for whom. Empty where it does not. */
  #namedAddress(visit: Visit, { keyType }: Principal): string | Refusal {
    if (!this.#auth || keyType !== 'secret') return '';
    return shopperAddress(visit.request.headers.get('x-shopper-ip'));
  }

  /**
   * The plan's windows, the shopper's network and the operation's own limit, by the address that a server `named`. Who is
   * kept out, by his key or for want of room, did not attempt the operation, but for a password's reset, of which every
   * attempt counts.
   */
  #leases(visit: Visit, principal: Principal, peer: Peer, named: string | Refusal, out: boolean): readonly Lease[] {
    const { limit } = this.#route;
    if (limit === 'none') return NO_LEASES;
    // Nobody's network is counted where it has no limit, and who it is costs a look at the socket.
    const shopper = principal.keyType === 'publishable' && principal.limits.network_hour > 0;
    if ((!shopper && (limit === 'plan' || limit === 'usage')) || named instanceof Refusal) return principal.leases;
    const { throttle, addresses } = this.#edge;
    const address = named || addresses.client(peer(), visit.request.headers.get('x-forwarded-for'));
    const leases = shopper ? this.#shopper(principal, address) : principal.leases;
    const own =
      out && limit !== 'reset'
        ? null
        : throttle.operationLease(limit, principal.tenant.store, principal.keyId, address);
    return own ? [...leases, own] : leases;
  }

  /** What a shopper at this address is charged to, found once while the key is known. */
  #shopper(principal: Principal, address: string): readonly Lease[] {
    const { throttle } = this.#edge;
    const { shoppers, tenant, limits } = principal;
    if (principal.shoppersOf !== throttle.generation || shoppers.size >= SHOPPERS_MAX) {
      shoppers.clear();
      principal.shoppersOf = throttle.generation;
    }
    let leases = shoppers.get(address);
    if (!leases) {
      leases = [
        ...principal.leases,
        throttle.lease(tenant.store, 'network_hour', networkOf(address), limits.network_hour),
      ];
      // Making it may have let others go.
      if (principal.shoppersOf === throttle.generation) shoppers.set(address, leases);
    }
    return leases;
  }

  /** A valid signed retry of a stored answer is replayed even at the limit. */
  #mayReplay(visit: Visit): boolean {
    return this.#route.access.signed && visit.request.headers.has('idempotency-key');
  }

  /** `throttled` is set where only a stored answer may still be given. */
  #admitted(visit: Visit, target: Target, params: Params, throttled: Refusal | null): Response | Promise<Response> {
    if (this.#subject === null || visit.principal === null) return this.#answer(visit, target, params, throttled);
    const { headers } = visit.request;
    const go = (shopper: Shopper | null | Refusal): Response | Promise<Response> => {
      if (shopper instanceof Refusal) return refusalResponse(visit, shopper);
      visit.shopper = shopper;
      return this.#answer(visit, target, params, throttled);
    };
    const shopper = this.#subject.enter(this.#edge.sessions, visit.principal, headers, params, target.search);
    return shopper instanceof Promise ? shopper.then(go) : go(shopper);
  }

  #answer(visit: Visit, target: Target, params: Params, throttled: Refusal | null): Response | Promise<Response> {
    return this.#route.verb === 'GET'
      ? this.#read(visit, target, params)
      : this.#write(visit, target, params, throttled);
  }

  /** The browsing session, where it is well-formed; refused only where a call may be about it. */
  #sessionId(visit: Visit): string | Refusal {
    const id = readSessionId(visit.request.headers);
    return id ?? (this.#route.access.session === 'when_named' ? BAD_SESSION_ID : '');
  }

  // ── Reads ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  #read(visit: Visit, target: Target, params: Params): Response | Promise<Response> {
    const scope = visit.shopper?.scope ?? visit.principal?.scope ?? 'public';
    if (!this.#kept) return this.#fetch(visit, scope, target, params, '');
    const exact = `${scope} ${target.path}?${target.search}`;
    const kept = this.#standing(exact);
    if (kept) return this.#send(visit, kept, 'HIT');
    const query = canonicalQuery(target.search, this.#route.query);
    if (query === target.search) return this.#fetch(visit, scope, target, params, exact);
    const canonical = `${scope} ${target.path}?${query}`;
    const same = this.#standing(canonical);
    return same ? this.#send(visit, same, 'HIT') : this.#fetch(visit, scope, target, params, canonical);
  }

  #standing(key: string): Kept | null {
    const kept = this.#edge.cache.get(key);
    if (!kept || !this.#edge.revisions.stands(kept.tenant, kept.revision, kept.subject)) return null;
    kept.used = true;
    return kept;
  }

  /** `key` is where the answer is kept; empty: nowhere. */
  async #fetch(visit: Visit, scope: string, target: Target, params: Params, key: string): Promise<Response> {
    visit.late = true;
    await this.#edge.turn.next();
    const session = key === '' ? this.#sessionId(visit) : '';
    if (session instanceof Refusal) return refusalResponse(visit, session);
    const input: Record<string, unknown> = { ...params };
    const malformed = readQuery(target.search, this.#route.query, input);
    if (malformed) return refusalResponse(visit, malformed);
    const foreign = this.#subject?.checkInput(visit.shopper, input, visit.principal?.keyType);
    if (foreign) return refusalResponse(visit, foreign);
    const verdict = this.#validate(input);
    if (!verdict.ok)
      return refusalResponse(visit, refuse('invalid_request', verdict.message, { param: verdict.param }));
    const { fields } = this.#route;
    const wanted =
      fields && typeof input.fields === 'string' && input.fields !== '' ? readFields(input.fields, fields) : null;
    if (wanted instanceof Refusal) return refusalResponse(visit, wanted);

    const { sharedCache } = this.#edge;
    const shared = key && sharedCache ? await sharedCache.get(key) : null;
    if (shared && this.#edge.revisions.stands(shared.tenant, shared.revision, shared.subject)) {
      this.#edge.cache.set(key, shared);
      return this.#send(visit, shared, 'HIT');
    }

    if (this.#route.limit === 'usage' && visit.principal) await this.#edge.throttle.tell(visit.principal.tenant.store);
    const answer = await this.#ask(visit, verdict.value, session, null, null);
    if (answer.refused) return refusalResponse(visit, answer.refused);
    let body = answer.body;
    if (wanted) body = cut(body, this.#route.envelope, wanted);
    // The answer is a part of the whole batch that it came in: what is kept must not hold on to the rest.
    else if (key && body.length * 2 < body.buffer.byteLength) body = body.slice();
    const kept: Kept = {
      body,
      etag: etagOf(`${scope} ${visit.personal ? session : ''} ${target.path}`, body),
      tenant: tenantKey(this.#follows(visit, answer)),
      revision: answer.revision,
      subject: this.#route.cache === 'feed' ? '' : answer.subject,
      used: false,
      hit: null,
      notModified: null,
    };
    if (key && answer.revision > 0) {
      this.#edge.revisions.saw(this.#follows(visit, answer), answer.revision);
      this.#edge.cache.set(key, kept);
      sharedCache?.set(key, kept);
    }
    return this.#send(visit, kept, 'MISS');
  }

  /** Whose revision an answer follows: a feed has no key, so its answer's subject names the store. */
  #follows(visit: Visit, answer: Answer) {
    if (this.#route.cache === 'feed') return { store: answer.subject, environment: 'production' } as const;
    return visit.principal?.tenant ?? NO_TENANT;
  }

  #send(visit: Visit, kept: Kept, from: 'HIT' | 'MISS'): Response {
    const response = keptResponse(visit, kept, this.#route);
    if (from === 'MISS' && response.status !== 304) response.headers.set('X-Cache', 'MISS');
    return response;
  }

  // ── Writes ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  async #write(visit: Visit, target: Target, params: Params, throttled: Refusal | null): Promise<Response> {
    const route = this.#route;
    const { request } = visit;
    // At the limit a stored answer may be given again, and nothing else be learned.
    const refused = (why: Refusal): Response => refusalResponse(visit, throttled ?? why);
    const body = await readBody(request, route.body ?? PLAIN_BODY);
    visit.late = true;
    await this.#edge.turn.next();
    if (body instanceof Refusal) return refused(body);
    visit.sent = body.bytes;

    if (route.access.signed) {
      const secret = visit.principal?.hmacSecret ?? '';
      const unsigned = checkSignature(request.headers, body.bytes, secret, Date.now());
      if (unsigned) return refused(unsigned);
    }
    const session = this.#sessionId(visit);
    if (session instanceof Refusal) return refused(session);
    const idempotency = readIdempotency(
      this.#auth ? null : request.headers.get('idempotency-key'),
      route.access.signed,
      `${route.verb} ${target.path}${this.#whose(visit, session)}`,
      target.search,
      body.bytes,
    );
    if (idempotency instanceof Refusal) return refused(idempotency);

    const signed = route.access.signed ? (request.headers.get('x-signature') ?? '') : '';
    const input = this.#input(visit, body, target, params);
    if (input instanceof Refusal) {
      if (signed === '' || !visit.principal || !idempotency || throttled) return refused(input);
      const signature = { signature: signed, operation: idempotency.scope };
      return refused(await refusedBody(this.#edge.wire, visit.principal, signature, input));
    }
    const retry: Idempotency | null = idempotency && {
      ...idempotency,
      signature: signed,
      replayOnly: throttled !== null,
    };
    const { soldOut } = this.#edge;
    const wish = retry || !visit.principal ? null : soldOut.wish(route.rpc, visit.principal.tenant, session, input);
    const none = wish && soldOut.refusal(wish);
    if (none) return refused(none);
    if (visit.principal) failpoint('socket', visit.principal.tenant.store);
    const asked = this.#ask(visit, input, session, route.body?.raw.length ? body : null, retry);
    const answer = asked instanceof Promise ? await asked : asked;
    if (wish && answer.refused) soldOut.learn(wish, answer.refused);
    if (answer.refused) return refused(answer.refused);
    if (answer.revision > 0 && visit.principal) {
      const products = answer.subject ? [answer.subject] : null;
      const { tenant } = visit.principal;
      this.#edge.revisions.hear({ kind: 'catalog', tenant, revision: answer.revision, products });
    }
    if (answer.replayed && visit.charge) this.#edge.throttle.refund(visit.charge);
    return this.#written.response(visit, answer);
  }

  /** Keeps the keys of two shoppers apart. A signed call is the store's own: its retries need not name a session. */
  #whose({ shopper }: Visit, session: string): string {
    if (this.#route.access.signed) return '';
    if (shopper) return ` customer ${shopper.customer}`;
    return session === '' ? '' : ` session ${session}`;
  }

  /** Body, query and path as one validated request. A raw body goes beside it, as it came. */
  #input(visit: Visit, body: Body, target: Target, params: Params): Record<string, unknown> | Refusal {
    const { query, headers, body: limits } = this.#route;
    const named: Record<string, unknown> = {};
    const malformed = readQuery(target.search, query, named);
    if (malformed) return malformed;
    Object.assign(named, params);
    // Undefined where there is none, so that a body cannot say it instead.
    for (const { name, header } of headers) named[name] = visit.request.headers.get(header) ?? undefined;
    let value: unknown = {};
    if (body.mediaType === 'application/json') {
      const read = parseStrict(body.bytes);
      if (!read.ok)
        return refuse('invalid_request', read.message, read.param === undefined ? {} : { param: read.param });
      value = read.value;
      if (value === null || typeof value !== 'object' || Array.isArray(value))
        return refuse('invalid_request', 'The body must be a JSON object.');
    }
    // What is replaced by nothing would be lost by an accident.
    else if (this.#route.verb === 'PUT' && body.bytes.length === 0)
      return refuse('invalid_request', 'A body is required.');
    const whole = Object.assign(value as Record<string, unknown>, named);
    const foreign = this.#subject?.checkInput(visit.shopper, whole, visit.principal?.keyType);
    if (foreign) return foreign;
    const verdict = this.#validate(whole);
    if (!verdict.ok) return refuse('invalid_request', verdict.message, verdict.param ? { param: verdict.param } : {});
    return limits?.raw.length ? withoutAbsent(named) : verdict.value;
  }

  #ask(
    visit: Visit,
    input: Record<string, unknown>,
    session: string,
    raw: Body | null,
    idempotency: Idempotency | null,
  ): Answer | Promise<Answer> {
    const { principal } = visit;
    const traceparent = visit.request.headers.get('traceparent') ?? '';
    const ask = (trace: string) =>
      this.#edge.wire.ask(
        new Question({
          rpc: this.#route.rpc,
          caller: visit.shopper ?? principal ?? PUBLIC,
          timeoutMs: this.#timeoutMs,
          requestId: visit.requestId,
          trace,
          value: input,
          rawBody: raw?.bytes ?? null,
          contentType: raw?.mediaType ?? '',
          idempotency,
          revisionMin: principal ? this.#edge.revisions.newest(principal.tenant) : 0,
          session,
        }),
        this.#route.verb !== 'GET',
      );
    return span(`${this.#route.verb} ${this.#route.path}`, traceparent, ask);
  }
}
