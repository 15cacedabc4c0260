// One endpoint as all of its calls share it: its row of the table, its validator, whose it may be about, and how its
// service is asked.
import type { Route } from '#proto/route.ts';
import { compile, type Validate } from '#proto/validate.ts';
import { type Idempotency, NO_TENANT, type Refusal } from '#runtime/call/call.ts';
import type { Answer, Caller, Wire } from '#runtime/link/frame.ts';
import { LinkQuestion } from '#runtime/link/question.ts';
import { traced } from '#runtime/link/span.ts';
import type { Log } from '#runtime/process/log.ts';
import type { AccessLog } from './access_log.ts';
import type { Activity } from './activity.ts';
import type { AdmissionPoint, AdmittedCall, LoadAdmission } from './admission/admission.ts';
import type { AssistantStores } from './assistant/shop.ts';
import type { ClientAddresses } from './gates/address.ts';
import type { Body } from './gates/body.ts';
import type { Cache } from './gates/cache.ts';
import type { OutOfStockCache } from './gates/out_of_stock_cache.ts';
import type { Outage } from './gates/outage.ts';
import type { Principals } from './gates/principal.ts';
import type { Revisions } from './gates/revision.ts';
import { BAD_SESSION_ID, type CustomerSessions, readSessionId } from './gates/session.ts';
import type { SharedCache } from './gates/shared_cache.ts';
import { SubjectGate } from './gates/subject.ts';
import type { TenantInvalidations } from './gates/tenant_invalidation.ts';
import type { Throttle } from './gates/throttle.ts';
import type { RequestContext } from './request_context.ts';
import type { Turn } from './turn.ts';
import type { Views } from './view.ts';

/** What all endpoints of one edge share. */
export interface Edge {
  readonly wire: Wire;
  readonly outage: Outage;
  readonly principals: Principals;
  /** What each store asked lately. */
  readonly activity: Activity;
  readonly throttle: Throttle;
  readonly admission: LoadAdmission;
  readonly sessions: CustomerSessions;
  /** Of each tenant's catalogue. */
  readonly revisions: Revisions;
  /** Of each tenant's reviews. */
  readonly reviews: Revisions;
  /** Of each tenant's posts and lookbooks. */
  readonly contents: Revisions;
  /** Of tenants as a whole: what no revision tells. */
  readonly tenantInvalidations: TenantInvalidations;
  readonly cache: Cache;
  readonly outOfStock: OutOfStockCache;
  readonly sharedCache: SharedCache | null;
  readonly addresses: ClientAddresses;
  readonly log: Log;
  /** Null: there is none. */
  readonly accessLog: AccessLog | null;
  readonly turn: Turn;
  readonly views: Views;
  /** As assistants find them. */
  readonly shops: AssistantStores;
}

/** Where the bytes of the path and query begin and end in a request's URL. */
export interface UrlParts {
  readonly path: string;
  /** Without its question mark. */
  readonly search: string;
}

/** The parts of a path that its route names. */
export type Params = Readonly<Record<string, string>>;

const TIMEOUT_MS = 10_000;
const PAYMENT_TIMEOUT_MS = 15_000;

const PUBLIC: Caller = { tenant: NO_TENANT, keyType: 'none', keyId: '', customer: null };

export class Endpoint {
  readonly route: Route;
  readonly edge: Edge;
  readonly validate: Validate;
  /** Null where no shopper stands behind a call. */
  readonly subject: SubjectGate | null;
  readonly #timeoutMs: number;
  /** Null: its calls are always admitted. */
  readonly #point: AdmissionPoint | null;

  constructor(route: Route, edge: Edge) {
    this.route = route;
    this.edge = edge;
    this.validate = compile(route);
    this.subject = route.access.session === 'none' ? null : new SubjectGate(route);
    this.#point = edge.admission.pointOf(route);
    this.#timeoutMs = route.timeout_ms ?? (route.limit === 'payment' ? PAYMENT_TIMEOUT_MS : TIMEOUT_MS);
  }

  /** Refuses a call while there is too much to do, and gives its limits back what it was charged. Null: it is admitted. */
  shed({ principal, charge }: RequestContext): Refusal | null {
    const refusal = this.#point && this.edge.admission.refusal(this.#point, principal?.tenant.store ?? '');
    if (refusal && charge) this.edge.throttle.refund(charge);
    return refusal;
  }

  /** Counts an admitted call until it is answered. */
  enter({ principal }: RequestContext): AdmittedCall | null {
    return this.#point && this.edge.admission.enter(this.#point, principal?.tenant.store ?? '', performance.now());
  }

  /** The browsing session, where it is well-formed; refused only where a call may be about it. */
  sessionId(context: RequestContext): string | Refusal {
    const { access, network } = this.route;
    const id = readSessionId(context.request.headers);
    // Where a network is looked at, it stands in for the session of a caller who has none.
    return id ?? (access.session === 'when_named' || network !== undefined ? BAD_SESSION_ID : '');
  }

  ask(
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
        new LinkQuestion({
          rpc,
          caller,
          timeoutMs: this.#timeoutMs,
          requestId,
          trace,
          value: input,
          rawBody: raw?.bytes ?? null,
          contentType: raw?.mediaType ?? '',
          idempotency,
          revisionMin: principal ? this.edge.revisions.newest(principal.tenant) : 0,
          session,
        }),
        this.route.writes,
      ),
    );
  }
}
