// How much a deployment needs for a load, and what of it gives way first: reckoned, from measured costs of single requests.
import type { CostTable, RequestKind } from './cost.ts';

export interface Wish {
  /** Requests a second at the peak that are no orders. */
  readonly rps: number;
  readonly stores: number;
  /** Orders of a whole day, all stores together. */
  readonly orders: number;
  /** Products of a store. */
  readonly products: number;
  /** Of one machine. */
  readonly cores: number;
  /** Any one machine may be away. Else a load that one machine carries is given one. */
  readonly spare: boolean;
}

type Part = 'edge' | 'services' | 'nats' | 'postgres';

export interface Need {
  readonly part: string;
  readonly count: number;
  /** Processor cores of each. */
  readonly cores: number;
  readonly why: string;
  /** So many requests a second, orders growing with them, and this part has no time left while one of it is away. */
  readonly full_at_rps: number;
  /** The same as a multiple of the load that was asked for. */
  readonly full_at_times: number;
}

export interface CapacityPlan {
  readonly machines: { readonly count: number; readonly why: string };
  readonly needs: readonly Need[];
  readonly partitions: number;
  /** Each with a database of its own, and why there is more than one. */
  readonly deployments: { readonly count: number; readonly why: string };
  readonly orders_per_second: number;
  readonly breaks_first: { readonly part: string; readonly at_rps: number; readonly at_times: number };
  readonly host_memory_gb: number;
  readonly database_gb: number;
  readonly database_gb_a_day: number;
}

/** Of a hundred requests of a shop's day that are no orders. */
const DAY: Readonly<Partial<Record<RequestKind, number>>> = {
  list: 24,
  list_uncached: 6,
  detail: 28,
  detail_uncached: 7,
  search: 15,
  pricing: 5,
  shipping: 5,
  cart: 10,
};
/** Of a day's orders, in its busiest hour. */
const PEAK_HOUR_SHARE = 0.15;
const HOUR_S = 3_600;
/** Beyond this a queue stands at every moment of more than the usual load. */
const BUSY_MAX = 0.6;
const PARTITIONS_A_HOST = 3;
/** The largest machine that a database is given here; one primary takes all writes. */
const POSTGRES_CORES_MAX = 32;
/** What one primary commits does not grow with its cores for ever. */
const POSTGRES_ORDERS_MAX = 5_000;
/** A host has 20 connections; a thousand are as many as a primary serves well. */
const HOSTS_MAX = 50;
/** Stores of which something is asked within an hour, and whose catalogue is in memory. */
const AWAKE_SHARE = 0.2;
const NATS_SERVERS = 3;
/** More than any machines can be asked. */
const RPS_MAX = 1e9;
/** What a host keeps of catalogues and search indexes; beyond that stores are put to sleep that are still asked for. */
const HOST_GB_MAX = 3;
const KB_OF_GB = 1_024 * 1_024;
const MB_OF_GB = 1_024;

interface Load {
  readonly orders: number;
  /** Processor cores that each part takes. */
  readonly cores: Readonly<Record<Part, number>>;
  /** Of catalogues: each host has every store that is awake. */
  readonly awakeGb: number;
}

/** Without what adding fractions adds, which would tip a whole number over into the next. */
const exact = (cores: number): number => Math.round(cores * 1e9) / 1e9;

/** Of one store that is awake, in the memory of a host. */
const storeGb = (products: number, { product_kb }: CostTable['memory']): number => (products * product_kb) / KB_OF_GB;

const loadOf = ({ rps, orders, stores, products }: Wish, { costs, memory }: CostTable): Load => {
  const perSecond = (orders * PEAK_HOUR_SHARE) / HOUR_S;
  const rates = new Map<RequestKind, number>([['order', perSecond]]);
  for (const [kind, share] of Object.entries(DAY)) rates.set(kind as RequestKind, (rps * share) / 100);
  const coresOf = (part: Part): number =>
    exact([...rates].reduce((sum, [kind, rate]) => sum + (rate * costs[kind][`${part}_us`]) / 1_000_000, 0));
  return {
    orders: perSecond,
    cores: {
      edge: coresOf('edge'),
      services: coresOf('services'),
      nats: coresOf('nats'),
      postgres: coresOf('postgres'),
    },
    awakeGb: Math.max(1, stores * AWAKE_SHARE) * storeGb(products, memory),
  };
};

const PARTS: readonly Part[] = ['edge', 'services', 'nats', 'postgres'];
const NAMES: Readonly<Record<Part, string>> = {
  edge: 'edges',
  services: 'services hosts',
  nats: 'NATS servers',
  postgres: 'Postgres machines',
};

const atLeast = (least: number, cores: number): number => Math.max(least, Math.ceil(exact(cores / BUSY_MAX)));
const workOf = (cores: number): string => `${cores.toFixed(2)} cores' work`;
/** A part that has nothing to do is never full. */
const fullAt = ({ rps }: Wish, times: number): Pick<Need, 'full_at_rps' | 'full_at_times'> => {
  const bounded = Math.min(times, RPS_MAX / rps);
  return { full_at_rps: Math.floor(exact(rps * bounded)), full_at_times: Math.floor(bounded * 100) / 100 };
};

