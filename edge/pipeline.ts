// The way of a request through the gates, in the contract's order: key, access, throttle, session, body, signature,
// validation, cache, link. The same for every endpoint; what differs stands in its row of the route table.
import type { Route } from '#proto/route.ts';
import { Refusal } from '#runtime/call/call.ts';
import { refusalResponse } from './answer.ts';
import { type Edge, Endpoint, type Params, type Target } from './endpoint.ts';
import { checkAccess } from './gates/access.ts';
import { Charge, type Peer } from './gates/charge.ts';
import { type Lane, laneOf } from './gates/lane.ts';
import { actingAs } from './gates/merchant.ts';
import { type Principal, UNAUTHORIZED } from './gates/principal.ts';
import { resetLeases } from './gates/reset.ts';
import type { Shopper } from './gates/session.ts';
import { UNDECIDED } from './gates/throttle.ts';
import { Read } from './read.ts';
import { Submission } from './submission.ts';
import type { Visit } from './visit.ts';

export class Pipeline {
  readonly #route: Route;
  readonly #edge: Edge;
  readonly #endpoint: Endpoint;
  readonly #charge: Charge;
  readonly #lane: Lane | null;
  readonly #way: Read | Submission;

  constructor(route: Route, edge: Edge) {
    this.#route = route;
    this.#edge = edge;
    this.#endpoint = new Endpoint(route, edge);
    this.#charge = new Charge(route, edge.throttle, edge.addresses);
    this.#lane = laneOf(route);
    this.#way = route.verb === 'GET' ? new Read(this.#endpoint) : new Submission(this.#endpoint);
  }

  /** Compiles the validator before the first request has to wait for it. */
  warm(): void {
    this.#endpoint.validate({});
  }

  /** Answers at once where everything needed is at hand. */
  serve(visit: Visit, target: Target, params: Params, peer: Peer): Response | Promise<Response> {
    visit.oauth = this.#route.oauth === true;
    if (this.#route.access.key === 'none') return this.#way.answer(visit, target, params, null);
    const authorization = visit.request.headers.get('authorization');
    if (authorization === null) return refusalResponse(visit, UNAUTHORIZED);
    const principal = this.#edge.principals.known(authorization);
    if (principal) return this.#knownCaller(visit, principal, target, params, peer);
    return this.#edge.principals.resolve(authorization, visit).then((resolved) => {
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
    const acting = actingAs(principal, this.#route.access, target.search);
    if (acting instanceof Refusal) return refusalResponse(visit, acting);
    return this.#charged(visit, acting, target, params, peer);
  }

  #charged(
    visit: Visit,
    principal: Principal,
    target: Target,
    params: Params,
    peer: Peer,
  ): Response | Promise<Response> {
    visit.principal = principal;
    visit.personal = this.#endpoint.subject !== null;
    const named = this.#charge.namedAddress(visit, principal);
    visit.network = this.#charge.network(visit, peer, named);
    const denied = checkAccess(this.#route.access, principal);
    const full = this.#lane?.full ?? null;
    const leases = this.#charge.leases(visit, principal, peer, named, denied !== null || full !== null);
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
    const outcome = throttle.charge(leases, Date.now(), visit);
    if (outcome !== UNDECIDED) return go(outcome);
    visit.late = true;
    const settle = async (): Promise<Response> => throttle.settle(leases, !this.#route.writes, visit).then(go);
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
    return refusalResponse(visit, (await throttle.settle(leases, false, visit)) ?? denied);
  }

  /** A valid signed retry of a stored answer is replayed even at the limit. */
  #mayReplay(visit: Visit): boolean {
    return this.#route.access.signed && visit.request.headers.has('idempotency-key');
  }

  /** `throttled` is set where only a stored answer may still be given. */
  #admitted(visit: Visit, target: Target, params: Params, throttled: Refusal | null): Response | Promise<Response> {
    const { subject } = this.#endpoint;
    if (subject === null || visit.principal === null) return this.#way.answer(visit, target, params, throttled);
    const { headers } = visit.request;
    const go = (shopper: Shopper | null | Refusal): Response | Promise<Response> => {
      if (shopper instanceof Refusal) return refusalResponse(visit, shopper);
      visit.shopper = shopper;
      return this.#way.answer(visit, target, params, throttled);
    };
    const shopper = subject.enter(this.#edge.sessions, visit.principal, headers, params, target.search, visit);
    return shopper instanceof Promise ? shopper.then(go) : go(shopper);
  }
}
