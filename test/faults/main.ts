// Tries faults for a time: `npm run faults -- --minutes 60`, `--nats 3`, `--only "a host is killed"`.
//
// Usage: npm run faults -- [--minutes M] [--nats 1|3] [--only FAULT] [--shoppers N] [--holders N] [--buyers N] [--hosts N]
// [--edges N] [--first N] [--patience SECONDS] [--program FILE] [--keep]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '#services/cli/local/postgres.ts';
import { CHANGES } from './change.ts';
import { startCluster } from './cluster.ts';
import { FAULTS } from './fault.ts';
import { runTrial } from './trial.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '0' },
    nats: { type: 'string' },
    /** Beginning of the faults' names. */
    only: { type: 'string' },
    shoppers: { type: 'string', default: '24' },
    holders: { type: 'string', default: '8' },
    buyers: { type: 'string', default: '8' },
    hosts: { type: 'string', default: '2' },
    edges: { type: 'string', default: '2' },
    /** Which of the members the first fault befalls. */
    first: { type: 'string', default: '0' },
    /** Seconds until a call without an answer was forgotten: an edge's own deadline is 10. */
    patience: { type: 'string', default: '13' },
    /** Another nats-server than the one that is found, such as an older release. */
    program: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});

const until = performance.now() + Number(values.minutes) * 60_000;
const natsCounts: (1 | 3)[] = values.nats ? [values.nats === '3' ? 3 : 1] : [1, 3];
const home = await mkdtemp(join(tmpdir(), 'stoa-faults-'));
const postgres = await startPostgres({ home, log: () => {} });
try {
  for (let round = 1; round === 1 || performance.now() < until; round++)
    for (const nats of natsCounts) {
      const cluster = await startCluster({
        home: join(home, `cluster-${round}-${nats}`),
        databaseUrl: postgres.url,
        hosts: Number(values.hosts),
        edges: Number(values.edges),
        nats,
        ...(values.program ? { natsProgram: values.program } : {}),
      });
      try {
        await runTrial(cluster, {
          shoppers: Number(values.shoppers),
          holders: Number(values.holders),
          buyers: Number(values.buyers),
          first: Number(values.first) + round - 1,
          patienceMs: Number(values.patience) * 1_000,
          faults: [...FAULTS, ...CHANGES].filter(
            (fault) =>
              (fault.nats === 'any' || fault.nats === nats) && (!values.only || fault.name.startsWith(values.only)),
          ),
          hear: (report) => process.stdout.write(`${JSON.stringify({ round, nats, ...report })}\n`),
        });
      } finally {
        await cluster.stop();
      }
    }
} finally {
  await postgres.stop();
  if (values.keep) process.stderr.write(`Logs are in ${home}.\n`);
  else await rm(home, { recursive: true, force: true });
}
process.exit(0);
