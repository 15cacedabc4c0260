// What a load needs, reckoned from costs that are easy to reckon with; and of the committed table that it can be used.
import { describe, expect, test } from 'vitest';
import { type CostTable, type RequestCost, readCosts } from '#services/cli/capacity/cost.ts';
import { planCapacity, type Wish } from '#services/cli/capacity/plan.ts';

const KINDS = ['list', 'detail', 'search', 'pricing', 'shipping', 'cart', 'order'];
const cost: RequestCost = {
  edge_us: 100,
  services_us: 200,
  nats_us: 20,
  postgres_us: 50,
  postgres_bytes: 1_000,
  per_second: 1_000,
};
const table: CostTable = {
  machine: { processor: 'a processor', cores: 2 },
  at: '2026-01-01T00:00:00.000Z',
  memory: { edge_mb: 100, services_mb: 200, product_kb: 1 },
  costs: Object.fromEntries(KINDS.map((kind) => [kind, cost])),
};
const wish: Wish = { rps: 1_000, stores: 1, orders: 0, products: 200, cores: 8 };
const countOf = (asked: Partial<Wish>, part: string, costs = table): number =>
  planCapacity({ ...wish, ...asked }, costs).needs.find((need) => need.part === part)!.count;

describe('a plan', () => {
  test.each<[rps: number, edges: number, hosts: number]>([
    [1, 2, 2],
    [1_000, 2, 2],
    [5_000, 2, 3],
    [60_000, 11, 21],
  ])('for %i requests a second has %i edges and %i hosts', (rps, edges, hosts) => {
    expect(countOf({ rps }, 'edges')).toBe(edges);
    expect(countOf({ rps }, 'services hosts')).toBe(hosts);
  });

  test('names what is full first, and at which load', () => {
    const { first, needs } = planCapacity({ ...wish, rps: 10_000 }, table);
    const least = Math.min(...needs.map(({ fullAtTimes }) => fullAtTimes));
    expect(least).toBeGreaterThanOrEqual(1);
    expect(first.rps).toBe(Math.floor(10_000 * least));
    expect(needs.find(({ fullAtTimes }) => fullAtTimes === least)!.part).toBe(first.part);
  });

  test('spreads stores over deployments where one Postgres ends', () => {
    expect(planCapacity({ ...wish, rps: 100_000, orders: 1_000_000 }, table).deployments).toBe(1);
    const { deployments } = planCapacity({ ...wish, rps: 100_000, orders: 300_000_000 }, table);
    expect(deployments).toBe(3);
    expect(countOf({ rps: 100_000, orders: 300_000_000 }, 'Postgres machines')).toBe(6);
  });

  test('never has less for more', () => {
    let before = planCapacity({ ...wish, rps: 1 }, table);
    for (let rps = 10; rps < 1_000_000; rps *= 2) {
      const plan = planCapacity({ ...wish, rps, orders: rps * 100, stores: rps }, table);
      for (const [at, need] of plan.needs.entries()) expect(need.count).toBeGreaterThanOrEqual(before.needs[at]!.count);
      expect(plan.partitions).toBeGreaterThanOrEqual(before.partitions);
      expect(plan.hostMemoryGb).toBeGreaterThanOrEqual(before.hostMemoryGb);
      before = plan;
    }
  });
});

test('the committed table says of each kind what it costs, on which machine, and when', () => {
  const { costs, machine, at } = readCosts();
  expect(Object.keys(costs).toSorted()).toEqual(KINDS.toSorted());
  for (const each of Object.values(costs)) expect(each.edge_us + each.services_us).toBeGreaterThan(0);
  expect(machine.cores).toBeGreaterThan(0);
  expect(Date.parse(at)).not.toBeNaN();
  expect(planCapacity(wish, readCosts()).first.rps).toBeGreaterThanOrEqual(wish.rps);
});
