// An edge process as in production, that answers the references beside its endpoints. With STOA_TOPOLOGY=single it has
// the services in it too.
import { startEdge } from '#edge/edge.ts';
import { edgeEnvironment } from '#edge/environment.ts';
import { connectLinks } from '#runtime/link/client.ts';
import { createLog } from '#runtime/process/log.ts';
import { servicesEnvironment } from '#services/environment.ts';
import { startServices } from '#services/start.ts';
import { references } from './constant.ts';

const environment = edgeEnvironment(process.env);
const log = createLog({ name: 'bench-edge', level: 'warn' });
const wire =
  process.env.STOA_TOPOLOGY === 'single'
    ? (await startServices({ ...servicesEnvironment(process.env), log })).link
    : connectLinks({ addresses: environment.linkAddresses, token: environment.linkToken, log });

const { url } = startEdge({ ...environment, wire, redis: null, log, extraApp: references });
process.stdout.write(`${url}\n`);
// An orderly exit writes the profile.
process.once('SIGTERM', () => process.exit());
