// A shopper stays signed in while the shop's own server cannot say whether their session can be renewed.
import { expect, test } from 'vitest';
import { ShopRefusal } from '#edge/pages/storefront/refusal.ts';
import { renewStoredSession, type StoredSession } from '#edge/pages/storefront/renewal.ts';

const SPENT: StoredSession = {
  access_token: 'at_1',
  refresh_token: 'rt_1',
  expires_at: '2026-01-01T00:00:00.000Z',
  email: 'ada@example.com',
};

const renew = async (known: StoredSession | null, answer: object | Error) => {
  const stored: (StoredSession | null)[] = [];
  const asked: unknown[] = [];
  const ask = async <T>(what: string, body: object): Promise<T> => {
    asked.push([what, body]);
    if (answer instanceof Error) throw answer;
    return answer as T;
  };
  const outcome = await renewStoredSession(known, ask, (session) => stored.push(session)).catch((problem) => problem);
  return { outcome, stored, asked };
};

test.each([400, 401, 403, 404])('ends the session when the server refuses it with %i', async (status) => {
  const { outcome, stored } = await renew(SPENT, new ShopRefusal('No.', status));
  expect([outcome, stored]).toEqual([null, [null]]);
});

test.each<readonly [string, Error]>([
  ...[408, 409, 429, 500, 502, 503, 504].map(
    (status) => [`status ${status}`, new ShopRefusal('Later.', status)] as const,
  ),
  ['a lost connection', new TypeError('Failed to fetch')],
  ['an answer that is no JSON', new SyntaxError('Unexpected token <')],
])('keeps the session through %s', async (_, problem) => {
  const { outcome, stored } = await renew(SPENT, problem);
  expect(outcome).toBe(problem);
  expect(stored).toEqual([]);
});

test('stores the next session beside the address', async () => {
  const session = { access_token: 'at_2', refresh_token: 'rt_2', expires_at: '2026-01-02T00:00:00.000Z' };
  const { outcome, stored, asked } = await renew(SPENT, { session });
  expect(outcome).toEqual(session);
  expect(stored).toEqual([{ ...session, email: SPENT.email }]);
  expect(asked).toEqual([['renew', { refresh_token: 'rt_1' }]]);
});

test('asks nothing without a refresh token', async () => {
  const { refresh_token: _, ...known } = SPENT;
  for (const session of [null, known])
    expect(await renew(session, {})).toEqual({ outcome: null, stored: [], asked: [] });
});
