// Runs each request through the gates in order: key, access, throttle, session, body, signature, validation, cache,
// link. All endpoints share this code; the route table holds their differences.
import type { Route } from '#proto/route.ts';
import { Refusal } from '#runtime/call/call.ts';
import { refusalResponse } from './answer.ts';
import { type Edge, Endpoint, type Params, type UrlParts } from './endpoint.ts';
import { checkAccess } from './gates/access.ts';
import { Charge, isAuth, type PeerAddress } from './gates/charge.ts';
import { actingAs } from './gates/merchant.ts';
import { type Principal, UNAUTHORIZED } from './gates/principal.ts';
import { resetLeases } from './gates/reset.ts';
import { queueOf, type RouteQueue } from './gates/route_queue.ts';
import type { Shopper } from './gates/session.ts';
import { NO_SESSION, staffCredentialOf } from './gates/staff_session.ts';
import { UNDECIDED } from './gates/throttle.ts';
import { Read } from './read.ts';
import type { RequestContext } from './request_context.ts';
import { Submission } from './submission.ts';

export class Pipeline {
  readonly #route: Route;
  readonly #edge: Edge;
  readonly #endpoint: Endpoint;
  readonly #charge: Charge;
  readonly #queue: RouteQueue | null;
  readonly #handler: Read | Submission;
  readonly #publicUrl: () => string;

  constructor(route: Route, edge: Edge, publicUrl: () => string) {
    this.#route = route;
    this.#publicUrl = publicUrl;
    this.#edge = edge;
    this.#endpoint = new Endpoint(route, edge);
    this.#charge = new Charge(route, edge.throttle, edge.addresses);
    this.#queue = queueOf(route);
    this.#handler = route.verb === 'GET' ? new Read(this.#endpoint) : new Submission(this.#endpoint);
  }

  /** Compiles the validator before the first request needs it. */
  warm(): void {
    this.#endpoint.validate({});
  }

  serve(context: RequestContext, target: UrlParts, params: Params, peer: PeerAddress): Response | Promise<Response> {
    context.oauth = this.#route.oauth === true;
    const { key } = this.#route.access;
    if (key === 'none')
      return isAuth(this.#route.limit)
        ? this.#limitedByAddress(context, target, params, peer)
        : this.#handler.answer(context, target, params, null);
    const authorization =
      context.request.headers.get('authorization') ?? staffCredentialOf(context.request, this.#publicUrl());
    if (authorization === null) return refusalResponse(context, key === 'staff' ? NO_SESSION : UNAUTHORIZED);
    const principal = this.#edge.principals.cached(authorization);
    if (principal) return this.#authenticated(context, principal, target, params, peer);
    return this.#edge.principals.resolve(authorization, context).then((resolved) => {
      context.isAsync = true;
      return resolved instanceof Refusal
        ? refusalResponse(context, resolved)
        : this.#authenticated(context, resolved, target, params, peer);
    });
  }

