// Simulates histories of the actor host for a time, and prints the seeds of those that broke a promise.
//
// Usage: npm run simulate -- [--hours H] [--seeds N] [--from SEED] [--fence-fault] [--no-ids]
import { parseArgs } from 'node:util';
import { simulate } from './simulation.ts';

const { values } = parseArgs({
  options: {
    hours: { type: 'string' },
    seeds: { type: 'string' },
    from: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
    'fence-fault': { type: 'boolean', default: false },
    'no-ids': { type: 'boolean', default: false },
  },
});

const HOUR_MS = 3_600_000;
const FAILED_MAX = 20;
const until = performance.now() + (values.hours ? Number(values.hours) * HOUR_MS : Number.POSITIVE_INFINITY);
const seedsMax = values.seeds ? Number(values.seeds) : values.hours ? Number.POSITIVE_INFINITY : 50;
const faults = { fenceFault: values['fence-fault'], ids: !values['no-ids'] };
let commands = 0;
let changes = 0;
let failed = 0;
let count = 0;
const startedAt = performance.now();
for (
  let seed = Number(values.from);
  count < seedsMax && failed < FAILED_MAX && performance.now() < until;
  seed++, count++
) {
  try {
    const { asked, changes: changed } = await simulate({ seed, faults });
    commands += asked.length;
    changes += changed;
  } catch (problem) {
    failed++;
    process.stdout.write(`SEED=${seed} ${problem instanceof Error ? problem.message : problem}\n`);
  }
}
const seconds = Number(((performance.now() - startedAt) / 1_000).toFixed(1));
process.stdout.write(
  `${JSON.stringify({ simulation: 'actor', histories: count, commands, changes, failed, seconds })}\n`,
);
process.exitCode = failed > 0 ? 1 : 0;
