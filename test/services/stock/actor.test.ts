// Stock actors on the real journal and database: crashes and expiry.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { type StockKind, stockKind } from '#services/stock/actor.ts';
import type { StockAnswer, StockCommand, StockLevel } from '#services/stock/stock.ts';
import {
  type ActorTestHost,
  openActorTestHost,
  SANDBOX,
  type Stage,
  TENANT,
} from '#test/services/runtime/actor/actor_test_host.ts';
import { eventually } from '#test/support/server.ts';

const MINUTE_MS = 60_000;

let clock: ManualClock;
let testHost: ActorTestHost;
let stage: Stage;
let kind: StockKind;
beforeAll(async () => {
  clock = manualClock(Date.now());
  testHost = await openActorTestHost(clock);
});
afterAll(() => testHost?.close());

const open = async (): Promise<void> => {
  kind = stockKind(() => {});
  stage = await testHost.open({ kinds: [kind] });
};
beforeEach(open);
afterEach(() => stage?.stop());

const tell = async (variant: string, command: StockCommand, tenant = TENANT): Promise<StockAnswer> => {
  const call = { commandId: randomUUID(), deadline: clock.real() + 30_000 };
  const answer = await eventually(() => stage.actors.tell(kind, tenant, variant, command, call));
  if (answer instanceof Refusal) throw new Error(answer.message);
  return answer;
};
const level = (onHand: number, version = 1): StockLevel => ({ onHand, version, allocated: 0 });
const hold = (variant: string, id: string, quantity = 1, forMs = 5 * MINUTE_MS, tenant = TENANT) =>
  tell(
    variant,
    { type: 'Hold', hold: id, quantity, level: level(5), expiresAt: clock.now(tenant).getTime() + forMs },
    tenant,
  );
const look = (variant: string, tenant = TENANT) => tell(variant, { type: 'Look', level: null }, tenant);

describe('a killed host', () => {
  test('keeps every acknowledged hold once', async () => {
    const variants = Array.from({ length: 6 }, () => randomUUID());
    for (const variant of variants) {
      await hold(variant, 'pending', 2);
      await hold(variant, 'sold', 1);
      await hold(variant, 'released', 1);
      await tell(variant, { type: 'Release', hold: 'released' });
    }
    await stage.kill();
    await open();
    for (const variant of variants) {
      expect(await look(variant)).toMatchObject({ onHand: 5, held: 3, available: 2 });
      expect((await hold(variant, 'pending', 2)).held).toBe(3);
      await expect(hold(variant, 'released', 1)).rejects.toThrow('The hold was released.');
      expect((await tell(variant, { type: 'Commit', holds: ['sold'], level: level(4, 2) })).available).toBe(2);
    }
    await stage.kill();
    await open();
    for (const variant of variants) expect(await look(variant)).toMatchObject({ onHand: 4, held: 2 });
  });

  test('never oversells while many hold at once', async () => {
    const variant = randomUUID();
    const held = new Set<string>();
    const buy = async (id: string): Promise<void> => {
      const answer = await eventually(() => hold(variant, id));
      if (answer.hold) held.add(id);
    };
    const buyers = Array.from({ length: 20 }, (_, at) => buy(`buyer-${at}`));
    await Promise.race(buyers);
    await stage.kill();
    await open();
    await Promise.all(buyers);
    expect(held.size).toBe(5);
    expect(await look(variant)).toMatchObject({ held: 5, available: 0 });
  });
});

describe('time', () => {
  test('expires idle holds by the tenant’s clock', async () => {
    const variant = randomUUID();
    await hold(variant, 'a', 2, 10 * MINUTE_MS, SANDBOX);
    await hold(variant, 'b', 1, 20 * MINUTE_MS, SANDBOX);
    // Frozen as during time travel, so that the host's own alarms do not run.
    const now = clock.now(SANDBOX).getTime() + 15 * MINUTE_MS;
    clock.freeze(SANDBOX, now);
    const fired = await stage.actors.runDue(SANDBOX, now);
    clock.setOffset(SANDBOX, clock.offset(SANDBOX));
    expect(fired).toEqual([{ type: 'stock', count: expect.any(Number) }]);
    expect(await look(variant, SANDBOX)).toMatchObject({ held: 1, available: 4 });
  });
});