  #authenticated(
    context: RequestContext,
    principal: Principal,
    target: UrlParts,
    params: Params,
    peer: PeerAddress,
  ): Response | Promise<Response> {
    context.principal = principal;
    const { addresses, keyUses } = this.#edge;
    keyUses.note(principal, () => addresses.client(peer(), context.request.headers.get('x-forwarded-for')));
    const acting = actingAs(principal, this.#route.access, target.search);
    if (acting instanceof Refusal) return refusalResponse(context, acting);
    return this.#checkLimits(context, acting, target, params, peer);
  }

  #checkLimits(
    context: RequestContext,
    principal: Principal,
    target: UrlParts,
    params: Params,
    peer: PeerAddress,
  ): Response | Promise<Response> {
    context.principal = principal;
    context.isPerShopper = this.#endpoint.subjectGate !== null;
    const declared = this.#charge.declaredAddress(context, principal);
    context.network = this.#charge.network(context, peer, declared);
    if (this.#endpoint.isAudited) context.clientAddress = this.#charge.client(context, peer);
    const denied = checkAccess(this.#route.access, principal);
    const full = this.#queue?.full ?? null;
    const leases = this.#charge.leases(context, principal, peer, declared, denied !== null || full !== null);
    const { throttle } = this.#edge;
    const proceed = (throttled: Refusal | null): Response | Promise<Response> => {
      if (throttled === null) context.charge = leases;
      if (denied && this.#route.limit === 'reset') return this.#refuseReset(context, peer, throttled, denied);
      if (denied) return refusalResponse(context, denied);
      if (throttled !== null)
        return this.#mayReplay(context)
          ? this.#admitted(context, target, params, throttled)
          : refusalResponse(context, throttled);
      if (declared instanceof Refusal) return refusalResponse(context, declared);
      if (full) return refusalResponse(context, full);
      return this.#admitted(context, target, params, null);
    };
    const outcome = throttle.charge(leases, Date.now(), context);
    const settle = async (): Promise<Response> =>
      proceed(outcome === UNDECIDED ? await throttle.settle(leases, !this.#route.writes, context) : outcome);
    if (this.#queue !== null && !denied && !full && (outcome === UNDECIDED || outcome === null)) {
      context.isAsync = true;
      return this.#queue.run(context, settle);
    }
    if (outcome !== UNDECIDED) return proceed(outcome);
    context.isAsync = true;
    return settle();
  }

  /** Limits sign-ins, which have no key and may guess passwords, by the caller's address. */
  #limitedByAddress(
    context: RequestContext,
    target: UrlParts,
    params: Params,
    peer: PeerAddress,
  ): Response | Promise<Response> {
    const { throttle } = this.#edge;
    const full = this.#queue?.full ?? null;
    const leases = this.#charge.keyless(context, peer);
    context.network = this.#charge.network(context, peer, '');
    context.isAsync = true;
    const settle = async (): Promise<Response> => {
      const refusal = (await throttle.settle(leases, !this.#route.writes, context)) ?? full;
      return refusal ? refusalResponse(context, refusal) : this.#handler.answer(context, target, params, null);
    };
    return this.#queue === null || full ? settle() : this.#queue.run(context, settle);
  }

  /** Refuses a password reset with the wrong kind of key; answers 429 after too many such attempts. */
  async #refuseReset(
    context: RequestContext,
    peer: PeerAddress,
    throttled: Refusal | null,
    denied: Refusal,
  ): Promise<Response> {
    context.isAsync = true;
    const { principal, request } = context;
    if (throttled || !principal) return refusalResponse(context, throttled ?? denied);
    const { throttle, addresses } = this.#edge;
    const address = addresses.client(peer(), request.headers.get('x-forwarded-for'));
    const leases = await resetLeases(throttle, principal.tenant.store, address, request);
    return refusalResponse(context, (await throttle.settle(leases, false, context)) ?? denied);
  }

  /** Even over the rate limit, a signed retry may be answered with the stored response to its idempotency key. */
  #mayReplay(context: RequestContext): boolean {
    return this.#route.access.signed && context.request.headers.has('idempotency-key');
  }

  #admitted(
    context: RequestContext,
    target: UrlParts,
    params: Params,
    throttled: Refusal | null,
  ): Response | Promise<Response> {
    const { subjectGate } = this.#endpoint;
    if (subjectGate === null || context.principal === null)
      return this.#handler.answer(context, target, params, throttled);
    const { headers } = context.request;
    const proceed = (shopper: Shopper | null | Refusal): Response | Promise<Response> => {
      if (shopper instanceof Refusal) return refusalResponse(context, shopper);
      context.shopper = shopper;
      return this.#handler.answer(context, target, params, throttled);
    };
    const shopper = subjectGate.enter(this.#edge.sessions, context.principal, headers, params, target.search, context);
    return shopper instanceof Promise ? shopper.then(proceed) : proceed(shopper);
  }
}
