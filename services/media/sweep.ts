// Deletes the files of deleted media, and of uploads that a process did not finish.
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { Storage } from '#runtime/storage/storage.ts';
import { keysOf } from './file.ts';
import { deleteLeftover, oldLeftovers } from './table/media.ts';

const SWEEP_MS = 30_000;
/** An upload takes less than a minute: its caller does not wait longer. */
const UPLOAD_MS_MAX = 600_000;
const LEFTOVERS_AT_ONCE = 100;

export type SweepParts = Pick<Runtime, 'postgres' | 'clock'> & { readonly storage: Storage };

/** Deletes the files first: an interrupted sweep finds the same ids again. */
export const sweepLeftovers = async ({ postgres, clock, storage }: SweepParts): Promise<void> => {
  const before = new Date(clock.real() - UPLOAD_MS_MAX);
  for (const { id, ...tenant } of await oldLeftovers(postgres.sql, before, LEFTOVERS_AT_ONCE)) {
    for (const key of keysOf(tenant, id)) await storage.delete(key);
    await deleteLeftover(postgres.sql, tenant, id);
  }
};

export const startSweep = (runtime: Runtime, storage: Storage): (() => void) => {
  const { postgres, clock, log } = runtime;
  return repeatedly({
    everyMs: SWEEP_MS,
    able: () => postgres.available,
    work: () => sweepLeftovers({ postgres, clock, storage }),
    failed: (problem) => log.warn({ err: problem }, 'failed to delete files of deleted media'),
  });
};
