// Where calls wait whose work is bounded further in: at the door, where one that waits costs next to nothing, and one that
// is turned away costs the callers behind it nothing.
import { refusalResponse } from '#edge/answer.ts';
import type { RequestContext } from '#edge/request_context.ts';
import type { Route } from '#proto/route.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { AdmissionQueue } from '#runtime/flow/admission_queue.ts';

/** A second or two of work. */
const WAITING_MAX = 56;
/** No request waits longer than its caller does. */
const WAIT_MS_MAX = 8_000;
const FULL = refuse('service_unavailable', 'Too many of these requests wait.', { retryAfterS: 2 });

export class RouteQueue {
  readonly #queue: AdmissionQueue;

  constructor(runningMax: number) {
    this.#queue = new AdmissionQueue({ runningMax, waitingMax: WAITING_MAX, waitMsMax: WAIT_MS_MAX, refusal: FULL });
  }

  /** What the next request would be told; null: there is room. */
  get full(): Refusal | null {
    return this.#queue.full;
  }

  async run(context: RequestContext, work: () => Promise<Response>): Promise<Response> {
    const answer = await this.#queue.run(work);
    return answer instanceof Refusal ? refusalResponse(context, answer) : answer;
  }
}

/** Null: none waits. */
export const queueOf = ({ at_once }: Route): RouteQueue | null =>
  at_once === undefined ? null : new RouteQueue(at_once);
