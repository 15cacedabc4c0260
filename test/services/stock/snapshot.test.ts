// Snapshots of earlier releases are read as what they were.
import { expect, test } from 'vitest';
import { readStock, writeStock } from '#services/stock/snapshot.ts';
import { Actor, level, plain } from '#test/services/stock/variant.ts';

test('a snapshot of before, whose holds were tuples or in leaves with such, is read as what it was', () => {
  const actor = new Actor();
  for (const hold of ['a', 'b', 'c']) actor.hold(hold, 1, level(9));
  const tuples = actor.state.holds.all().map(({ id, quantity, status, until }) => [id, quantity, status, until]);
  const [first, ...rest] = tuples;
  for (const holds of [tuples, { nodes: [{ holds: [first] }, { nodes: [{ holds: rest }, { holds: [] }] }] }])
    expect(plain(readStock(JSON.stringify({ ...actor.state, holds })))).toEqual(plain(actor.state));
});

test('a snapshot that an earlier release wrote last says nothing of pieces that are not on hand any more', () => {
  const actor = new Actor();
  actor.hold('a', 2, level(5, 1, 0));
  actor.ok({ type: 'Pin', hold: 'a' });
  actor.hold('b', 9, level(3, 2, 2));
  expect(actor.state.counted).toBe(2);
  const { taken: _taken, ...told } = actor.state.level;
  for (const counted of [2, undefined])
    expect(plain(readStock(JSON.stringify({ ...JSON.parse(writeStock(actor.state)), level: told, counted })))).toEqual(
      plain({ ...actor.state, level: told, counted: 0 }),
    );
});
