// Placement on simulated networks that lose, delay or stop messages: thousands of callers wait for their host to join,
// and the number of heartbeats does not depend on the number of callers.
import { describe, expect, test } from 'vitest';
import { PartitionPlacement } from '#runtime/actor/placement.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { FakeNetwork } from '#test/simulation/fake_network.ts';
import { Process, World } from '#test/simulation/world.ts';
import { testLog } from '#test/support/server.ts';

const HEARTBEATS_PER_S = 4;
const unreachablePeer = { tell: () => Promise.reject(new Error('Nothing is asked here.')) };

const openHost = (world: World, network: FakeNetwork, name: string) => {
  const process = new Process(name);
  const bus = network.bus(process);
  let heartbeats = 0;
  const placement = new PartitionPlacement({
    self: { id: name, address: name },
    namespace: 'test',
    bus: {
      ...bus,
      get connected() {
        return bus.connected;
      },
      publish: (subject, bytes) => {
        heartbeats++;
        return bus.publish(subject, bytes);
      },
    },
    timers: world.timers(process),
    log: testLog(),
    claims: () => [],
    onReheard: () => {},
    onDead: () => {},
    healthIssues: () => [],
    layout: () => 1,
    onLayout: () => {},
    onChange: () => {},
  });
  network.enter(name, process, unreachablePeer as never);
  return {
    process,
    placement,
    get heartbeats() {
      return heartbeats;
    },
  };
};

type Host = ReturnType<typeof openHost>;

/** Callers who are not sure, and what became of them. */
const wait = (host: Host, callers: number) => {
  const ended = { sure: 0, unavailable: 0 };
  for (let at = 0; at < callers; at++)
    host.placement.becomeSure().then(
      () => ended.sure++,
      (problem) => {
        if (!(problem instanceof Unavailable)) throw problem;
        ended.unavailable++;
      },
    );
  return ended;
};

const standStill = async (world: World, host: Host, ms: number): Promise<void> => {
  host.process.stillUntil = world.now + ms;
  await world.run(world.now + ms);
};

test('3,000 callers share one wait', async () => {
  const world = new World(1);
  const network = new FakeNetwork(world, { lost: 0, late: 0 });
  const host = openHost(world, network, 'a');
  void host.placement.start();
  await world.run(1_000);
  host.process.stillUntil = world.now + 5_000;
  world.now += 5_000;
  expect(host.placement.sure).toBe(false);
  const before = host.heartbeats;
  const ended = wait(host, 3_000);
  await world.run(world.now + 100);
  expect(ended).toEqual({ sure: 3_000, unavailable: 0 });
  expect(host.heartbeats - before).toBeLessThanOrEqual(3);
});

test('a host that is never heard says so to its callers, and does not fill the bus', async () => {
  const world = new World(2);
  const network = new FakeNetwork(world, { lost: 0, late: 0 });
  const host = openHost(world, network, 'a');
  void host.placement.start();
  await world.run(1_000);
  // Cut off, and told so only after `NOTICE_MS`: until then the bus seems to be there.
  const deaf = { ...network.bus(host.process), connected: true };
  const unheard = new PartitionPlacement({
    self: { id: 'b', address: 'b' },
    namespace: 'test',
    bus: { ...deaf, subscribe: () => () => {} },
    timers: world.timers(host.process),
    log: testLog(),
    claims: () => [],
    onReheard: () => {},
    onDead: () => {},
    healthIssues: () => [],
    layout: () => 1,
    onLayout: () => {},
    onChange: () => {},
  });
  const outcomes = Promise.allSettled(Array.from({ length: 2_000 }, () => unheard.becomeSure()));
  await world.run(world.now + 10_000);
  const refused = (await outcomes).filter(
    (outcome) => outcome.status === 'rejected' && outcome.reason instanceof Unavailable,
  );
  expect(refused).toHaveLength(2_000);
});

describe('whatever the network does', () => {
  test.each(Array.from({ length: Number(process.env.STOA_SEEDS ?? 40) }, (_, at) => at + 1))(
    'callers are told, with few beats (seed %i)',
    async (seed) => {
      const world = new World(seed);
      const { chance } = world;
      const network = new FakeNetwork(world, { lost: 0, late: chance.happens(0.5) ? chance.next() : 0 });
      const hosts = Array.from({ length: chance.between(1, 4) }, (_, at) => openHost(world, network, `host ${at}`));
      for (const host of hosts) void host.placement.start();
      await world.run(1_000);
      let callers = 0;
      const ended: ReturnType<typeof wait>[] = [];
      for (let turn = 0; turn < 12; turn++) {
        const host = chance.pick(hosts);
        const what = chance.next();
        if (what < 0.5) await standStill(world, host, chance.between(500, 4_000));
        else if (what < 0.7) network.cut(host.process);
        else if (what < 0.9) network.mend(host.process);
        const count = chance.between(0, 2_000);
        callers += count;
        ended.push(wait(chance.pick(hosts), count));
        await world.run(world.now + chance.between(0, 1_500));
      }
      network.heal();
      await world.run(world.now + 10_000);
      const sum = (of: 'sure' | 'unavailable') => ended.reduce((all, each) => all + each[of], 0);
      expect(sum('sure') + sum('unavailable')).toBe(callers);
      // A tick and a proof each say something every 250 ms, and a host that asks is answered by all.
      const most = (world.now / 1_000) * 2 * HEARTBEATS_PER_S * hosts.length + 100;
      for (const host of hosts) expect(host.heartbeats).toBeLessThanOrEqual(most);
    },
  );
});

test('a layout is agreed to once every other host that lives knows it', async () => {
  const world = new World(1);
  const network = new FakeNetwork(world, { lost: 0, late: 0 });
  const [here, there] = [openHost(world, network, 'a'), openHost(world, network, 'b')];
  void here.placement.start();
  void there.placement.start();
  await world.run(1_000);
  expect([here.placement.agrees(1), here.placement.agrees(2)]).toEqual([true, false]);
  const behind = new Process('c');
  const beat = { id: 'c', address: 'c', count: 1, leaving: false, looking: false, claims: [], asks: false, layout: 0 };
  network.bus(behind).publish('test.host', Buffer.from(JSON.stringify(beat)));
  await world.run(1_100);
  expect(here.placement.agrees(1)).toBe(false);
  await world.run(5_000);
  expect(here.placement.agrees(1)).toBe(true);
});
