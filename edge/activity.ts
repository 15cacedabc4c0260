// Keeps each store's most recent requests, and its request rate and latency per second, in bounded memory for the
// console.
import type { GetActivityResponse, GetRequestResponse, RequestNote, RequestSecond } from '#proto/gen/console.ts';
import { type Refusal, refuse, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Answer, Ask, LinkClient } from '#runtime/link/frame.ts';
import type { Principal } from './gates/principal.ts';
import { shownBody, shownError, shownPath, shownQuery } from './redaction.ts';
import type { RequestContext } from './request_context.ts';

/** Returns whether the rpc belongs to the console, whose own requests are not recorded. */
export const isConsoleRpc = (rpc: string): boolean => rpc.startsWith('Console/');

export const isLongPoll = (url: string): boolean => /[?&]wait_seconds=[1-9]/.test(url);

const NOTES_MAX = 100;
const SECONDS = 120;
/** Maximum number of stores in memory; beyond this number the store with the oldest request is dropped. */
const TENANTS_MAX = 1_000;
/** Maximum number of refused requests whose bodies are kept, for all stores together. */
const BODIES_MAX = 1_000;
const SENT_BYTES_MAX = 16 * 1024;
const SENT_CHARACTERS_MAX = 4_000;
const ANSWER_CHARACTERS_MAX = 2_000;
/** Buckets of the latency histogram, from 0.125 ms to 10 s; two buckets double the latency. */
const STEPS = 34;
const FIRST_MS = 0.125;

/** One recorded request. Holds only strings and numbers, so that the Request object can be freed. */
interface Note {
  readonly requestId: string;
  readonly method: string;
  readonly url: string;
  readonly keyType: Principal['keyType'];
  readonly at: number;
  readonly status: number;
  readonly tookMs: number;
  /** Bodies of a refused request; null if the request succeeded or newer refusals took their place. */
  bodies: { readonly sent: string | null; readonly answer: string | null } | null;
}

const decoder = new TextDecoder();

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

  /** Returns the latency in ms that the given share of requests did not exceed, rounded up to a bucket's bound. */
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
  evicted = false;

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

  forget(): void {
    for (const note of this.#notes) note.bodies = null;
    this.#notes.length = 0;
    this.#newest = -1;
  }

  find(requestId: string): Note | null {
    return this.#latest(NOTES_MAX).find((note) => note.requestId === requestId) ?? null;
  }

  #latest(limit: number): Note[] {
    const count = Math.min(limit, this.#notes.length);
    return Array.from({ length: count }, (_, n) => this.#notes[(this.#newest - n + NOTES_MAX) % NOTES_MAX]!);
  }
}

const UNKNOWN_REQUEST = refuse('not_found', 'This request is not among the latest that this edge answered.');

const answerOf = (result: GetActivityResponse | GetRequestResponse | Refusal): Answer => {
  const refused = 'code' in result ? result : null;
  const body = refused ? new Uint8Array(0) : new TextEncoder().encode(JSON.stringify(result));
  return { body, dependsOn: [], replayed: false, refused };
};

export class Activity {
  readonly #tenants = new Map<TenantKey, TenantActivity>();
  readonly #byPrincipal = new WeakMap<Principal, TenantActivity>();
  readonly #refused: Note[] = [];
  #nextEvicted = 0;

  /** Records an answered request. `waited` marks a long poll, whose latency is not counted. */
  note(context: RequestContext, status: number, waited = false): void {
    const { principal, request, requestId, startedAtMs } = context;
    if (principal === null) return;
    const cached = this.#byPrincipal.get(principal);
    const tenant = cached === undefined || cached.evicted ? this.#open(principal) : cached;
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
    if (status >= 400) this.#storeBodies(note, context);
  }

  #storeBodies(note: Note, context: RequestContext): void {
    note.bodies = bodiesOf(context);
    const before = this.#refused[this.#nextEvicted];
    if (before) before.bodies = null;
    this.#refused[this.#nextEvicted] = note;
    this.#nextEvicted = (this.#nextEvicted + 1) % BODIES_MAX;
  }

  /** Wraps a link client so that this edge answers the console's requests itself. */
  answering(wire: LinkClient): LinkClient {
    return {
      ask: (ask, write) => (isConsoleRpc(ask.rpc) ? Promise.resolve(this.#answer(ask)) : wire.ask(ask, write)),
      listen: (listener) => wire.listen(listener),
      serves: (service) => wire.serves(service),
      cancelWaits: () => wire.cancelWaits(),
      close: () => wire.close(),
    };
  }

  read(principal: Pick<Principal, 'tenant'>, limit: number): GetActivityResponse {
    return this.#tenants.get(tenantKey(principal.tenant))?.read(limit, Date.now()) ?? { requests: [], seconds: [] };
  }

  readOne(principal: Pick<Principal, 'tenant'>, requestId: string): GetRequestResponse | null {
    const note = this.#tenants.get(tenantKey(principal.tenant))?.find(requestId);
    if (!note) return null;
    const { sent = null, answer = null } = note.bodies ?? {};
    return { request: shown(note), request_body: sent, response_body: answer };
  }

  /** Drops the latest requests of a tenant, whose addresses and bodies may name a person. */
  forget(tenant: Tenant): void {
    this.#tenants.get(tenantKey(tenant))?.forget();
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
      if (this.#tenants.size >= TENANTS_MAX) this.#evictQuietest();
      tenant = new TenantActivity();
      this.#tenants.set(key, tenant);
    }
    this.#byPrincipal.set(principal, tenant);
    return tenant;
  }

  #evictQuietest(): void {
    let oldest: TenantKey | null = null;
    let since = Number.POSITIVE_INFINITY;
    for (const [key, { usedAt }] of this.#tenants)
      if (usedAt < since) {
        oldest = key;
        since = usedAt;
      }
    if (oldest === null) return;
    this.#tenants.get(oldest)!.evicted = true;
    this.#tenants.delete(oldest);
  }
}
