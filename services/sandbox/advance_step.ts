// Fires due items of several domains in order of time within one transaction: one step of a clock advance.
import type { Tenant } from '#runtime/call/call.ts';
import type { DueItem, ListedDue } from '#runtime/domain/due.ts';
import type { AnyOccurrence } from '#runtime/event/event.ts';
import type { Postgres, Transaction } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';

/**
 * Items per step, because each item holds row locks until the commit. A time limit would give other results in every
 * run.
 */
export const STEP_ITEMS_MAX = 50;

export interface AdvanceStep {
  readonly tenant: Tenant;
  /**
   * Items that are due at the same time fire in the order of these domains. Each domain fires items up to its `until`,
   * when a domain that needs its own transactions is due.
   */
  readonly domains: readonly { readonly due: ListedDue; readonly until: number }[];
  /** Items that were overdue when the advance started fire at this time, in ms. */
  readonly since: number;
}

class DueQueue {
  readonly #waiting: DueItem[];
  readonly #last: DueItem | null;

  constructor(waiting: readonly DueItem[]) {
    this.#waiting = [...waiting];
    this.#last = waiting.length < STEP_ITEMS_MAX ? null : waiting.at(-1)!;
  }

  get first(): DueItem | undefined {
    return this.#waiting[0];
  }

  get exhausted(): boolean {
    return this.#waiting.length === 0 && this.#last !== null;
  }

  take(): void {
    this.#waiting.shift();
  }

  put(waiting: DueItem): void {
    if (this.#last !== null && isBefore(this.#last, waiting)) return;
    const at = this.#waiting.findIndex((other) => isBefore(waiting, other));
    this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, waiting);
  }
}

const isBefore = (a: DueItem, b: DueItem): boolean => a.at < b.at || (a.at === b.at && a.id < b.id);

const collectingEvents = (tx: Transaction, events: AnyOccurrence[]): Transaction => ({
  sql: tx.sql,
  clock: tx.clock,
  seal: tx.seal,
  emit: async (tenant, emitted) => {
    const createdAt = tx.clock.now(tenant);
    events.push(...emitted.map((event) => ({ tenant, event, createdAt })));
  },
  emitAll: async (occurrences) => void events.push(...occurrences),
  note: (note) => tx.note(note),
  audit: (make) => tx.audit(make),
  storeAnswers: (answers) => tx.storeAnswers(answers),
  emitMarker: (tenant, type) => tx.emitMarker(tenant, type),
  afterCommit: (run) => tx.afterCommit(run),
});

export const fireStep = (
  { postgres, clock }: { readonly postgres: Pick<Postgres, 'transaction'>; readonly clock: Clock },
  { tenant, domains, since }: AdvanceStep,
): Promise<readonly string[]> =>
  postgres.transaction(async (tx) => {
    const types: string[] = [];
    const events: AnyOccurrence[] = [];
    const within = collectingEvents(tx, events);
    const queues: { readonly due: ListedDue; readonly until: number; readonly queue: DueQueue }[] = [];
    for (const { due, until } of domains)
      queues.push({
        due,
        until,
        queue: new DueQueue(await due.list(tx.sql, { tenant, until: new Date(until), max: STEP_ITEMS_MAX })),
      });
    const announcing = new Set<ListedDue>();
    let moment = 0;
    for (let items = 0; !queues.some(({ queue }) => queue.exhausted); items++) {
      let next: (typeof queues)[number] | null = null;
      for (const each of queues) {
        const at = each.queue.first?.at;
        if (at !== undefined && (next === null || at < next.queue.first!.at)) next = each;
      }
      const waiting = next?.queue.first;
      // Fires all items of one time in the same step, so that event consumers get them together.
      if (!next || !waiting || (items >= STEP_ITEMS_MAX && waiting.at > moment)) break;
      moment = waiting.at;
      next.queue.take();
      clock.freeze(tenant, Math.max(waiting.at, since));
      const { types: happened, again = null } = await next.due.fire(within, waiting);
      announcing.add(next.due);
      types.push(...happened);
      if (again !== null && again <= next.until && again > waiting.at) next.queue.put({ ...waiting, at: again });
    }
    for (const { announce } of announcing) announce?.(tx, tenant);
    await tx.emitAll(events);
    return types;
  });