const deploymentsOf = ({ cores, orders, awakeGb }: Load): CapacityPlan['deployments'] => {
  const ends: readonly (readonly [number, string])[] = [
    [cores.postgres / BUSY_MAX / POSTGRES_CORES_MAX, `a primary has at most ${POSTGRES_CORES_MAX} cores`],
    [orders / POSTGRES_ORDERS_MAX, `a primary commits at most ${POSTGRES_ORDERS_MAX} orders a second`],
    [(cores.services / BUSY_MAX + 1) / HOSTS_MAX, `a primary serves at most ${HOSTS_MAX} hosts`],
    [awakeGb / HOST_GB_MAX, `a host keeps at most ${HOST_GB_MAX} GB of the stores that are awake`],
  ];
  const [most, why] = ends.reduce((worst, each) => (each[0] > worst[0] ? each : worst));
  const count = Math.max(1, Math.ceil(most));
  return { count, why: count > 1 ? why : 'one Postgres carries it' };
};

/** All of it on one machine, as `npm start` has it: an edge and a services host have a thread each, and share its cores. */
const onOneMachine = (wish: Wish, load: Load): Need[] | null => {
  const { cores: used } = load;
  const all = PARTS.reduce((sum, part) => sum + used[part], 0);
  const carries = Math.max(used.edge, used.services, exact(all / wish.cores)) <= BUSY_MAX;
  if (!carries) return null;
  return PARTS.map((part) => {
    const threaded = part === 'edge' || part === 'services';
    // Its own thread, or the cores that all of them share.
    const busy = Math.max(all / wish.cores, threaded ? used[part] : 0);
    return {
      part: NAMES[part],
      count: 1,
      cores: 1,
      why: `${workOf(used[part])}, beside the others`,
      ...fullAt(wish, 1 / busy),
    };
  });
};

/** Any one of each part may be away in each deployment. */
const spread = (wish: Wish, { cores: used }: Load, deployments: number): Need[] => {
  /** `carrying` cores of all of them, while one is away in each deployment. */
  const need = (part: Part, count: number, cores: number, carrying: number, why: string): Need => ({
    part: NAMES[part],
    count,
    cores,
    why: `${workOf(used[part])}${why}`,
    ...fullAt(wish, carrying / used[part]),
  });
  const threads = (part: 'edge' | 'services'): Need => {
    const busy = atLeast(deployments, used[part]);
    return need(part, busy + deployments, 1, busy, `, a thread each, ${BUSY_MAX * 100} % busy, one more to spare`);
  };
  const nats = atLeast(1, used.nats / deployments);
  const postgres = atLeast(2, used.postgres / deployments);
  return [
    threads('edge'),
    threads('services'),
    need('nats', NATS_SERVERS * deployments, nats, nats * deployments, '; every append is on two of three disks'),
    need('postgres', 2 * deployments, postgres, postgres * deployments, ': a primary, and its standby'),
  ];
};

/** Why no number of deployments carries it, since a store lives in one of them; null where some do. */
export const beyondAnyPlan = (wish: Wish, table: CostTable): string | null => {
  const one = storeGb(wish.products, table.memory);
  if (one > HOST_GB_MAX)
    return `A store of ${wish.products} products takes ${one.toFixed(1)} GB of a host, which keeps at most ${HOST_GB_MAX}.`;
  const { count, why } = deploymentsOf(loadOf(wish, table));
  if (count <= wish.stores) return null;
  return `That takes ${count} deployments (${why}), and ${wish.stores === 1 ? 'one store lives' : `${wish.stores} stores live`} in ${wish.stores} at most.`;
};

export const planCapacity = (wish: Wish, table: CostTable): CapacityPlan => {
  const load = loadOf(wish, table);
  const deployments = deploymentsOf(load);
  const single = deployments.count === 1 && !wish.spare ? onOneMachine(wish, load) : null;
  const needs = single ?? spread(wish, load, deployments.count);
  const [edges, hosts] = needs as [Need, Need];
  const first = needs.toSorted((a, b) => a.full_at_times - b.full_at_times)[0] as Need;
  return {
    machines: single
      ? { count: 1, why: 'all parts on it, as `npm start` has them; while it is away, so is the shop' }
      : {
          count: Math.max(2 * deployments.count, Math.ceil((edges.count + hosts.count) / wish.cores)),
          why: `of ${wish.cores} cores for edges and hosts, beside those of NATS and Postgres`,
        },
    needs,
    partitions: PARTITIONS_A_HOST * hosts.count,
    deployments,
    orders_per_second: load.orders,
    breaks_first: { part: first.part, at_rps: first.full_at_rps, at_times: first.full_at_times },
    host_memory_gb: table.memory.services_mb / MB_OF_GB + load.awakeGb / deployments.count,
    database_gb: (wish.stores * wish.products * table.storage.product_kb) / KB_OF_GB,
    // Carts lapse; what stays is orders.
    database_gb_a_day: (table.costs.order.postgres_bytes * wish.orders) / 1e9,
  };
};
