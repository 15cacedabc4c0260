// Plans the machines for a load from round costs, and checks that the committed cost table is usable.
import { describe, expect, test } from 'vitest';
import { COSTS, type CostTable, type RequestCost } from '#services/cli/capacity/cost.ts';
import { beyondAnyPlan, type CapacityLoad, type CapacityPlan, planCapacity } from '#services/cli/capacity/plan.ts';

const cost: RequestCost = {
  edge_us: 100,
  services_us: 200,
  nats_us: 20,
  postgres_us: 50,
  postgres_bytes: 1_000,
  per_second: 1_000,
};
const every = (each: RequestCost): CostTable['costs'] => ({
  list: each,
  list_uncached: each,
  detail: each,
  detail_uncached: each,
  search: each,
  pricing: each,
  shipping: each,
  cart: each,
  order: each,
});
const table: CostTable = {
  machine: { processor: 'a processor', cores: 2 },
  at: '2026-01-01T00:00:00.000Z',
  made_by: 'hand',
  memory: { edge_mb: 100, services_mb: 200, product_kb: 1 },
  storage: { product_kb: 4 },
  costs: every(cost),
};
const small: CapacityLoad = { rps: 1_000, stores: 1, orders: 0, products: 200, cores: 8, spare: false };
const planOf = (asked: Partial<CapacityLoad>, costs = table): CapacityPlan =>
  planCapacity({ ...small, ...asked }, costs);
const countOf = ({ needs }: CapacityPlan, part: string): number => needs.find((need) => need.part === part)!.count;
const countsOf = (plan: CapacityPlan): number[] => [
  plan.machines.count,
  countOf(plan, 'edges'),
  countOf(plan, 'services hosts'),
  countOf(plan, 'NATS servers'),
  countOf(plan, 'Postgres machines'),
  plan.partitions,
  plan.deployments.count,
];

