// What the edge knows of the revisions of each tenant's catalogue, of its reviews or its content, and from it whether a kept
// answer still stands.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { RevisionNotice } from '#runtime/nats/notice.ts';
import type { CachePage } from './cache.ts';

interface TenantRevision {
  /** The newest revision heard of. */
  revision: number;
  /** Anything made before this one is stale. */
  floor: number;
  /** Rises with whatever is heard of the tenant; of no two tenants, and of no time before, the same. */
  heard: number;
  /** Subjects changed since the floor, each with the revision that changed it. */
  readonly changed: Map<string, number>;
}

/** Of a shelf that was never seen to stand. */
export const NOTHING_HEARD = 0;

/** Subjects remembered a tenant; past it everything older is stale. */
const CHANGED_MAX = 1_000;

export class Revisions {
  readonly #known = new Map<TenantKey, TenantRevision>();
  /** No revision: that nothing was heard of a tenant since everything was forgotten last. */
  #silence = -1;
  #words = NOTHING_HEARD;

  /** The newest revision heard of; 0 when none was. */
  newest(tenant: Tenant): number {
    return this.#known.get(tenantKey(tenant))?.revision ?? 0;
  }

  /**
   * What is heard of now, for who keeps an answer that another line of revisions is told of: it stands as long as nothing
   * else is heard.
   */
  mark(tenant: Tenant): number {
    return this.#known.get(tenantKey(tenant))?.revision ?? this.#silence;
  }

  /** Whether what was made from `revision` about `subject` (empty: about all of the tenant) still stands. */
  stands(tenant: TenantKey, revision: number, subject: string): boolean {
    const known = this.#known.get(tenant);
    if (!known) return revision === this.#silence;
    if (revision < known.floor) return false;
    if (subject === '') return revision >= known.revision;
    return revision >= (known.changed.get(subject) ?? 0);
  }

  /** The same of all that an answer shows, looked through anew only when something was heard since. */
  allStand(tenant: TenantKey, shelf: CachePage): boolean {
    const { mark, subjects } = shelf;
    const known = this.#known.get(tenant);
    if (!known) return mark === this.#silence;
    if (known.heard === shelf.heard) return true;
    if (mark < known.floor) return false;
    const stands =
      subjects.length === 0
        ? mark >= known.revision
        : subjects.every((subject) => mark >= (known.changed.get(subject) ?? 0));
    if (stands) shelf.heard = known.heard;
    return stands;
  }

  /** An answer was made from this revision: if we had not heard of it, we do not know what else changed. */
  saw(tenant: Tenant, revision: number): void {
    const known = this.#of(tenant, revision);
    if (revision > known.revision) this.#raise(known, revision);
  }

  hear(notice: RevisionNotice): void {
    const known = this.#of(notice.tenant, notice.revision);
    known.heard = ++this.#words;
    const next = notice.revision <= known.revision + 1;
    if (notice.products === null || !next) this.#raise(known, Math.max(notice.revision, known.revision));
    else {
      known.revision = Math.max(known.revision, notice.revision);
      for (const product of notice.products) known.changed.set(product, known.revision);
      if (known.changed.size > CHANGED_MAX) this.#raise(known, known.revision);
    }
  }

  /** A link was lost: whatever is kept may be stale. */
  forget(): void {
    this.#known.clear();
    this.#silence--;
  }

  #of(tenant: Tenant, revision: number): TenantRevision {
    const key = tenantKey(tenant);
    let known = this.#known.get(key);
    if (!known) {
      known = { revision, floor: revision, heard: ++this.#words, changed: new Map() };
      this.#known.set(key, known);
    }
    return known;
  }

  #raise(known: TenantRevision, revision: number): void {
    known.heard = ++this.#words;
    known.revision = revision;
    known.floor = revision;
    known.changed.clear();
  }
}
