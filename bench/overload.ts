// Measures a system under more load than its capacity: goodput, latency of admitted requests, time to a refusal, recovery,
// and memory. The load is carts, the most expensive part of the mix, in an open loop. LOADS are shares of the capacity that a
// closed loop found in the same run. LOADS=1,5,10 and SECONDS=8 choose; SCENARIO=mixed sends a shop's day instead.
// LOAD_CORE=1 gives the load that core and the system the others.
import { build } from 'hdr-histogram-js';
import { startOffLoadCore } from './core.ts';
import { print, round } from './figure.ts';
import { fillStore } from './filled_store.ts';
import { load } from './load.ts';
import { machine } from './machine.ts';
import { ResponseReader } from './response.ts';
import { scenarios } from './scenario/index.ts';
import type { Scenario } from './scenario/scenario.ts';
import { residentMb, startStack } from './stack.ts';

const LOADS = (process.env.LOADS ?? '1,5,10').split(',').map(Number);
const SECONDS = Number(process.env.SECONDS ?? 8);
const NAME = process.env.SCENARIO ?? 'cart';
const PRODUCTS = 500;
const WARM_MS = 8_000;
const CLOSED_CONNECTIONS = 64;
const CLOSED_MS = 4_000;
const CONNECTIONS = 4_000;
/** A share at which nothing waits: what the latency of overload is measured against. */
const EASY = 0.7;
/** Callers behind a busy edge give up by then. */
const GRACE_MS = 3_000;
const RECOVERY_STEP_MS = 250;
const RECOVERY_MAX_MS = 10_000;
const REST_MS = 3_000;
const US_A_MS = 1_000;
const SHED = 503;

interface Outcome {
  readonly offered: number;
  readonly good: number;
  readonly shed: number;
  readonly other: number;
  readonly goodPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly shedP50Ms: number;
  readonly shedP99Ms: number;
  readonly unanswered: number;
}

const times = () =>
  build({ lowestDiscernibleValue: 1, highestTrackableValue: 60_000_000, numberOfSignificantValueDigits: 3 });

interface Caller {
  readonly index: number;
  readonly reader: ResponseReader;
  sentAtMs: number;
}

