// Measures each scenario's latency against offered load: its cost beside its reference, its knee, and its latency at 70 % of
// that. SCENARIOS=search,pricing chooses some; TOPOLOGY=single puts edge and services into one process.

import { constantPath } from './constant.ts';
import { median, print, round } from './figure.ts';
import { fillStore } from './filled_store.ts';
import { getRequest, load } from './load.ts';
import { machine } from './machine.ts';
import { openLoad } from './open_load.ts';
import { scenarios } from './scenario/index.ts';
import type { FilledStore, Scenario } from './scenario/scenario.ts';
import { type BenchProcess, isTopology, processorMs, residentMb, startStack } from './stack.ts';

const CONNECTIONS = 64;
const OPEN_CONNECTIONS = 256;
/** Time to compile the code. */
const WARM_MS = 10_000;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const ROUND_MS = 2_000;
const STEP_MS = Number(process.env.STEP_MS ?? 4_000);
const REST_MS = 300;
/** Shares of the closed loop's rate. */
const STEPS = [0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 1, 1.1];
/**
 * The knee is the last step before the 99th percentile leaves ten times the calm median or an answer in fifty is missing,
 * twice in a row: once may be a collection of garbage or a neighbour.
 */
const KNEE_TIMES_CALM = 10;
const KNEE_ANSWERED_MIN = 0.98;
const KNEE_SHARE = 0.7;
const OK = new Set([200]);

const asked = (process.env.SCENARIOS ?? Object.keys(scenarios).join(',')).split(',').filter(Boolean);
const topology = process.env.TOPOLOGY ?? 'split';
const wrong = [
  ...asked
    .filter((name) => !Object.hasOwn(scenarios, name))
    .map((name) => `There is no scenario ${name}; there are ${Object.keys(scenarios).join(', ')}.`),
  ...(isTopology(topology) ? [] : [`TOPOLOGY is split or single, not ${topology}.`]),
  ...(ROUNDS >= 1 && STEP_MS >= 1 ? [] : ['ROUNDS and STEP_MS are numbers from 1 on.']),
];
if (wrong.length > 0 || !isTopology(topology)) {
  process.stderr.write(`${wrong.join('\n')}\n`);
  process.exit(1);
}

type Step = Awaited<ReturnType<typeof openLoad>>;
type Offer = (perSecond: number, next?: Scenario['next'], expected?: ReadonlySet<number>) => Promise<Step>;

const pointOf = (perSecond: number, step: Step) => ({
  offered_per_second: round(perSecond, 0),
  answered_per_second: round(step.perSecond, 0),
  p50_ms: round(step.p50Ms),
  p90_ms: round(step.p90Ms),
  p99_ms: round(step.p99Ms),
  p999_ms: round(step.p999Ms),
  max_ms: round(step.maxMs),
  late_p99_ms: round(step.lateP99Ms),
  unexpected: step.unexpected,
});

/** The highest rate before latency rises or answers fall behind, step by step; 0 where the very first was too much. */
const findKnee = async (name: string, rate: number, offer: Offer): Promise<number> => {
  let knee = 0;
  let calmMs = 0;
  let past = false;
  for (const share of STEPS) {
    const perSecond = rate * share;
    let step = await offer(perSecond);
    calmMs ||= step.p50Ms;
    const isTooMuch = (): boolean =>
      step.p99Ms > KNEE_TIMES_CALM * Math.max(1, calmMs) || step.perSecond < perSecond * KNEE_ANSWERED_MIN;
    if (!past && isTooMuch()) step = await offer(perSecond);
    past ||= isTooMuch();
    if (!past) knee = perSecond;
    print({ bench: 'curve', case: name, topology, ...pointOf(perSecond, step) });
  }
  return knee;
};

