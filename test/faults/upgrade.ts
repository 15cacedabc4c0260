// The release before beside this one, under load: its hosts and edges are replaced one at a time by this checkout's, services
// first and then edges first, and back each time. No request fails, and every acknowledged write is there.
//
// Usage: npm run upgrade -- [--from REF] [--keep]
// REF is a tag, a branch or a commit, the baseline of the migrations or later; by default the newest tag `v…`, else the baseline.
import { cpSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '#services/cli/local/postgres.ts';
import { eventually, openPostgres } from '#test/support/server.ts';
import { type Cluster, type Member, startCluster } from './cluster.ts';
import { openTrialStore } from './trial.ts';
import { Balancer, follow, Visitor } from './visitor.ts';

const PATIENCE_MS = 60_000;
const DRAIN_S = 2;
const VISITORS = 6;
/** Each has so many requests answered while both releases serve. */
const REQUESTS_BESIDE = 40;

const git = (...args: string[]): string => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['git', ...args]);
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.toString().trim();
};

const { values } = parseArgs({ options: { from: { type: 'string' }, keep: { type: 'boolean', default: false } } });
/** The baseline has the numbers below 0030. No migration leads here from a commit before its last change. */
const BASELINE_FILES = ['migrations/000*', 'migrations/001*', 'migrations/002*'];
const baseline = git('log', '--format=%H', '--max-count=1', '--', ...BASELINE_FILES);
const from = values.from ?? (git('tag', '--list', 'v*', '--sort=-v:refname').split('\n')[0] || baseline);
if (!baseline || Bun.spawnSync(['git', 'merge-base', '--is-ancestor', baseline, from]).exitCode !== 0) {
  process.stderr.write(
    `${from || 'This history'} does not have the baseline of the migrations, which ${baseline || 'no commit'} has: ` +
      'name that commit or a later one, npm run upgrade -- --from REF\n',
  );
  process.exit(1);
}

/** That release as it was, with its own packages where they are not this one's. */
const checkOut = (ref: string, folder: string): void => {
  git('worktree', 'add', '--detach', '--force', folder, ref);
  const same = readFileSync(join(folder, 'bun.lock'), 'utf8') === readFileSync('bun.lock', 'utf8');
  if (same) {
    cpSync('node_modules', join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    return;
  }
  const installed = Bun.spawnSync([process.execPath, 'install', '--frozen-lockfile'], { cwd: folder });
  if (installed.exitCode !== 0) throw new Error(`The packages of ${ref} are not installed: ${installed.stderr}`);
};

const tell = (what: object): void => void process.stdout.write(`${JSON.stringify(what)}\n`);

/** Ends each member and starts it from the other folder, while visitors continue. */
const replace = async (
  members: readonly Member[],
  folder: string,
  { balancer, visitors }: { readonly balancer: Balancer; readonly visitors: readonly Visitor[] },
): Promise<void> => {
  for (const member of members) {
    await member.stop();
    member.moveTo(folder);
    await member.start();
    await eventually(() => {
      if (balancer.well < 2) throw new Error(`After ${member.name} was replaced ${balancer.well} edges are well.`);
    }, PATIENCE_MS);
    const before = visitors.map(({ requests }) => requests);
    await eventually(() => {
      const slow = visitors.some(({ requests }, at) => requests < before[at]! + REQUESTS_BESIDE);
      if (slow) throw new Error(`After ${member.name} was replaced a visitor is not served.`);
    }, PATIENCE_MS);
  }
};

const home = await mkdtemp(join(tmpdir(), 'stoa-upgrade-'));
const before = join(home, 'before');
const now = process.cwd();
const postgres = await startPostgres({ home, log: () => {} });
let cluster: Cluster | null = null;
let failed = false;
try {
  checkOut(from, before);
  cluster = await startCluster({
    home: join(home, 'cluster'),
    databaseUrl: postgres.url,
    hosts: 2,
    edges: 2,
    nats: 1,
    drainSeconds: DRAIN_S,
    folder: before,
  });
  const { hosts, edges } = cluster;
  const { keys, shop } = await openTrialStore(cluster, PATIENCE_MS);
  const balancer = new Balancer(edges);
  await eventually(() => {
    if (balancer.well < 2) throw new Error('The edges of the release before are not well.');
  }, PATIENCE_MS);
  const visitors = Array.from(
    { length: VISITORS },
    () => new Visitor(balancer, keys, shop.variantId, { anyRelease: true }),
  );
  const follower = follow(balancer, keys);
  const failures = () => [...visitors.flatMap((visitor) => visitor.failures), ...follower.failures];
  const steps = [
    ['services to this release, edges of the one before', hosts, now],
    ['edges to this release', edges, now],
    ['services back, edges of this release', hosts, before],
    ['edges back', edges, before],
    ['edges to this release, services of the one before', edges, now],
    ['services to this release', hosts, now],
    ['edges back, services of this release', edges, before],
    ['services back', hosts, before],
  ] as const;
  for (const [step, members, folder] of steps) {
    const counted = failures().length;
    await replace(members, folder, { balancer, visitors });
    const since = failures().slice(counted);
    failed ||= since.length > 0;
    tell({ upgrade: step, requests: visitors.reduce((sum, { requests }) => sum + requests, 0), failures: since });
  }
  await Promise.all([...visitors, follower].map((each) => each.stop()));
  balancer.stop();
  const orders = visitors.reduce((sum, visitor) => sum + visitor.orders, 0);
  const database = openPostgres(postgres.url);
  const [books] = await database.sql<[{ placed: number; sum: number }]>`
    select (select count(*) from orders.order where store = ${keys.store_id})::int as placed,
      (select coalesce(sum(amount), 0) from ledger.entry where store = ${keys.store_id})::int as sum`;
  await database.close();
  const carts = await Promise.all(
    visitors.map(async (visitor) => ({ acknowledged: visitor.pieces, held: await visitor.inCart() })),
  );
  const lost = carts.filter(({ acknowledged, held }) => acknowledged !== held);
  failed ||= lost.length > 0 || books.placed !== orders || books.sum !== 0;
  tell({
    upgrade: 'end',
    orders_acknowledged: orders,
    orders_placed: books.placed,
    books: books.sum,
    carts_astray: lost,
    failed,
  });
} finally {
  await cluster?.stop();
  await postgres.stop();
  git('worktree', 'remove', '--force', before);
  if (values.keep) process.stderr.write(`Logs are in ${home}.\n`);
  else await rm(home, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
