// Edges side by side over the same services.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await startStoa();
  keys = await stoa.createStore();
});
afterAll(() => stoa.stop());

describe('two edges', () => {
  test('learn within a second what the other one wrote', async () => {
    const second = stoa.anotherEdge();
    const read = async () =>
      (
        await fetch(`${second.url}/v1/store`, { headers: { Authorization: `Bearer ${keys.publishable_key}` } })
      ).json() as Promise<{ store: { description: string } }>;
    await eventually(async () => expect((await read()).store).toBeDefined());
    await stoa.send('PATCH', '/v1/store', { key: keys.secret_key, body: { description: 'from the first' } });
    await eventually(async () => expect((await read()).store.description).toBe('from the first'));
  });
});
