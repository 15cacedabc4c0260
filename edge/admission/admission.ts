// Admission by load: decided once for a request, from its head, before its body is read and before its service is asked.
import type { Route } from '#proto/route.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { LatencyFloor } from './floor.ts';
import { LANES, type LaneName, laneOfRoute } from './lane.ts';
import { AdaptiveLimit } from './limit.ts';
import { FairShare } from './share.ts';

const BUSY = 'The service has more to do than it can. Try again in a moment.';
/** Given in turn, so that callers who were refused do not all come back at once. */
const SHED: readonly Refusal[] = [1, 2, 3].map((retryAfterS) => refuse('service_unavailable', BUSY, { retryAfterS }));

/** With those of stores below their share; however many stores there are. */
const SHARED_TIMES = 2;

class Lane {
  readonly limit: AdaptiveLimit;
  readonly shares = new FairShare();
  shed = 0;

  constructor(name: LaneName) {
    this.limit = new AdaptiveLimit(LANES[name]);
  }
}

/** One endpoint, as its requests are admitted. */
export interface AdmissionPoint {
  readonly lane: Lane;
  readonly floor: LatencyFloor;
}

/** A request that was admitted, until `answered` is called, once. */
export class AdmittedCall {
  readonly #point: AdmissionPoint;
  readonly #store: string;
  readonly #beganAtMs: number;

  constructor(point: AdmissionPoint, store: string, nowMs: number) {
    this.#point = point;
    this.#beganAtMs = nowMs;
    this.#store = point.lane.shares.enter(store, nowMs);
    point.lane.limit.begin();
  }

  answered(nowMs: number): void {
    const { lane, floor } = this.#point;
    lane.shares.leave(this.#store);
    const tookMs = nowMs - this.#beganAtMs;
    floor.note(nowMs, tookMs);
    lane.limit.end(nowMs, floor.ms, Math.max(0, tookMs - floor.ms));
  }
}

export class LoadAdmission {
  readonly lanes: Readonly<Record<LaneName, Lane>> = {
    read: new Lane('read'),
    write: new Lane('write'),
    checkout: new Lane('checkout'),
  };
  readonly #points = new Map<Route, AdmissionPoint>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const name = laneOfRoute(route);
      if (name === null) continue;
      const point: AdmissionPoint = { lane: this.lanes[name], floor: new LatencyFloor() };
      this.#points.set(route, point);
    }
  }

  /** Null: calls of the route are always admitted. */
  pointOf(route: Route): AdmissionPoint | null {
    return this.#points.get(route) ?? null;
  }

  /** Why a request of the store is not admitted now; null: it is. */
  refusal({ lane }: AdmissionPoint, store: string): Refusal | null {
    const { full, inFlight, limit } = lane.limit;
    if (!full || (inFlight < SHARED_TIMES * limit && lane.shares.below(store, limit))) return null;
    return SHED[lane.shed++ % SHED.length] as Refusal;
  }

  enter(point: AdmissionPoint, store: string, nowMs: number): AdmittedCall {
    return new AdmittedCall(point, store, nowMs);
  }
}
