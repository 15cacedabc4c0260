// Measures a throttle's checks: without a call to the owner, under a steady load, and for a new network. Checks the admitted
// sum of two edges.
import { Throttle } from '#edge/gates/throttle.ts';
import { Refusal } from '#runtime/call/call.ts';
import { connectLinks } from '#runtime/link/client.ts';
import type { Ask, LinkClient } from '#runtime/link/frame.ts';
import { createLog } from '#runtime/process/log.ts';
import { windowAt } from '#values/window.ts';
import { median, print, quantile, round } from './figure.ts';
import { startStack } from './stack.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const CHECKS = 1_000_000;
const STEADY_PER_SECOND = 2_000;
const STEADY_S = Number(process.env.STEADY_S ?? 8);
const NEW_NETWORKS = 4_000;
const CALLERS = 64;
const LIMIT = 20_000;

const PLENTY = 1_000_000_000;
const plan = { key_hour: PLENTY, key_day: PLENTY, network_hour: PLENTY, month: PLENTY };
const leasesOf = (throttle: Throttle, storeId: string, keyId: string, limits = plan, network = '203.0.113.1') => [
  ...throttle.planLeases({ storeId, keyId, sandbox: false, limits }),
  throttle.lease(storeId, 'network_hour', network, limits.network_hour),
];

/** An owner that grants every request at once. */
const generous: LinkClient = {
  async ask({ input }) {
    const { scope, need, want, now } = JSON.parse(input);
    const answer = { ...windowAt(scope, now), granted: need + want, left: PLENTY };
    const body = new TextEncoder().encode(JSON.stringify(answer));
    return { body, dependsOn: [], replayed: false, refused: null };
  },
  listen: () => {},
  serves: () => true,
  cancelWaits: () => {},
  close: async () => {},
};

/** Nanoseconds for each of many, in one go. */
const nanoseconds = (count: number, run: () => void): number => {
  const startedAt = performance.now();
  for (let n = 0; n < count; n++) run();
  return ((performance.now() - startedAt) * 1e6) / count;
};

