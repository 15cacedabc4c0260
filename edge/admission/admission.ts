// Who is let in: decided when a request's head is there, before its body and before anything is asked of the services.
import type { Route } from '#proto/route.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { LatencyFloor } from './floor.ts';
import { LANES, type LaneName, laneOfRoute } from './lane.ts';
import { AdaptiveLimit } from './limit.ts';
import { PathIndex } from './path_index.ts';
import { FairShare } from './share.ts';

const BUSY = 'The service has more to do than it can. Try again in a moment.';
/** In turn, so that those who were turned away do not come back all at once. */
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
export interface Place {
  readonly lane: Lane;
  readonly floor: LatencyFloor;
}

/** A request that was let in; told once how it ended. */
export class AdmittedCall {
  readonly #place: Place;
  readonly #store: string;
  readonly #beganAtMs: number;
  #over = false;

  constructor(place: Place, store: string, nowMs: number) {
    this.#place = place;
    this.#beganAtMs = nowMs;
    this.#store = place.lane.shares.enter(store, nowMs);
    place.lane.limit.begin();
  }

  answered(nowMs: number): void {
    if (this.#over) return;
    this.#leave();
    const { lane, floor } = this.#place;
    const tookMs = nowMs - this.#beganAtMs;
    floor.note(nowMs, tookMs);
    lane.limit.end(nowMs, floor.ms, Math.max(0, tookMs - floor.ms));
  }

  /** Its caller is gone. */
  abandoned(): void {
    if (this.#over) return;
    this.#leave();
    this.#place.lane.limit.drop();
  }

  #leave(): void {
    this.#over = true;
    this.#place.lane.shares.leave(this.#store);
  }
}

export class LoadAdmission {
  readonly lanes: Readonly<Record<LaneName, Lane>> = {
    read: new Lane('read'),
    write: new Lane('write'),
    checkout: new Lane('checkout'),
  };
  readonly #places = new Map<Route, Place>();
  readonly #paths = new PathIndex<Place>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const name = laneOfRoute(route);
      if (name === null) continue;
      const place: Place = { lane: this.lanes[name], floor: new LatencyFloor() };
      this.#places.set(route, place);
      this.#paths.add(route.verb, route.path, place);
    }
  }

  /** Null: it is always let in. */
  placeOf(route: Route): Place | null {
    return this.#places.get(route) ?? null;
  }

  /** The place of what a request line names; null: it is always let in, or there is nothing. */
  find(verb: string, target: string): Place | null {
    return this.#paths.find(verb, target);
  }

  /** What a request of the store is told that comes now; null: it may come in. */
  refusal({ lane }: Place, store: string): Refusal | null {
    const { full, inFlight, limit } = lane.limit;
    if (!full || (inFlight < SHARED_TIMES * limit && lane.shares.below(store, limit))) return null;
    return SHED[lane.shed++ % SHED.length] as Refusal;
  }

  enter(place: Place, store: string, nowMs: number): AdmittedCall {
    return new AdmittedCall(place, store, nowMs);
  }
}
