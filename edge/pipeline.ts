// The way of a request through the gates, in the contract's order: key, access, throttle, session, body, signature,
// validation, cache, link. The same for every endpoint; what differs stands in its row of the route table.
import type { Route } from '#proto/route.ts';
import { Refusal } from '#runtime/call/call.ts';
import { refusalResponse } from './answer.ts';
import { type Edge, Endpoint, type Params, type UrlParts } from './endpoint.ts';
import { checkAccess } from './gates/access.ts';
import { Charge, type ChargedPeer } from './gates/charge.ts';
import { actingAs } from './gates/merchant.ts';
import { type Principal, UNAUTHORIZED } from './gates/principal.ts';
import { resetLeases } from './gates/reset.ts';
import { queueOf, type RouteQueue } from './gates/route_queue.ts';
import type { Shopper } from './gates/session.ts';
import { addressIn, UNDECIDED } from './gates/throttle.ts';
import { Read } from './read.ts';
import type { RequestContext } from './request_context.ts';
import { Submission } from './submission.ts';

export class Pipeline {
  readonly #route: Route;
  readonly #edge: Edge;
  readonly #endpoint: Endpoint;
  readonly #charge: Charge;
  readonly #queue: RouteQueue | null;
  readonly #way: Read | Submission;

  constructor(route: Route, edge: Edge) {
    this.#route = route;
    this.#edge = edge;
    this.#endpoint = new Endpoint(route, edge);
    this.#charge = new Charge(route, edge.throttle, edge.addresses);
    this.#queue = queueOf(route);
    this.#way = route.verb === 'GET' ? new Read(this.#endpoint) : new Submission(this.#endpoint);
  }

  /** Compiles the validator before the first request has to wait for it. */
  warm(): void {
    this.#endpoint.validate({});
  }

  /** Answers at once where everything needed is at hand. */
  serve(context: RequestContext, target: UrlParts, params: Params, peer: ChargedPeer): Response | Promise<Response> {
    context.oauth = this.#route.oauth === true;
    if (this.#route.access.key === 'none') return this.#way.answer(context, target, params, null);
    const authorization = context.request.headers.get('authorization');
    if (authorization === null) return refusalResponse(context, UNAUTHORIZED);
    const principal = this.#edge.principals.cached(authorization);
    if (principal) return this.#knownCaller(context, principal, target, params, peer);
    return this.#edge.principals.resolve(authorization, context).then((resolved) => {
      context.isAsync = true;
      return resolved instanceof Refusal
        ? refusalResponse(context, resolved)
        : this.#knownCaller(context, resolved, target, params, peer);
    });
  }

  #knownCaller(
    context: RequestContext,
    principal: Principal,
    target: UrlParts,
    params: Params,
    peer: ChargedPeer,
  ): Response | Promise<Response> {
    context.principal = principal;
    const acting = actingAs(principal, this.#route.access, target.search);
    if (acting instanceof Refusal) return refusalResponse(context, acting);
    return this.#charged(context, acting, target, params, peer);
  }

  #charged(
    context: RequestContext,
    principal: Principal,
    target: UrlParts,
    params: Params,
    peer: ChargedPeer,
  ): Response | Promise<Response> {
    context.principal = principal;
    context.isPerShopper = this.#endpoint.subject !== null;
    const named = this.#charge.declaredAddress(context, principal);
    context.network = this.#charge.network(context, peer, named);
    const denied = checkAccess(this.#route.access, principal);
    const full = this.#queue?.full ?? null;
    const leases = this.#charge.leases(context, principal, peer, named, denied !== null || full !== null);
    const { throttle } = this.#edge;
    const go = (throttled: Refusal | null): Response | Promise<Response> => {
      if (throttled === null) context.charge = leases;
      if (denied && this.#route.limit === 'reset') return this.#refuseReset(context, peer, throttled, denied);
      if (denied) return refusalResponse(context, denied);
      if (throttled !== null)
        return this.#mayReplay(context)
          ? this.#admitted(context, target, params, throttled)
          : refusalResponse(context, throttled);
      if (named instanceof Refusal) return refusalResponse(context, named);
      if (full) return refusalResponse(context, full);
      return this.#admitted(context, target, params, null);
    };
    const outcome = throttle.charge(leases, Date.now(), context);
    if (outcome !== UNDECIDED) return go(outcome);
    context.isAsync = true;
    const settle = async (): Promise<Response> => throttle.settle(leases, !this.#route.writes, context).then(go);
    return this.#queue === null || denied || full ? settle() : this.#queue.run(context, settle);
  }

  /** A key that may not reset passwords is told so, as long as it does not try too often. */
  async #refuseReset(
    context: RequestContext,
    peer: ChargedPeer,
    throttled: Refusal | null,
    denied: Refusal,
  ): Promise<Response> {
    context.isAsync = true;
    const { principal, request } = context;
    if (throttled || !principal) return refusalResponse(context, throttled ?? denied);
    const { throttle, addresses } = this.#edge;
    const address = addressIn(principal.tenant, addresses.client(peer(), request.headers.get('x-forwarded-for')));
    const leases = await resetLeases(throttle, principal.tenant.store, address, request);
    return refusalResponse(context, (await throttle.settle(leases, false, context)) ?? denied);
  }

  /** A valid signed retry of a stored answer is replayed even at the limit. */
  #mayReplay(context: RequestContext): boolean {
    return this.#route.access.signed && context.request.headers.has('idempotency-key');
  }

  /** `throttled` is set where only a stored answer may still be given. */
  #admitted(
    context: RequestContext,
    target: UrlParts,
    params: Params,
    throttled: Refusal | null,
  ): Response | Promise<Response> {
    const { subject } = this.#endpoint;
    if (subject === null || context.principal === null) return this.#way.answer(context, target, params, throttled);
    const { headers } = context.request;
    const go = (shopper: Shopper | null | Refusal): Response | Promise<Response> => {
      if (shopper instanceof Refusal) return refusalResponse(context, shopper);
      context.shopper = shopper;
      return this.#way.answer(context, target, params, throttled);
    };
    const shopper = subject.enter(this.#edge.sessions, context.principal, headers, params, target.search, context);
    return shopper instanceof Promise ? shopper.then(go) : go(shopper);
  }
}
