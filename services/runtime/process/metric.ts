// Registers metrics for Prometheus.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type Latency, LatencyTable } from './latency.ts';
import { VERSION } from './version.ts';

export const registry = new Registry();

/**
 * How often the event loop's delay is measured, in ms. The default of 10 ms costs an idle process 1 % of a core, 250 ms
 * a tenth of that.
 */
const LOOP_LOOK_MS = 1_000;

let processMeasured = false;

export const measureProcess = (name: string): void => {
  registry.setDefaultLabels({ process: name });
  if (processMeasured) return;
  processMeasured = true;
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LOOK_MS });
  const build = new Gauge({
    name: 'stoa_build_info',
    help: 'Always 1: the version of this program and of what runs it.',
    labelNames: ['version', 'bun'],
    registers: [registry],
  });
  build.set({ version: VERSION, bun: Bun.version }, 1);
};

export const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> =>
  new Counter({ name: `stoa_${name}`, help, labelNames: [...labelNames], registers: [registry] });

export const gauge = (name: string, help: string, read: () => number): Gauge =>
  new Gauge({
    name: `stoa_${name}`,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });

export const total = (name: string, help: string, read: () => number): Counter =>
  new Counter({
    name: `stoa_${name}_total`,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });

export const totals = (name: string, help: string, label: string) => {
  const reads = new Map<string, () => number>();
  new Counter({
    name: `stoa_${name}_total`,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, read] of reads) this.inc({ [label]: value }, read());
    },
  });
  return { of: (value: string, read: () => number): void => void reads.set(value, read) };
};

export const gauges = (name: string, help: string, label: string) => {
  const reads = new Map<string, () => number>();
  new Gauge({
    name: `stoa_${name}`,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      for (const [value, read] of reads) this.set({ [label]: value }, read());
    },
  });
  return { of: (value: string, read: () => number): void => void reads.set(value, read) };
};

export const latency = (name: string, help: string, labelNames: readonly string[] = []): LatencyTable =>
  new LatencyTable(registry, `stoa_${name}_seconds`, help, labelNames);

const rpcSeconds = latency('rpc', 'Time of a call in its handler, by its outcome.', ['rpc', 'outcome']);
const rpcSeries = new Map<string, Map<string, Latency>>();

export const rpcMetric = (rpc: string, outcome: string, ms: number): void => {
  let outcomes = rpcSeries.get(rpc);
  if (!outcomes) {
    outcomes = new Map();
    rpcSeries.set(rpc, outcomes);
  }
  let series = outcomes.get(outcome);
  if (!series) {
    series = rpcSeconds.labels(rpc, outcome);
    outcomes.set(outcome, series);
  }
  series.observe(ms);
};
