// Measures for Prometheus, and the internal port where they and the process' health are read.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type Latency, LatencyTable } from './latency.ts';
import type { Log } from './log.ts';

export const registry = new Registry();

let processMeasured = false;

/** Memory, CPU and event-loop delay of this process. */
export const measureProcess = (name: string): void => {
  if (processMeasured) return;
  processMeasured = true;
  registry.setDefaultLabels({ process: name });
  collectDefaultMetrics({ register: registry });
};

export const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> =>
  new Counter({ name: `stoa_${name}`, help, labelNames: [...labelNames], registers: [registry] });

/** Read when it is asked for. */
export const gauge = (name: string, help: string, read: () => number): Gauge =>
  new Gauge({
    name: `stoa_${name}`,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });

/** Latencies in buckets, noted by label values: `latency('rpc', …, ['rpc']).of('Store/GetStore').note(ms)`. */
export const latency = (name: string, help: string, labelNames: readonly string[] = []): LatencyTable =>
  new LatencyTable(registry, `stoa_${name}_seconds`, help, labelNames);

const rpcSeconds = latency('rpc', 'Time of a call in its handler, by its outcome.', ['rpc', 'outcome']);
/** By rpc, then by outcome: noted too often to make a name of the two each time. */
const rpcSeries = new Map<string, Map<string, Latency>>();

/** One call of a handler: `outcome` is `ok` or the refusal's code. */
export const rpcMetric = (rpc: string, outcome: string, ms: number): void => {
  let outcomes = rpcSeries.get(rpc);
  if (!outcomes) {
    outcomes = new Map();
    rpcSeries.set(rpc, outcomes);
  }
  let series = outcomes.get(outcome);
  if (!series) {
    series = rpcSeconds.of(rpc, outcome);
    outcomes.set(outcome, series);
  }
  series.note(ms);
};

export interface Health {
  readonly ok: boolean;
  readonly components: Readonly<Record<string, string>>;
}

export interface InternalOptions {
  /** 0 takes any free one. */
  readonly port: number;
  /** STOA_INTERNAL_HOST; this machine only by default. */
  readonly host?: string;
  readonly health: () => Health | Promise<Health>;
  readonly log: Log;
}

export interface Internal {
  readonly port: number;
  close(): Promise<void>;
}

/** `/metrics` and `/healthz`; never on the public port. */
export const serveInternal = async (options: InternalOptions): Promise<Internal> => {
  const { health, log } = options;
  const answer = async (path: string): Promise<{ status: number; type: string; body: string }> => {
    if (path === '/metrics') return { status: 200, type: registry.contentType, body: await registry.metrics() };
    if (path !== '/healthz') return { status: 404, type: 'text/plain', body: 'not found\n' };
    const { ok, components } = await health();
    const well = Object.values(components).every((state) => state === 'ok');
    const body = JSON.stringify({ ok, status: well ? 'ok' : 'degraded', components });
    return { status: ok ? 200 : 503, type: 'application/json', body };
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    answer(path).then(
      ({ status, type, body }) =>
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
      (problem) => {
        log.error({ err: problem, path }, 'the internal port failed');
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
