// Runs a process that hosts the actors which bench/actor.ts measures through the link. Prints its address when it serves.

import { openLayout } from '#runtime/actor/layout_table.ts';
import { actorDomain } from '#runtime/actor/peer.ts';
import { openActors } from '#runtime/actor/start.ts';
import { refuse } from '#runtime/call/call.ts';
import { command, type Domain, read } from '#runtime/domain/rpc.ts';
import { serveRpc } from '#runtime/grpc/grpc.ts';
import { Host } from '#runtime/host/host.ts';
import { LINK_PATH } from '#runtime/link/client.ts';
import { serveLink } from '#runtime/link/server.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import { createNotices } from '#runtime/nats/notice.ts';
import { connectPostgres } from '#runtime/postgres/postgres.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { createLog } from '#runtime/process/log.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { readSettings } from '#runtime/process/setting.ts';
import { CART } from '#services/cart/actor.ts';
import { benchStock, type CounterCommand } from './counter_kind.ts';

const DRAIN_MS = 200;
const env = (name: string): string => process.env[name] ?? '';
const namespace = env('STOA_NAMESPACE');
const link = env('STOA_LINK');
const log = createLog({ name: 'bench', level: env('STOA_LOG_LEVEL') || 'fatal' });
const clock = systemClock();
const seal = openSeal(env('STOA_MASTER_KEY'));
const postgres = connectPostgres({ url: env('DATABASE_URL'), connectionsMax: 20, name: 'bench', log, clock, seal });
const bus = connectBus({ url: env('NATS_URL'), name: 'bench', log });
const notices = createNotices({ bus, namespace, log });
const shared = {
  postgres,
  bus,
  clock,
  seal,
  log,
  namespace,
  domains: [],
  jobs: { wake: () => {} },
  settings: readSettings({}),
  pauseTenant: () => Promise.reject(new Error('No caller is kept out.')),
};
const actors = openActors({ ...shared, layout: await openLayout(postgres, log, 4), address: link, linkToken: '' });
actors.register(benchStock);
actors.register(CART);

const bench: Domain = {
  name: 'bench',
  services: {
    Bench: {
      Tell: command(async (port, call, { id, ...order }: CounterCommand & { id: string }) =>
        port.tell(benchStock, call.tenant, id, order, {
          commandId: crypto.randomUUID(),
          deadline: call.deadline,
        }),
      ),
      /** Memory of sleeping actors in bytes after a collection. */
      Memory: read(() => {
        Bun.gc(true);
        const { heapUsed, rss } = process.memoryUsage();
        return { heap: heapUsed, resident: rss };
      }),
    },
  },
};
const host = new Host(
  { ...shared, notices, actors, ask: async () => refuse('service_unavailable', 'No other domain is hosted here.') },
  [actorDomain(actors, []), bench],
);
while (!bus.connected) await Bun.sleep(5);
await serveRpc({
  address: link,
  token: '',
  unaryPaths: [],
  unary: () => Promise.reject(new Error('Only the link is served.')),
  streamPath: LINK_PATH,
  stream: (duplex) => void serveLink(duplex, host, () => {}),
});
await actors.start();
process.stdout.write(`${link}\n`);
process.on('SIGTERM', async () => {
  await actors.handOver();
  // Earlier calls are answered.
  await Bun.sleep(DRAIN_MS);
  await actors.stop();
  process.exit(0);
});
