// A batch is read as it was written, whatever its size.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  actorIn,
  factsIn,
  keptIn,
  openBatch,
  type Record,
  readBatch,
  writeActor,
  writeBatch,
  writeEnd,
  writeRecord,
} from '#runtime/actor/record.ts';

const actor = { kind: 'stock', store: randomUUID(), environment: 'production', id: 'päckchen' } as const;
const nonce = randomUUID();
const recordOf = (at: number): Record => ({
  actor: 0,
  commandId: randomUUID(),
  now: 1_800_000_000_000 + at,
  facts: [{ type: 'Held', hold: randomUUID(), note: '"ü"\n' }],
  kept: at % 2 === 0 ? null : { hash: 'ab', fingerprint: 'f', sealed: 'c2VhbGVk', expiresAt: at },
});
const written = (records: readonly Record[]): Uint8Array =>
  writeBatch(7, nonce, [writeActor(actor)], records.map(writeRecord));

it.each([0, 1, 5, 64, 256])('reads a batch of %i records', (count) => {
  const records = Array.from({ length: count }, (_, at) => recordOf(at));
  expect(readBatch(written(records))).toEqual({ ends: false, number: 7, nonce, actors: [actor], records });
});

it('reads the mark at the end of a log, which an earlier release takes for a format that it does not know', () => {
  const bytes = writeEnd(7, nonce);
  expect(readBatch(bytes)).toEqual({ ends: true, number: 7, nonce, actors: [], records: [] });
  expect(Buffer.from(bytes).toString()).toMatch(/^\[2,7,/);
});

it('reads a large batch that was not compressed, as earlier versions wrote them', () => {
  const records = Array.from({ length: 64 }, (_, at) => recordOf(at));
  const text = `[1,7,"${nonce}",[${writeActor(actor)}],[${records.map(writeRecord).join(',')}]]`;
  // In the middle of another buffer, as messages arrive.
  const bytes = Buffer.from(`..${text}..`).subarray(2, -2);
  expect(readBatch(bytes)).toEqual(readBatch(written(records)));
  expect(written(records).length).toBeLessThan(bytes.length / 2);
});

it.each([true, false])('tells whose a record is and what it keeps before it is read (a line each: %s)', (lines) => {
  const records = Array.from({ length: 64 }, (_, at) => ({ ...recordOf(at), actor: at * 7 }));
  const text = `[1,7,"${nonce}",[${writeActor(actor)}],[${records.map(writeRecord).join(',')}]]`;
  const opened = openBatch(lines ? written(records) : Buffer.from(text));
  expect(opened.actors).toEqual([writeActor(actor)]);
  expect(opened.records.map(actorIn)).toEqual(records.map((record) => record.actor));
  expect(opened.records.map(keptIn)).toEqual(records.map((record) => record.kept));
});

it.each([randomUUID(), '', '[",["]],', '\\', '"', 'päckchen'])(
  'finds the facts of a record without reading what stands about them (command %s)',
  (commandId) => {
    for (const facts of [[], [null], [7], [['a', 7]], [{ type: 'Held', hold: commandId, list: [[1]] }]])
      for (const kept of [recordOf(0).kept, recordOf(1).kept]) {
        const opened = openBatch(
          written(Array.from({ length: 20 }, () => ({ ...recordOf(0), commandId, facts, kept }))),
        );
        expect(opened.records.map(factsIn)).toEqual(Array.from({ length: 20 }, () => facts));
      }
  },
);

it('takes no number at the end of a fact for an answer', () => {
  const record = { ...recordOf(0), facts: [['a', 'b', 'c', 4]] };
  const opened = openBatch(written([record, record]));
  expect(opened.records.map(keptIn)).toEqual([null, null]);
});
