// A services host with the real store domain, ingestion and the catalogue's real write core, on real Postgres.

import { randomUUID } from 'node:crypto';
import type { IngestionJob } from '#proto/gen/ingestion.ts';
import type { CreateStoreResponse } from '#proto/gen/store_admin.ts';
import type { Environment, Refusal, Tenant } from '#runtime/call/call.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { EventEnvelope } from '#runtime/event/envelope.ts';
import { Host } from '#runtime/host/host.ts';
import type { DeclaredJob } from '#runtime/job/queue.ts';
import { type JobRunner, openJobRunner } from '#runtime/job/runner.ts';
import { Cancellation } from '#runtime/link/server.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import { createNotices, dispatchNotices } from '#runtime/nats/notice.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { type ManualClock, manualClock, systemClock } from '#runtime/process/clock.ts';
import { readSettings } from '#runtime/process/setting.ts';
import { catalog } from '#services/catalog/index.ts';
import type { WriteRows } from '#services/catalog/ingestion/intake.ts';
import { ingestionHandlers } from '#services/catalog/ingestion/rpc.ts';
import { INGESTION_JOBS, ingestionJobs, type WorkerOptions } from '#services/catalog/ingestion/worker.ts';
import { openProductStore } from '#services/catalog/product_store.ts';
import { openProfiles } from '#services/catalog/profile.ts';
import { openStatistics } from '#services/catalog/table/statistic.ts';
import { store } from '#services/store/index.ts';
import { noActors } from '#test/support/actor.ts';
import { outboxEvents } from '#test/support/event.ts';
import {
  eventually,
  freshDatabase,
  freshNamespace,
  openPostgres,
  serverUrls,
  testLog,
  testSeal,
} from '#test/support/server.ts';

/** Longer than any job. */
const JOB_MS_MAX = 240_000;
export const NOW = Date.parse('2026-11-21T09:30:00Z');

export interface StoredProduct {
  readonly external_id: string;
  readonly name: string;
  readonly is_active: boolean;
  readonly brand: string | null;
  readonly price: number | null;
  readonly on_hand: number;
}

export interface IngestionHost {
  readonly databaseUrl: string;
  readonly postgres: Postgres;
  readonly clock: ManualClock;
  readonly runtime: Runtime;
  readonly write: WriteRows;
  newTenant(currency?: string, environment?: Environment): Promise<Tenant>;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare answers of every shape
  call(tenant: Tenant, rpc: string, input?: object): Promise<any>;
  refused(tenant: Tenant, rpc: string, input?: object): Promise<Refusal>;
  /** Pushes a raw body, as the edge does. */
  push(tenant: Tenant, body: string | Uint8Array, contentType: string, mode?: string): Promise<IngestionJob>;
  pushRows(tenant: Tenant, products: readonly unknown[], mode?: string): Promise<IngestionJob>;
  ended(tenant: Tenant, id: string): Promise<IngestionJob>;
  /** Pushes and waits; returns the counts other than 0, and the errors. */
  take(tenant: Tenant, products: readonly unknown[], mode?: string): Promise<Record<string, unknown>>;
  products(tenant: Tenant): Promise<Map<string, StoredProduct>>;
  events(tenant: Tenant): Promise<EventEnvelope[]>;
  work(options?: Partial<WorkerOptions>): JobRunner;
  close(): Promise<void>;
}

export const shoe = (id: string, more: object = {}) => ({
  external_id: id,
  name: `Shoe ${id}`,
  price: 10,
  stock: 5,
  ...more,
});

/** Rows from `S<from>` up to, excluding, `S<to>`. */
export const shoes = (from: number, to: number, more: object = {}) =>
  Array.from({ length: to - from }, (_, index) => shoe(`S${from + index}`, more));

export const countsOf = (job: IngestionJob): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(job).filter(([name, value]) => name.startsWith('rows_') && value !== 0)),
  ...(job.errors.length > 0 ? { errors: job.errors } : {}),
});

