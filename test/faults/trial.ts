// A trial: shoppers fill carts, buyers order through the edges, and holders hold stock, during one fault after another.
// Afterwards all compare the system with their answers.
import type { Tenant } from '#runtime/call/call.ts';
import { type Keys, sendTo } from '#test/support/stoa.ts';
import { BrokenPromise } from './broken_promise.ts';
import { Buyer, type BuyerTarget, ordersSettled } from './buyer.ts';
import type { Cluster } from './cluster.ts';
import type { Fault } from './fault.ts';
import { Claims, Holder, SCARCE, type Seller } from './holder.ts';
import { type Answered, type Outcome, type Shop, Shopper } from './shopper.ts';

export interface TrialOptions {
  readonly shoppers: number;
  readonly holders: number;
  readonly buyers: number;
  readonly faults: readonly Fault[];
  /** Which of the hosts, edges and servers the first fault befalls; the next one befalls the next. */
  readonly first: number;
  readonly patienceMs: number;
  /** Hears how each fault ended. */
  readonly hear: (report: FaultReport) => void;
}

export interface FaultReport {
  readonly fault: string;
  /** From its beginning until every shopper had a write acknowledged that was asked for after it began. */
  readonly everybody_served_ms: number;
  /** The longest time without any acknowledged write. */
  readonly stopped_ms: number;
  /** The longest wait for any answer. */
  readonly slowest_ms: number;
  readonly done: number;
  readonly unavailable: number;
  readonly unknown: number;
  readonly lost: number;
}

/** Acknowledged writes, and the verified ones. */
export interface Acknowledged {
  readonly pieces: number;
  readonly holds: number;
  readonly orders: number;
}

const PRICE = 10;
const AMPLE = 1_000_000;
/** Before the first fault. */
const CALM_MS = 500;
const SERVED_MS_MAX = 180_000;
/** Holds that are left alone expire long before. */
const SETTLED_MS_MAX = 180_000;

export interface TrialStore {
  readonly keys: Keys;
  readonly shop: Shop;
  readonly seller: Seller;
  readonly buyerTarget: BuyerTarget;
}

export const openTrialStore = async (cluster: Cluster, patienceMs: number): Promise<TrialStore> => {
  const keys = await cluster.createStore();
  const url = cluster.edges[0]!.address;
  const make = async (name: string, stock: number): Promise<{ id: string; variant_id: string }> => {
    const made = await sendTo(url, 'POST', '/v1/products', {
      key: keys.secret_key,
      body: { name, price: PRICE, stock, shipping_info: { requires_shipping: false } },
    });
    if (made.status !== 201) throw new Error(`No product was made: ${made.status} ${made.text}`);
    return made.body;
  };
  const lamp = await make('Lamp', AMPLE);
  const tenant: Tenant = { store: keys.store_id, environment: 'production' };
  const [ample, scarce] = [await make('Candle', AMPLE), await make('Chandelier', SCARCE)];
  const key = keys.publishable_key;
  return {
    keys,
    shop: { cluster, key, patienceMs, variantId: lamp.variant_id, productId: lamp.id },
    seller: { cluster, tenant, ample: ample.variant_id, scarce: scarce.variant_id },
    buyerTarget: { cluster, keys, variantId: lamp.variant_id },
  };
};

interface Crowd {
  readonly shoppers: readonly Shopper[];
  readonly holders: readonly Holder[];
  readonly buyers: readonly Buyer[];
}

/** Waits until each has had something done that was asked for after the fault. */
const served = async ({ shoppers, holders, buyers }: Crowd, since: number): Promise<number> => {
  const others = [...holders, ...buyers];
  const before = others.map(({ done }) => done);
  for (const until = performance.now() + SERVED_MS_MAX; performance.now() < until; await Bun.sleep(10)) {
    for (const { problem } of [...shoppers, ...others]) if (problem) throw problem;
    const firsts = shoppers.map(({ answers }) =>
      answers.find(({ kind, outcome, askedAt }) => kind === 'write' && outcome === 'done' && askedAt >= since),
    );
    // The first that ends was begun before.
    const well = others.every(({ done }, at) => done >= before[at]! + 2);
    if (well && firsts.every((first) => first !== undefined))
      return Math.max(0, ...firsts.map((first) => first!.askedAt + first!.tookMs - since));
  }
  throw new BrokenPromise(`A caller is not served ${SERVED_MS_MAX} ms after the fault.`);
};

