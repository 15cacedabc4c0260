// Actors on real servers: what is answered is durable, whatever ends the host.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { registry } from '#runtime/metric.ts';
import { eventually } from '#test/support/server.ts';
import { openTheatre, type Theatre } from './theatre.ts';

let theatre: Theatre;
beforeEach(async () => {
  theatre = await openTheatre();
});
afterEach(() => theatre.close());

describe('an actor', () => {
  test('answers what its commands led to', async () => {
    const stage = await theatre.open();
    expect(await stage.tell('a', { do: 'add', count: 5 })).toEqual({ free: 5, sold: 0, held: 0 });
    expect(await stage.tell('a', { do: 'hold', hold: 'x', count: 2, ms: 60_000 })).toEqual({
      free: 3,
      sold: 0,
      held: 2,
    });
    expect(await stage.tell('b', { do: 'look' })).toEqual({ free: 0, sold: 0, held: 0 });
    expect(await stage.tell('a', { do: 'hold', hold: 'y', count: 4, ms: 60_000 })).toMatchObject({
      code: 'insufficient_stock',
    });
  });

  test('is the same after a stop, and after a kill', async () => {
    let stage = await theatre.open();
    await stage.tell('a', { do: 'add', count: 5 });
    await stage.stop();
    stage = await theatre.open();
    expect(await stage.tell('a', { do: 'look' })).toMatchObject({ free: 5 });
    await stage.tell('a', { do: 'add', count: 2 });
    await stage.kill();
    stage = await theatre.open();
    expect(await stage.tell('a', { do: 'look' })).toMatchObject({ free: 7 });
  });
});

test('a host tells of the logs that it owns, and what of them is not in Postgres yet', async () => {
  const told = async (name: string): Promise<number> =>
    Number(new RegExp(`^stoa_actor_${name} (\\d+)$`, 'm').exec(await registry.metrics())?.[1]);
  const before = await told('partitions{state="serving"}');
  const stage = await theatre.open();
  await stage.tell('a', { do: 'add', count: 5 });
  await eventually(async () => expect(await told('partitions{state="serving"}')).toBeGreaterThan(before));
  await eventually(async () => expect(await told('partitions{state="recovering"}')).toBe(0));
  await eventually(async () => expect(await told('unwritten')).toBe(0));
  await stage.kill();
  expect(await told('partitions{state="serving"}')).toBe(before);
});
