// Queues the calls of endpoints with a concurrency limit at the edge, where a waiting call costs little.
import { refusalResponse } from '#edge/answer.ts';
import type { RequestContext } from '#edge/request_context.ts';
import type { Route } from '#proto/route.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { AdmissionQueue } from '#runtime/flow/admission_queue.ts';

const WAITING_MAX = 56;
/** Shorter than the client's own time-out. */
const WAIT_MS_MAX = 8_000;
const FULL = refuse('service_unavailable', 'The queue of this endpoint is full.', { retryAfterS: 2 });

export class RouteQueue {
  readonly #queue: AdmissionQueue;

  constructor(runningMax: number) {
    this.#queue = new AdmissionQueue({ runningMax, waitingMax: WAITING_MAX, waitMsMax: WAIT_MS_MAX, refusal: FULL });
  }

  get full(): Refusal | null {
    return this.#queue.full;
  }

  async run(context: RequestContext, work: () => Promise<Response>): Promise<Response> {
    const answer = await this.#queue.run(work);
    return answer instanceof Refusal ? refusalResponse(context, answer) : answer;
  }
}

export const queueOf = ({ at_once }: Route): RouteQueue | null =>
  at_once === undefined ? null : new RouteQueue(at_once);
