// What each store asked of this edge lately: its last requests, and their rate and latency by the second. In memory, of
// a bounded size, and noted without a look at anything but the request itself.
import type { GetActivityResponse, RequestNote, RequestSecond } from '#proto/gen/console.ts';
import { tenantKey } from '#runtime/call.ts';
import type { Answer, Ask, Wire } from '#runtime/link/frame.ts';
import type { Principal } from './gates/principal.ts';
import type { Visit } from './visit.ts';

/** The one that reads it: it is no news. */
export const OWN_RPC = 'Console/GetActivity';
const NOTES_MAX = 100;
const SECONDS = 120;
/** Those that were quiet longest are forgotten first. */
const TENANTS_MAX = 1_000;
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
}

const stepOf = (ms: number): number =>
  ms <= FIRST_MS ? 0 : Math.min(STEPS - 1, Math.ceil(2 * Math.log2(ms / FIRST_MS)));
const msOf = (step: number): number => Math.round(FIRST_MS * 2 ** (step / 2) * 100) / 100;

class Second {
  at = 0;
  requests = 0;
  refused = 0;
  failed = 0;
  readonly steps = new Uint32Array(STEPS);

  begin(at: number): void {
    this.at = at;
    this.requests = 0;
    this.refused = 0;
    this.failed = 0;
    this.steps.fill(0);
  }

  /** The latency that so large a part of its requests did not exceed, to the next step. */
  quantile(part: number): number {
    let left = Math.ceil(this.requests * part);
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

  note(note: Note): void {
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
    second.steps[stepOf(tookMs)]!++;
  }

  read(limit: number, now: number): GetActivityResponse {
    const requests: RequestNote[] = [];
    for (let n = 0; n < Math.min(limit, this.#notes.length); n++) {
      const note = this.#notes[(this.#newest - n + NOTES_MAX) % NOTES_MAX]!;
      requests.push({
        request_id: note.requestId,
        at: new Date(note.at).toISOString(),
        method: note.method,
        path: URL.parse(note.url)?.pathname ?? '',
        status: note.status,
        took_ms: Math.round(note.tookMs * 100) / 100,
        key_type: note.keyType,
      });
    }
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
}

export class Activity {
  readonly #tenants = new Map<string, TenantActivity>();
  /** Spares a request the making of its tenant's name. */
  readonly #byPrincipal = new WeakMap<Principal, TenantActivity>();

  note({ principal, request, requestId, startedAtMs }: Visit, status: number): void {
    if (principal === null) return;
    const known = this.#byPrincipal.get(principal);
    const tenant = known === undefined || known.forgotten ? this.#open(principal) : known;
    tenant.note({
      requestId,
      method: request.method,
      url: request.url,
      keyType: principal.keyType,
      at: Date.now(),
      status,
      tookMs: performance.now() - startedAtMs,
    });
  }

  /** The wire with this beside it: what the console asks is answered here. */
  answering(wire: Wire): Wire {
    return {
      ask: (ask, write) => (ask.rpc === OWN_RPC ? Promise.resolve(this.#answer(ask)) : wire.ask(ask, write)),
      listen: (hear) => wire.listen(hear),
      serves: (service) => wire.serves(service),
      close: () => wire.close(),
    };
  }

  read(principal: Pick<Principal, 'tenant'>, limit: number): GetActivityResponse {
    return this.#tenants.get(tenantKey(principal.tenant))?.read(limit, Date.now()) ?? { requests: [], seconds: [] };
  }

  #answer({ input, caller }: Ask): Answer {
    const { limit = NOTES_MAX } = JSON.parse(input) as { limit?: number };
    const body = new TextEncoder().encode(JSON.stringify(this.read(caller, limit)));
    return { body, revision: 0, subject: '', replayed: false, refused: null };
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
    let quietest: string | null = null;
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