const measureAll = async (name: string, scenario: Scenario, edge: BenchProcess, services: BenchProcess) => {
  const { hostname, port } = new URL(edge.url);
  const target = { host: hostname, port: Number(port) };
  const closed = (next: Scenario['next'], expected: ReadonlySet<number>, durationMs: number) =>
    load({ target, connections: CONNECTIONS, durationMs, next, expected });

  const warm = await closed(scenario.next, scenario.expected, WARM_MS);
  if (warm.unexpected > 0)
    throw new Error(`${name}: ${warm.unexpected} of ${warm.requests} answers were not expected.`);
  const constant = scenario.reference?.(warm.bodyBytes) ?? getRequest(constantPath(warm.bodyBytes));
  await closed(() => constant, OK, WARM_MS / 2);

  // Interleaved, so that other load on the machine is shared by both.
  const references: number[] = [];
  const rates: number[] = [];
  const costs: [number, number][] = [];
  for (let repetition = 0; repetition < ROUNDS; repetition++) {
    const reference = await closed(() => constant, OK, ROUND_MS);
    if (reference.unexpected > 0) throw new Error(`${name}: the reference refused its request.`);
    references.push(reference.perSecond);
    const used = () => Promise.all([edge.pid, services.pid].map(processorMs));
    const before = await used();
    const { perSecond, requests } = await closed(scenario.next, scenario.expected, ROUND_MS);
    const after = await used();
    rates.push(perSecond);
    costs.push([0, 1].map((at) => ((after[at]! - before[at]!) * 1_000) / requests) as [number, number]);
  }
  const rate = median(rates);
  const [edgeUs, servicesUs] = [0, 1].map((at) => median(costs.map((cost) => cost[at]!)));
  const coreUs = edge.pid === services.pid ? edgeUs! : edgeUs! + servicesUs!;

  const offer: Offer = async (perSecond, next = scenario.next, expected = scenario.expected) => {
    await Bun.sleep(REST_MS);
    return openLoad({
      target,
      connections: OPEN_CONNECTIONS,
      perSecond,
      durationMs: STEP_MS,
      next,
      expected,
    });
  };
  const knee = await findKnee(name, rate, offer);
  // No knee, where the very first step was too much: nothing to ease. The reference as busy as that: what of it the
  // generator, the machine and the runtime bring along.
  const share = knee > 0 ? KNEE_SHARE * (knee / rate) : 0;
  const eased: Step[] = [];
  const easedReference: Step[] = [];
  for (let repetition = 0; share > 0 && repetition < ROUNDS; repetition++) {
    eased.push(await offer(rate * share));
    easedReference.push(await offer(median(references) * share, () => constant, OK));
  }
  const middle = (steps: readonly Step[], of: 'p50Ms' | 'p99Ms' | 'lateP99Ms'): number | null =>
    share > 0 ? round(median(steps.map((step) => step[of]))) : null;
  const times = (steps: readonly Step[]): number | null =>
    share > 0 ? round(median(steps.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms)), 1) : null;
  print({
    bench: 'load',
    case: name,
    topology,
    endpoint: scenario.path,
    bytes: warm.bodyBytes,
    ratio: round(rate / median(references)),
    reference: scenario.reference ? 'B' : 'A',
    per_second: round(rate, 0),
    reference_per_second: round(median(references), 0),
    edge_us: round(edgeUs!, 1),
    services_us: round(servicesUs!, 1),
    per_core_per_second: round(1_000_000 / coreUs, 0),
    knee_per_second: round(knee, 0),
    p50_ms_at_70: middle(eased, 'p50Ms'),
    p99_ms_at_70: middle(eased, 'p99Ms'),
    p99_times_p50_at_70: times(eased),
    late_p99_ms_at_70: middle(eased, 'lateP99Ms'),
    reference_p50_ms_at_70: middle(easedReference, 'p50Ms'),
    reference_p99_times_p50_at_70: times(easedReference),
    edge_mb: round(await residentMb(edge.pid), 0),
    services_mb: round(await residentMb(services.pid), 0),
  });
};

print({ bench: 'machine', ...machine() });
const stack = await startStack({ topology });
let failed = 0;
try {
  const edge = await stack.startEdge(128);
  const filled: FilledStore = await fillStore(stack, edge);
  for (const name of asked) {
    try {
      await measureAll(name, await scenarios[name]!(filled), edge, stack.services);
    } catch (problem) {
      failed++;
      process.stderr.write(`${name}: ${problem instanceof Error ? problem.message : problem}\n`);
    }
  }
} finally {
  await stack.stop();
}
process.exitCode = failed > 0 ? 1 : 0;
