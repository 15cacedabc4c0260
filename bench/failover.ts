// Measures the death, the freeze and the handover of one of two hosts: the time until its actors answer again, the duration
// of writes meanwhile, and writes that are lost or doubled.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partitionOf } from '#runtime/actor/address.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { connectLinks } from '#runtime/link/client.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { migrate } from '#runtime/postgres/migration.ts';
import { createLog } from '#runtime/process/log.ts';
import { startNats } from '#services/cli/local/nats.ts';
import { startPostgres } from '#services/cli/local/postgres.ts';
import { print, quantile, round } from './figure.ts';

const ACTORS = 64;
const PACE_MS = 5;
const KILLS = Number(process.env.KILLS ?? 5);
const PARTITIONS = 4;
const SETTLE_MS = 1_500;
/** Longer than the others wait before they take its partitions. */
const FREEZE_MS = 3_000;

const TENANT: Tenant = { store: randomUUID(), environment: 'production' };
const log = createLog({ name: 'bench', level: 'error' });
const home = await mkdtemp(join(tmpdir(), 'stoa-bench-'));
const quiet = (): void => {};
const [postgres, nats] = await Promise.all([startPostgres({ home, log: quiet }), startNats({ home, log: quiet })]);

const say = (name: string, measured: Record<string, number>): void =>
  print({ bench: 'failover', case: name, ...measured });

const ms = (values: readonly number[], share: number): number => round(quantile(values, share), 0);

interface Host {
  readonly wire: LinkClient;
  readonly child: Bun.Subprocess;
}

const startHost = async (): Promise<Host> => {
  const link = `unix:${home}/${randomUUID()}.sock`;
  const env = {
    ...process.env,
    DATABASE_URL: postgres.url,
    NATS_URL: nats.url,
    STOA_LINK: link,
    STOA_MASTER_KEY: Buffer.alloc(32, 3).toString('base64'),
    STOA_NAMESPACE: 'bench',
  };
  const child = Bun.spawn([process.execPath, 'bench/actor_process.ts'], { env, stdout: 'pipe', stderr: 'inherit' });
  await child.stdout.getReader().read();
  const wire = connectLinks({ addresses: [link], token: '', log });
  while (!wire.serves('Bench')) await Bun.sleep(5);
  return { wire, child };
};

type Outcome = 'done' | 'unavailable' | 'unknown';
interface Written {
  readonly actor: string;
  readonly outcome: Outcome;
  readonly askedAt: number;
  readonly tookMs: number;
}

/** Sends commands to each actor without pause, from one caller each, through one host that stays. */
class Load {
  /** Since the last fault began. */
  readonly written: Written[] = [];
  readonly #counts = new Map<string, Record<Outcome, number>>();
  readonly actors = Array.from({ length: ACTORS }, () => randomUUID());
  readonly #wire: LinkClient;
  #stopped = false;
  readonly #running: Promise<unknown>;

  constructor(wire: LinkClient) {
    this.#wire = wire;
    this.#running = Promise.all(this.actors.map((actor) => this.#run(actor)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    this.forget();
  }

  /** All that was written so far is only counted from here on. */
  forget(): void {
    for (const { actor, outcome } of this.written.splice(0)) this.of(actor)[outcome]++;
  }

  of(actor: string): Record<Outcome, number> {
    let counts = this.#counts.get(actor);
    if (!counts) {
      counts = { done: 0, unavailable: 0, unknown: 0 };
      this.#counts.set(actor, counts);
    }
    return counts;
  }

  async tell(id: string, order: object): Promise<{ outcome: Outcome; left: number }> {
    const answer = await this.#wire.ask(
      {
        rpc: 'Bench/Tell',
        caller: { tenant: TENANT, keyType: 'internal', keyId: '', customer: null },
        timeoutMs: 10_000,
        requestId: '',
        trace: '',
        input: JSON.stringify({ id, ...order }),
        rawBody: null,
        contentType: '',
        idempotency: null,
        revisionMin: 0,
      },
      true,
    );
    if (!answer.refused) return { outcome: 'done', left: JSON.parse(Buffer.from(answer.body).toString()).left };
    const { code, message } = answer.refused;
    if (code !== 'service_unavailable' && code !== 'server_error') throw new Error(message);
    return { outcome: code === 'server_error' ? 'unknown' : 'unavailable', left: 0 };
  }

  async #run(actor: string): Promise<void> {
    while (!this.#stopped) {
      await Bun.sleep(PACE_MS * (0.5 + Math.random()));
      const askedAt = performance.now();
      const { outcome } = await this.tell(actor, { receive: 1 });
      this.written.push({ actor, outcome, askedAt, tookMs: performance.now() - askedAt });
    }
  }
}

