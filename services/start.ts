// Assembles a services host from infrastructure, domains, the link and unary rpcs.

import { existsSync, readFileSync } from 'node:fs';
import type { FileRegistry } from '@bufbuild/protobuf';
import { openLayout } from '#runtime/actor/layout_table.ts';
import { actorDomain } from '#runtime/actor/peer.ts';
import type { Router } from '#runtime/actor/router.ts';
import { advertisedAddress, openActors } from '#runtime/actor/start.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { startDueClock } from '#runtime/domain/due_clock.ts';
import { type Domain, sealedColumnsOf } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { serveRpc } from '#runtime/grpc/grpc.ts';
import type { ServiceRegistry } from '#runtime/grpc/registry.ts';
import { serveUnary, unaryPath } from '#runtime/grpc/unary.ts';
import { storeExists } from '#runtime/grpc/unary_caller.ts';
import { openAsk } from '#runtime/host/ask.ts';
import { componentsOf, type HealthParts, health } from '#runtime/host/health.ts';
import { Host } from '#runtime/host/host.ts';
import { HostIngress } from '#runtime/host/ingress.ts';
import { MaintenanceLock } from '#runtime/host/maintenance_lock.ts';
import { openJobRunner } from '#runtime/job/runner.ts';
import { LINK_PATH } from '#runtime/link/client.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { localLink } from '#runtime/link/local.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import { createNotices, dispatchNotices } from '#runtime/nats/notice.ts';
import { migrate } from '#runtime/postgres/migration.ts';
import { startOutbox } from '#runtime/postgres/outbox.ts';
import { CONNECT_TIMEOUT_MS, connectPostgres } from '#runtime/postgres/postgres.ts';
import { canOpenAny } from '#runtime/postgres/reseal.ts';
import { retryWhileUnavailable } from '#runtime/postgres/startup_retry.ts';
import { type Clock, systemClock } from '#runtime/process/clock.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { EnvironmentError } from '#runtime/process/setting.ts';
import { acceptMediaIds } from './commerce/media_reference.ts';
import { chooseDomains } from './domain.ts';
import type { ServicesEnvironment } from './environment.ts';
import { startMaintenanceJobs } from './maintenance.ts';
import { isFollowed } from './webhook/index.ts';

/**
 * Loads the proto descriptors on first use: decoding them takes 0.25 s of processor time, and edges do not need them.
 */
const descriptors = async (): Promise<FileRegistry> => (await import('#proto/descriptor.ts')).descriptors;

const readContract = async (): Promise<ServiceRegistry> => {
  const [{ ServiceRegistry }, files] = await Promise.all([import('#runtime/grpc/registry.ts'), descriptors()]);
  return new ServiceRegistry(files);
};

let contractReading: Promise<ServiceRegistry> | undefined;

const contract = (): Promise<ServiceRegistry> => {
  contractReading ??= readContract();
  return contractReading;
};

export interface RunningServices {
  readonly address: string;
  readonly host: Host;
  readonly runtime: Runtime;
  readonly link: LinkClient;
  /** Returns each dependency's last known state, without a query. */
  readonly components: () => ReturnType<typeof componentsOf>;
  /** Makes probes see this host as not ready; the host still serves calls. */
  drain(): void;
  /** Hands this host's actors over, sends new calls to other hosts, finishes running calls, and stops the domains. */
  stop(): Promise<void>;
}

const CONNECTIONS_MAX = 20;
/**
 * Time-out of a connection during startup: no caller waits yet, and other processes may be starting on this machine.
 */
const STARTING_CONNECT_MS = 10_000;
/** Longer than an edge waits for the answer of an ordinary call, and for any answer: a drain ends long polls early. */
const STILL_MS_MAX = 12_000;
const ANSWERS_MS = 15_000;
const EDGES_DISCONNECT_MS_MAX = 1_000;
const LOOK_MS = 10;

const WRONG_KEY =
  'STOA_MASTER_KEY opens no secret of this database: it is another deployment’s, or one of before its keys were changed. ' +
  'A backup holds its own in `master.key`.';

export type ServicesOptions = Omit<
  ServicesEnvironment,
  'internalPort' | 'internalHost' | 'logLevel' | 'failpoint' | 'topology' | 'drainSeconds' | 'tracing'
> &
  Pick<Runtime, 'log' | 'resolve'> & {
    readonly clock?: Clock;
    /** Longer time-outs for slow machines, such as those of tests. */
    readonly databaseLimits?: { readonly lockTimeoutMs: number; readonly statementTimeoutMs: number };
  };

/**
 * Connects everything that domains use. Calling `started` shortens the time-out for opening database connections, since
 * callers wait from then on.
 */
/** Returns what reads the master key again. A file that was there once must not vanish: the key of the start may be old. */
const masterKeyReader = ({ masterKey, masterKeyFile: file }: ServicesOptions): (() => string) => {
  let isThere = false;
  return () => {
    isThere ||= Boolean(file && existsSync(file));
    return file && isThere ? readFileSync(file, 'utf8') : masterKey;
  };
};

