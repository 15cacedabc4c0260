// Closed-loop load over raw sockets: as many requests as the connections can turn round, and how long each took.
import { Buffer } from 'node:buffer';

export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface LoadOptions {
  readonly target: Target;
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
  readonly bytes: number;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('ontent-Length: ');
const LENGTH_LOWER = Buffer.from('ontent-length: ');

/** One GET, ready to be sent again and again. */
export const getRequest = (path: string, headers: Readonly<Record<string, string>> = {}): Buffer =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: bench\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  );

export const postRequest = (
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): Buffer => {
  const bytes = Buffer.from(body as string);
  return Buffer.concat([
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\n${Object.entries(
        headers,
      )
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`,
    ),
    bytes,
  ]);
};

const CHUNKED = Buffer.from('ransfer-Encoding: chunked');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
/** In place of a length: the body ends with its last chunk. */
const UNTIL_LAST_CHUNK = Number.MAX_SAFE_INTEGER;

/** Bytes that follow the head; 0 for statuses without a body. */
function bodyLength(head: Buffer, status: number): number {
  if (status === 304 || status === 204) return 0;
  let at = head.indexOf(LENGTH);
  if (at < 0) at = head.indexOf(LENGTH_LOWER);
  if (at < 0) return head.includes(CHUNKED) ? UNTIL_LAST_CHUNK : 0;
  return Number.parseInt(head.toString('latin1', at + LENGTH.length, at + LENGTH.length + 10), 10);
}

interface Connection {
  readonly index: number;
  waiting: Buffer;
  /** Bytes of the current response still to come; -1 while its head is incomplete. */
  missing: number;
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
        data: { index, waiting: Buffer.alloc(0), missing: -1, sentAtMs: 0 },
        socket: {
          data(socket, chunk) {
            const state = socket.data;
            bytes += chunk.length;
            if (state.missing < 0) {
              const seen = state.waiting.length > 0 ? Buffer.concat([state.waiting, chunk]) : chunk;
              const end = seen.indexOf(END_OF_HEAD);
              if (end < 0) {
                state.waiting = Buffer.from(seen);
                return;
              }
              const head = seen.subarray(0, end);
              const status = Number.parseInt(head.toString('latin1', 9, 12), 10);
              if (!expected.has(status)) unexpected++;
              state.waiting = Buffer.alloc(0);
              state.missing = bodyLength(head, status) - (seen.length - end - END_OF_HEAD.length);
            } else state.missing -= chunk.length;
            const chunked = state.missing > UNTIL_LAST_CHUNK / 2;
            if (chunked ? !chunk.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : state.missing > 0) return;
            const now = performance.now();
            latencies.push(now - state.sentAtMs);
            state.missing = -1;
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
    bytes,
  };
}
