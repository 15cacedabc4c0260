// Runs the services process: the domains of STOA_DOMAINS, and with STOA_TOPOLOGY=single the edge as well.

import type { ServedEdge } from '#edge/main.ts';
import { drainOnSignal } from '#runtime/process/drain.ts';
import { watchFailpoint } from '#runtime/process/failpoint.ts';
import { serveInternal } from '#runtime/process/internal_port.ts';
import { createLog } from '#runtime/process/log.ts';
import { gauge, measureProcess } from '#runtime/process/metric.ts';
import { environmentOrExit, reportAndExit } from '#runtime/process/setting.ts';
import { startTracing } from '#runtime/process/trace.ts';
import { servicesEnvironment } from './environment.ts';
import { startServices } from './start.ts';

const environment = environmentOrExit(() => servicesEnvironment(process.env));
watchFailpoint(environment.failpoint);
const log = createLog({ name: 'services', level: environment.logLevel });
const stopTracing = await startTracing('stoa-services', environment.tracing, log);
measureProcess('services');
const running = await startServices({ ...environment, log }).catch(reportAndExit);
gauge('postgres_up', '1 while Postgres answers.', () => Number(running.runtime.postgres.available));
gauge('nats_up', '1 while NATS is connected.', () => Number(running.runtime.bus.connected));
const internal = await serveInternal({
  port: environment.internalPort,
  log,
  host: environment.internalHost,
  health: () => ({ ready: true, components: running.components() }),
});
log.info({ link: running.address, internal: internal.port }, 'started services');

let edge: ServedEdge | null = null;
if (environment.topology === 'single') {
  // Imported only in the single topology: other services processes need no edge code.
  const [{ serveEdge }, { edgeEnvironment }] = await Promise.all([
    import('#edge/main.ts'),
    import('#edge/environment.ts'),
  ]);
  edge = await serveEdge(
    environmentOrExit(() => edgeEnvironment(process.env)),
    log,
    running.link,
  );
}

drainOnSignal({
  log,
  notice: {
    seconds: environment.drainSeconds,
    tell: () => {
      running.drain();
      edge?.drain();
      internal.drain();
    },
  },
  steps: [
    { name: 'edge', run: () => edge?.stop() },
    { name: 'services', run: () => running.stop() },
    { name: 'internal', run: () => internal.close() },
    { name: 'traces', run: stopTracing },
  ],
});
