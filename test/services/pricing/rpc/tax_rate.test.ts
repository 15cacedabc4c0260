// Tests tax rates over HTTP and the taxes of a basket.
import { beforeAll, describe, expect, test } from 'vitest';
import type { StoreTaxRate } from '#proto/gen/tax_rate.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
});

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const VAT = { name: 'VAT', country: 'KE', rate: 0.16 };
const problemOf = ({ status, body }: Reply): unknown[] => [status, body.error?.code, body.error?.param];

const create = async (body: object = {}, of = merchant): Promise<StoreTaxRate> => {
  const reply = await of.secret('POST', '/v1/tax-rates', { ...VAT, ...body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.tax_rate;
};

describe('a tax rate', () => {
  test('returns every field, with defaults for omitted ones', async () => {
    const rate = await create({ country: 'ke' });
    expect(rate).toEqual({
      id: expect.any(String),
      name: 'VAT',
      country: 'KE',
      state: null,
      postal_prefix: null,
      rate: 0.16,
      category_id: null,
      applies_to_shipping: false,
      priority: 0,
      compound: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await merchant.secret('GET', '/v1/tax-rates')).body.tax_rates).toContainEqual(rate);
  });

  test('changes the fields in the body, and can be deleted', async () => {
    const { category } = (await merchant.secret('POST', '/v1/categories', { name: 'Books' })).body;
    const rate = await create({ state: 'Nairobi' });
    const body = {
      rate: 0.08875,
      state: null,
      postal_prefix: '001',
      category_id: category.id,
      applies_to_shipping: true,
      priority: 3,
      compound: true,
    };
    const { tax_rate: changed } = (await merchant.secret('PATCH', `/v1/tax-rates/${rate.id}`, body)).body;
    expect(changed).toEqual({ ...rate, ...body, updated_at: expect.any(String) });
    const deleted = await merchant.secret('DELETE', `/v1/tax-rates/${rate.id.toUpperCase()}`);
    expect(deleted.body).toEqual({ deleted: true, id: rate.id });
    expect((await merchant.secret('DELETE', `/v1/tax-rates/${rate.id}`)).status).toBe(404);
    expect((await merchant.secret('PATCH', `/v1/tax-rates/${rate.id}`, {})).status).toBe(404);
  });

  test.each<[object, number, string]>([
    [{ name: '' }, 400, 'name'],
    [{ country: undefined }, 400, 'country'],
    [{ country: 'Kenya' }, 400, 'country'],
    [{ country: 'XX' }, 400, 'country'],
    [{ rate: undefined }, 400, 'rate'],
    [{ rate: 16 }, 400, 'rate'],
    [{ rate: -0.1 }, 400, 'rate'],
    [{ rate: 0.1234567 }, 400, 'rate'],
    [{ rate: '0.16' }, 400, 'rate'],
    [{ state: ' ' }, 400, 'state'],
    [{ postal_prefix: '-' }, 400, 'postal_prefix'],
    [{ priority: -1 }, 400, 'priority'],
    [{ priority: 1.5 }, 400, 'priority'],
    [{ category_id: 'x' }, 400, 'category_id'],
    [{ category_id: UNKNOWN_ID }, 404, 'category_id'],
  ])('as %j is refused: %d at %s', async (body, status, param) => {
    const reply = await merchant.secret('POST', '/v1/tax-rates', { ...VAT, ...body });
    expect([reply.status, reply.body.error.param]).toEqual([status, param]);
  });

  test('refuses publishable keys, other stores and other environments', async () => {
    const { id } = await create();
    const outsider = await openMerchant(stoa);
    for (const send of [outsider.secret, merchant.test]) {
      expect((await send('GET', '/v1/tax-rates')).body.tax_rates).toEqual([]);
      expect((await send('PATCH', `/v1/tax-rates/${id}`, {})).status).toBe(404);
      expect((await send('DELETE', `/v1/tax-rates/${id}`)).status).toBe(404);
    }
    expect((await merchant.publishable('GET', '/v1/tax-rates')).status).toBe(403);
    const { category } = (await outsider.secret('POST', '/v1/categories', { name: 'Theirs' })).body;
    const reply = await merchant.secret('POST', '/v1/tax-rates', { ...VAT, category_id: category.id });
    expect(problemOf(reply)).toEqual([404, 'not_found', 'category_id']);
  });

  test('lists tax rates in pages, newest first', async () => {
    const shop = await openMerchant(stoa);
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.unshift((await create({ name: `${count}` }, shop)).id);
    const first = (await shop.secret('GET', '/v1/tax-rates?limit=2')).body;
    const second = (await shop.secret('GET', `/v1/tax-rates?limit=2&cursor=${first.pagination.next_cursor}`)).body;
    expect([...first.tax_rates, ...second.tax_rates].map(({ id }: StoreTaxRate) => id)).toEqual(ids);
    const foreign = await merchant.secret('GET', `/v1/tax-rates?cursor=${first.pagination.next_cursor}`);
    expect(problemOf(foreign)).toEqual([400, 'invalid_request', 'cursor']);
  });
});

describe('a tax preview', () => {
  const preview = (of: Merchant, body: object): Promise<Reply> =>
    of.publishable('POST', '/v1/tax/preview', { address: { country: 'KE' }, ...body });

  test('taxes 20.00 and a fee of 5.00 at 16 %', async () => {
    const shop = await openMerchant(stoa);
    const { variant_id } = await shop.createProduct({ price: 20 });
    await create({ applies_to_shipping: true }, shop);
    const { body } = await preview(shop, { items: [{ variant_id, quantity: 1 }], shipping_fee: 5 });
    expect(body).toEqual({
      currency: 'USD',
      tax_inclusive: false,
      taxable_amount: 20,
      tax_amount: 3.2,
      shipping_tax: 0.8,
      lines: [{ variant_id, taxable_amount: 20, tax_amount: 3.2, rates: [{ name: 'VAT', rate: 0.16, amount: 3.2 }] }],
    });
    const abroad = await preview(shop, { items: [{ variant_id, quantity: 1 }], address: { country: 'gb' } });
    expect(abroad.body).toMatchObject({ taxable_amount: 20, tax_amount: 0, shipping_tax: 0 });
  });

  test('extracts the tax when prices include tax, and follows the setting', async () => {
    const shop = await openMerchant(stoa);
    const { variant_id } = await shop.createProduct({ price: 11.6 });
    await create({ applies_to_shipping: true }, shop);
    const ask = async () => (await preview(shop, { items: [{ variant_id, quantity: 2 }], shipping_fee: 5.8 })).body;
    expect(await ask()).toMatchObject({ tax_inclusive: false, taxable_amount: 23.2, tax_amount: 3.71 });
    await shop.secret('PATCH', '/v1/store', { tax_inclusive: true });
    expect(await ask()).toMatchObject({ tax_inclusive: true, taxable_amount: 20, tax_amount: 3.2, shipping_tax: 0.8 });
  });

  test('matches a state by code or English name, and a postcode in full-width digits', async () => {
    const shop = await openMerchant(stoa);
    const { variant_id } = await shop.createProduct({ price: 100 });
    await create({ name: 'Coded', country: 'US', state: 'TX', rate: 0.06 }, shop);
    await create({ name: 'Named', country: 'US', state: 'California', rate: 0.07 }, shop);
    await create({ name: 'Chiyoda', country: 'JP', postal_prefix: '〒１００', rate: 0.1 }, shop);
    const taxed = async (address: object): Promise<number> =>
      (await preview(shop, { items: [{ variant_id, quantity: 1 }], address })).body.tax_amount;
    for (const state of ['Texas', 'TX', 'US-TX', 'ＴＸ', 'texas'])
      expect(await taxed({ country: 'US', state })).toBe(6);
    for (const state of ['California', 'CA']) expect(await taxed({ country: 'US', state })).toBe(7);
    expect(await taxed({ country: 'US', state: 'Utah' })).toBe(0);
    for (const postal_code of ['100-0001', '〒１００−０００１', '１０００００１'])
      expect(await taxed({ country: 'JP', postal_code })).toBe(10);
  });

  test('taxes amounts after promotions, by category and state, compound rates on top', async () => {
    const shop = await openMerchant(stoa);
    const { category } = (await shop.secret('POST', '/v1/categories', { name: 'Books' })).body;
    const book = await shop.createProduct({ price: 100, category_id: category.id });
    const chair = await shop.createProduct({ price: 50 });
    await create({ name: 'GST', country: 'CA', rate: 0.05 }, shop);
    await create({ name: 'QST', country: 'CA', state: 'Québec', rate: 0.1, priority: 1, compound: true }, shop);
    await create({ name: 'GST', country: 'CA', rate: 0, category_id: category.id }, shop);
    await shop.secret('POST', '/v1/promotions', { name: 'Half', code: 'HALF', type: 'percentage', value: 50 });
    const { body } = await preview(shop, {
      items: [
        { variant_id: book.variant_id, quantity: 1 },
        { variant_id: chair.variant_id, quantity: 2 },
      ],
      address: { country: 'CA', state: 'QUÉBEC', postal_code: 'H2X 1Y4' },
      promotion_codes: ['half'],
    });
    expect(body.lines.map((line: { rates: unknown }) => line.rates)).toEqual([
      [
        { name: 'GST', rate: 0, amount: 0 },
        { name: 'QST', rate: 0.1, amount: 5 },
      ],
      [
        { name: 'GST', rate: 0.05, amount: 2.5 },
        { name: 'QST', rate: 0.1, amount: 5.25 },
      ],
    ]);
    expect(body).toMatchObject({ taxable_amount: 100, tax_amount: 12.75 });
  });

  test('applies a changed rate at once', async () => {
    const shop = await openMerchant(stoa);
    const { variant_id } = await shop.createProduct({ price: 10 });
    const ask = async () => (await preview(shop, { items: [{ variant_id, quantity: 1 }] })).body.tax_amount;
    expect(await ask()).toBe(0);
    const rate = await create({}, shop);
    expect(await ask()).toBe(1.6);
    await shop.secret('PATCH', `/v1/tax-rates/${rate.id}`, { rate: 0.2 });
    expect(await ask()).toBe(2);
    await shop.secret('DELETE', `/v1/tax-rates/${rate.id}`);
    expect(await ask()).toBe(0);
  });

  test.each<[object, number, string]>([
    [{ items: [] }, 400, 'items'],
    [{ items: undefined }, 400, 'items'],
    [{ items: [{ variant_id: UNKNOWN_ID, quantity: 1 }] }, 404, 'items[0].variant_id'],
    [{ items: [{ variant_id: UNKNOWN_ID, quantity: 0 }] }, 400, 'items[0].quantity'],
    [{ address: undefined }, 400, 'address'],
    [{ address: {} }, 400, 'address.country'],
    [{ address: { country: 'K' } }, 400, 'address.country'],
    [{ address: { country: 'XX' } }, 400, 'address.country'],
    [{ shipping_fee: -1 }, 400, 'shipping_fee'],
    [{ shipping_fee: 1.234 }, 400, 'shipping_fee'],
    [{ shipping_fee: 'NaN' }, 400, 'shipping_fee'],
  ])('of %j is refused: %d at %s', async (body, status, param) => {
    const reply = await preview(merchant, { items: [{ variant_id: UNKNOWN_ID, quantity: 1 }], ...body });
    expect([reply.status, reply.body.error.param]).toEqual([status, param]);
  });
});
