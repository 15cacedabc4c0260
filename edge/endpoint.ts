// Holds what all calls of one endpoint share: the route, its validator and session rule, and the call to its service.
import { AUDITED } from '#proto/gen/auditing.ts';
import type { Route } from '#proto/route.ts';
import { compile, type Validate } from '#proto/validate.ts';
import { type Idempotency, NO_TENANT, type Refusal } from '#runtime/call/call.ts';
import type { Answer, Caller, LinkClient } from '#runtime/link/frame.ts';
import { traced } from '#runtime/link/span.ts';
import { ValueAsk } from '#runtime/link/value_ask.ts';
import type { Log } from '#runtime/process/log.ts';
import type { AccessLog } from './access_log.ts';
import type { Activity } from './activity.ts';
import type { AdmissionPoint, AdmittedCall, LoadAdmission } from './admission/admission.ts';
import type { AssistantStores } from './assistant/assistant_store.ts';
import type { ClientAddresses } from './gates/address.ts';
import type { Body } from './gates/body.ts';
import type { Cache } from './gates/cache.ts';
import type { Freshness } from './gates/freshness.ts';
import type { OutOfStockCache } from './gates/out_of_stock_cache.ts';
import type { Outage } from './gates/outage.ts';
import type { Principals } from './gates/principal.ts';
import { BAD_SESSION_ID, type CustomerSessions, readSessionId } from './gates/session.ts';
import type { SharedCache } from './gates/shared_cache.ts';
import { SubjectGate } from './gates/subject.ts';
import type { Throttle } from './gates/throttle.ts';
import type { KeyUses } from './key_use.ts';
import type { RequestContext } from './request_context.ts';
import type { TickBatcher } from './tick_batcher.ts';
import type { Views } from './view.ts';

export interface Edge {
  readonly wire: LinkClient;
  readonly outage: Outage;
  readonly principals: Principals;
  readonly activity: Activity;
  readonly throttle: Throttle;
  readonly admission: LoadAdmission;
  readonly sessions: CustomerSessions;
  readonly freshness: Freshness;
  readonly cache: Cache;
  readonly outOfStock: OutOfStockCache;
  readonly sharedCache: SharedCache | null;
  readonly addresses: ClientAddresses;
  readonly log: Log;
  readonly accessLog: AccessLog | null;
  readonly tickBatcher: TickBatcher;
  readonly views: Views;
  readonly keyUses: KeyUses;
  readonly assistantStores: AssistantStores;
}

export interface UrlParts {
  readonly path: string;
  readonly search: string;
}

export type Params = Readonly<Record<string, string>>;

const TIMEOUT_MS = 10_000;
const PAYMENT_TIMEOUT_MS = 15_000;

const PUBLIC: Caller = { tenant: NO_TENANT, keyType: 'none', keyId: '', customer: null };

export class Endpoint {
  readonly route: Route;
  readonly edge: Edge;
  readonly validate: Validate;
  readonly subjectGate: SubjectGate | null;
  readonly isAudited: boolean;
  readonly #timeoutMs: number;
  readonly #point: AdmissionPoint | null;

  constructor(route: Route, edge: Edge) {
    this.route = route;
    this.edge = edge;
    this.validate = compile(route);
    this.subjectGate = route.access.session === 'none' ? null : new SubjectGate(route);
    this.isAudited = AUDITED.has(route.rpc);
    this.#point = edge.admission.pointOf(route);
    this.#timeoutMs = route.timeout_ms ?? (route.limit === 'payment' ? PAYMENT_TIMEOUT_MS : TIMEOUT_MS);
  }

  /**
   * Returns a refusal under overload and refunds the call's rate-limit tokens; returns null if the call is admitted.
   */
  shed({ principal, charge }: RequestContext): Refusal | null {
    const refusal = this.#point && this.edge.admission.refusal(this.#point, principal?.tenant.store ?? '');
    if (refusal && charge) this.edge.throttle.refund(charge);
    return refusal;
  }

  /** Counts the call as in progress until `answered` is called. */
  admit({ principal }: RequestContext): AdmittedCall | null {
    return this.#point && this.edge.admission.enter(this.#point, principal?.tenant.store ?? '', performance.now());
  }

  /**
   * Returns the browsing session's id, or an empty string if none was sent. Refuses a malformed id only on endpoints
   * that use it.
   */
  sessionId(context: RequestContext): string | Refusal {
    const { access, network } = this.route;
    const id = readSessionId(context.request.headers);
    // An endpoint with a network counts callers without a session by their network.
    return id ?? (access.session === 'when_named' || network !== undefined ? BAD_SESSION_ID : '');
  }

  callService(
    context: RequestContext,
    input: Record<string, unknown>,
    session: string,
    raw: Body | null,
    idempotency: Idempotency | null,
  ): Answer | Promise<Answer> {
    const { principal, requestId } = context;
    const { rpc } = this.route;
    const caller = context.shopper ?? principal ?? PUBLIC;
    return traced({ rpc, caller, requestId }, context.trace, (trace) =>
      this.edge.wire.ask(
        new ValueAsk({
          rpc,
          caller,
          timeoutMs: this.#timeoutMs,
          requestId,
          trace,
          value: input,
          rawBody: raw?.bytes ?? null,
          contentType: raw?.mediaType ?? '',
          idempotency,
          revisionMin: principal ? this.edge.freshness.newest(principal.tenant, 'catalog') : 0,
          session,
          clientAddress: context.clientAddress,
        }),
        this.route.writes,
      ),
    );
  }
}
