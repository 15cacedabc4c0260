// Limits on records of a kind: a store never exceeds one, with any number of concurrent callers.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

/** Free places before the race; the callers beyond them are too many. */
const ROOM = 5;
const BEYOND = 12;

interface Kind {
  readonly path: string;
  readonly most: number;
  readonly body: (number: number) => unknown;
}

const KINDS: readonly (readonly [string, Kind])[] = [
  [
    'channels',
    {
      path: '/v1/channels',
      most: 50,
      body: (number) => ({ provider: 'compass', name: `${number}`, url: 'https://channel.invalid/', format: 'stoa' }),
    },
  ],
  [
    'webhook endpoints',
    {
      path: '/v1/webhook-endpoints',
      most: 250,
      body: (number) => ({ url: `https://hooks.invalid/${number}`, events: ['collection.created'] }),
    },
  ],
  [
    'inbound feeds',
    {
      path: '/v1/ingestion/feeds',
      most: 100,
      body: (number) => ({ url: `https://feed.invalid/${number}.csv`, format: 'csv' }),
    },
  ],
  [
    'shipping providers',
    {
      path: '/v1/shipping/providers',
      most: 10,
      body: (number) => ({ kind: 'custom', name: `${number}`, url: `https://rates.invalid/${number}` }),
    },
  ],
];

const add = (keys: Keys, { path, body }: Kind, number: number): Promise<Reply> =>
  stoa.send('POST', path, { key: keys.secret_key, body: body(number) });

describe.each(KINDS)('of %s', (_name, kind) => {
  test(`there are ${kind.most} at most, and each caller too many is refused`, async () => {
    const keys = await stoa.createStore({ plan: 'enterprise' });
    const before = kind.most - ROOM;
    for (let made = 0; made < before; made++) expect((await add(keys, kind, made)).status).toBe(201);
    const replies = await Promise.all(Array.from({ length: ROOM + BEYOND }, (_, at) => add(keys, kind, before + at)));
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    expect([count(201), count(409)]).toEqual([ROOM, BEYOND]);
    for (const { status, body } of replies) if (status === 409) expect(body.error.code).toBe('conflict');
  });
});

const PLATFORMS_MAX = 250;

test('limits the platforms that receive order events, and counts the same one once', async () => {
  const keys = await stoa.createStore();
  const tenant = { store: keys.store_id, environment: 'production' } as const;
  const { ask, postgres } = stoa.services.runtime;
  const follow = (number: number) =>
    ask('PlatformWebhook/FollowCheckout', tenant, {
      checkout_intent_id: crypto.randomUUID(),
      url: `https://platform.invalid/${number}`,
      found_at: `https://platform.invalid/${number}/profile`,
      platform: `Platform ${number}`,
    });
  const before = PLATFORMS_MAX - ROOM;
  for (let made = 0; made < before; made++) expect(await follow(made)).toEqual({ followed: true });
  // Each of those that are left asks for two checkouts at once.
  const numbers = Array.from({ length: 2 * (ROOM + BEYOND) }, (_, at) => before + (at >> 1));
  const answers = await Promise.all(numbers.map(follow));
  const followed = answers.filter((answer) => 'followed' in answer && answer.followed).length;
  const [found] = await postgres.sql<{ count: number }[]>`
    select count(*)::integer as count from webhook.endpoint where store = ${keys.store_id} and format = 'ucp'`;
  expect([followed, found?.count]).toEqual([2 * ROOM, PLATFORMS_MAX]);
});
