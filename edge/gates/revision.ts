// Tracks the revisions of each tenant's catalogue, reviews or content, by which cached responses are judged fresh.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import type { CacheDependency } from './cache.ts';

interface TenantRevision {
  revision: number;
  /** Oldest revision whose responses can be fresh. */
  floor: number;
  lastNotice: number;
  readonly changed: Map<string, number>;
}

export const NO_NOTICE = 0;

/** Maximum number of changed subjects tracked per tenant; beyond this number all older responses count as stale. */
const CHANGED_MAX = 1_000;

export class Revisions {
  readonly #states = new Map<TenantKey, TenantRevision>();
  /**
   * Revision of tenants without a notice since the last reset; negative, so that it differs from every real revision.
   */
  #unknownRevision = -1;
  #noticeCount = NO_NOTICE;

  newest(tenant: Tenant): number {
    return this.#states.get(tenantKey(tenant))?.revision ?? 0;
  }

  /**
   * Returns the newest known revision, or `#unknownRevision`. Responses stored under the latter are fresh until the
   * tenant's first notice.
   */
  current(tenant: Tenant): number {
    return this.#states.get(tenantKey(tenant))?.revision ?? this.#unknownRevision;
  }

  /**
   * Returns whether a response of `revision` about `subject` is fresh; an empty subject means that any change makes it
   * stale.
   */
  isFresh(tenant: TenantKey, revision: number, subject: string): boolean {
    const state = this.#states.get(tenant);
    if (!state) return revision === this.#unknownRevision;
    if (revision < state.floor) return false;
    if (subject === '') return revision >= state.revision;
    return revision >= (state.changed.get(subject) ?? 0);
  }

  /** Returns whether no subject of a dependency has changed. Checks again only after a new notice. */
  isDependencyFresh(tenant: TenantKey, dependency: CacheDependency): boolean {
    const { revision, subjects } = dependency;
    const state = this.#states.get(tenant);
    if (!state) return revision === this.#unknownRevision;
    if (state.lastNotice === dependency.validatedAtNotice) return true;
    if (revision < state.floor) return false;
    const fresh =
      subjects.length === 0
        ? revision >= state.revision
        : subjects.every((subject) => revision >= (state.changed.get(subject) ?? 0));
    if (fresh) dependency.validatedAtNotice = state.lastNotice;
    return fresh;
  }

  /**
   * Records the revision of a response. If it is newer than the last notice, a notice was missed, so all older
   * responses are stale.
   */
  observe(tenant: Tenant, revision: number): void {
    const state = this.#stateOf(tenant, revision);
    if (revision > state.revision) this.#raise(state, revision);
  }

  apply(notice: Notice): void {
    const state = this.#stateOf(notice.tenant, notice.revision);
    state.lastNotice = ++this.#noticeCount;
    const next = notice.revision <= state.revision + 1;
    if (notice.ids === null || !next) this.#raise(state, Math.max(notice.revision, state.revision));
    else {
      state.revision = Math.max(state.revision, notice.revision);
      for (const product of notice.ids) state.changed.set(product, state.revision);
      if (state.changed.size > CHANGED_MAX) this.#raise(state, state.revision);
    }
  }

  clear(): void {
    this.#states.clear();
    this.#unknownRevision--;
  }

  #stateOf(tenant: Tenant, revision: number): TenantRevision {
    const key = tenantKey(tenant);
    let state = this.#states.get(key);
    if (!state) {
      state = { revision, floor: revision, lastNotice: ++this.#noticeCount, changed: new Map() };
      this.#states.set(key, state);
    }
    return state;
  }

  #raise(state: TenantRevision, revision: number): void {
    state.lastNotice = ++this.#noticeCount;
    state.revision = revision;
    state.floor = revision;
    state.changed.clear();
  }
}