describe('a plan', () => {
  test.each<[asked: Partial<CapacityLoad>, counts: number[]]>([
    // machines, edges, hosts, NATS, Postgres, partitions, deployments
    [{ rps: 1 }, [1, 1, 1, 1, 1, 3, 1]],
    [{ rps: 3_000 }, [1, 1, 1, 1, 1, 3, 1]],
    // Edge, host, broker and database are more than one core does.
    [{ rps: 3_000, cores: 1 }, [4, 2, 2, 3, 2, 6, 1]],
    [{ rps: 1, spare: true }, [2, 2, 2, 3, 2, 6, 1]],
    // A host's one thread is 60 % busy.
    [{ rps: 3_001 }, [2, 2, 3, 3, 2, 9, 1]],
    [{ rps: 60_000 }, [4, 11, 21, 3, 2, 63, 1]],
    // Twelve million orders a day: 500 a second in the busiest hour.
    [{ rps: 1_000, orders: 12_000_000 }, [1, 1, 1, 1, 1, 3, 1]],
    // Ten thousand a second, which two primaries commit.
    [{ rps: 1_000, orders: 240_000_000 }, [4, 4, 6, 6, 4, 18, 2]],
  ])('for %j has %j', (asked, counts) => {
    expect(countsOf(planOf(asked))).toEqual(counts);
  });

  test.each<[dearest: string, dear: Partial<RequestCost>]>([
    ['edges', { edge_us: 10_000 }],
    ['services hosts', { services_us: 10_000 }],
    ['NATS servers', { nats_us: 10_000 }],
    ['Postgres machines', { postgres_us: 10_000 }],
  ])('says that the %s break first where their work fills them', (dearest, dear) => {
    // One busy core of each: the others have next to nothing to do.
    const bare = { edge_us: 1, services_us: 1, nats_us: 1, postgres_us: 1 };
    const plan = planOf({ rps: 120, spare: true }, { ...table, costs: every({ ...cost, ...bare, ...dear }) });
    expect(plan.breaks_first.part).toBe(dearest);
    expect(plan.breaks_first.at_rps).toBe(200);
  });

  test('breaks at a load from which it is some way off', () => {
    for (const rps of [1, 100, 1_000, 3_000, 10_000, 1_000_000]) {
      const { breaks_first, needs } = planOf({ rps });
      expect(breaks_first.at_rps).toBeGreaterThanOrEqual(Math.floor(rps / 0.6));
      expect(breaks_first.at_rps).toBe(Math.min(...needs.map(({ full_at_rps }) => full_at_rps)));
    }
  });

  test.each<[why: RegExp, asked: Partial<CapacityLoad>, deployments: number]>([
    [/carries it/, { rps: 100_000, orders: 1_000_000 }, 1],
    [/cores/, { rps: 1_000_000 }, 3],
    [/orders/, { orders: 360_000_000 }, 3],
    [/hosts/, { rps: 200_000 }, 2],
    [/GB/, { stores: 100_000 }, 2],
  ])('spreads stores over deployments where one ends: %s', (why, asked, deployments) => {
    const costs = asked.rps === 1_000_000 ? { ...table, costs: every({ ...cost, services_us: 1 }) } : table;
    const plan = planOf(asked, costs);
    expect(plan.deployments.count).toBe(deployments);
    expect(plan.deployments.why).toMatch(why);
    if (deployments > 1) expect(countOf(plan, 'Postgres machines')).toBe(2 * deployments);
  });

  test.each<[input: keyof CapacityLoad, steps: readonly number[]]>([
    ['rps', [1, 10, 100, 1_000, 3_000, 3_001, 10_000, 49_999, 200_000, 1_000_000, 9_999_999]],
    ['stores', [1, 10, 1_000, 10_000, 79_000, 100_000, 1_000_000]],
    ['orders', [0, 1, 1_000, 1_000_000, 9_000_000, 100_000_000, 360_000_000, 1_000_000_000]],
    ['products', [1, 200, 10_000, 1_000_000, 100_000_000]],
  ])('never has less for more %s', (input, steps) => {
    for (const costs of [table, COSTS])
      for (const spare of [false, true]) {
        let before: CapacityPlan | null = null;
        for (const step of steps) {
          const plan = planOf({ rps: 2_000, orders: 10_000, stores: 50, [input]: step, spare }, costs);
          const last = before && countsOf(before);
          for (const [at, count] of countsOf(plan).entries()) expect(count).toBeGreaterThanOrEqual(last?.[at] ?? 1);
          for (const figure of ['host_memory_gb', 'database_gb', 'database_gb_a_day', 'orders_per_second'] as const)
            if (figure !== 'host_memory_gb' || plan.deployments.count === before?.deployments.count)
              expect(plan[figure]).toBeGreaterThanOrEqual(before?.[figure] ?? 0);
          before = plan;
        }
      }
  });

  test.each<[asked: Partial<CapacityLoad>, why: RegExp | null]>([
    [{ products: 3_000_000 }, null],
    [
      { products: 4_000_000 },
      /^A store of 4000000 products takes 3.8 GB of a host’s memory, at most 3 GB are used. Plan with fewer products.$/,
    ],
    [{ orders: 360_000_000 }, /^That takes 3 deployments \(.*\), and one store lives in 1 at most.$/],
    [{ orders: 360_000_000, stores: 2 }, /^That takes 3 deployments \(.*\), and 2 stores live in 2 at most.$/],
    [{ orders: 360_000_000, stores: 3 }, null],
  ])('is not made for what no number of deployments carries: %j', (asked, why) => {
    const message = beyondAnyPlan({ ...small, ...asked }, table);
    if (why) expect(message).toMatch(why);
    else expect(message).toBeNull();
  });

  test('counts one store at least as awake, and a host’s own memory in each deployment', () => {
    const gb = (kb: number): number => kb / 1_024 / 1_024;
    expect(planOf({ products: 1_000_000 }).host_memory_gb).toBeCloseTo(200 / 1_024 + gb(1_000_000));
    const two = planOf({ stores: 100_000 });
    expect(two.host_memory_gb).toBeCloseTo(200 / 1_024 + gb(100_000 * 0.2 * 200) / two.deployments.count);
  });

  test('never has more machines for more cores in each', () => {
    let before = Number.POSITIVE_INFINITY;
    for (const cores of [1, 2, 4, 8, 64]) {
      const { count } = planOf({ rps: 20_000, cores }).machines;
      expect(count).toBeLessThanOrEqual(before);
      before = count;
    }
  });
});

test('the committed table says of each kind what it costs, on which machine, when, and by which command', () => {
  const { costs, machine, at, made_by } = COSTS;
  for (const each of Object.values(costs)) {
    expect(each.edge_us + each.services_us).toBeGreaterThan(0);
    expect(each.edge_us + each.services_us + each.nats_us + each.postgres_us).toBeLessThan(20_000);
  }
  expect(costs.order.postgres_bytes).toBeGreaterThan(0);
  expect(machine.cores).toBeGreaterThan(0);
  expect(Date.parse(at)).not.toBeNaN();
  expect(made_by).toBe('npm run bench -- cost');
});
