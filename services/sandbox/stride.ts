// Part of a journey: things of several domains happen in one transaction, as their moments come.
import type { Tenant } from '#runtime/call/call.ts';
import type { DueItem, SharedDue } from '#runtime/domain/due.ts';
import type { AnyOccurrence } from '#runtime/event/event.ts';
import type { Postgres, Transaction } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';

/** Others who want the same rows wait for about so many; and a count is the same in every telling. */
export const STRIDE_THINGS_MAX = 50;

export interface Stride {
  readonly tenant: Tenant;
  /**
   * In the order in which their turn comes where they are due at one moment; each goes up to where the turn of one that
   * walks apart comes.
   */
  readonly legs: readonly { readonly due: SharedDue; readonly until: number }[];
  /** What was overdue when the journey began happens then. */
  readonly since: number;
}

/** One domain's things, the first ones first. */
class Queue {
  readonly #waiting: DueItem[];
  /** There may be more behind this one. */
  readonly #last: DueItem | null;

  constructor(waiting: readonly DueItem[]) {
    this.#waiting = [...waiting];
    this.#last = waiting.length < STRIDE_THINGS_MAX ? null : waiting.at(-1)!;
  }

  get first(): DueItem | undefined {
    return this.#waiting[0];
  }

  /** What comes next is not known here. */
  get exhausted(): boolean {
    return this.#waiting.length === 0 && this.#last !== null;
  }

  take(): void {
    this.#waiting.shift();
  }

  /** What lies behind the last one known is left to the next listing. */
  put(waiting: DueItem): void {
    if (this.#last !== null && isBefore(this.#last, waiting)) return;
    const at = this.#waiting.findIndex((other) => isBefore(waiting, other));
    this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, waiting);
  }
}

const isBefore = (a: DueItem, b: DueItem): boolean => a.at < b.at || (a.at === b.at && a.id < b.id);

/** The same, but that events wait: all are written in one statement, in the order in which they came about. */
const gathering = (tx: Transaction, events: AnyOccurrence[]): Transaction => ({
  sql: tx.sql,
  clock: tx.clock,
  seal: tx.seal,
  emit: async (tenant, told) => {
    const createdAt = tx.clock.now(tenant);
    events.push(...told.map((event) => ({ tenant, event, createdAt })));
  },
  emitAll: async (occurrences) => void events.push(...occurrences),
  storeAnswers: (answers) => tx.storeAnswers(answers),
  emitMarker: (tenant, type) => tx.emitMarker(tenant, type),
  afterCommit: (run) => tx.afterCommit(run),
});

/** What happened. */
export const stride = (
  { postgres, clock }: { readonly postgres: Pick<Postgres, 'transaction'>; readonly clock: Clock },
  { tenant, legs, since }: Stride,
): Promise<readonly string[]> =>
  postgres.transaction(async (tx) => {
    const types: string[] = [];
    const events: AnyOccurrence[] = [];
    const within = gathering(tx, events);
    const queues: { readonly due: SharedDue; readonly until: number; readonly queue: Queue }[] = [];
    for (const { due, until } of legs)
      queues.push({ due, until, queue: new Queue(await due.list(tx.sql, tenant, until, STRIDE_THINGS_MAX)) });
    let moment = 0;
    for (let things = 0; !queues.some(({ queue }) => queue.exhausted); things++) {
      let next: (typeof queues)[number] | null = null;
      for (const each of queues) {
        const at = each.queue.first?.at;
        if (at !== undefined && (next === null || at < next.queue.first!.at)) next = each;
      }
      const waiting = next?.queue.first;
      // A moment that has begun is gone through: a follower would hear of it in two parts.
      if (!next || !waiting || (things >= STRIDE_THINGS_MAX && waiting.at > moment)) break;
      moment = waiting.at;
      next.queue.take();
      clock.freeze(tenant, Math.max(waiting.at, since));
      const { types: happened, again = null } = await next.due.fire(within, tenant, waiting);
      types.push(...happened);
      if (again !== null && again <= next.until && again > waiting.at) next.queue.put({ id: waiting.id, at: again });
    }
    await tx.emitAll(events);
    return types;
  });
