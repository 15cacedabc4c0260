// Tests that a key lookup overtaken by a change is not cached.
import { expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import type { NewNotice } from '#runtime/nats/notice.ts';
import { keyText, LIVE, openGates } from '#test/edge/gates/stand_in.ts';

test.each<[string, NewNotice | null]>([
  ['the store’s', { kind: 'store', tenant: LIVE }],
  ['the lost link’s', null],
])('an answer that %s notice overtakes is not kept, nor shared with later callers', async (_name, notice) => {
  const { services, edge } = await openGates();
  edge.principals.invalidateAll();
  const resolve = () => edge.principals.resolve(keyText('secret'));
  const held = Promise.withResolvers<void>();
  const ask = services.ask.bind(services);
  services.ask = async (asked) => {
    const answer = await ask(asked);
    await held.promise;
    return answer;
  };
  const early = resolve();
  services.tell(notice);
  const questions = services.asks.length;
  const late = resolve();
  expect(services.asks.length).toBe(questions + 1);
  held.resolve();
  const both = await Promise.all([early, late]);
  expect(both.some((principal) => principal instanceof Refusal)).toBe(false);
  expect(edge.principals.cached(keyText('secret'))).toBe(both[1]);
});
