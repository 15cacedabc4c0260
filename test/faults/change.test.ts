// A deployment with one log, as it began on a laptop, spreads over eight, three and one again under load, while a host dies in
// between: no acknowledged write is lost and none counts twice. Every step, and more that may die, is
// `npm run faults -- --only "the logs change"`.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '#test/support/server.ts';
import { CHANGES } from './change.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { runTrial } from './trial.ts';

const LIMIT_MS = 600_000;
/** No machine is so busy that an edge which answers takes as long. */
const PATIENCE_MS = 180_000;

const SHORT = [
  'the logs change',
  'the logs change, and a host dies with the end of a log written',
  'the logs change, and a host dies with a log sealed',
];

let home: string;
let database: TestDatabase;
let cluster: Cluster;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stoa-change-'));
  database = await freshDatabase();
  const place = { home, databaseUrl: database.url, partitions: 1 };
  cluster = await startCluster({ ...place, hosts: 2, edges: 1, nats: 1 });
}, LIMIT_MS);
afterAll(async () => {
  await cluster?.stop();
  await database?.drop();
  await rm(home, { recursive: true, force: true });
}, LIMIT_MS);

test(
  'the number of logs changes though a host dies, and what was told stays true',
  async () => {
    const befell: string[] = [];
    const faults = CHANGES.filter(({ name }) => SHORT.includes(name));
    await runTrial(cluster, {
      shoppers: 6,
      holders: 3,
      buyers: 1,
      first: 0,
      patienceMs: PATIENCE_MS,
      faults,
      hear: ({ fault }) => befell.push(fault),
    });
    expect(befell).toEqual(SHORT);
  },
  LIMIT_MS,
);
