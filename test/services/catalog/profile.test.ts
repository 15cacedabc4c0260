// The store's currency in prices: cached, refreshed when it changes, and served while the store domain is down.
import { beforeAll, describe, expect, test } from 'vitest';
import { refuse } from '#runtime/call/call.ts';
import { manualClock } from '#runtime/process/clock.ts';
import { openProfiles } from '#services/catalog/profile.ts';
import { type Merchant, openMerchant, someTenant } from '#test/support/catalog.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

describe('a changed currency', () => {
  let stoa: Stoa;
  let merchant: Merchant;
  beforeAll(async () => {
    stoa = await sharedStoa();
    merchant = await openMerchant(stoa);
  });

  test('appears in every product and list within a moment, including cached answers', async () => {
    const { id } = await merchant.createProduct({ price: 19.99 });
    const shown = async () => [
      (await merchant.publishable('GET', `/v1/products/${id}`)).body,
      (await merchant.publishable('GET', '/v1/products')).body.products[0],
    ];
    for (const product of await shown())
      expect(product).toMatchObject({ display_currency: 'USD', currency_symbol: '$' });
    expect((await merchant.secret('PATCH', '/v1/store', { currency: 'GBP' })).status).toBe(200);
    await eventually(async () => {
      for (const product of await shown()) {
        expect(product).toMatchObject({ display_currency: 'GBP', currency_symbol: '£', price: 19.99 });
      }
    });
  });
});

describe('a profile', () => {
  const tenant = someTenant();
  const clock = manualClock(0);
  let asked = 0;
  let reply: () => Promise<unknown>;
  const profiles = openProfiles({
    clock,
    // The store domain, as it answers over its port.
    ask: (async () => {
      asked++;
      return reply();
    }) as Parameters<typeof openProfiles>[0]['ask'],
  });
  const says = (currency: string) => () =>
    Promise.resolve({
      currency,
      currencies: [],
      exchange_rates: [],
      currency_symbol: currency,
      low_stock_threshold: 5,
    });

  test('loads once, is cached, and is served while the store domain is down', async () => {
    reply = says('USD');
    const [first, second] = await Promise.all([profiles.get(tenant), profiles.get(tenant)]);
    expect(second).toBe(first);
    expect([asked, first.frame.currency.code]).toEqual([1, 'USD']);
    reply = () => Promise.reject(new Error('away'));
    clock.advance(60_000);
    expect(profiles.get(tenant)).toBe(first);
    await Promise.resolve();
    expect(profiles.get(tenant)).toBe(first);
    expect(asked).toBeGreaterThan(1);
  });

  test('stays the same object while unchanged', async () => {
    reply = says('USD');
    const { frame } = await profiles.get(tenant);
    // Pending requests complete before the clock advances.
    await Bun.sleep(0);
    const before = asked;
    clock.advance(60_000);
    profiles.get(tenant);
    await eventually(async () => expect(asked).toBeGreaterThan(before));
    expect((await profiles.get(tenant)).frame).toBe(frame);
  });

  test('loads again after invalidation, discarding a request already in flight', async () => {
    profiles.forget(tenant.store);
    let answer = (_: unknown): void => {};
    reply = () => new Promise((resolve) => (answer = resolve));
    const late = profiles.get(tenant);
    profiles.forget(tenant.store);
    reply = says('EUR');
    expect((await profiles.get(tenant)).frame.currency.code).toBe('EUR');
    answer(await says('USD')());
    await late;
    expect((await profiles.get(tenant)).frame.currency.code).toBe('EUR');
  });

  test('refuses an unknown store as unavailable', async () => {
    reply = () => Promise.resolve(refuse('not_found', 'No such store.'));
    await expect(profiles.get(someTenant())).rejects.toThrow('not known');
  });
});
