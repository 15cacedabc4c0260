// `stoa capacity plan`: how many machines a load needs, and what breaks first.
import { defineCommand } from 'citty';
import { define, JSON_OPTION, print, wholeNumber } from '#services/cli/command.ts';
import { SetupError } from '#services/cli/local/child.ts';
import { type CostTable, readCosts } from './cost.ts';
import { type CapacityPlan, planCapacity, type Wish } from './plan.ts';

const MAX = 1_000_000_000;

const number = (text: string | undefined, option: string, least: number): number => {
  const value = wholeNumber(text, option) ?? least;
  if (value < least || value > MAX) throw new SetupError(`--${option} must be from ${least} to ${MAX}.`);
  return value;
};

const inWords = (wish: Wish, plan: CapacityPlan, { machine, at }: CostTable): string =>
  [
    `${wish.rps} requests a second at the peak, ${plan.ordersAtPeak.toFixed(2)} orders among them; ${wish.stores} stores.`,
    '',
    ...plan.needs.map(({ part, count, why }) => `  ${part.padEnd(29)} ${String(count).padStart(4)}  ${why}`),
    `  ${'partitions (logs)'.padEnd(29)} ${String(plan.partitions).padStart(4)}  STOA_PARTITIONS, set before the first start`,
    `  ${'deployments'.padEnd(29)} ${String(plan.deployments).padStart(4)}  each with a database of its own`,
    '',
    `A host has ${plan.hostMemoryGb.toFixed(1)} GB of catalogues and code; the database grows by ${plan.databaseGbADay.toFixed(2)} GB a day.`,
    `The ${plan.first.part} are full first, at ${plan.first.rps} requests a second.`,
    `Measured on ${machine.cores} cores of ${machine.processor}, ${at.slice(0, 10)}. Refresh: npm run bench -- cost`,
  ].join('\n');

const plan = define({
  name: 'plan',
  description: 'Reckon the machines that a load needs, from measured costs of single requests',
  args: {
    rps: { type: 'string', description: 'Requests a second at the peak', valueHint: 'n', required: true },
    stores: { type: 'string', description: 'Stores; 1 unless given', valueHint: 'n' },
    orders: { type: 'string', description: 'Orders of a day, all stores together; 0 unless given', valueHint: 'n' },
    products: { type: 'string', description: 'Products of a store; 200 unless given', valueHint: 'n' },
    cores: { type: 'string', description: 'Processor cores of one machine; 8 unless given', valueHint: 'n' },
    json: JSON_OPTION,
  },
  run: async ({ rps, stores, orders, products, cores, json }) => {
    const wish: Wish = {
      rps: number(rps, 'rps', 1),
      stores: number(stores, 'stores', 1),
      orders: number(orders, 'orders', 0),
      products: number(products ?? '200', 'products', 1),
      cores: number(cores ?? '8', 'cores', 1),
    };
    const costs = readCosts();
    const planned = planCapacity(wish, costs);
    print(json, { ...planned, measured: { ...costs.machine, at: costs.at } }, () => inWords(wish, planned, costs));
  },
});

export const capacity = defineCommand({
  meta: { name: 'capacity', description: 'How much a deployment needs for a load' },
  subCommands: { plan },
});
