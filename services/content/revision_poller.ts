// Polls the content revisions of tenants that edges cache, so that a lost notice does not leave old content in a cache.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { RecentMap } from '#values/recent_map.ts';
import { currentRevisions } from './table/revision.ts';

const POLL_MS = 5_000;
/** Maximum number of tenants polled; beyond that the least recently read tenants are dropped until read again. */
const TENANTS_MAX = 10_000;

interface Seen {
  readonly tenant: Tenant;
  readonly revision: number;
}

type Parts = Pick<Runtime, 'postgres' | 'notices' | 'clock' | 'log'>;

export class RevisionPoller {
  readonly #parts: Parts;
  /** Newest known revision of each tenant. */
  readonly #seen = new RecentMap<TenantKey, Seen>(TENANTS_MAX);
  readonly #stops: (() => void)[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  noteRevision(tenant: Tenant, revision: number): void {
    const key = tenantKey(tenant);
    const known = this.#seen.peek(key)?.revision ?? 0;
    this.#seen.set(key, { tenant, revision: Math.max(known, revision) });
  }

  start(): void {
    const { notices, postgres, clock, log } = this.#parts;
    this.#stops.push(
      repeatedly({
        everyMs: POLL_MS,
        able: () => postgres.available,
        resting: { postgres, clock },
        work: () => this.poll(),
        failed: (problem) => log.warn({ err: problem }, 'failed to poll revisions of content'),
      }),
      notices.pollWhileDisconnected(() => this.poll()),
    );
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  async poll(): Promise<void> {
    const { postgres, notices } = this.#parts;
    if (this.#seen.size === 0 || !postgres.available) return;
    const tenants = [...this.#seen.values()].map(({ tenant }) => tenant);
    for (const { tenant, revision } of await currentRevisions(postgres.sql, tenants)) {
      if (revision <= (this.#seen.peek(tenantKey(tenant))?.revision ?? revision)) continue;
      this.noteRevision(tenant, revision);
      notices.publish({ kind: 'content', tenant, revision, ids: null });
    }
  }

  /** Notes a revision of a tenant that is polled. */
  noteNotice(tenant: Tenant, revision: number): void {
    if (this.#seen.peek(tenantKey(tenant))) this.noteRevision(tenant, revision);
  }
}
