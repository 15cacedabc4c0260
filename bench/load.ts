// Generates closed-loop load over raw sockets: each connection sends its next request when the last was answered. Records
// every latency.
import { Buffer } from 'node:buffer';
import { ResponseReader } from './response.ts';

export interface LoadTarget {
  readonly host: string;
  readonly port: number;
}

export interface LoadOptions {
  readonly target: LoadTarget;
  readonly connections: number;
  readonly durationMs: number;
  /** The bytes of the next request of one connection. */
  readonly next: (connection: number) => Buffer;
  /** Statuses that count as success; others are counted apart. */
  readonly expected: ReadonlySet<number>;
}

export interface LoadResult {
  readonly requests: number;
  readonly unexpected: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Mean size of a body. */
  readonly bodyBytes: number;
}

/** One GET, ready to be sent again and again. */
export const getRequest = (path: string, headers: Readonly<Record<string, string>> = {}): Buffer =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: bench\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  );

export const writeRequest = (
  verb: 'POST' | 'PUT' | 'PATCH',
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): Buffer => {
  const bytes = Buffer.from(body as string);
  return Buffer.concat([
    Buffer.from(
      `${verb} ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\n${Object.entries(
        headers,
      )
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`,
    ),
    bytes,
  ]);
};

export const postRequest = (
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): Buffer => writeRequest('POST', path, headers, body);

interface Connection {
  readonly index: number;
  readonly reader: ResponseReader;
  sentAtMs: number;
}

export async function load(options: LoadOptions): Promise<LoadResult> {
  const { target, connections, durationMs, next, expected } = options;
  const latencies: number[] = [];
  let unexpected = 0;
  let bytes = 0;
  let stopped = false;
  const startedAtMs = performance.now();
  const until = startedAtMs + durationMs;
  const sockets = await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      Bun.connect<Connection>({
        hostname: target.host,
        port: target.port,
        data: { index, reader: new ResponseReader(), sentAtMs: 0 },
        socket: {
          data(socket, chunk) {
            const state = socket.data;
            const status = state.reader.feed(chunk);
            if (status === 0) return;
            if (!expected.has(status)) unexpected++;
            bytes += state.reader.bodyBytes;
            const now = performance.now();
            latencies.push(now - state.sentAtMs);
            if (now >= until) {
              stopped = true;
              socket.end();
              return;
            }
            state.sentAtMs = now;
            socket.write(next(state.index));
          },
        },
      }),
    ),
  );
  for (const socket of sockets) {
    socket.data.sentAtMs = performance.now();
    socket.write(next(socket.data.index));
  }
  while (!stopped || performance.now() < until) await Bun.sleep(5);
  await Bun.sleep(50);
  const elapsedS = (performance.now() - startedAtMs) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    requests: latencies.length,
    unexpected,
    perSecond: latencies.length / elapsedS,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    bodyBytes: Math.round(bytes / Math.max(1, latencies.length)),
  };
}
