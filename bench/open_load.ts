// Open-loop load: requests are due at fixed times, answered or not. Latency counts from the due time, with or without a free
// connection, so that a stalled server pays for all that waited. Closed loops leave that out: coordinated omission. The
// generator's own delay is a separate figure, since it shares the machine's processor.
import type { Buffer } from 'node:buffer';
import { build, type Histogram } from 'hdr-histogram-js';
import type { LoadTarget } from './load.ts';
import { ResponseReader } from './response.ts';

export interface OpenLoadOptions {
  readonly target: LoadTarget;
  /** Requests that wait for a free one wait on the client's account too. */
  readonly connections: number;
  /** Offered load; due in steps of a millisecond. */
  readonly perSecond: number;
  readonly durationMs: number;
  readonly next: (connection: number) => Buffer;
  readonly expected: ReadonlySet<number>;
}

export interface OpenLoadResult {
  readonly due: number;
  /** Answered by the end of the grace that follows the load. */
  readonly answered: number;
  readonly unexpected: number;
  /** Answers a second, until the last one that counts. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
  /** How much later than due requests were offered: the generator's own doing, and in none of the figures above. */
  readonly lateP99Ms: number;
  readonly lateMaxMs: number;
}

interface Connection {
  readonly index: number;
  readonly reader: ResponseReader;
  offeredAtMs: number;
}

const TICK_MS = 1;
const GRACE_MS = 1_500;
const LATENCY_US_MAX = 60_000_000;
const US_A_MS = 1_000;

const note = (histogram: Histogram, ms: number): void =>
  histogram.recordValue(Math.min(LATENCY_US_MAX, Math.max(1, Math.round(ms * US_A_MS))));

const newHistogram = (): Histogram =>
  build({ lowestDiscernibleValue: 1, highestTrackableValue: LATENCY_US_MAX, numberOfSignificantValueDigits: 3 });

export const openLoad = async (options: OpenLoadOptions): Promise<OpenLoadResult> => {
  const { target, connections, perSecond, durationMs, next, expected } = options;
  const histogram = newHistogram();
  const lateness = newHistogram();
  const idle: Bun.Socket<Connection>[] = [];
  /** When each request that waits for a connection was offered, oldest first. */
  let waiting: number[] = [];
  let first = 0;
  let answered = 0;
  let unexpected = 0;
  let lastAtMs = 0;

  const send = (socket: Bun.Socket<Connection>, offeredAtMs: number): void => {
    socket.data.offeredAtMs = offeredAtMs;
    socket.write(next(socket.data.index));
  };
  const sockets = await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      Bun.connect<Connection>({
        hostname: target.host,
        port: target.port,
        data: { index, reader: new ResponseReader(), offeredAtMs: 0 },
        socket: {
          data(socket, chunk) {
            const status = socket.data.reader.feed(chunk);
            if (status === 0) return;
            lastAtMs = performance.now();
            answered++;
            if (!expected.has(status)) unexpected++;
            note(histogram, lastAtMs - socket.data.offeredAtMs);
            if (first < waiting.length) send(socket, waiting[first++] as number);
            else idle.push(socket);
          },
        },
      }),
    ),
  );
  idle.push(...sockets);

  const startedAtMs = performance.now();
  let due = 0;
  const offer = (nowMs: number): void => {
    const until = Math.min(nowMs - startedAtMs, durationMs);
    const dueBy = Math.floor((until * perSecond) / 1_000);
    for (; due < dueBy; due++) {
      const dueAtMs = startedAtMs + Math.ceil(((due + 1) * 1_000) / perSecond / TICK_MS) * TICK_MS;
      note(lateness, nowMs - dueAtMs);
      const socket = first < waiting.length ? undefined : idle.pop();
      if (socket) send(socket, nowMs);
      else waiting.push(nowMs);
    }
    if (first > waiting.length / 2) {
      waiting = waiting.slice(first);
      first = 0;
    }
  };
  await new Promise<void>((done) => {
    const ticker = setInterval(() => {
      const now = performance.now();
      offer(now);
      if (now - startedAtMs < durationMs) return;
      clearInterval(ticker);
      done();
    }, TICK_MS);
  });
  for (const until = performance.now() + GRACE_MS; answered < due && performance.now() < until; )
    await Bun.sleep(TICK_MS);
  const elapsedS = Math.max(durationMs, lastAtMs - startedAtMs) / 1_000;
  // Never answered: as late as the measure lasted, so that they are not missing where they matter most.
  for (let left = answered; left < due; left++) histogram.recordValue(Math.round((durationMs + GRACE_MS) * US_A_MS));
  for (const socket of sockets) socket.end();
  const at = (percentile: number): number => histogram.getValueAtPercentile(percentile) / US_A_MS;
  return {
    due,
    answered,
    unexpected,
    perSecond: answered / elapsedS,
    p50Ms: at(50),
    p90Ms: at(90),
    p99Ms: at(99),
    p999Ms: at(99.9),
    maxMs: histogram.maxValue / US_A_MS,
    lateP99Ms: lateness.getValueAtPercentile(99) / US_A_MS,
    lateMaxMs: lateness.maxValue / US_A_MS,
  };
};