interface FaultMeasure {
  /** Time from the fault to the first acknowledged command of the last of the host's actors. */
  readonly firstMs: number;
  readonly tookMs: readonly number[];
}

/** Measures a fault until all actors answer again. */
const measureFault = async (load: Load, fault: () => Promise<void>): Promise<FaultMeasure> => {
  load.forget();
  const since = performance.now();
  await fault();
  for (;;) {
    const after = load.written.filter(
      ({ outcome, askedAt, tookMs }) => outcome === 'done' && askedAt + tookMs >= since,
    );
    const firsts = new Map<string, number>();
    for (const { actor, askedAt, tookMs } of after)
      if (askedAt >= since && !firsts.has(actor)) firsts.set(actor, askedAt + tookMs - since);
    if (firsts.size === ACTORS)
      return { firstMs: Math.max(...firsts.values()), tookMs: after.map(({ tookMs }) => tookMs) };
    await Bun.sleep(10);
  }
};

try {
  await migrate({ url: postgres.url, log });
  const stays = await startHost();
  const load = new Load(stays.wire);
  const used = new Set(
    load.actors.map((id) => partitionOf(`bench_stock/${TENANT.store}/production/${id}`, PARTITIONS)),
  );
  if (used.size !== PARTITIONS) throw new Error('Some partition has no actor.');
  const killed: number[] = [];
  const calm: number[] = [];
  const frozen: number[] = [];
  const handed: number[] = [];
  const joined: number[] = [];
  for (let at = 0; at < KILLS; at++) {
    let other = await startHost();
    await Bun.sleep(SETTLE_MS);
    calm.push(...(await measureFault(load, () => Bun.sleep(SETTLE_MS))).tookMs);
    const death = await measureFault(load, async () => {
      other.child.kill('SIGKILL');
      await other.child.exited;
    });
    killed.push(death.firstMs);
    await other.wire.close();

    joined.push(
      ...(
        await measureFault(load, async () => {
          other = await startHost();
          await Bun.sleep(SETTLE_MS);
        })
      ).tookMs,
    );
    const still = await measureFault(load, async () => {
      other.child.kill('SIGSTOP');
      await Bun.sleep(FREEZE_MS);
      other.child.kill('SIGCONT');
    });
    frozen.push(still.firstMs);
    await Bun.sleep(SETTLE_MS);

    handed.push(
      ...(
        await measureFault(load, async () => {
          other.child.kill('SIGTERM');
          await other.child.exited;
        })
      ).tookMs,
    );
    await other.wire.close();
  }
  await load.stop();
  let lost = 0;
  let twice = 0;
  let acknowledged = 0;
  for (const actor of load.actors) {
    const { done, unknown } = load.of(actor);
    const { left } = await load.tell(actor, { receive: 0 });
    acknowledged += done;
    lost += Math.max(0, done - left);
    twice += Math.max(0, left - done - unknown);
  }
  say('killed', {
    kills: KILLS,
    first_answer_p50_ms: ms(killed, 0.5),
    first_answer_max_ms: ms(killed, 1),
  });
  say('stood still', { times: KILLS, for_ms: FREEZE_MS, first_answer_max_ms: ms(frozen, 1) });
  say('calm', {
    writes: calm.length,
    p50_ms: ms(calm, 0.5),
    p99_ms: ms(calm, 0.99),
    max_ms: ms(calm, 1),
  });
  say('handed over', {
    writes: handed.length,
    p50_ms: ms(handed, 0.5),
    p99_ms: ms(handed, 0.99),
    max_ms: ms(handed, 1),
  });
  say('joined', {
    writes: joined.length,
    p50_ms: ms(joined, 0.5),
    p99_ms: ms(joined, 0.99),
    max_ms: ms(joined, 1),
  });
  say('written', { acknowledged, lost, twice });
  stays.child.kill('SIGTERM');
  await stays.child.exited;
  await stays.wire.close();
} finally {
  await Promise.all([postgres.stop(), nats.stop()]);
  await rm(home, { recursive: true, force: true });
}
process.exit(0);
