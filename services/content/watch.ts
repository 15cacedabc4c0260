// The revisions that edges keep answers of: where a notice of a newer one may have been lost, Postgres still knows of it.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import { currentRevisions } from './table/revision.ts';

const LOOK_MS = 5_000;
/** Those that were quiet longest are forgotten; a tenant whose content is read is remembered again. */
const TENANTS_MAX = 10_000;

interface Seen {
  readonly tenant: Tenant;
  readonly revision: number;
}

type Parts = Pick<Runtime, 'postgres' | 'notices' | 'log'>;

export class Watch {
  readonly #parts: Parts;
  /** The newest that was told of or read, by tenant; the one looked at last is last. */
  readonly #seen = new Map<TenantKey, Seen>();
  readonly #stops: (() => void)[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  saw(tenant: Tenant, revision: number): void {
    const key = tenantKey(tenant);
    const known = this.#seen.get(key)?.revision ?? 0;
    this.#seen.delete(key);
    this.#seen.set(key, { tenant, revision: Math.max(known, revision) });
    if (this.#seen.size <= TENANTS_MAX) return;
    for (const oldest of this.#seen.keys()) {
      this.#seen.delete(oldest);
      return;
    }
  }

  start(): void {
    const { notices } = this.#parts;
    const timer = setInterval(() => void this.look(), LOOK_MS);
    timer.unref();
    this.#stops.push(
      () => clearInterval(timer),
      notices.listen((notice) => this.#hear(notice)),
      notices.pollWhileDisconnected(() => this.look()),
    );
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }

  /** Has edges drop what a lost notice would have had them drop. */
  async look(): Promise<void> {
    const { postgres, notices, log } = this.#parts;
    if (this.#seen.size === 0 || !postgres.available) return;
    try {
      const tenants = [...this.#seen.values()].map(({ tenant }) => tenant);
      for (const { tenant, revision } of await currentRevisions(postgres.sql, tenants)) {
        if (revision <= (this.#seen.get(tenantKey(tenant))?.revision ?? revision)) continue;
        this.saw(tenant, revision);
        notices.publish({ kind: 'content', tenant, revision, ids: null });
      }
    } catch (problem) {
      log.warn({ err: problem }, 'revisions of content could not be compared');
    }
  }

  /** What another host tells is known; of whom nothing is kept here nothing need be. */
  #hear(notice: Notice): void {
    if (notice.kind === 'content' && this.#seen.has(tenantKey(notice.tenant))) this.saw(notice.tenant, notice.revision);
  }
}