const longestGap = (answers: readonly Answered[], since: number): number => {
  const done = answers.filter(({ kind, outcome }) => kind === 'write' && outcome === 'done');
  const ends = [since, ...done.map(({ askedAt, tookMs }) => askedAt + tookMs)].toSorted((a, b) => a - b);
  return Math.max(0, ...ends.map((end, at) => end - (ends[at - 1] ?? end)));
};

const report = (fault: string, { shoppers }: Crowd, since: number, servedMs: number): FaultReport => {
  const answers = shoppers.flatMap(({ answers: own }) =>
    own.filter(({ askedAt, tookMs }) => askedAt + tookMs >= since),
  );
  const count = (wanted: Outcome): number => answers.filter(({ outcome }) => outcome === wanted).length;
  return {
    fault,
    everybody_served_ms: Math.round(servedMs),
    stopped_ms: Math.round(longestGap(answers, since)),
    slowest_ms: Math.round(Math.max(0, ...answers.map(({ tookMs }) => tookMs))),
    done: count('done'),
    unavailable: count('unavailable'),
    unknown: count('unknown'),
    lost: count('lost'),
  };
};

/** Short holds are gone, long ones complete: neither more nor less. */
const holdsSettled = async ({ seller }: TrialStore, holders: readonly Holder[]): Promise<void> => {
  const asker = holders[0];
  if (!asker) return;
  const retained = holders.reduce((sum, holder) => sum + holder.retained, 0);
  for (const [variantId, wanted, onHand] of [
    [seller.ample, retained, AMPLE],
    [seller.scarce, 0, SCARCE],
  ] as const)
    for (const until = performance.now() + SETTLED_MS_MAX; ; await Bun.sleep(100)) {
      const { held, available } = await asker.look(variantId);
      if (held < wanted) throw new BrokenPromise(`Of ${wanted} retained holds ${held} exist.`);
      if (held === wanted && available === onHand - wanted) break;
      if (performance.now() > until)
        throw new BrokenPromise(
          `${held} pieces are held and ${available} left; ${wanted} of ${onHand} should be held.`,
        );
    }
};

/** Throws where a promise was broken. */
export const runTrial = async (
  cluster: Cluster,
  { faults, first, patienceMs, hear, ...count }: TrialOptions,
): Promise<Acknowledged> => {
  const place = await openTrialStore(cluster, patienceMs);
  const claims = new Claims();
  const shoppers = Array.from({ length: count.shoppers }, (_, at) => new Shopper(place.shop, at, at % 2 === 0));
  const holders = Array.from({ length: count.holders }, (_, at) => new Holder(place.seller, at, claims));
  const buyers = Array.from({ length: count.buyers }, (_, at) => new Buyer(place.buyerTarget, at));
  const crowd = { shoppers, holders, buyers };
  const all = [...shoppers, ...holders, ...buyers];
  try {
    for (const each of all) each.start();
    await served(crowd, performance.now());
    await Bun.sleep(CALM_MS);
    let turn = first;
    for (const fault of faults) {
      const since = performance.now();
      await fault.run(cluster, turn++);
      hear(report(fault.name, crowd, since, await served(crowd, since)));
    }
    await Promise.all(all.map((each) => each.stop()));
    const live = await Promise.all(shoppers.map((shopper) => shopper.judge()));
    await holdsSettled(place, holders);
    await ordersSettled(place.buyerTarget, buyers);
    // The log and the snapshots give the same state as the served one.
    await Promise.all(cluster.hosts.map((host) => host.kill()));
    await Promise.all(cluster.hosts.map((host) => host.start()));
    const again = await Promise.all(shoppers.map((shopper) => shopper.pieces()));
    shoppers.forEach(({ session }, at) => {
      if (live[at] !== again[at])
        throw new BrokenPromise(
          `The cart ${session} held ${live[at]} pieces and holds ${again[at]} once it was read back.`,
        );
    });
    await holdsSettled(place, holders);
    await ordersSettled(place.buyerTarget, buyers);
    await Promise.all(holders.map((holder) => holder.releaseAll()));
    await holdsSettled(place, holders);
    const sum = (members: readonly { readonly done: number }[]): number =>
      members.reduce((total, { done }) => total + done, 0);
    return { pieces: live.reduce((total, pieces) => total + pieces, 0), holds: sum(holders), orders: sum(buyers) };
  } finally {
    for (const holder of holders) holder.close();
    await Promise.allSettled([...shoppers, ...buyers].map((each) => each.stop()));
  }
};
