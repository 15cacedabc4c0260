// `stoa capacity plan`: computes how many machines a load needs, and which part reaches its limit first.
import { defineCommand } from 'citty';
import { define, JSON_OPTION, print } from '#services/cli/command.ts';
import { SetupError } from '#services/cli/local/child.ts';
import { COSTS, type CostTable } from './cost.ts';
import { readLoad } from './load.ts';
import { beyondAnyPlan, type CapacityLoad, type CapacityPlan, planCapacity } from './plan.ts';

const row = (part: string, count: number, why: string): string =>
  `  ${part.padEnd(18)} ${String(count).padStart(5)}  ${why}`;

const planText = (load: CapacityLoad, plan: CapacityPlan, { machine, at, made_by }: CostTable): string =>
  [
    `${load.rps} requests and ${plan.orders_per_second.toFixed(2)} orders a second at the peak; ${load.stores} stores of ${load.products} products.`,
    '',
    row('machines', plan.machines.count, plan.machines.why),
    ...plan.needs.map(({ part, count, cores, why }) =>
      row(part, count, `${cores > 1 ? `${cores} cores each; ` : ''}${why}`),
    ),
    row('partitions (logs)', plan.partitions, 'npx stoa partitions set'),
    row('deployments', plan.deployments.count, plan.deployments.why),
    '',
    `A host takes ${plan.host_memory_gb.toFixed(1)} GB. The database has ${plan.database_gb.toFixed(1)} GB of catalogues, and grows by ${plan.database_gb_a_day.toFixed(2)} GB a day.`,
    `First to break: ${plan.breaks_first.part}, at ${plan.breaks_first.at_times} times this load.`,
    ...plan.needs.map(
      ({ part, full_at_times, full_at_rps }) =>
        `  ${part.padEnd(18)} full at ${full_at_times} times: ${full_at_rps} requests, ${(plan.orders_per_second * full_at_times).toFixed(1)} orders a second`,
    ),
    `Costs measured on ${machine.cores} cores of ${machine.processor}, ${at.slice(0, 10)}, by \`${made_by}\`.`,
  ].join('\n');

const plan = define({
  name: 'plan',
  description: 'Computes the machines that a load requires, from measured costs of single requests',
  args: {
    rps: {
      type: 'string',
      description: 'Requests a second at the peak, without orders',
      valueHint: 'n',
      required: true,
    },
    stores: { type: 'string', description: 'Stores; 1 by default', valueHint: 'n' },
    orders: { type: 'string', description: 'Orders a day in all stores; 0 by default', valueHint: 'n' },
    products: { type: 'string', description: 'Products of each store; 200 by default', valueHint: 'n' },
    cores: { type: 'string', description: 'Processor cores of each machine; 8 by default', valueHint: 'n' },
    spare: { type: 'boolean', description: 'Keeps one machine in reserve, for a small shop too' },
    json: JSON_OPTION,
  },
  run: async ({ rps, stores, orders, products, cores, spare, json }) => {
    const load = readLoad({ rps, stores, orders, products, cores, spare });
    const beyond = beyondAnyPlan(load, COSTS);
    if (beyond) throw new SetupError(beyond);
    const planned = planCapacity(load, COSTS);
    const { machine, at, made_by } = COSTS;
    print(json, { ...planned, measured: { ...machine, at, made_by } }, () => planText(load, planned, COSTS));
  },
});

export const capacity = defineCommand({
  meta: { name: 'capacity', description: 'Computes what a deployment requires for a load' },
  subCommands: { plan },
});
