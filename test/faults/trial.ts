// A trial: shoppers fill carts through two edges while one fault after another befalls the cluster; then everybody is
// asked what is left of what they were told.
import { sendTo } from '#test/support/stoa.ts';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';
import type { Fault } from './fault.ts';
import { Broken, type Outcome, type Shop, Shopper } from './shopper.ts';

export interface TrialOptions {
  readonly cluster: ClusterOptions;
  readonly shoppers: number;
  readonly faults: readonly Fault[];
  /** Which of the hosts, edges and servers the first fault befalls; the next one befalls the next. */
  readonly first: number;
  /** Hears how each fault ended. */
  readonly hear: (report: FaultReport) => void;
}

export interface FaultReport {
  readonly fault: string;
  /** From its beginning until every shopper had a write acknowledged that was asked for after it began. */
  readonly everybody_served_ms: number;
  /** The longest wait for any answer. */
  readonly slowest_ms: number;
  readonly done: number;
  readonly unavailable: number;
  readonly unknown: number;
  readonly lost: number;
}

const PRICE = 10;
const STOCK = 1_000_000;
/** Before the first fault. */
const CALM_MS = 500;
const SERVED_MS_MAX = 30_000;

const openShop = async (cluster: Cluster): Promise<Shop> => {
  const keys = await cluster.createStore();
  const url = cluster.edges[0]!.address;
  const made = await sendTo(url, 'POST', '/v1/products', {
    key: keys.secret_key,
    body: { name: 'Lamp', price: PRICE, stock: STOCK },
  });
  if (made.status !== 201) throw new Error(`No product was made: ${made.status} ${made.text}`);
  return { cluster, key: keys.publishable_key, variantId: made.body.variant_id, productId: made.body.id };
};

/** Waits until each has a write acknowledged that was asked for after the fault. */
const served = async (shoppers: readonly Shopper[], since: number): Promise<number> => {
  for (const until = performance.now() + SERVED_MS_MAX; performance.now() < until; await Bun.sleep(10)) {
    for (const { problem } of shoppers) if (problem) throw problem;
    const firsts = shoppers.map(({ answers }) =>
      answers.find(({ kind, outcome, askedAt }) => kind === 'write' && outcome === 'done' && askedAt >= since),
    );
    if (firsts.every((first) => first !== undefined))
      return Math.max(...firsts.map((first) => first!.askedAt + first!.tookMs)) - since;
  }
  throw new Broken(`Somebody is not served ${SERVED_MS_MAX} ms after the fault.`);
};

const report = (fault: string, shoppers: readonly Shopper[], since: number, servedMs: number): FaultReport => {
  const answers = shoppers.flatMap(({ answers: own }) =>
    own.filter(({ askedAt, tookMs }) => askedAt + tookMs >= since),
  );
  const count = (wanted: Outcome): number => answers.filter(({ outcome }) => outcome === wanted).length;
  return {
    fault,
    everybody_served_ms: Math.round(servedMs),
    slowest_ms: Math.round(Math.max(0, ...answers.map(({ tookMs }) => tookMs))),
    done: count('done'),
    unavailable: count('unavailable'),
    unknown: count('unknown'),
    lost: count('lost'),
  };
};

/** Throws where a promise was broken. */
export const tryFaults = async ({
  cluster: wanted,
  shoppers: count,
  faults,
  first,
  hear,
}: TrialOptions): Promise<void> => {
  const cluster = await startCluster(wanted);
  try {
    const shop = await openShop(cluster);
    const shoppers = Array.from({ length: count }, (_, at) => new Shopper(shop, at, at % 2 === 0));
    for (const shopper of shoppers) shopper.start();
    await served(shoppers, performance.now());
    await Bun.sleep(CALM_MS);
    let turn = first;
    for (const fault of faults) {
      const since = performance.now();
      await fault.run(cluster, turn++);
      hear(report(fault.name, shoppers, since, await served(shoppers, since)));
    }
    await Promise.all(shoppers.map((shopper) => shopper.stop()));
    const live = await Promise.all(shoppers.map((shopper) => shopper.judge()));
    // What the log and the snapshots make of it is what was served.
    await Promise.all(cluster.hosts.map((host) => host.kill()));
    await Promise.all(cluster.hosts.map((host) => host.start()));
    const again = await Promise.all(shoppers.map((shopper) => shopper.pieces()));
    shoppers.forEach(({ session }, at) => {
      if (live[at] !== again[at])
        throw new Broken(`The cart ${session} held ${live[at]} pieces and holds ${again[at]} once it was read back.`);
    });
  } finally {
    await cluster.stop();
  }
};
