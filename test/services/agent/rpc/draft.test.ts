// Cart drafts of the Agent API over HTTP.
import { beforeAll, describe, expect, test } from 'vitest';
import { EMAIL, items, openShop } from '#test/services/agent/shop.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

describe('a cart draft', () => {
  test('prices at each read, changes, and becomes one intent', async () => {
    const shop = await openShop(stoa);
    const made = await shop.ask('POST', '/v1/agent/cart-drafts', { items: items(shop, 1) });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    expect(made.body.data).toMatchObject({ status: 'open', total: 10, email: null });
    await shop.write('PATCH', `/v1/products/${shop.product}`, { price: 12 });
    const changed = await shop.ask('PATCH', `/v1/agent/cart-drafts/${id}`, { items: items(shop, 2), email: EMAIL });
    expect(changed.body.data).toMatchObject({ total: 24, email: EMAIL });
    const intent = await shop.ask('POST', '/v1/agent/checkout-intents', { cart_draft_id: id });
    expect([intent.status, intent.body.data?.grand_total, intent.body.data?.status], intent.text).toEqual([
      201,
      24,
      'ready',
    ]);
    expect((await shop.ask('GET', `/v1/agent/cart-drafts/${id}`)).body.data.status).toBe('converted');
    expect((await shop.ask('PATCH', `/v1/agent/cart-drafts/${id}`, { email: null })).status).toBe(409);
    expect((await shop.ask('POST', '/v1/agent/checkout-intents', { cart_draft_id: id })).status).toBe(409);
  });
});