/** `whole` adds the whole catalogue, whose own worker runs the jobs. */
export const openIngestionHost = async ({ whole = false } = {}): Promise<IngestionHost> => {
  const database = await freshDatabase();
  const clock = manualClock(NOW);
  const log = testLog();
  const seal = testSeal();
  const namespace = freshNamespace();
  const postgres = openPostgres(database.url, { clock, seal });
  const bus = connectBus({ url: serverUrls().nats, name: 'stoa-test', log });
  const notices = createNotices({ bus, namespace, log });
  const workers = new Set<JobRunner>();

  let host: Host;
  const dispatch = async (
    tenant: Tenant,
    rpc: string,
    input: object,
    rawBody: Uint8Array | null = null,
    contentType = '',
  ) => {
    const answer = await host.dispatch(
      {
        rpc,
        caller: { tenant, keyType: rawBody ? 'secret' : 'internal', keyId: '', customer: null },
        timeoutMs: 10_000,
        requestId: randomUUID(),
        trace: '',
        input: JSON.stringify(input),
        rawBody,
        contentType,
        idempotency: null,
        revisionMin: 0,
      },
      new Cancellation(),
    );
    if (answer.refused) return answer.refused;
    const text = new TextDecoder().decode(answer.body);
    // A feed sends text instead of JSON.
    return text.startsWith('{') ? JSON.parse(text) : { text };
  };
  const runtime: Runtime = {
    domains: [],
    settings: readSettings(process.env),
    pauseTenant: async () => () => {},
    postgres,
    bus,
    clock,
    log,
    seal,
    notices,
    actors: noActors,
    jobs: { wake: () => wake() },
    namespace,
    ask: (rpc, tenant, input) => dispatch(tenant, rpc, input as object),
  };
  const profiles = openProfiles(runtime);
  const write: WriteRows = openProductStore(
    runtime,
    profiles,
    () => {},
    openStatistics(postgres.sql, log).productsAdded,
  ).upsert;
  const wake = (): void => {
    for (const worker of workers) for (const kind of INGESTION_JOBS) worker.wake(kind);
  };
  /** Leases and times from which jobs are due follow the real clock, as those of another process. */
  const run = (kinds: readonly DeclaredJob[]): JobRunner => {
    const runner = openJobRunner({ postgres, clock: systemClock(), log });
    runner.start(kinds);
    workers.add(runner);
    return runner;
  };
  const domain: Domain = whole
    ? catalog(runtime)
    : { name: 'catalog', services: { Ingestion: ingestionHandlers({ allowLocal: true, wake }) } };
  const shops = store(runtime);
  host = new Host(runtime, [shops, domain]);
  notices.listen(dispatchNotices([shops, domain], log));
  await shops.start?.();
  await domain.start?.();
  run(domain.jobs ?? []);

  const call: IngestionHost['call'] = async (tenant, rpc, input = {}) => {
    const answer = await dispatch(tenant, rpc, input);
    if ('code' in answer && 'message' in answer)
      throw new Error(`${rpc} was refused: ${answer.code} ${answer.message}`);
    return answer;
  };
  const push: IngestionHost['push'] = async (tenant, body, contentType, mode) => {
    const answer = await dispatch(
      tenant,
      'Ingestion/Push',
      mode === undefined ? {} : { mode },
      Buffer.from(body as string),
      contentType,
    );
    if (!('job' in answer)) throw new Error(`The push was refused: ${answer.code} ${answer.message}`);
    return answer.job;
  };
  const ended: IngestionHost['ended'] = (tenant, id) =>
    eventually(async () => {
      const { job } = await call(tenant, 'Ingestion/GetJob', { id });
      if (job.finished_at === null) throw new Error(`The job is ${job.status}: ${JSON.stringify(countsOf(job))}`);
      return job;
    }, JOB_MS_MAX);
  const pushRows: IngestionHost['pushRows'] = (tenant, products, mode = 'upsert') =>
    push(tenant, JSON.stringify({ mode, products }), 'application/json');

  return {
    databaseUrl: database.url,
    postgres,
    clock,
    runtime,
    write,
    newTenant: async (currency = 'USD', environment = 'production') => {
      const none: Tenant = { store: '', environment: 'production' };
      const made: CreateStoreResponse = await call(none, 'StoreAdmin/CreateStore', { name: 'Acme', currency });
      return { store: made.store_id, environment };
    },
    call,
    refused: async (tenant, rpc, input = {}) => {
      const answer = await dispatch(tenant, rpc, input);
      if (!('code' in answer && 'message' in answer)) throw new Error(`${rpc}: ${JSON.stringify(answer)}`);
      return answer;
    },
    push,
    pushRows,
    ended,
    take: async (tenant, products, mode) => {
      const { id } = await pushRows(tenant, products, mode);
      return countsOf(await ended(tenant, id));
    },
    products: async ({ store: id, environment }) => {
      type Row = StoredProduct & { readonly id: string };
      const rows = await postgres.sql<Row[]>`
        select id, external_id, name, is_active, brand from catalog.product
        where store = ${id} and environment = ${environment}`;
      // Joins in memory, because Postgres has no statistics right after so many inserts.
      const prices = await postgres.sql<{ product_id: string; price: number | null }[]>`
        select product_id, price from catalog.variant
        where store = ${id} and environment = ${environment} and is_default`;
      const levels = await postgres.sql<{ product_id: string; on_hand: number }[]>`
        select product_id, on_hand from catalog.inventory where store = ${id} and environment = ${environment}`;
      const priceOf = new Map(prices.map((row) => [row.product_id, row.price]));
      const levelOf = new Map(levels.map((row) => [row.product_id, row.on_hand]));
      return new Map(
        rows.map(({ id: product, ...row }) => [
          row.external_id,
          { ...row, price: priceOf.get(product)!, on_hand: levelOf.get(product)! },
        ]),
      );
    },
    events: (tenant) => outboxEvents(postgres.sql, tenant),
    work: (options = {}) => {
      const kinds = ingestionJobs({
        postgres,
        clock,
        log,
        outbound: connectOutbound({ allowLocal: true }),
        write,
        currency: async (tenant) => (await profiles.get(tenant)).frame.currency,
        wake,
        ...options,
      });
      return run(kinds);
    },
    close: async () => {
      for (const worker of workers) await worker.stop();
      await domain.stop?.();
      await shops.stop?.();
      notices.close();
      await bus.close();
      await postgres.close();
      await database.drop();
    },
  };
};
