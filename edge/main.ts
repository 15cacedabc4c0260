// Starts the edge process, which answers HTTP and calls the services over the link.

import { connectLinks } from '#runtime/link/client.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { drainOnSignal } from '#runtime/process/drain.ts';
import { watchFailpoint } from '#runtime/process/failpoint.ts';
import { serveInternal } from '#runtime/process/internal_port.ts';
import { createLog, type Log } from '#runtime/process/log.ts';
import { measureProcess } from '#runtime/process/metric.ts';
import { environmentOrExit } from '#runtime/process/setting.ts';
import { startTracing } from '#runtime/process/trace.ts';
import { connectCache } from '#runtime/redis/redis.ts';
import { type RunningEdge, startEdge } from './edge.ts';
import { type EdgeEnvironment, edgeEnvironment } from './environment.ts';
import { measureEdge } from './measure.ts';

export type ServedEdge = Pick<RunningEdge, 'drain' | 'stop'>;

export async function serveEdge(environment: EdgeEnvironment, log: Log, wire: LinkClient): Promise<ServedEdge> {
  const { redisUrl, namespace } = environment;
  const redis = redisUrl ? connectCache({ url: redisUrl, prefix: `${namespace}:cached_response:`, log }) : null;
  const running = startEdge({ ...environment, wire, redis, log });
  measureEdge(running.edge);
  log.info({ url: running.url }, 'started the edge');
  return {
    drain: () => running.drain(),
    async stop() {
      await running.stop();
      await redis?.close();
    },
  };
}

if (import.meta.main) {
  const environment = environmentOrExit(() => edgeEnvironment(process.env));
  watchFailpoint(environment.failpoint);
  const log = createLog({ name: 'edge', level: environment.logLevel });
  const stopTracing = await startTracing('stoa-edge', environment.tracing, log);
  measureProcess('edge');
  const wire = connectLinks({ addresses: environment.linkAddresses, token: environment.linkToken, log });
  const edge = await serveEdge(environment, log, wire);
  const internal = await serveInternal({
    port: environment.internalPort,
    log,
    host: environment.internalHost,
    health: () => {
      const serving = wire.serves('Host');
      return { ready: serving, components: { services: serving ? 'ok' : 'down' } };
    },
  });
  drainOnSignal({
    log,
    notice: {
      seconds: environment.drainSeconds,
      tell: () => {
        edge.drain();
        internal.drain();
      },
    },
    steps: [
      { name: 'edge', run: () => edge.stop() },
      { name: 'link', run: () => wire.close() },
      { name: 'internal', run: () => internal.close() },
      { name: 'traces', run: stopTracing },
    ],
  });
}
