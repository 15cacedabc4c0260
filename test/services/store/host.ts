// A services host with the store domain on real Postgres and NATS. A test sets how many products a tenant has and how
// many requests its month counts.

import { randomUUID } from 'node:crypto';
import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import * as profile from '#proto/gen/store.schema.ts';
import * as admin from '#proto/gen/store_admin.schema.ts';
import type { CreateStoreRequest, CreateStoreResponse } from '#proto/gen/store_admin.ts';
import * as directory from '#proto/gen/store_directory.schema.ts';
import { type Environment, type KeyType, type Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { type Domain, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { EventEnvelope } from '#runtime/event/envelope.ts';
import { Host } from '#runtime/host/host.ts';
import { Cancellation } from '#runtime/link/server.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import { createNotices, dispatchNotices, type Notice } from '#runtime/nats/notice.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { readSettings } from '#runtime/process/setting.ts';
import { store } from '#services/store/index.ts';
import { noActors } from '#test/support/actor.ts';
import { outboxEvents } from '#test/support/event.ts';
import { freshDatabase, freshNamespace, openPostgres, serverUrls, testLog, testSeal } from '#test/support/server.ts';
import { windowAt } from '#values/window.ts';

export interface Caller {
  readonly store?: string;
  readonly environment?: Environment;
  readonly keyType?: KeyType;
}

export interface StoreHost {
  readonly databaseUrl: string;
  readonly postgres: Postgres;
  readonly runtime: Runtime;
  readonly clock: ManualClock;
  /** Products of each tenant, by `tenantKey`. */
  readonly products: Map<string, { any: boolean; active: boolean }>;
  /** Requests of each store in the month. */
  readonly spent: Map<string, number>;
  /** Every notice that this host published. */
  readonly notices: Notice[];
  /** The answer, or the refusal where that is what came. */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare answers of every shape
  call(rpc: string, caller: Caller, input?: object): Promise<any>;
  refused(rpc: string, caller: Caller, input?: object): Promise<Refusal>;
  newStore(request?: Partial<CreateStoreRequest>): Promise<CreateStoreResponse>;
  /** Events written and not yet published, oldest first. */
  events(tenant: Tenant): Promise<EventEnvelope[]>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export const NOW = Date.parse('2026-11-21T09:30:00Z');

const SCHEMAS: Readonly<Record<string, TSchema>> = { ...profile, ...admin, ...directory };

/** Checks requests and answers against the schema of their rpc. */
const demand = (name: string, value: unknown): void => {
  const schema = SCHEMAS[name] ?? admin.PlanResponse;
  const [problem] = Value.Errors(schema, value);
  if (problem) throw new Error(`${name} at ${problem.path || '/'}: ${problem.message}`);
};

export interface StoreHostOptions {
  /** A second host of the same database and bus. */
  readonly beside?: StoreHost;
  readonly natsUrl?: string;
}

export const openStoreHost = async ({
  beside,
  natsUrl = serverUrls().nats,
}: StoreHostOptions = {}): Promise<StoreHost> => {
  const database = beside ? { url: beside.databaseUrl, drop: async () => {} } : await freshDatabase();
  const clock = manualClock(NOW);
  const log = testLog();
  const seal = testSeal();
  const namespace = beside?.runtime.namespace ?? freshNamespace();
  const postgres = openPostgres(database.url, { clock, seal });
  const bus = connectBus({ url: natsUrl, name: 'stoa-test', log });
  const notices = createNotices({ bus, namespace, log });
  const notified: Notice[] = [];
  notices.listen((notice) => notified.push(notice));
  const products = new Map<string, { any: boolean; active: boolean }>();
  const spent = new Map<string, number>();
  const { start, end } = windowAt('month', NOW);
  const otherDomains: Domain = {
    name: 'catalog and limit',
    services: {
      CatalogDirectory: {
        HasProducts: read((call) => products.get(tenantKey(call.tenant)) ?? { any: false, active: false }),
      },
      Limit: { GetMonth: read(({ tenant }) => ({ start, end, spent: spent.get(tenant.store) ?? 0 })) },
    },
  };

  let host: Host;
  const dispatch = async (rpc: string, caller: Caller, input: object) => {
    const tenant: Tenant = { store: caller.store ?? '', environment: caller.environment ?? 'production' };
    const answer = await host.dispatch(
      {
        rpc,
        caller: { tenant, keyType: caller.keyType ?? 'internal', keyId: '', customer: null },
        timeoutMs: 5_000,
        requestId: randomUUID(),
        trace: '',
        input: JSON.stringify(input),
        rawBody: null,
        contentType: '',
        idempotency: null,
        revisionMin: 0,
      },
      new Cancellation(),
    );
    return answer.refused ?? JSON.parse(new TextDecoder().decode(answer.body));
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
    jobs: { wake: () => {} },
    namespace,
    ask: (rpc, tenant, input) => dispatch(rpc, { ...tenant, keyType: 'internal' }, input as object),
  };
  const domain = store(runtime);
  host = new Host(runtime, [domain, otherDomains]);
  notices.listen(dispatchNotices([domain], log));

  const call: StoreHost['call'] = async (rpc, caller, input = {}) => {
    const method = rpc.slice(rpc.indexOf('/') + 1);
    demand(`${method}Request`, input);
    const answer = await dispatch(rpc, caller, input);
    if ('code' in answer && 'message' in answer)
      throw new Error(`${rpc} was refused: ${answer.code} ${answer.message}`);
    demand(`${method}Response`, answer);
    return answer;
  };
  let started = false;

  return {
    databaseUrl: database.url,
    postgres,
    runtime,
    clock,
    products,
    spent,
    notices: notified,
    call,
    refused: async (rpc, caller, input = {}) => {
      demand(`${rpc.slice(rpc.indexOf('/') + 1)}Request`, input);
      const answer = await dispatch(rpc, caller, input);
      if (!('code' in answer && 'message' in answer))
        throw new Error(`${rpc} was not refused: ${JSON.stringify(answer)}`);
      return answer;
    },
    newStore: (request = {}) => call('StoreAdmin/CreateStore', {}, { name: 'Acme', currency: 'USD', ...request }),
    events: (tenant) => outboxEvents(postgres.sql, tenant),
    start: async () => {
      started = true;
      await domain.start?.();
    },
    close: async () => {
      if (started) await domain.stop?.();
      notices.close();
      await bus.close();
      await postgres.close();
      await database.drop();
    },
  };
};
