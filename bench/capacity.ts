// Searches the highest rate of a scenario at which p99 stays below a limit, by bisection. Then confirms the rate for twice as
// long.
//
// Usage: npm run capacity -- [SCENARIO] [--p99 MS] [--seconds S] [--topology split|single]
import { parseArgs } from 'node:util';
import { print, round } from './figure.ts';
import { fillStore } from './filled_store.ts';
import { highestRate } from './highest_rate.ts';
import { load } from './load.ts';
import { machine } from './machine.ts';
import { openLoad } from './open_load.ts';
import { scenarios } from './scenario/index.ts';
import { isTopology, startStack } from './stack.ts';

const CONNECTIONS = 64;
const OPEN_CONNECTIONS = 256;
/** Time to compile the code and load the searched stores. */
const WARM_MS = 10_000;
const GUESS_MS = 2_000;
const ANSWERED_MIN = 0.99;

const read = () => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        p99: { type: 'string', default: '20' },
        seconds: { type: 'string', default: '5' },
        topology: { type: 'string', default: 'split' },
      },
    });
    const [name = 'mixed', ...more] = positionals;
    const { topology } = values;
    const [p99MsMax, stepMs] = [Number(values.p99), Number(values.seconds) * 1_000];
    const understood = Object.hasOwn(scenarios, name) && more.length === 0 && p99MsMax > 0 && stepMs > 0;
    return understood && isTopology(topology) ? { name, p99MsMax, stepMs, topology } : null;
  } catch {
    return null;
  }
};
const asked = read();
if (!asked) {
  process.stderr.write(
    `npm run capacity -- SCENARIO [--p99 MS] [--seconds S] [--topology split|single]; scenarios: ${Object.keys(scenarios).join(', ')}\n`,
  );
  process.exit(1);
}
const { name, p99MsMax, stepMs, topology } = asked;

print({ bench: 'machine', ...machine() });
const stack = await startStack({ topology });
try {
  const edge = await stack.startEdge(128);
  const { next, expected } = await scenarios[name]!(await fillStore(stack, edge));
  const { hostname, port } = new URL(edge.url);
  const target = { host: hostname, port: Number(port) };
  await load({ target, connections: CONNECTIONS, durationMs: WARM_MS, next, expected });
  const { perSecond: most } = await load({ target, connections: CONNECTIONS, durationMs: GUESS_MS, next, expected });

  const holds = async (perSecond: number, durationMs: number): Promise<boolean> => {
    const step = await openLoad({ target, connections: OPEN_CONNECTIONS, perSecond, durationMs, next, expected });
    const met = step.p99Ms <= p99MsMax && step.answered >= step.due * ANSWERED_MIN && step.unexpected === 0;
    print({
      bench: 'capacity',
      case: name,
      offered_per_second: round(perSecond, 0),
      answered_per_second: round(step.perSecond, 0),
      p50_ms: round(step.p50Ms),
      p99_ms: round(step.p99Ms),
      unexpected: step.unexpected,
      met,
    });
    return met;
  };
  const found = await highestRate(most * 1.2, (perSecond, longer) => holds(perSecond, longer ? 2 * stepMs : stepMs));
  print({ bench: 'capacity', case: name, p99_ms_max: p99MsMax, per_second: round(found, 0) });
} finally {
  await stack.stop();
}
