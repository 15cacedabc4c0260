// Search with an embedding service over HTTP: results, and fallback without it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';
import { openStandIn, type StandIn } from './stand_in.ts';

let standIn: StandIn;
let stoa: Stoa;
let keys: Keys;

const NAMES = [
  'Velvet settee',
  'Running trainers',
  'Reading light',
  'Copper teapot',
  'Canvas rucksack',
  'Leather settee',
];

const ask = (body: unknown) => stoa.send('POST', '/v1/search', { key: keys.publishable_key, body });
const namesOf = (reply: { body: { products: { name: string }[] } }) => reply.body.products.map(({ name }) => name);

beforeAll(async () => {
  standIn = await openStandIn();
  process.env.STOA_EMBEDDINGS_URL = standIn.url;
  process.env.STOA_EMBEDDINGS_MODEL = 'small';
  process.env.STOA_EMBEDDINGS_TIMEOUT_MS = '3000';
  stoa = await startStoa();
  keys = await stoa.createStore();
  for (const name of NAMES) {
    await stoa.send('POST', '/v1/products', { key: keys.secret_key, body: { name, price: 10, stock: 1 } });
  }
});
afterAll(async () => {
  await stoa?.stop();
  delete process.env.STOA_EMBEDDINGS_URL;
  delete process.env.STOA_EMBEDDINGS_MODEL;
  delete process.env.STOA_EMBEDDINGS_TIMEOUT_MS;
  await standIn.close();
});

/** A new query, because embeddings of queries are cached. */
let queries = 0;
const fresh = (words: string): string => `${words}${' '.repeat(3)}${'!'.repeat(++queries)}`;

describe('with an embedding service', () => {
  test('finds products without the query’s words', async () => {
    await eventually(async () => {
      const reply = await ask({ query: fresh('sneakers'), mode: 'semantic' });
      expect(reply.body.mode).toBe('semantic');
      expect(namesOf(reply)).toEqual(['Running trainers']);
    });
    expect((await ask({ query: 'couch', mode: 'text' })).body.total).toBe(0);
    const hybrid = await ask({ query: 'couch' });
    expect([hybrid.body.mode, namesOf(hybrid).sort()]).toEqual(['hybrid', ['Leather settee', 'Velvet settee']]);
  });

  test('a cursor continues in the order of similarity', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await ask({ query: 'couch', mode: 'semantic', limit: 1, cursor });
      expect(body.total).toBe(2);
      seen.push(body.products[0].name);
      cursor = body.pagination.next_cursor;
    } while (cursor !== null);
    expect(seen.sort()).toEqual(['Leather settee', 'Velvet settee']);
  });

  test('a new or changed product is soon found', async () => {
    const made = await stoa.send('POST', '/v1/products', {
      key: keys.secret_key,
      body: { name: 'Oak settee', price: 10 },
    });
    await eventually(async () =>
      expect(namesOf(await ask({ query: 'couch', mode: 'semantic' }))).toContain('Oak settee'),
    );
    await stoa.send('PATCH', `/v1/products/${made.body.id}`, { key: keys.secret_key, body: { name: 'Oak teapot' } });
    await eventually(async () => {
      expect(namesOf(await ask({ query: 'couch', mode: 'semantic' }))).not.toContain('Oak teapot');
      expect(namesOf(await ask({ query: 'kettle', mode: 'semantic' }))).toContain('Oak teapot');
    });
  });

  test.each(['fail', 'lie', 'hang'] as const)(
    'that does %s, searches are by words, and say so, and meanings come back with it',
    async (behaviour) => {
      const { body } = await ask({ query: 'couch', mode: 'semantic', limit: 1 });
      const { next_cursor: cursor } = body.pagination;
      standIn.behaviour = behaviour;
      for (const mode of ['semantic', 'hybrid']) {
        const reply = await ask({ query: fresh('settee'), mode });
        expect([reply.status, reply.body.mode, reply.body.total]).toEqual([200, 'text', 2]);
      }
      // The embedding is cached, so pages continue.
      const next = await ask({ query: 'couch', mode: 'semantic', limit: 1, cursor });
      expect([next.status, next.body.products.length]).toEqual([200, 1]);
      standIn.behaviour = 'answer';
      await eventually(async () =>
        expect((await ask({ query: fresh('couch'), mode: 'semantic' })).body.mode).toBe('semantic'),
      );
    },
  );
});
