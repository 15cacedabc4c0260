// Records latencies for Prometheus with two additions each, since every request is measured. Formats them only when
// Prometheus reads them.
import type { Metric, Registry } from 'prom-client';

const BOUNDS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Latency {
  readonly counts = new Float64Array(BOUNDS_S.length + 1);
  sumS = 0;

  observe(ms: number): void {
    const seconds = ms / 1_000;
    let bucket = 0;
    while (bucket < BOUNDS_S.length && seconds > (BOUNDS_S[bucket] as number)) bucket++;
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.sumS += seconds;
  }
}

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

export class LatencyTable {
  readonly name: string;
  readonly help: string;
  readonly #labelNames: readonly string[];
  readonly #series = new Map<string, { readonly labels: Record<string, string>; readonly latency: Latency }>();

  constructor(registry: Registry, name: string, help: string, labelNames: readonly string[]) {
    this.name = name;
    this.help = help;
    this.#labelNames = labelNames;
    // The cast is safe: the registry only reads a metric's name, and its values when Prometheus asks.
    registry.registerMetric(this as unknown as Metric);
  }

  labels(...values: readonly string[]): Latency {
    const key = values.join('\n');
    let series = this.#series.get(key);
    if (!series) {
      const labels = Object.fromEntries(this.#labelNames.map((name, i) => [name, values[i] ?? '']));
      series = { labels, latency: new Latency() };
      this.#series.set(key, series);
    }
    return series.latency;
  }

  get(): { name: string; help: string; type: string; aggregator: string; values: Value[] } {
    const values: Value[] = [];
    for (const { labels, latency } of this.#series.values()) {
      let count = 0;
      for (const [i, inBucket] of latency.counts.entries()) {
        count += inBucket;
        values.push({
          metricName: `${this.name}_bucket`,
          labels: { le: BOUNDS_S[i] ?? '+Inf', ...labels },
          value: count,
        });
      }
      values.push({ metricName: `${this.name}_sum`, labels, value: latency.sumS });
      values.push({ metricName: `${this.name}_count`, labels, value: count });
    }
    return { name: this.name, help: this.help, type: 'histogram', aggregator: 'sum', values };
  }

  reset(): void {
    this.#series.clear();
  }
}
