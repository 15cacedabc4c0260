// Computes the machines that a load needs and the part that is exhausted first, from measured costs per request.
import type { CostTable, RequestKind } from './cost.ts';

export interface CapacityLoad {
  readonly rps: number;
  readonly stores: number;
  /** Orders per day, of all stores together; products per store. */
  readonly orders: number;
  readonly products: number;
  readonly cores: number;
  /** Whether the system must survive the loss of any one machine; if not, a small load gets one machine. */
  readonly spare: boolean;
}

type Part = 'edge' | 'services' | 'nats' | 'postgres';

export interface Need {
  readonly part: string;
  readonly count: number;
  readonly cores: number;
  readonly why: string;
  /** Request rate at which this part is exhausted while one of its processes is down; orders grow in proportion. */
  readonly full_at_rps: number;
  readonly full_at_times: number;
}

export interface CapacityPlan {
  readonly machines: { readonly count: number; readonly why: string };
  readonly needs: readonly Need[];
  readonly partitions: number;
  /** Number of deployments, each with a separate database, and why one is not enough. */
  readonly deployments: { readonly count: number; readonly why: string };
  readonly orders_per_second: number;
  readonly breaks_first: { readonly part: string; readonly at_rps: number; readonly at_times: number };
  readonly host_memory_gb: number;
  readonly database_gb: number;
  readonly database_gb_a_day: number;
}

/** Percentage of each kind of request in a shop's traffic, orders excluded. */
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
const PEAK_HOUR_SHARE = 0.15;
const HOUR_S = 3_600;
/** Utilisation up to which queues stay short. */
const BUSY_MAX = 0.6;
const PARTITIONS_A_HOST = 3;
/**
 * The largest database machine: one primary takes all writes, and from this many orders per second more cores no
 * longer help it.
 */
const POSTGRES_CORES_MAX = 32;
const POSTGRES_ORDERS_MAX = 5_000;
/** Hosts per primary: each host has 20 connections, and a primary serves about a thousand well. */
const HOSTS_MAX = 50;
/** Share of stores that get requests within an hour; their catalogues are in memory. */
const AWAKE_SHARE = 0.2;
const NATS_SERVERS = 3;
const RPS_MAX = 1e9;
/** GB of a host's memory for catalogues and indexes; beyond that, hosts evict stores. */
const HOST_GB_MAX = 3;
const KB_OF_GB = 1_024 * 1_024;
const MB_OF_GB = 1_024;

interface Usage {
  readonly orders: number;
  readonly cores: Readonly<Record<Part, number>>;
  /** GB of catalogues in each host's memory: every host holds every active store. */
  readonly awakeGb: number;
}

/** Removes floating-point noise, which would make `Math.ceil` round up a whole number. */
const exact = (cores: number): number => Math.round(cores * 1e9) / 1e9;

const storeGb = (products: number, { product_kb }: CostTable['memory']): number => (products * product_kb) / KB_OF_GB;

const usageOf = ({ rps, orders, stores, products }: CapacityLoad, { costs, memory }: CostTable): Usage => {
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
const fullAt = ({ rps }: CapacityLoad, times: number): Pick<Need, 'full_at_rps' | 'full_at_times'> => {
  const bounded = Math.min(times, RPS_MAX / rps);
  return { full_at_rps: Math.floor(exact(rps * bounded)), full_at_times: Math.floor(bounded * 100) / 100 };
};

const deploymentsOf = ({ cores, orders, awakeGb }: Usage): CapacityPlan['deployments'] => {
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

/**
 * Returns the parts of a single machine, as `npm start` runs them; null if one machine is too small. The edge and the
 * services host use a thread each; all parts share the cores.
 */
const onOneMachine = (load: CapacityLoad, { cores: used }: Usage): Need[] | null => {
  const all = PARTS.reduce((sum, part) => sum + used[part], 0);
  const carries = Math.max(used.edge, used.services, exact(all / load.cores)) <= BUSY_MAX;
  if (!carries) return null;
  return PARTS.map((part) => {
    const threaded = part === 'edge' || part === 'services';
    const busy = Math.max(all / load.cores, threaded ? used[part] : 0);
    return {
      part: NAMES[part],
      count: 1,
      cores: 1,
      why: `${workOf(used[part])}, beside the others`,
      ...fullAt(load, 1 / busy),
    };
  });
};

/** Returns the parts of each deployment, which survives the loss of any one of them. */
const spread = (load: CapacityLoad, { cores: used }: Usage, deployments: number): Need[] => {
  const need = (part: Part, count: number, cores: number, carrying: number, why: string): Need => ({
    part: NAMES[part],
    count,
    cores,
    why: `${workOf(used[part])}${why}`,
    ...fullAt(load, carrying / used[part]),
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

/**
 * Explains why no number of deployments can carry the load, because a store cannot be divided between two; null if some
 * number can.
 */
export const beyondAnyPlan = (load: CapacityLoad, table: CostTable): string | null => {
  const one = storeGb(load.products, table.memory);
  if (one > HOST_GB_MAX)
    return `A store of ${load.products} products takes ${one.toFixed(1)} GB of a host’s memory, at most ${HOST_GB_MAX} GB are used. Plan with fewer products.`;
  const { count, why } = deploymentsOf(usageOf(load, table));
  if (count <= load.stores) return null;
  return `That takes ${count} deployments (${why}), and ${load.stores === 1 ? 'one store lives' : `${load.stores} stores live`} in ${load.stores} at most.`;
};

export const planCapacity = (load: CapacityLoad, table: CostTable): CapacityPlan => {
  const usage = usageOf(load, table);
  const deployments = deploymentsOf(usage);
  const single = deployments.count === 1 && !load.spare ? onOneMachine(load, usage) : null;
  const needs = single ?? spread(load, usage, deployments.count);
  const [edges, hosts] = needs as [Need, Need];
  const first = needs.toSorted((a, b) => a.full_at_times - b.full_at_times)[0] as Need;
  return {
    machines: single
      ? { count: 1, why: 'all parts on it, as `npm start` has them; while it is away, so is the shop' }
      : {
          count: Math.max(2 * deployments.count, Math.ceil((edges.count + hosts.count) / load.cores)),
          why: `of ${load.cores} cores for edges and hosts, beside those of NATS and Postgres`,
        },
    needs,
    partitions: PARTITIONS_A_HOST * hosts.count,
    deployments,
    orders_per_second: usage.orders,
    breaks_first: { part: first.part, at_rps: first.full_at_rps, at_times: first.full_at_times },
    host_memory_gb: table.memory.services_mb / MB_OF_GB + usage.awakeGb / deployments.count,
    database_gb: (load.stores * load.products * table.storage.product_kb) / KB_OF_GB,
    // Counts only orders, because carts are deleted.
    database_gb_a_day: (table.costs.order.postgres_bytes * load.orders) / 1e9,
  };
};
