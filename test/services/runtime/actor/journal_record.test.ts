// Round-trips batches of the journal at any size.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  type JournalRecord,
  openBatch,
  readBatch,
  writeActor,
  writeBatch,
  writeEnd,
  writeRecord,
} from '#runtime/actor/journal_record.ts';
import type { JournalAudit } from '#runtime/audit/command_audit.ts';

const actor = { kind: 'stock', store: randomUUID(), environment: 'production', id: 'päckchen' } as const;
const nonce = randomUUID();
const AUDIT: JournalAudit = {
  actor: { kind: 'key', id: randomUUID(), name: null },
  endpoint: 'DELETE /v1/cart',
  operation: 'emptyCart',
  resource: 'cart',
  resourceId: randomUUID(),
  change: { before: { items: [{ quantity: 1 }] }, after: { items: [] }, shortened: false },
  address: '192.0.2.1',
  requestId: null,
};
const recordOf = (at: number): JournalRecord => ({
  actorIndex: 0,
  commandId: randomUUID(),
  now: 1_800_000_000_000 + at,
  facts: [{ type: 'Held', hold: randomUUID(), note: '"ü"\n' }],
  answer: at % 2 === 0 ? null : { hash: 'ab', fingerprint: 'f', sealed: 'c2VhbGVk', expiresAt: at },
  ...(at % 4 < 2 ? {} : { audit: AUDIT }),
});
const written = (records: readonly JournalRecord[]): Uint8Array =>
  writeBatch(7, nonce, [writeActor(actor)], records.map(writeRecord));

it.each([0, 1, 5, 64, 256])('reads a batch of %i records', (count) => {
  const records = Array.from({ length: count }, (_, at) => recordOf(at));
  expect(readBatch(written(records))).toEqual({ ends: false, number: 7, nonce, actors: [actor], records });
});

it('reads the mark at the end of a log, which has a format of its own', () => {
  const bytes = writeEnd(7, nonce);
  expect(readBatch(bytes)).toEqual({ ends: true, number: 7, nonce, actors: [], records: [] });
  expect(Buffer.from(bytes).toString()).toMatch(/^\[2,7,/);
});

it('reads the records beside one that is damaged, and tells whose that one is', () => {
  const records = Array.from({ length: 64 }, (_, at) => ({ ...recordOf(at), actorIndex: at * 7 }));
  const lines = records.map(writeRecord);
  lines[5] = lines[5]!.replace('Held', '\u0000');
  const opened = openBatch(writeBatch(7, nonce, [writeActor(actor)], lines)).records;
  expect(opened[5]).toEqual({ actorIndex: 35, problem: expect.any(SyntaxError) });
  expect(opened.toSpliced(5, 1)).toEqual(records.toSpliced(5, 1));
});

it.each(['', '"', 'päckchen', '[7', '[7.5,"c",0,[]]', '{"actor":7}'])(
  'does not guess whose a record is that says nothing of it (%s)',
  (line) => {
    const [record] = openBatch(writeBatch(7, nonce, [writeActor(actor)], [line])).records;
    expect([actor][record!.actorIndex]).toBeUndefined();
  },
);
