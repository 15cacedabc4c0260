// The total of a payment that has begun: nothing that the store changes afterwards changes it.
import { beforeAll, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const CODE = 'AUTUMN';

describe('the total of a payment that has begun', () => {
  let stoa: Stoa;
  let keys: Keys;
  let product: string;
  let variant: string;
  let promotion: string;
  let taxRate: string;
  const write = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const sent = { key: keys.secret_test_key, signWith: keys.hmac_test_secret };
    const reply = await stoa.send(method, path, { ...sent, ...(body === undefined ? {} : { body }) });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply;
  };
  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore({ currency: 'USD' });
    const lamp = { name: 'Lamp', price: 20, stock: 100, shipping_info: { requires_shipping: false } };
    const made = (await write('POST', '/v1/products', lamp)).body;
    product = made.id;
    variant = made.variant_id;
    const autumn = { name: 'Autumn', type: 'percentage', value: 25, code: CODE, status: 'active' };
    promotion = (await write('POST', '/v1/promotions', autumn)).body.promotion.id;
    taxRate = (await write('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 })).body.tax_rate.id;
  });

  test.each([
    ['automatic', 'succeeded'],
    ['manual', 'authorized'],
  ])('stays with %s capture when price, promotion and tax change', async (capture, status) => {
    const order: StoreOrder = (
      await write('POST', '/v1/orders', {
        items: [{ variant_id: variant, quantity: 2 }],
        email: 'ada@example.com',
        shipping_address: { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' },
        promotion_codes: [CODE],
      })
    ).body.order;
    expect(order).toMatchObject({ discount_total: 10, tax_total: 4.8, amount_due: 34.8 });
    const { reference } = (
      await write('POST', '/v1/payments/initialize', {
        provider: 'card_checkout',
        capture,
        amount: order.amount_due,
        email: order.email,
        order_id: order.id,
      })
    ).body;

    await write('PATCH', `/v1/products/${product}`, { price: 90 });
    await write('PATCH', `/v1/promotions/${promotion}`, { status: 'paused' });
    await write('PATCH', `/v1/tax-rates/${taxRate}`, { rate: 0.3 });

    const page = await fetch(`${stoa.url}/pay/${reference}`).then((answer) => answer.text());
    expect(page).toContain('34.80');
    const paid = await write('POST', `/v1/sandbox/payments/${reference}`, { outcome: 'succeed' });
    expect(paid.body).toMatchObject({ status, amount: 34.8 });
    if (capture === 'manual') await write('POST', `/v1/payments/${reference}/capture`, {});
    await eventually(async () =>
      expect((await write('GET', `/v1/orders/${order.id}`)).body.order).toMatchObject({
        payment_status: 'paid',
        total_amount: 34.8,
        amount_paid: 34.8,
        amount_due: 0,
      }),
    );

    await write('PATCH', `/v1/products/${product}`, { price: 20 });
    await write('PATCH', `/v1/promotions/${promotion}`, { status: 'active' });
    await write('PATCH', `/v1/tax-rates/${taxRate}`, { rate: 0.16 });
  });
});