async function checkCost(): Promise<void> {
  const throttle = new Throttle(generous);
  const leases = leasesOf(throttle, crypto.randomUUID(), crypto.randomUUID());
  await throttle.settle(leases);
  // Tokens for all checks of a round, so that no check calls the owner.
  const fill = (): void => {
    for (const lease of leases) {
      lease.tokens = CHECKS * 2;
      lease.refillAt = -1;
    }
  };
  const counts = new Map(Array.from({ length: 1_000 }, (_, n) => [`key ${n}`, 0]));
  let at = 0;
  const checks: number[] = [];
  const references: number[] = [];
  for (let repetition = 0; repetition <= ROUNDS; repetition++) {
    fill();
    const check = nanoseconds(CHECKS, () => {
      if (throttle.charge(leases, Date.now()) !== null) throw new Error('A check was refused.');
    });
    const reference = nanoseconds(CHECKS, () => {
      const name = `key ${at++ % 1_000}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    });
    // The first round warms up.
    if (repetition > 0) {
      checks.push(check);
      references.push(reference);
    }
  }
  print({
    bench: 'limit',
    case: 'a check that needs no hop',
    limits: leases.length,
    check_us: round(median(checks) / 1_000, 3),
    times_one_counter_in_a_map: round(median(checks) / median(references)),
  });
}

/** Notes when which limit's owner was asked. */
const watched = (wire: LinkClient, asked: (scope: string) => void): LinkClient => ({
  ...wire,
  ask: (ask: Ask, write: boolean) => {
    asked((JSON.parse(ask.input) as { scope: string }).scope);
    return wire.ask(ask, write);
  },
});

await checkCost();

const stack = await startStack();
const links = connectLinks({
  addresses: [stack.services.url],
  token: '',
  log: createLog({ name: 'bench', level: 'error' }),
});
try {
  while (!links.serves('Limit')) await Bun.sleep(10);
  const store = (await stack.createStore()).store_id;
  // Until every partition of the actors has its owner.
  for (let n = 0; n < 32; n++)
    for (;;) {
      const lease = new Throttle(links).lease(store, 'auth_minute', `warm ${n}`, 5);
      if (!((await new Throttle(links).settle([lease])) instanceof Refusal)) break;
      await Bun.sleep(50);
    }

  // ── A steady load ──────────────────────────────────────────────────────────────────────────────────────────────────
  const asks = new Map<string, number>();
  let second = 0;
  const steady = new Throttle(
    watched(links, (scope) => {
      const name = `${scope} ${second}`;
      asks.set(name, (asks.get(name) ?? 0) + 1);
    }),
  );
  const leases = leasesOf(steady, store, crypto.randomUUID());
  const waits: number[] = [];
  const ticker = setInterval(() => steady.tick(), 1_000);
  const startedAt = performance.now();
  for (let sent = 0; sent < STEADY_PER_SECOND * STEADY_S; ) {
    second = Math.floor((performance.now() - startedAt) / 1_000);
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * STEADY_PER_SECOND);
    for (; sent < due; sent++) {
      const from = performance.now();
      if ((await steady.settle(leases)) !== null) throw new Error('A request was refused.');
      waits.push(performance.now() - from);
    }
    await Bun.sleep(1);
  }
  clearInterval(ticker);
  const later = [...asks].filter(([name]) => !name.endsWith(' 0'));
  print({
    bench: 'limit',
    case: 'a steady load on one key',
    per_second: STEADY_PER_SECOND,
    seconds: STEADY_S,
    limits: leases.length,
    hops_per_limit_and_second: round(later.reduce((sum, [, count]) => sum + count, 0) / leases.length / (STEADY_S - 1)),
    hops_in_the_first_second: [...asks]
      .filter(([name]) => name.endsWith(' 0'))
      .reduce((sum, [, count]) => sum + count, 0),
    hops_of_a_limit_in_a_second_max: Math.max(...later.map(([, count]) => count)),
    p50_ms: round(quantile(waits, 0.5), 4),
    p999_ms: round(quantile(waits, 0.999), 4),
  });

  // ── Strangers ──────────────────────────────────────────────────────────────────────────────────────────────────────
  const throttle = new Throttle(links);
  const firsts: number[] = [];
  let networks = 0;
  const beganAt = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (networks < NEW_NETWORKS) {
        const network = `198.18.${networks >> 8}.${networks++ & 255}`;
        const from = performance.now();
        const outcome = await throttle.settle([throttle.lease(store, 'network_hour', network, 2_000)]);
        if (outcome !== null) throw new Error(`A stranger was refused: ${outcome.message}`);
        firsts.push(performance.now() - from);
      }
    }),
  );
  print({
    bench: 'limit',
    case: 'networks that no owner has counted yet',
    callers: CALLERS,
    networks: NEW_NETWORKS,
    per_second: round((NEW_NETWORKS * 1_000) / (performance.now() - beganAt), 0),
    p50_ms: round(quantile(firsts, 0.5)),
    p99_ms: round(quantile(firsts, 0.99)),
    without_owner: throttle.passedWithoutOwner,
  });

  // ── The limit itself ───────────────────────────────────────────────────────────────────────────────────────────────
  const edges = [new Throttle(links), new Throttle(links)] as const;
  links.listen((notice) => {
    if (notice?.kind !== 'tokens') return;
    for (const edge of edges) edge.recall(notice.tenant.store, notice.ids ?? []);
  });
  const key = crypto.randomUUID();
  const [admitted, refused] = [{ count: 0 }, { count: 0 }];
  const limits = { ...plan, key_hour: LIMIT };
  const rushedAt = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      const edge = edges[caller % 2] as Throttle;
      const shared = edge.planLeases({ storeId: store, keyId: key, sandbox: false, limits });
      for (let n = 0; n < (LIMIT * 1.1) / CALLERS; n++) {
        ((await edge.settle(shared)) === null ? admitted : refused).count++;
        if (n % 64 === 0) await Bun.sleep(0);
      }
    }),
  );
  print({
    bench: 'limit',
    case: 'one limit, two edges',
    limit: LIMIT,
    admitted: admitted.count,
    refused: refused.count,
    exact: admitted.count === LIMIT,
    questions: edges[0].tokenRequests + edges[1].tokenRequests,
    took_ms: round(performance.now() - rushedAt, 0),
  });
} finally {
  await links.close();
  await stack.stop();
}
