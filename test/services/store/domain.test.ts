// The hosts at whose root agents find a store: their one spelling, and one store for each.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { hostOf, readDomains } from '#services/store/domain.ts';
import { type Caller, openStoreHost, type StoreHost } from './host.ts';

describe('a domain', () => {
  test.each([
    ['shop.example', 'shop.example'],
    ['  Shop.EXAMPLE ', 'shop.example'],
    ['café.example', 'xn--caf-dma.example'],
    ['a-b.c-d.example', 'a-b.c-d.example'],
  ])('%s is %s', (given, host) => {
    expect(hostOf(given)).toBe(host);
  });

  test.each([
    'localhost',
    'https://shop.example',
    'shop.example:8080',
    'shop.example/path',
    '127.0.0.1',
    '[::1]',
    '-shop.example',
    'shop..example',
    'shop.example.',
    `${'a'.repeat(64)}.example`,
    '*.shop.example',
    '',
  ])('%j is none', (given) => {
    expect(hostOf(given)).toBeNull();
  });

  test('keeps each domain once, however it is spelt, and names an invalid one', () => {
    expect(readDomains(['b.example', 'a.example', 'B.example'])).toEqual(['b.example', 'a.example']);
    const refused = readDomains(['a.example', 'nothing']);
    expect(refused instanceof Refusal && refused.extra.param).toBe('domains[1]');
  });
});

describe('domains of stores', () => {
  let host: StoreHost;
  beforeAll(async () => {
    host = await openStoreHost();
  });
  afterAll(() => host.close());

  const newStore = async (): Promise<Caller> => ({
    store: (await host.newStore({ currency: 'USD' })).store_id,
    environment: 'production',
    keyType: 'secret',
  });
  const change = async (caller: Caller, body: object) => (await host.call('Store/UpdateStore', caller, body)).store;
  const find = (store: string) => host.call('StoreDirectory/GetProfile', { keyType: 'internal' }, { store });

  test('lead to their store until the store removes them', async () => {
    const one = await newStore();
    expect((await change(one, { domains: ['Two.example', 'one.example'] })).domains).toEqual([
      'two.example',
      'one.example',
    ]);
    expect(await find('one.example')).toMatchObject({ id: one.store, domains: ['two.example', 'one.example'] });
    const other = await newStore();
    expect(
      await host.refused('Store/UpdateStore', other, { name: 'Other', domains: ['own.example', 'one.example'] }),
    ).toMatchObject({ code: 'conflict', extra: { param: 'domains[1]' } });
    expect((await host.call('Store/GetStore', other)).store).toMatchObject({ domains: [] });
    expect((await change(one, { domains: ['two.example'] })).domains).toEqual(['two.example']);
    expect((await change(other, { domains: ['one.example'] })).domains).toEqual(['one.example']);
    expect(await find('one.example')).toMatchObject({ id: other.store });
  });

  test('gives a domain that many stores want at once to one of them', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, newStore));
    const outcomes = await Promise.allSettled(stores.map((each) => change(each, { domains: ['wanted.example'] })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('shares domains and agent protocols between both environments', async () => {
    const live = await newStore();
    expect(await change(live, { agents: { acp: false } })).toMatchObject({
      agents: { mcp: true, acp: false, ucp: true },
    });
    const sandbox: Caller = { ...live, environment: 'sandbox' };
    expect((await host.call('Store/GetStore', sandbox)).store.agents).toEqual({ mcp: true, acp: false, ucp: true });
    expect(await host.refused('Store/UpdateStore', sandbox, { agents: { acp: true } })).toMatchObject({
      code: 'forbidden',
    });
    expect((await change(live, { wholesale_enabled: true })).agents).toEqual({ mcp: false, acp: false, ucp: false });
    expect((await change(live, { wholesale_enabled: false })).agents).toEqual({ mcp: true, acp: false, ucp: true });
  });
});
