// Actors that count for nothing after some time: their snapshots go without a word, and those of others stay.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sweepExpired } from '#runtime/actor/expiry.ts';
import type { ActorKind } from '#runtime/actor/kind.ts';
import { eventually } from '#test/support/server.ts';
import { type ActorTestHost, openActorTestHost, TENANT } from './actor_test_host.ts';

interface Stay {
  readonly until: number;
}
const stay: ActorKind<Stay, Stay | null, Stay, Stay> = {
  name: 'stay',
  initial: { until: 0 },
  decide: (state, command) => ({ facts: command ? [command] : [], answer: command ?? state }),
  evolve: (_, fact) => fact,
  dueAt: () => null,
  due: null,
  isDisposable: () => false,
  expiresAt: ({ until }) => until,
  announce: () => [],
};

let testHost: ActorTestHost;
beforeEach(async () => {
  testHost = await openActorTestHost();
});
afterEach(() => testHost.close());

test('lapsed snapshots are swept, the others are not, and a lapsed actor begins anew', async () => {
  const now = testHost.clock.real();
  const hour = 3_600_000;
  const rows = async () => {
    const found = await testHost.postgres.sql<{ id: string }[]>`select id from runtime.actor order by id`;
    return found.map(({ id }) => id);
  };
  let stage = await testHost.open({ kinds: [stay] });
  const call = () => ({ commandId: crypto.randomUUID(), deadline: testHost.clock.real() + 30_000 });
  const tell = (id: string, command: Stay | null) => stage.actors.tell(stay, TENANT, id, command, call());
  await tell('gone', { until: now - hour });
  await tell('stays', { until: now + hour });
  await tell('young', { until: now });
  await eventually(async () => expect(await rows()).toEqual(['gone', 'stays', 'young']));

  expect(await sweepExpired(testHost.postgres, now)).toBe(1);
  expect(await rows()).toEqual(['stays', 'young']);
  expect(await sweepExpired(testHost.postgres, now)).toBe(0);
  await stage.stop();
  stage = await testHost.open({ kinds: [stay] });
  expect([await tell('gone', null), await tell('stays', null)]).toEqual([{ until: 0 }, { until: now + hour }]);
});
