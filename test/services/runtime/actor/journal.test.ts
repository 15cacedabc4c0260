// How a writer's append ends, by what the broker answers and by what then stands in the log.
import { expect, test } from 'vitest';
import { type Journal, LogWriter } from '#runtime/actor/journal.ts';
import { writeBatch } from '#runtime/actor/journal_record.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import { OutOfSequence, type Stored } from '#runtime/nats/bus.ts';
import { systemTimers } from '#runtime/process/clock.ts';

const NUMBER = 3;
const EXPECTED = 7;
const stored = (number: number, nonce: string): Stored => ({
  sequence: EXPECTED + 1,
  bytes: writeBatch(number, nonce, [], []),
});
const OURS = stored(NUMBER, 'ours');
const ANOTHER = stored(NUMBER, 'another');
const LATER = { ...stored(NUMBER + 1, 'another'), sequence: EXPECTED + 2 };
const refused = new OutOfSequence('actor.0', undefined);
const unknown = new UnknownOutcome('No answer came.');
const away = new Unavailable('No leader.');

const end = async (answers: readonly (Error | { sequence: number; duplicate: boolean })[], log: readonly Stored[]) => {
  const left = [...answers];
  const journal: Journal = {
    append: async () => {
      const answer = left.shift();
      if (answer === undefined) throw new Error('There is no answer left.');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    last: async () => log.at(-1) ?? null,
    at: async (_, sequence) => log.find((each) => each.sequence === sequence) ?? null,
    read: async function* (_, from, to) {
      yield* log.filter(({ sequence }) => sequence >= from && sequence <= to);
    },
    trim: async () => {},
    head: async () => 0,
  };
  const writer = new LogWriter(journal, 0, systemTimers);
  const attempt = { number: NUMBER, nonce: 'ours', expected: EXPECTED, bytes: OURS.bytes, doubt: () => {} };
  return writer.append(attempt).catch((problem: unknown) => problem);
};

const HERE = { kind: 'stored', sequence: EXPECTED + 1 };
const [LOST, UNCLEAR] = [{ kind: 'lost' }, { kind: 'unclear' }];

test.each([
  ['stored at once', [{ sequence: 8, duplicate: false }], [OURS], HERE],
  ['a duplicate that is ours', [{ sequence: 8, duplicate: true }], [OURS], HERE],
  ['a duplicate that is another owner’s', [{ sequence: 8, duplicate: true }], [ANOTHER], LOST],
  ['another owner was first', [refused], [ANOTHER], LOST],
  ['another owner was first, whose batch is trimmed', [refused], [LATER], LOST],
  ['refused, though ours is there: the broker met the request twice', [refused], [OURS], HERE],
  ['no answer, and then ours is there', [unknown, refused], [OURS], HERE],
  ['no answer, and then another owner’s is there', [unknown, refused], [ANOTHER], LOST],
  ['no answer, and then a log in which neither is seen', [unknown, refused], [LATER], UNCLEAR],
  ['surely not stored', [away], [], away],
] as const)('%s', async (_, answers, log, outcome) => {
  expect(await end(answers, log)).toEqual(outcome);
});
