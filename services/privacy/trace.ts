// Erases a person from what the runtime stores for all domains: answers under idempotency keys, and dead events.
import { type ErasureRule, mentionsAny, searchedAtOnce, wordsOf } from '#runtime/domain/personal_data.ts';
import { withoutPerson } from '#runtime/event/envelope.ts';
import { rewriteAnswers } from '#runtime/postgres/idempotency.ts';
import { rewriteDeadEvents } from '#runtime/postgres/inbox.ts';
import { withoutTexts } from '#values/personal_text.ts';
import { deleteExport } from './table/export.ts';

const ANSWERS_AT_ONCE = 500;
const DEAD_AT_ONCE = 100;

/** Returns an empty object for an answer that is no JSON. */
const answerWithoutTexts = (answer: string): string => {
  try {
    return JSON.stringify(withoutTexts(JSON.parse(answer)));
  } catch (problem) {
    if (problem instanceof SyntaxError) return '{}';
    throw problem;
  }
};

export const runtimeErasures: readonly ErasureRule[] = [
  {
    what: 'exports',
    stage: 'record',
    erase: async ({ sql }, { tenant, id }) => {
      await deleteExport(sql, tenant, id);
      return { ids: [], next: null };
    },
  },
  {
    what: 'stored answers',
    stage: 'trace',
    erase: async (tx, person, after) => {
      const words = wordsOf(person);
      const limit = Math.min(ANSWERS_AT_ONCE, searchedAtOnce(words));
      const { next } = await rewriteAnswers(tx, person.tenant, { after, limit }, (answer) => {
        // An erasure's own answer names no person but by id.
        if (answer.startsWith('{"erasure":')) return null;
        const text = answer.toLowerCase();
        return words.some((word) => text.includes(word)) ? answerWithoutTexts(answer) : null;
      });
      return { ids: [], next };
    },
  },
  {
    what: 'dead events',
    stage: 'trace',
    erase: async ({ sql }, person) => {
      const isOf = sql`strpos(payload, ${`"store_id":"${person.tenant.store}"`}) > 0
        and ${mentionsAny(sql, sql`payload`, wordsOf(person))}`;
      const count = await rewriteDeadEvents(sql, isOf, DEAD_AT_ONCE, withoutPerson);
      return { ids: [], next: count < DEAD_AT_ONCE ? null : 'more' };
    },
  },
];