const openInfrastructure = async (options: ServicesOptions) => {
  const { log, namespace } = options;
  const clock = options.clock ?? systemClock();
  const seal = openSeal(options.masterKey, masterKeyReader(options));
  await migrate({ url: options.databaseUrl, log });
  let connectTimeoutMs = STARTING_CONNECT_MS;
  const postgres = connectPostgres({
    url: options.databaseUrl,
    connectionsMax: CONNECTIONS_MAX,
    name: 'stoa-services',
    log,
    clock,
    seal,
    connectTimeoutMs: () => connectTimeoutMs,
    ...options.databaseLimits,
  });
  const layout = await retryWhileUnavailable(() => openLayout(postgres, log, options.partitions), log);
  const bus = connectBus({
    url: options.natsUrl,
    name: 'stoa-services',
    log,
    replicas: options.settings.natsReplicas,
  });
  const notices = createNotices({ bus, namespace, log, others: () => actors.others });
  const outbox = startOutbox({ postgres, bus, namespace, clock, log, followed: isFollowed });
  const actors: Router = openActors({
    postgres,
    bus,
    clock,
    seal,
    log,
    namespace,
    layout,
    address: options.linkAdvertised ?? advertisedAddress(options.link),
    linkToken: options.linkToken,
  });
  const started = (): void => {
    connectTimeoutMs = options.databaseConnectMs ?? CONNECT_TIMEOUT_MS;
  };
  return { actors, bus, clock, notices, outbox, postgres, seal, started };
};

export const startServices = async (options: ServicesOptions): Promise<RunningServices> => {
  const { log, namespace } = options;
  const { outbox, started, ...infrastructure } = await openInfrastructure(options);
  const { actors, bus, clock, notices, postgres } = infrastructure;

  const healthParts: HealthParts = { postgres, bus, healthIssues: () => actors.healthIssues };
  let host: Host;
  const ask = openAsk(() => host, clock);
  const domains: Domain[] = [];
  const lock = new MaintenanceLock();
  const pauseTenant = (tenant: Tenant): Promise<() => void> => lock.close(tenant, STILL_MS_MAX);
  const jobs = openJobRunner({ postgres, clock, log });
  const runtime: Runtime = {
    ...infrastructure,
    jobs,
    log,
    ask,
    domains,
    pauseTenant,
    settings: options.settings,
    namespace,
    resolve: options.resolve,
  };
  domains.push(
    health(healthParts),
    actorDomain(actors, domains),
    ...chooseDomains(options.domains).map((domain) => domain(runtime)),
  );
  host = new Host(runtime, domains);
  const acceptingHost = acceptMediaIds(host, ask);
  const guardedHost = lock.guard(acceptingHost);
  const sealed = sealedColumnsOf(domains);
  const opens = await retryWhileUnavailable(() => canOpenAny(postgres.sql, runtime.seal, sealed), log);
  if (opens === false) throw new EnvironmentError(WRONG_KEY);
  const stopListening = notices.listen(dispatchNotices(domains, log));
  for (const domain of domains) await domain.start?.();

  const ingress = new HostIngress(
    guardedHost,
    serveUnary({ host: acceptingHost, contract, storeExists: storeExists({ ask }) }),
  );
  notices.listen((notice) => ingress.notify(notice));
  const server = await serveRpc({
    address: options.link,
    token: options.linkToken,
    unaryPaths: host.rpcs.filter((rpc) => !rpc.startsWith('ActorHost/')).map(unaryPath),
    unary: (call) => ingress.call(call),
    files: async () => (await descriptors()).files,
    streamPath: LINK_PATH,
    stream: (duplex) => ingress.open(duplex),
  });
  void actors.start();
  started();
  const due = domains.flatMap((domain) => domain.due ?? []);
  const stopDueClock = startDueClock(runtime, due);
  jobs.start(domains.flatMap((domain) => domain.jobs ?? []));
  const stopMaintenance = startMaintenanceJobs(runtime);

  return {
    address: server.address,
    host,
    runtime,
    link: localLink(guardedHost, notices),
    components: () => componentsOf(healthParts),
    drain: () => server.drain(),
    async stop() {
      server.drain();
      stopDueClock();
      stopMaintenance();
      const jobsStopped = jobs.stop();
      // During the hand-over calls still arrive here and reach the actors on their new hosts.
      await actors.handOver();
      ingress.drain();
      if (!(await ingress.emptied(ANSWERS_MS, EDGES_DISCONNECT_MS_MAX)))
        log.warn({ inside: ingress.inFlight }, 'failed to drain calls or edges in time');
      // Waits for calls of an edge in this process, which `ingress` does not count.
      const until = performance.now() + EDGES_DISCONNECT_MS_MAX;
      while (host.running > 0 && performance.now() < until) await Bun.sleep(LOOK_MS);
      await jobsStopped;
      stopListening();
      for (const domain of domains.toReversed()) await domain.stop?.();
      await actors.stop();
      await server.close(LOOK_MS);
      notices.close();
      await outbox.stop();
      await bus.close();
      await postgres.close();
    },
  };
};
