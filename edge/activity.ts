// What each store asked of this edge lately: its last requests, and their rate and latency by the second. In memory, of
// a bounded size, and noted without a look at anything but the request itself.
import type { GetActivityResponse, GetRequestResponse, RequestNote, RequestSecond } from '#proto/gen/console.ts';
import { type Refusal, refuse, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Answer, Ask, Wire } from '#runtime/link/frame.ts';
import type { Principal } from './gates/principal.ts';
import { shownBody, shownError, shownPath, shownQuery } from './redaction.ts';
import type { RequestContext } from './request_context.ts';

/** Those that read it are no news. */
export const isOwn = (rpc: string): boolean => rpc.startsWith('Console/');

/** Whether a request waits for an event: how long it took says nothing of how fast the answer was. */
export const waits = (url: string): boolean => /[?&]wait_seconds=[1-9]/.test(url);

const NOTES_MAX = 100;
const SECONDS = 120;
/** Those that were quiet longest are forgotten first. */
const TENANTS_MAX = 1_000;
/** Bodies are kept of so many refused requests of all stores together. */
const BODIES_MAX = 1_000;
const SENT_BYTES_MAX = 16 * 1024;
const SENT_CHARACTERS_MAX = 4_000;
const ANSWER_CHARACTERS_MAX = 2_000;
/** Latencies in steps of half a doubling, from an eighth of a millisecond up to ten seconds. */
const STEPS = 34;
const FIRST_MS = 0.125;

/** Of the request itself only texts, so that nothing else of it is kept. */
interface Note {
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
  readonly keyType: Principal['keyType'];
  readonly at: number;
  readonly status: number;
  readonly tookMs: number;
  /** Of a refused request, as long as there is room. */
  bodies: { readonly sent: string | null; readonly answer: string | null } | null;
}

const decoder = new TextDecoder();

/** Read only when a request was refused: what was sent and answered, without its secrets. */
const bodiesOf = ({ requestBody, refusalBody }: RequestContext): Note['bodies'] => ({
  sent:
    requestBody === null || requestBody.length === 0 || requestBody.length > SENT_BYTES_MAX
      ? null
      : shownBody(decoder.decode(requestBody), SENT_CHARACTERS_MAX),
  answer: refusalBody === null ? null : shownError(refusalBody, ANSWER_CHARACTERS_MAX),
});

const shown = (note: Note): RequestNote => {
  const url = URL.parse(note.url);
  return {
    request_id: note.requestId,
    at: new Date(note.at).toISOString(),
    method: note.method,
    path: shownPath(url?.pathname ?? ''),
    query: shownQuery(url?.search.slice(1) ?? ''),
    status: note.status,
    took_ms: Math.round(note.tookMs * 100) / 100,
    key_type: note.keyType,
  };
};

const stepOf = (ms: number): number =>
  ms <= FIRST_MS ? 0 : Math.min(STEPS - 1, Math.ceil(2 * Math.log2(ms / FIRST_MS)));
const msOf = (step: number): number => Math.round(FIRST_MS * 2 ** (step / 2) * 100) / 100;

class Second {
  at = 0;
  requests = 0;
  refused = 0;
  failed = 0;
  /** Whose latency is counted. */
  timed = 0;
  readonly steps = new Uint32Array(STEPS);

  begin(at: number): void {
    this.at = at;
    this.requests = 0;
    this.refused = 0;
    this.failed = 0;
    this.timed = 0;
    this.steps.fill(0);
  }

  /** The latency that so large a part of its requests did not exceed, to the next step. */
  quantile(part: number): number {
    if (this.timed === 0) return 0;
    let left = Math.ceil(this.timed * part);
    for (let step = 0; step < STEPS; step++) {
      left -= this.steps[step]!;
      if (left <= 0) return msOf(step);
    }
    return msOf(STEPS - 1);
  }
}

class TenantActivity {
  readonly #notes: Note[] = [];
  #newest = -1;
  readonly #seconds = new Map<number, Second>();
  usedAt = 0;
  forgotten = false;

  note(note: Note, waited: boolean): void {
    const { status, tookMs } = note;
    this.usedAt = note.at;
    this.#newest = (this.#newest + 1) % NOTES_MAX;
    this.#notes[this.#newest] = note;
    const at = Math.floor(note.at / 1_000);
    let second = this.#seconds.get(at % SECONDS);
    if (!second) {
      second = new Second();
      this.#seconds.set(at % SECONDS, second);
    }
    if (second.at !== at) second.begin(at);
    second.requests++;
    if (status >= 500) second.failed++;
    else if (status >= 400) second.refused++;
    if (waited) return;
    second.timed++;
    second.steps[stepOf(tookMs)]!++;
  }

