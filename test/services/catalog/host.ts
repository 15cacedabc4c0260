// Hosts the catalogue on real Postgres and NATS with the real store domain, and opens its core a second time for
// inspection. A second host shares database and bus.
import type { RpcName } from '#proto/gen/rpcs.ts';
import { type Environment, NO_TENANT, Refusal, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { openAsk } from '#runtime/host/ask.ts';
import { Host } from '#runtime/host/host.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import { createNotices } from '#runtime/nats/notice.ts';
import { CONNECT_TIMEOUT_MS } from '#runtime/postgres/postgres.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { readSettings } from '#runtime/process/setting.ts';
import { announcer } from '#services/catalog/announcement.ts';
import { catalog } from '#services/catalog/index.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import { CataloguePool, type CataloguePoolLimits, POOL_LIMITS } from '#services/catalog/memory/pool.ts';
import type { ProductRow } from '#services/catalog/product.ts';
import { openProductStore, type ProductStore, type UpsertResult } from '#services/catalog/product_store.ts';
import { openProfiles } from '#services/catalog/profile.ts';
import { store } from '#services/store/index.ts';
import { noActors } from '#test/support/actor.ts';
import type { StoredEvent } from '#test/support/catalog.ts';
import { outboxEvents, untyped } from '#test/support/event.ts';
import { freshDatabase, freshNamespace, openPostgres, serverUrls, testLog, testSeal } from '#test/support/server.ts';

export const NOW = Date.parse('2026-06-01T12:00:00Z');

export interface CatalogHost {
  readonly databaseUrl: string;
  readonly runtime: Runtime;
  readonly clock: ManualClock;
  readonly pool: CataloguePool;
  readonly products: ProductStore;
  /** Calls the domain, which has a separate memory, and throws refusals. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  call(tenant: Tenant, rpc: string, input?: object, revisionMin?: number): Promise<any>;
  newTenant(currency?: string, environment?: Environment): Promise<Tenant>;
  upsert(tenant: Tenant, rows: readonly ProductRow[]): Promise<UpsertResult>;
  /** The catalogue as a caller of this revision receives it. */
  read(tenant: Tenant, revisionMin?: number): Promise<Catalogue>;
  /** The tenant's outbox, oldest first. */
  events(tenant: Tenant): Promise<StoredEvent[]>;
  close(): Promise<void>;
}

export interface CatalogHostOptions {
  readonly beside?: CatalogHost;
  readonly limits?: Partial<CataloguePoolLimits>;
  readonly databaseUrl?: string;
}

export const openCatalogHost = async (options: CatalogHostOptions = {}): Promise<CatalogHost> => {
  const { beside, limits = {} } = options;
  const database = beside ? { url: beside.databaseUrl, drop: async () => {} } : await freshDatabase();
  const clock = beside?.clock ?? manualClock(NOW);
  const log = testLog();
  const seal = testSeal();
  const namespace = beside?.runtime.namespace ?? freshNamespace();
  const { databaseUrl } = options;
  // Shorter than in production, so that tests meet failures of the connection soon.
  const postgres = openPostgres(databaseUrl ?? database.url, {
    clock,
    seal,
    ...(databaseUrl && { connectTimeoutMs: () => CONNECT_TIMEOUT_MS }),
  });
  const bus = connectBus({ url: serverUrls().nats, name: 'stoa-test', log });
  const notices = createNotices({ bus, namespace, log });

  let host: Host;
  const ask = openAsk(() => host, clock);
  const runtime: Runtime = {
    postgres,
    bus,
    clock,
    log,
    seal,
    notices,
    actors: noActors,
    jobs: { wake: () => {} },
    namespace,
    ask,
    domains: [],
    settings: readSettings(process.env),
    pauseTenant: async () => () => {},
  };
  const domain = catalog(runtime);
  host = new Host(runtime, [store(runtime), domain]);
  await domain.start?.();
  const profiles = openProfiles(runtime);
  const pool = new CataloguePool(runtime, profiles, { ...POOL_LIMITS, ...limits });
  const products = openProductStore(runtime, profiles, announcer(runtime, pool));
  const deaf = notices.listen((notice) => {
    if (notice.kind === 'catalog') pool.pullRevision(notice.tenant, notice.revision).catch(() => {});
  });

  return {
    databaseUrl: database.url,
    runtime,
    clock,
    pool,
    products,
    call: async (tenant, rpc, input = {}, revisionMin = 0) => {
      const answer = await ask(rpc as RpcName, tenant, input as never, { revisionMin });
      if (answer instanceof Refusal) throw new Error(`${rpc}: ${answer.code} ${answer.message}`);
      return answer;
    },
    newTenant: async (currency = 'USD', environment = 'production') => {
      const made = await ask('StoreAdmin/CreateStore', NO_TENANT, { name: 'Acme', currency });
      if (made instanceof Refusal) throw new Error(made.message);
      return { store: made.store_id, environment };
    },
    upsert: (tenant, rows) => postgres.transaction((tx) => products.upsert(tx, tenant, rows)),
    read: async (tenant, revisionMin = 0) => pool.get({ tenant, revisionMin, deadline: clock.real() + 5_000 }),
    events: async ({ store: id, environment }) => {
      const events = await outboxEvents(postgres.sql, { store: id, environment });
      return events.map(({ type, data, previous_attributes }) => ({
        type,
        object: untyped(data.object),
        ...(previous_attributes ? { previous_attributes } : {}),
      }));
    },
    close: async () => {
      deaf();
      await domain.stop?.();
      pool.stop();
      await postgres.close();
      await bus.close();
      await database.drop();
    },
  };
};
