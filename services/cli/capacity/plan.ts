// How much a deployment needs for a load, and what of it gives way first: reckoned, from measured costs of single requests.
import type { CostTable, RequestCost } from './cost.ts';

export interface Wish {
  /** Requests a second at the peak, orders among them. */
  readonly rps: number;
  readonly stores: number;
  /** Orders of a whole day, all stores together. */
  readonly orders: number;
  /** Products of a store. */
  readonly products: number;
  /** Processor cores of one machine. */
  readonly cores: number;
}

type Part = 'edge' | 'services' | 'nats' | 'postgres';

export interface Need {
  readonly part: string;
  readonly count: number;
  readonly why: string;
  /** So many times the load, and this part is full. */
  readonly fullAtTimes: number;
}

export interface CapacityPlan {
  readonly needs: readonly Need[];
  readonly partitions: number;
  /** Deployments with a database of their own each. */
  readonly deployments: number;
  readonly ordersAtPeak: number;
  /** What breaks first, and at which load. */
  readonly first: { readonly part: string; readonly rps: number };
  readonly databaseGbADay: number;
  readonly hostMemoryGb: number;
}

/** Of a hundred requests of a shop's day that are no orders. */
const DAY: Readonly<Record<string, number>> = { list: 30, detail: 35, search: 15, pricing: 5, shipping: 5, cart: 10 };
/** Of a day's orders, in its busiest hour. */
const PEAK_HOUR_SHARE = 0.15;
const HOUR_S = 3_600;
/** Beyond this a queue stands at every moment of more than the usual load. */
const BUSY_MAX = 0.6;
/** A process of ours has one thread that does the most of it. */
const CORES_A_PROCESS = 1;
const PARTITIONS_A_HOST = 3;
/** The largest machine that a database is given here; one primary takes all writes. */
const POSTGRES_CORES_MAX = 32;
/** Rows are written by statements of all connections: what one primary commits does not grow with its cores for ever. */
const POSTGRES_ORDERS_MAX = 5_000;
/** Stores of which something is asked within an hour, and whose catalogue is in memory. */
const AWAKE_SHARE = 0.2;
const NATS_SERVERS = 3;
const GB_OF_KB = 1_024 * 1_024;

const coresOf = (rates: Readonly<Record<string, number>>, costs: CostTable['costs'], part: Part): number =>
  Object.entries(rates).reduce((sum, [kind, rate]) => {
    const cost = costs[kind] as RequestCost;
    return sum + (rate * cost[`${part}_us`]) / 1_000_000;
  }, 0);

/** Requests a second by kind. */
const ratesOf = ({ rps, orders }: Wish) => {
  const order = Math.min(rps, (orders * PEAK_HOUR_SHARE) / HOUR_S);
  const rates: Record<string, number> = { order };
  for (const [kind, share] of Object.entries(DAY)) rates[kind] = ((rps - order) * share) / 100;
  return rates;
};

const times = (room: number, used: number): number => (used > 0 ? room / used : Number.POSITIVE_INFINITY);

export const planCapacity = (wish: Wish, { costs, memory }: CostTable): CapacityPlan => {
  const rates = ratesOf(wish);
  const used = (part: Part): number => coresOf(rates, costs, part);
  // One more of each of ours, so that one may be away.
  const edges = Math.max(2, Math.ceil(used('edge') / BUSY_MAX) + 1);
  const hosts = Math.max(2, Math.ceil(used('services') / BUSY_MAX) + 1);
  const postgresCores = Math.max(2, Math.ceil(used('postgres') / BUSY_MAX));
  const order = rates.order as number;
  const deployments = Math.max(
    1,
    Math.ceil(postgresCores / POSTGRES_CORES_MAX),
    Math.ceil(order / POSTGRES_ORDERS_MAX),
  );
  const natsCores = Math.max(1, Math.ceil(used('nats') / BUSY_MAX));
  const room = (count: number): number => (count - 1) * CORES_A_PROCESS * BUSY_MAX;
  const needs: Need[] = [
    {
      part: 'edges',
      count: edges,
      why: `${used('edge').toFixed(2)} cores, of one thread each, ${BUSY_MAX * 100} % busy, and one to spare`,
      fullAtTimes: times(room(edges), used('edge')),
    },
    {
      part: 'services hosts',
      count: hosts,
      why: `${used('services').toFixed(2)} cores, likewise`,
      fullAtTimes: times(room(hosts), used('services')),
    },
    {
      part: 'NATS servers',
      count: NATS_SERVERS * deployments,
      why: `of ${Math.ceil(natsCores / deployments)} cores each: every append is on two of three disks`,
      fullAtTimes: times(natsCores * BUSY_MAX, used('nats')),
    },
    {
      part: 'Postgres machines',
      count: 2 * deployments,
      why: `a primary of ${Math.ceil(postgresCores / deployments)} cores and its standby in each deployment`,
      fullAtTimes: times(postgresCores * BUSY_MAX, used('postgres')),
    },
  ];
  const [first] = needs.toSorted((a, b) => a.fullAtTimes - b.fullAtTimes) as [Need];
  const machineShare = (edges + hosts) / wish.cores;
  return {
    needs: [
      ...needs,
      {
        part: 'machines for edges and hosts',
        count: Math.max(2, Math.ceil(machineShare)),
        why: `of ${wish.cores} cores, a process to a core`,
        fullAtTimes: Number.POSITIVE_INFINITY,
      },
    ],
    partitions: PARTITIONS_A_HOST * hosts,
    deployments,
    ordersAtPeak: order,
    first: { part: first.part, rps: Math.floor(Math.max(wish.rps, 1) * first.fullAtTimes) },
    // Carts lapse; what stays is orders.
    databaseGbADay: ((costs.order as RequestCost).postgres_bytes * wish.orders) / 1e9,
    hostMemoryGb:
      memory.services_mb / 1_024 + (wish.stores * AWAKE_SHARE * wish.products * memory.product_kb) / GB_OF_KB,
  };
};