  read(limit: number, now: number): GetActivityResponse {
    const requests = this.#latest(limit).map(shown);
    const since = Math.floor(now / 1_000) - SECONDS;
    const seconds: RequestSecond[] = [...this.#seconds.values()]
      .filter(({ at }) => at > since)
      .sort((a, b) => a.at - b.at)
      .map((second) => ({
        at: new Date(second.at * 1_000).toISOString(),
        requests: second.requests,
        refused: second.refused,
        failed: second.failed,
        p50_ms: second.quantile(0.5),
        p95_ms: second.quantile(0.95),
      }));
    return { requests, seconds };
  }

  /** The newest of this id: callers may give one id to several. */
  find(requestId: string): Note | null {
    return this.#latest(NOTES_MAX).find((note) => note.requestId === requestId) ?? null;
  }

  #latest(limit: number): Note[] {
    const count = Math.min(limit, this.#notes.length);
    return Array.from({ length: count }, (_, n) => this.#notes[(this.#newest - n + NOTES_MAX) % NOTES_MAX]!);
  }
}

const UNKNOWN_REQUEST = refuse('not_found', 'This request is not among the latest that this edge answered.');

const answerOf = (told: GetActivityResponse | GetRequestResponse | Refusal): Answer => {
  const refused = 'code' in told ? told : null;
  const body = refused ? new Uint8Array(0) : new TextEncoder().encode(JSON.stringify(told));
  return { body, revision: 0, subject: '', replayed: false, refused };
};

export class Activity {
  readonly #tenants = new Map<TenantKey, TenantActivity>();
  /** Spares a request the making of its tenant's name. */
  readonly #byPrincipal = new WeakMap<Principal, TenantActivity>();
  /** The refused requests whose bodies are kept, the oldest to be forgotten next. */
  readonly #refused: Note[] = [];
  #oldest = 0;

  /** `waited`: it waited for an event, and its time is no latency. */
  note(context: RequestContext, status: number, waited = false): void {
    const { principal, request, requestId, startedAtMs } = context;
    if (principal === null) return;
    const known = this.#byPrincipal.get(principal);
    const tenant = known === undefined || known.forgotten ? this.#open(principal) : known;
    const note: Note = {
      requestId,
      method: request.method,
      url: request.url,
      keyType: principal.keyType,
      at: Date.now(),
      status,
      tookMs: performance.now() - startedAtMs,
      bodies: null,
    };
    tenant.note(note, waited);
    if (status >= 400) this.#keepBodies(note, context);
  }

  #keepBodies(note: Note, context: RequestContext): void {
    note.bodies = bodiesOf(context);
    const before = this.#refused[this.#oldest];
    if (before) before.bodies = null;
    this.#refused[this.#oldest] = note;
    this.#oldest = (this.#oldest + 1) % BODIES_MAX;
  }

  /** The wire with this beside it: what the console asks is answered here. */
  answering(wire: Wire): Wire {
    return {
      ask: (ask, write) => (isOwn(ask.rpc) ? Promise.resolve(this.#answer(ask)) : wire.ask(ask, write)),
      listen: (hear) => wire.listen(hear),
      serves: (service) => wire.serves(service),
      hurry: () => wire.hurry(),
      close: () => wire.close(),
    };
  }

  read(principal: Pick<Principal, 'tenant'>, limit: number): GetActivityResponse {
    return this.#tenants.get(tenantKey(principal.tenant))?.read(limit, Date.now()) ?? { requests: [], seconds: [] };
  }

  /** One request of the tenant, with its bodies where they are kept; null where it is not known. */
  readOne(principal: Pick<Principal, 'tenant'>, requestId: string): GetRequestResponse | null {
    const note = this.#tenants.get(tenantKey(principal.tenant))?.find(requestId);
    if (!note) return null;
    const { sent = null, answer = null } = note.bodies ?? {};
    return { request: shown(note), request_body: sent, response_body: answer };
  }

  #answer({ rpc, input, caller }: Ask): Answer {
    if (rpc === 'Console/GetRequest') {
      const { request_id } = JSON.parse(input) as { request_id: string };
      return answerOf(this.readOne(caller, request_id) ?? UNKNOWN_REQUEST);
    }
    const { limit = NOTES_MAX } = JSON.parse(input) as { limit?: number };
    return answerOf(this.read(caller, limit));
  }

  #open(principal: Principal): TenantActivity {
    const key = tenantKey(principal.tenant);
    let tenant = this.#tenants.get(key);
    if (!tenant) {
      if (this.#tenants.size >= TENANTS_MAX) this.#forgetOne();
      tenant = new TenantActivity();
      this.#tenants.set(key, tenant);
    }
    this.#byPrincipal.set(principal, tenant);
    return tenant;
  }

  #forgetOne(): void {
    let quietest: TenantKey | null = null;
    let since = Number.POSITIVE_INFINITY;
    for (const [key, { usedAt }] of this.#tenants)
      if (usedAt < since) {
        quietest = key;
        since = usedAt;
      }
    if (quietest === null) return;
    this.#tenants.get(quietest)!.forgotten = true;
    this.#tenants.delete(quietest);
  }
}
