// Admits or refuses each request by the current load, before its body is read.
import type { Route } from '#proto/route.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { LANES, type LaneName, laneOfRoute } from './lane.ts';
import { AdaptiveLimit } from './limit.ts';
import { FairShare } from './share.ts';

const FLOOR_PERIOD_MS = 30_000;
/** Largest rise of the floor per period. A steep rise would let a long-lasting queue pass as the normal latency. */
const FLOOR_RISE = 1.25;

/**
 * Tracks the recent minimum latency of an endpoint: what a call takes without waiting. A call's waiting time is its
 * latency beyond this floor.
 */
export class LatencyFloor {
  #floor = Number.POSITIVE_INFINITY;
  #least = Number.POSITIVE_INFINITY;
  #untilMs = 0;

  get ms(): number {
    return this.#floor === Number.POSITIVE_INFINITY ? 0 : this.#floor;
  }

  record(nowMs: number, tookMs: number): void {
    if (tookMs < this.#least) this.#least = tookMs;
    if (tookMs < this.#floor) this.#floor = tookMs;
    if (nowMs < this.#untilMs) return;
    if (this.#untilMs > 0) this.#floor = Math.min(this.#least, this.#floor * FLOOR_RISE);
    this.#least = tookMs;
    this.#untilMs = nowMs + FLOOR_PERIOD_MS;
  }
}

const BUSY = 'The service is overloaded. Try again in a moment.';
/** The delays differ, so that refused callers do not all return at once. */
const SHED: readonly Refusal[] = [1, 2, 3].map((retryAfterS) => refuse('service_unavailable', BUSY, { retryAfterS }));

/**
 * Maximum calls in progress, as a multiple of the lane's limit. Above the limit only stores below their share are
 * admitted.
 */
const SHARED_TIMES = 2;

class Lane {
  readonly limit: AdaptiveLimit;
  readonly shares = new FairShare();
  shed = 0;

  constructor(name: LaneName) {
    this.limit = new AdaptiveLimit(LANES[name]);
  }
}

export interface AdmissionPoint {
  readonly lane: Lane;
  readonly floor: LatencyFloor;
}

/** An admitted call; `answered` must be called once. */
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
    floor.record(nowMs, tookMs);
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

  pointOf(route: Route): AdmissionPoint | null {
    return this.#points.get(route) ?? null;
  }

  refusal({ lane }: AdmissionPoint, store: string): Refusal | null {
    const { full, inFlight, limit } = lane.limit;
    if (!full || (inFlight < SHARED_TIMES * limit && lane.shares.isBelowShare(store, limit))) return null;
    return SHED[lane.shed++ % SHED.length] as Refusal;
  }

  enter(point: AdmissionPoint, store: string, nowMs: number): AdmittedCall {
    return new AdmittedCall(point, store, nowMs);
  }
}
