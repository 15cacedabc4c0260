// Ingestion: pushed catalogues, pulled feeds, and the worker that writes both.
import type { IngestionRpcs } from '#proto/gen/ingestion.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Due } from '#runtime/domain/due.ts';
import type { Handlers } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { DeclaredJob } from '#runtime/job/queue.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import type { Currency } from '#values/currency.ts';
import type { WriteRows } from './intake.ts';
import { ingestionHandlers } from './rpc.ts';
import { feedsDue } from './schedule.ts';
import { INGESTION_JOBS, ingestionJobs } from './worker.ts';

export interface IngestionOptions {
  readonly write: WriteRows;
  readonly currency: (tenant: Tenant) => Promise<Currency> | Currency;
  /** Allows feeds of sandboxes to have addresses on this machine. */
  readonly allowLocal: boolean;
}

export interface Ingestion {
  readonly handlers: Handlers<IngestionRpcs>;
  readonly due: Due;
  readonly jobs: readonly DeclaredJob[];
}

export const openIngestion = (runtime: Runtime, options: IngestionOptions): Ingestion => {
  const { postgres, clock, jobs, log } = runtime;
  const { write, currency, allowLocal } = options;
  const wake = (): void => {
    for (const kind of INGESTION_JOBS) jobs.wake(kind);
  };
  const outbound = connectOutbound({ allowLocal, resolve: runtime.resolve });
  return {
    handlers: ingestionHandlers({ allowLocal, wake }),
    due: feedsDue({ postgres, clock, wake }),
    jobs: ingestionJobs({ postgres, clock, log, outbound, write, currency, wake }),
  };
};