/** Offers requests at their due time while one of the callers is free; counts answers within the load. */
class OpenCallers {
  readonly #idle: Bun.Socket<Caller>[] = [];
  readonly #sockets: Bun.Socket<Caller>[] = [];
  readonly #scenario: Scenario;
  #good = times();
  #shed = times();
  #counts = { good: 0, shed: 0, other: 0 };

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  async connect(target: { hostname: string; port: number }, count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const socket = await Bun.connect<Caller>({
        ...target,
        data: { index, reader: new ResponseReader(), sentAtMs: 0 },
        socket: {
          data: (from, chunk) => {
            const status = from.data.reader.feed(chunk);
            if (status !== 0) this.#answered(from, status);
          },
        },
      });
      this.#sockets.push(socket);
      this.#idle.push(socket);
    }
  }

  #answered(socket: Bun.Socket<Caller>, status: number): void {
    const us = Math.max(1, Math.round((performance.now() - socket.data.sentAtMs) * US_A_MS));
    if (this.#scenario.expected.has(status)) {
      this.#counts.good++;
      this.#good.recordValue(us);
    } else if (status === SHED) {
      this.#counts.shed++;
      this.#shed.recordValue(us);
    } else this.#counts.other++;
    this.#idle.push(socket);
  }

  async offer(perSecond: number, durationMs: number): Promise<Outcome> {
    this.#good = times();
    this.#shed = times();
    this.#counts = { good: 0, shed: 0, other: 0 };
    const startedAt = performance.now();
    let due = 0;
    let unsent = 0;
    for (let now = startedAt; now - startedAt < durationMs; now = performance.now()) {
      for (const dueBy = ((now - startedAt) * perSecond) / 1_000; due < dueBy; due++) {
        const socket = this.#idle.pop();
        if (!socket) {
          unsent++;
          continue;
        }
        socket.data.sentAtMs = performance.now();
        socket.write(this.#scenario.next(socket.data.index));
      }
      await Bun.sleep(1);
    }
    const elapsedS = (performance.now() - startedAt) / 1_000;
    const { good } = this.#counts;
    for (const until = performance.now() + GRACE_MS; this.#idle.length < this.#sockets.length; ) {
      if (performance.now() > until) break;
      await Bun.sleep(2);
    }
    const at = (of: ReturnType<typeof times>, share: number): number => of.getValueAtPercentile(share) / US_A_MS;
    return {
      ...this.#counts,
      offered: due - unsent,
      goodPerSecond: good / elapsedS,
      p50Ms: at(this.#good, 50),
      p99Ms: at(this.#good, 99),
      shedP50Ms: at(this.#shed, 50),
      shedP99Ms: at(this.#shed, 99),
      unanswered: this.#sockets.length - this.#idle.length,
    };
  }

  close(): void {
    for (const socket of this.#sockets) socket.end();
  }
}

print({ bench: 'machine', ...machine() });
const stack = await startOffLoadCore(() => startStack());
try {
  const edge = await startOffLoadCore(() => stack.startEdge(128));
  const prepare = scenarios[NAME];
  if (!prepare) throw new Error(`There is no scenario ${NAME}.`);
  const scenario = await prepare(await fillStore(stack, edge, PRODUCTS));
  const { hostname, port } = new URL(edge.url);
  const target = { host: hostname, port: Number(port) };
  const closed = (durationMs: number) => load({ target, connections: CLOSED_CONNECTIONS, durationMs, ...scenario });
  await closed(WARM_MS);
  const { perSecond: capacity } = await closed(CLOSED_MS);
  const memory = async () => ({
    edge_mb: round(await residentMb(edge.pid), 0),
    services_mb: round(await residentMb(stack.services.pid), 0),
  });

  const callers = new OpenCallers(scenario);
  await callers.connect({ hostname, port: Number(port) }, CONNECTIONS);
  const easy = await callers.offer(capacity * EASY, SECONDS * 1_000);
  print({
    bench: 'overload',
    case: `${NAME} at ${EASY} of capacity`,
    capacity_per_second: round(capacity, 0),
    good_per_second: round(easy.goodPerSecond, 0),
    p50_ms: round(easy.p50Ms),
    p99_ms: round(easy.p99Ms),
    shed: easy.shed,
    ...(await memory()),
  });

  let peak = easy.goodPerSecond;
  for (const times of LOADS) {
    await Bun.sleep(REST_MS);
    const over = await callers.offer(capacity * times, SECONDS * 1_000);
    const during = await memory();
    const endedAt = performance.now();
    let recoveredMs: number | null = null;
    while (recoveredMs === null && performance.now() - endedAt < RECOVERY_MAX_MS) {
      const after = await callers.offer(capacity * EASY, RECOVERY_STEP_MS);
      if (after.shed === 0 && after.p99Ms <= 2 * Math.max(easy.p99Ms, 10)) recoveredMs = performance.now() - endedAt;
    }
    peak = Math.max(peak, over.goodPerSecond);
    print({
      bench: 'overload',
      case: `${NAME} at ${times} times capacity`,
      offered_per_second: round(over.offered / SECONDS, 0),
      good_per_second: round(over.goodPerSecond, 0),
      goodput_of_peak: round(over.goodPerSecond / peak),
      p50_ms: round(over.p50Ms),
      p99_ms: round(over.p99Ms),
      p99_times_easy: round(over.p99Ms / easy.p99Ms, 1),
      shed: over.shed,
      shed_p50_ms: round(over.shedP50Ms),
      shed_p99_ms: round(over.shedP99Ms),
      other: over.other,
      unanswered: over.unanswered,
      recovered_after_ms: recoveredMs === null ? null : round(recoveredMs, 0),
      ...during,
    });
  }
  callers.close();
  await Bun.sleep(60_000);
  print({ bench: 'overload', case: `${NAME} a minute later`, ...(await memory()) });
} finally {
  await stack.stop();
}
