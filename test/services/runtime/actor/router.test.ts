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
  const told = async () => {
    const metrics = await registry.metrics();
    const of = (name: string) => Number(new RegExp(`^stoa_actor_${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
    return {
      serving: of('partitions{state="serving"}'),
      recovering: of('partitions{state="recovering"}'),
      unwritten: of('unwritten'),
    };
  };
  // The numbers are of the whole process.
  const before = await told();
  const stage = await theatre.open({ partitions: 4 });
  await stage.tell('a', { do: 'add', count: 5 });
  await eventually(async () => expect(await told()).toEqual({ ...before, serving: before.serving + 4 }));
  await stage.kill();
  expect(await told()).toEqual(before);
});
