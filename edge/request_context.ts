// State of one request on its way through the gates.

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
  charge: readonly RateLease[] | null = null;
  /** Whether the response is sent after the event-loop tick in which the request arrived. */
  isAsync = false;
  /** Whether the response may depend on the shopper; such responses are not cached. */
  isPerShopper = false;
  network = '';
  /** The client's address, for calls that the audit log records; else empty. */
  clientAddress = '';
  /** Whether refusals are sent as OAuth error objects. */
  oauth = false;
  /** Language of the response's texts; null if it has none. */
  language: string | null = null;
  /** Language that the service is asked for; undefined for the store's default one. */
  translation: string | undefined;
  requestBody: Uint8Array | null = null;
  refusalBody: string | null = null;
  refusal: RefusalCode | null = null;
  problem: unknown = null;
  span: OpenSpan | null = null;
  shopper: Shopper | null = null;
  /** Token of the staff session that the call begins; sent as a cookie if the call succeeds. */
  newSession: string | null = null;

  constructor(request: Request, requestId: string) {
    this.request = request;
    this.requestId = requestId;
  }

  /** Traceparent of the calls that this request causes: its own span's, else the one that the client sent. */
  get trace(): string {
    return this.span?.trace ?? this.request.headers.get('traceparent') ?? '';
  }

  /** Whether scripts of any origin may read the response; false for secret keys. */
  get allowsAnyOrigin(): boolean {
    return this.principal === null || this.principal.keyType === 'publishable';
  }
}
