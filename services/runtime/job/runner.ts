// Runs the jobs of all domains of a host. One statement finds out which kinds have jobs that are due; it runs after commits
// and at due times, so that an idle host asks nothing.
import { repeatedly } from '#runtime/flow/repetition.ts';
import { gauges } from '#runtime/process/metric.ts';
import type { DeclaredJob, JobRuntime, Queue } from './queue.ts';

export interface JobRunner {
  /** Looks for jobs of this kind at once; called after a commit that wrote one. Other hosts look within a second. */
  wake(kind: string): void;
  start(kinds: readonly DeclaredJob[]): void;
  /** Ends claims, and waits for running jobs, a few seconds at most. */
  stop(): Promise<void>;
}

const LOOK_MS = 500;

const late = gauges('jobs_late_seconds', 'For how long the most overdue job of a kind has been due.', 'kind');
const running = gauges('jobs_running', 'Jobs that this process is running, by kind.', 'kind');

export const openJobRunner = (runtime: JobRuntime): JobRunner => {
  const { postgres, clock, log } = runtime;
  const queues = new Map<string, { readonly kind: DeclaredJob; readonly queue: Queue; dueAt: number }>();
  let stopLooking = (): void => {};

  /** Notes when the first job of each kind is due. Returns the earliest of these times, at most `until`. */
  const findDue = async (until: Date): Promise<Date | null> => {
    const { sql } = postgres;
    const kinds = [...queues.values()].map(({ kind }) => kind);
    const found = await sql<{ kind: string; at: Date | null }[]>`${kinds
      .map((kind) => sql`select ${kind.name} as kind, (${kind.firstDue(sql, until)}) as at`)
      .reduce((all, each) => sql`${all} union all ${each}`)}`;
    let first = Number.POSITIVE_INFINITY;
    for (const { kind, at } of found) {
      const dueAt = at?.getTime() ?? Number.POSITIVE_INFINITY;
      queues.get(kind)!.dueAt = dueAt;
      first = Math.min(first, dueAt);
    }
    return Number.isFinite(first) ? new Date(first) : null;
  };

  const look = async (): Promise<void> => {
    const now = clock.real();
    await findDue(new Date(now));
    const moved = clock.moved().length > 0;
    for (const { kind, queue, dueAt } of queues.values())
      if (dueAt <= now || (moved && kind.followsClocks)) void queue.look();
  };

  return {
    wake: (kind) => void queues.get(kind)?.queue.look(),
    start(kinds) {
      for (const kind of kinds) {
        const queue = kind.open(runtime);
        const entry = { kind, queue, dueAt: Number.POSITIVE_INFINITY };
        queues.set(kind.name, entry);
        late.of(kind.name, () => Math.max(0, (clock.real() - entry.dueAt) / 1_000));
        running.of(kind.name, () => queue.running);
      }
      if (queues.size === 0) return;
      stopLooking = repeatedly({
        everyMs: LOOK_MS,
        able: () => postgres.available,
        resting: { postgres, clock, nextDue: findDue },
        work: look,
        failed: (problem) => log.debug({ err: problem }, 'failed to look for due jobs'),
      });
    },
    async stop() {
      stopLooking();
      await Promise.all([...queues.values()].map(({ queue }) => queue.stop()));
    },
  };
};
