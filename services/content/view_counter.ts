// Counts views. Remembers recent views in memory, so that a reloaded page causes no write.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { RecentMap } from '#values/recent_map.ts';
import { countViews } from './table/view.ts';
import { type ContentView, REPEAT_MS } from './view.ts';

/** Maximum number of views remembered; Postgres recognises repetitions of older views. */
const VIEWS_MAX = 50_000;

const keyOf = (tenant: Tenant, { kind, slug, session }: ContentView): TenantKey =>
  tenantKey(tenant, `${kind} ${slug} ${session}`);

export class ViewCounter {
  readonly #postgres: Runtime['postgres'];
  /** Time of the last counted view by session and item. */
  readonly #counted = new RecentMap<TenantKey, number>(VIEWS_MAX);
  readonly #counting = new Set<Promise<void>>();

  constructor({ postgres }: Pick<Runtime, 'postgres'>) {
    this.#postgres = postgres;
  }

  async count(tenant: Tenant, views: readonly ContentView[]): Promise<void> {
    const fresh = views.filter((view) => this.#isFresh(tenant, view));
    if (fresh.length === 0) return;
    const counting = countViews(this.#postgres.sql, tenant, fresh);
    // Forgets views that could not be written, so that a repetition counts.
    const failed = (): void => {
      for (const view of fresh) this.#counted.delete(keyOf(tenant, view));
    };
    const settled = counting.catch(failed).finally(() => this.#counting.delete(settled));
    this.#counting.add(settled);
    await counting;
  }

  async settle(): Promise<void> {
    await Promise.all(this.#counting);
  }

  forget(tenant: Tenant): void {
    const prefix = tenantKey(tenant, '');
    for (const key of this.#counted.keys()) if (key.startsWith(prefix)) this.#counted.delete(key);
  }

  #isFresh(tenant: Tenant, view: ContentView): boolean {
    const key = keyOf(tenant, view);
    const at = view.seenAt.getTime();
    const before = this.#counted.peek(key);
    if (before !== undefined && at - before < REPEAT_MS) return false;
    this.#counted.set(key, at);
    return true;
  }
}
