// Events of carts, once the actor host has stored them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';
import { add, cartOf, openStorefront, readCart, type Storefront } from './storefront.ts';

let clock: ManualClock;
let stoa: Stoa;
let shop: Storefront;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock });
  shop = await openStorefront(stoa);
});
afterAll(() => stoa?.stop());

describe('events', () => {
  const MINUTE_MS = 60_000;
  const of = ({ events }: Storefront, cartId: string) => events.filter(({ object }) => object.id === cartId);
  const types = (store: Storefront, cartId: string) => of(store, cartId).map(({ type }) => type);

  test('tell a new cart and what changes in it', async () => {
    const { visitor, cart, item } = await shop.withItem(2, { price: 10 });
    await visitor.send('PATCH', `/v1/cart/items/${item.id}`, { quantity: 3 });
    await visitor.send('POST', '/v1/cart/promotions', { code: 'X' });
    await readCart(visitor);
    await visitor.send('DELETE', '/v1/cart');
    await eventually(() => expect(types(shop, cart.id)).toEqual(['cart.created', 'cart.updated', 'cart.updated']));
    const [created, updated, emptied] = of(shop, cart.id);
    expect(created?.object).toEqual(cart);
    expect(updated).toMatchObject({
      object: { item_count: 3, total: 30 },
      previous_attributes: { item_count: 2, total: 20 },
    });
    expect(emptied).toMatchObject({ object: { items: [] }, previous_attributes: { item_count: 3 } });
  });

  test('tell an abandoned cart of a customer, after the store’s own time, and no anonymous one', async () => {
    const store = await openStorefront(stoa);
    await store.secret('PATCH', '/v1/store', { cart_abandoned_after_minutes: 30 });
    const { variant_id } = await store.createProduct({ name: 'Lamp', stock: 50 });
    const ada = await store.newCustomer();
    const put = async () => cartOf(await add(ada, { variant_id, customer_id: ada.id }));
    const { id } = await put();
    const anonymous = cartOf(await add(store.visitor(), { variant_id }));
    const pass = async (minutes: number) => {
      clock.advance(minutes * MINUTE_MS);
      await stoa.services.runtime.actors.runDue(store.tenant, clock.now(store.tenant).getTime());
    };
    await pass(29);
    await put();
    await pass(29);
    await pass(1);
    await eventually(() => expect(types(store, id)).toEqual(['cart.created', 'cart.updated', 'cart.abandoned']));
    expect(of(store, id)[2]?.object).toMatchObject({
      customer_id: ada.id,
      item_count: 2,
      items: [{ name: 'Lamp', quantity: 2 }],
    });
    await pass(120);
    await put();
    await eventually(() => expect(types(store, id)).toHaveLength(4));
    expect(types(store, id).at(-1)).toBe('cart.updated');
    await eventually(() => expect(types(store, anonymous.id)).toEqual(['cart.created']));
  });
});
