// One request on its way through the gates: what has been learnt of it so far.

import type { RateLease } from '#edge/gates/lease.ts';
import type { Principal } from '#edge/gates/principal.ts';
import type { Shopper } from '#edge/gates/session.ts';
import type { RefusalCode } from '#runtime/call/call.ts';
import type { OpenSpan } from '#runtime/process/trace.ts';

export class RequestContext {
  readonly request: Request;
  readonly requestId: string;
  readonly startedAtMs = performance.now();
  principal: Principal | null = null;
  /** The limits that it is charged to. */
  charge: readonly RateLease[] | null = null;
  /** The answer is no longer given in the turn in which the request came. */
  isAsync = false;
  /** The answer may depend on who the shopper is, and no cache keeps it. */
  isPerShopper = false;
  /** The caller's network, where the endpoint asks for it. */
  network = '';
  /** Refusals leave as OAuth's error objects. */
  oauth = false;
  /** The bytes of its body, once they are read; null where it has none. */
  requestBody: Uint8Array | null = null;
  /** What it was refused with, as the caller was told. */
  refusalBody: string | null = null;
  refusal: RefusalCode | null = null;
  /** What was thrown on its way. */
  problem: unknown = null;
  /** Null without a collector. */
  span: OpenSpan | null = null;
  /** The customer who is signed in. */
  shopper: Shopper | null = null;

  constructor(request: Request, requestId: string) {
    this.request = request;
    this.requestId = requestId;
  }

  /** What is asked for it goes on beneath this traceparent: its span's, or the one that it came with. */
  get trace(): string {
    return this.span?.trace ?? this.request.headers.get('traceparent') ?? '';
  }

  /** Whether a script of any origin may read the answer: everybody but who holds a secret. */
  get allowsAnyOrigin(): boolean {
    return this.principal === null || this.principal.keyType === 'publishable';
  }
}
