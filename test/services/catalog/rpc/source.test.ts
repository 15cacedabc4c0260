// Reads of the catalogue by search and channels: concurrent traversals of changed products.
import { beforeAll, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { ok } from '#test/support/reply.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
let tenant: Tenant;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  tenant = { store: keys.store_id, environment: 'production' };
});

const ask = async (edition: { instance: string; since: number; round?: number }, limit = 100) =>
  ok(await stoa.services.runtime.ask('CatalogSource/ListProductDigests', tenant, { ...edition, limit }));

const make = async (name: string): Promise<string> =>
  (await stoa.send('POST', '/v1/products', { key: keys.secret_key, body: { name, price: 10 } })).body.id;

test('one reader sees what changed after another one started', async () => {
  const ids = await Promise.all(['Lamp', 'Chair', 'Table'].map(make));
  const { instance, edition } = await ask({ instance: '', since: 0 });
  // Every new form has a newer fragment.
  await stoa.send('GET', '/v1/products?fields=id,name', { key: keys.secret_key });
  await ask({ instance: '', since: 0 }, 1);
  await stoa.send('PATCH', `/v1/products/${ids[0]}`, { key: keys.secret_key, body: { price: 12 } });
  const { digests } = await ask({ instance, since: edition });
  expect(digests.map(({ product_id }) => product_id)).toEqual([ids[0]]);
});

test('two readers traverse everything page by page, independently', async () => {
  const read = new Map<string, string[]>([
    ['one', []],
    ['two', []],
  ]);
  const at = new Map([...read.keys()].map((name) => [name, { instance: '', since: 0, round: 0 }]));
  for (let open = [...read.keys()]; open.length > 0; ) {
    const more: string[] = [];
    for (const name of open) {
      const page = await ask(at.get(name)!, 1);
      read.get(name)!.push(...page.digests.map(({ product_id }) => product_id));
      at.set(name, { instance: page.instance, since: page.edition, round: page.round });
      if (page.has_more) more.push(name);
    }
    open = more;
  }
  expect([...read.values()].map((ids) => new Set(ids).size)).toEqual([3, 3]);
  expect([...read.values()].map((ids) => ids.length)).toEqual([3, 3]);
});

test('a request without a page returns the catalogue’s revision and edition', async () => {
  const { instance, edition } = await ask({ instance: '', since: 0 });
  const before = await ask({ instance, since: edition }, 0);
  await make('Vase');
  const after = await ask({ instance, since: edition }, 0);
  expect(after).toMatchObject({ instance, edition, has_more: false, round: 0 });
  expect(after.revision).toBeGreaterThan(before.revision);
});
