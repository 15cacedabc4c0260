// Tests that a key lookup overtaken by a change is not cached, and that a key which ends is forgotten in time.
import { expect, test } from 'vitest';
import { Refusal, refuse } from '#runtime/call/call.ts';
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

test('a key in its overlap is looked up again when it ends, a restricted one has its scopes', async () => {
  const { services, edge } = await openGates();
  edge.principals.invalidateAll();
  const ask = services.ask.bind(services);
  let ended = false;
  services.ask = async (asked) => {
    const answer = await ask(asked);
    if (ended) return { ...answer, refused: refuse('not_found', 'No such key.') };
    const found = JSON.parse(new TextDecoder().decode(answer.body));
    const body = JSON.stringify({ ...found, scopes: ['orders:read'], expires_in_ms: 50 });
    return { ...answer, body: new TextEncoder().encode(body) };
  };
  const principal = await edge.principals.resolve(keyText('secret'));
  expect(principal).toMatchObject({ scopes: new Set(['orders:read']), isApiKey: true });
  expect(edge.principals.cached(keyText('secret'))).toBe(principal);
  ended = true;
  await Bun.sleep(51);
  expect(edge.principals.cached(keyText('secret'))).toBeNull();
  expect(await edge.principals.resolve(keyText('secret'))).toBeInstanceOf(Refusal);
});
