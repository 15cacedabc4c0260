// Decides whether copies of responses are fresh, by the notices since they were made.
import { type Dependency, type NoticeKind, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Notice } from '#runtime/nats/notice.ts';

export interface CopyDependency {
  /** Tenant and kind of notices. */
  readonly key: TenantKey;
  /** Negative if this edge counts for itself. */
  readonly revision: number;
  /** Ids of what the copy shows; empty if any change of the kind makes it stale. */
  readonly ids: readonly string[];
  /** Notice count at the last check that found the copy fresh. While the count is the same, the check is skipped. */
  validatedAtNotice: number;
}

interface State {
  revision: number;
  /** Oldest revision whose copies can be fresh. */
  floor: number;
  lastNotice: number;
  readonly changed: Map<string, number>;
}

export const NO_NOTICE = 0;

/** Maximum number of changed ids tracked per tenant and kind; beyond this number all older copies count as stale. */
const CHANGED_MAX = 1_000;
/** Maximum number of tenants and kinds tracked; beyond this number all copies count as stale. */
const STATES_MAX = 200_000;
/** Precedes the count of notices that name no revision. Negative, so that the count differs from every real revision. */
const COUNTED_FIRST = -(2 ** 51);
/** First revision of what no notice has named. Below all others. */
const UNKNOWN_FIRST = -(2 ** 52);

const keyOf = (tenant: Tenant, kind: NoticeKind): TenantKey => tenantKey(tenant, kind);

export class Freshness {
  readonly #states = new Map<TenantKey, State>();
  /** Changes when the states are cleared, so that copies of the time before are stale. */
  #unknownRevision = UNKNOWN_FIRST;
  #clearedAt = NO_NOTICE;
  #noticeCount = NO_NOTICE;

  /** Number of notices so far. Must be read before a call: changes during the call may be missing from its response. */
  get noticeCount(): number {
    return this.#noticeCount;
  }

  newest(tenant: Tenant, kind: NoticeKind): number {
    return this.#states.get(keyOf(tenant, kind))?.revision ?? 0;
  }

  isFresh(dependencies: readonly CopyDependency[]): boolean {
    for (const dependency of dependencies) if (!this.#isFresh(dependency)) return false;
    return true;
  }

  /**
   * Records the revisions of a response and returns what its copies depend on; null if the response names nothing, or if
   * something changed during its call. If a revision is newer than the last notice, a notice was missed, so all older copies
   * are stale.
   */
  dependenciesOf(caller: Tenant, named: readonly Dependency[], askedAt: number): readonly CopyDependency[] | null {
    const dependencies: CopyDependency[] = [];
    let isStale = named.length === 0 || this.#clearedAt > askedAt;
    for (const { tenant = caller, kind, revision, ids } of named) {
      const key = keyOf(tenant, kind);
      const known = this.#states.get(key);
      if (revision > 0) this.#observe(key, revision);
      else if (known && known.lastNotice > askedAt) isStale = true;
      const shown = revision > 0 ? revision : (known?.revision ?? this.#unknownRevision);
      dependencies.push({ key, revision: shown, ids, validatedAtNotice: NO_NOTICE });
    }
    return isStale ? null : dependencies;
  }

  /** A notice without a revision counts as the next one. */
  apply({ kind, tenant, ids, ...notice }: Notice): void {
    const key = keyOf(tenant, kind);
    const revision = notice.revision || (this.#states.get(key)?.revision ?? COUNTED_FIRST) + 1;
    const state = this.#stateOf(key, revision);
    state.lastNotice = ++this.#noticeCount;
    const next = revision <= state.revision + 1;
    if (ids === null || !next) this.#raise(state, Math.max(revision, state.revision));
    else {
      state.revision = Math.max(state.revision, revision);
      for (const id of ids) state.changed.set(id, state.revision);
      if (state.changed.size > CHANGED_MAX) this.#raise(state, state.revision);
    }
  }

  /** Applies what a write has changed, so that this edge need not wait for the notice. */
  applyWrite(caller: Tenant, changes: readonly Dependency[]): void {
    for (const { tenant = caller, kind, revision, ids } of changes)
      this.apply({ kind, tenant, revision, ids: ids.length === 0 ? null : ids });
  }

  clear(): void {
    this.#states.clear();
    this.#unknownRevision--;
    this.#clearedAt = ++this.#noticeCount;
  }

  #isFresh(dependency: CopyDependency): boolean {
    const { key, revision, ids } = dependency;
    const state = this.#states.get(key);
    if (!state) return revision === this.#unknownRevision;
    if (state.lastNotice === dependency.validatedAtNotice) return true;
    if (revision < state.floor) return false;
    const fresh =
      ids.length === 0
        ? revision >= state.revision
        : ids.every((id) => revision >= (state.changed.get(id) ?? Number.NEGATIVE_INFINITY));
    if (fresh) dependency.validatedAtNotice = state.lastNotice;
    return fresh;
  }

  #observe(key: TenantKey, revision: number): void {
    const state = this.#stateOf(key, revision);
    if (revision > state.revision) this.#raise(state, revision);
  }

  #stateOf(key: TenantKey, revision: number): State {
    let state = this.#states.get(key);
    if (!state) {
      if (this.#states.size >= STATES_MAX) this.clear();
      state = { revision, floor: revision, lastNotice: ++this.#noticeCount, changed: new Map() };
      this.#states.set(key, state);
    }
    return state;
  }

  #raise(state: State, revision: number): void {
    state.lastNotice = ++this.#noticeCount;
    state.revision = revision;
    state.floor = revision;
    state.changed.clear();
  }
}
