// Exchange rates over HTTP: set, listed, removed, and refused where no price could be made of them.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
});
beforeEach(async () => {
  keys = await stoa.createStore({ currency: 'USD' });
});

const put = (currency: string, body: unknown, key = keys.secret_key) =>
  stoa.send('PUT', `/v1/exchange-rates/${currency}`, { key, body });
const list = async (key = keys.secret_key) =>
  (await stoa.send('GET', '/v1/exchange-rates', { key })).body.exchange_rates;
const setCurrencies = (currencies: unknown, more: object = {}) =>
  stoa.send('PATCH', '/v1/store', { key: keys.secret_key, body: { currencies, ...more } });

describe('exchange rates', () => {
  test('sets a rate, shows when it ends, and replaces it as a whole', async () => {
    const first = await put('eur', { rate: 0.92, rounding: { to: '0.99' }, max_age_hours: 48 });
    expect(first.status, first.text).toBe(200);
    const { exchange_rate } = first.body;
    expect(exchange_rate).toMatchObject({
      currency: 'EUR',
      base_currency: 'USD',
      rate: 0.92,
      rounding: { to: '0.99' },
      max_age_hours: 48,
    });
    expect(Date.parse(exchange_rate.expires_at) - Date.parse(exchange_rate.updated_at)).toBe(48 * 3_600_000);
    expect(await list()).toEqual([exchange_rate]);
    await put('EUR', { rate: 0.93 });
    expect(await list()).toMatchObject([{ rate: 0.93, rounding: null, max_age_hours: 24 }]);
  });

  test('lists the rates of each environment apart', async () => {
    await put('EUR', { rate: 0.92 });
    await put('JPY', { rate: 151.37, rounding: { to: '10' } }, keys.secret_test_key);
    expect((await list()).map(({ currency }: { currency: string }) => currency)).toEqual(['EUR']);
    expect((await list(keys.secret_test_key)).map(({ currency }: { currency: string }) => currency)).toEqual(['JPY']);
  });

  test('takes back what a read answered', async () => {
    const { body } = await put('KWD', { rate: 0.3071234567, rounding: { to: '0.5' } });
    const again = await put('KWD', body.exchange_rate);
    expect(again.body.exchange_rate).toMatchObject({ rate: 0.3071234567, rounding: { to: '0.5' } });
  });

  test('deletes a rate once', async () => {
    await put('EUR', { rate: 0.92 });
    const remove = () => stoa.send('DELETE', '/v1/exchange-rates/eur', { key: keys.secret_key });
    expect((await remove()).body).toEqual({ deleted: true, id: 'EUR' });
    expect((await remove()).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  test.each([
    ['EUR', { rate: 0 }, 'rate'],
    ['EUR', { rate: -1 }, 'rate'],
    ['EUR', { rate: 1e12 }, 'rate'],
    ['EUR', { rate: 1e9 }, 'rate'],
    ['EUR', { rate: 1e-11 }, 'rate'],
    ['EUR', { rate: null }, 'rate'],
    ['EUR', { rate: 'NaN' }, 'rate'],
    ['EUR', {}, 'rate'],
    ['ZZZ', { rate: 1 }, 'currency'],
    ['USD', { rate: 1 }, 'currency'],
    ['euro', { rate: 1 }, 'currency'],
    ['EUR', { rate: 1, rounding: { to: '0.995' } }, 'rounding.to'],
    ['EUR', { rate: 1, rounding: { to: '-1' } }, 'rounding.to'],
    ['EUR', { rate: 1, rounding: {} }, 'rounding.to'],
    ['JPY', { rate: 150, rounding: { to: '0.99' } }, 'rounding.to'],
    ['EUR', { rate: 1, max_age_hours: 0 }, 'max_age_hours'],
  ])('refuses %s with %j', async (currency, body, param) => {
    const reply = await put(currency, body);
    expect(reply.status, reply.text).toBe(400);
    expect(reply.body.error).toMatchObject({ code: 'invalid_request', param });
    expect(await list()).toEqual([]);
  });

  test('needs a secret key', async () => {
    expect((await put('EUR', { rate: 1 }, keys.publishable_key)).status).toBe(403);
  });
});

describe('currencies of a store', () => {
  test('shows them to shoppers, and takes back what a read answered', async () => {
    const currencies = [
      { currency: 'EUR', prices: 'rate' },
      { currency: 'JPY', prices: 'fixed' },
    ];
    const changed = await setCurrencies([{ currency: 'eur', prices: 'rate' }, currencies[1]]);
    expect(changed.status, changed.text).toBe(200);
    const { body } = await stoa.send('GET', '/v1/store', { key: keys.publishable_test_key });
    expect(body.store.currencies).toEqual(currencies);
    expect((await setCurrencies(body.store.currencies)).body.store.currencies).toEqual(currencies);
    expect((await setCurrencies([])).body.store.currencies).toEqual([]);
  });

  test.each([
    [[{ currency: 'ZZZ', prices: 'rate' }], 'currencies[0].currency'],
    [
      [
        { currency: 'EUR', prices: 'rate' },
        { currency: 'eur', prices: 'fixed' },
      ],
      'currencies[1].currency',
    ],
    [[{ currency: 'USD', prices: 'rate' }], 'currencies[0].currency'],
    [[{ currency: 'EUR', prices: 'guess' }], 'currencies[0].prices'],
    [[{ currency: 'EUR' }], 'currencies[0].prices'],
  ])('refuses %j', async (currencies, param) => {
    const reply = await setCurrencies(currencies);
    expect(reply.status, reply.text).toBe(400);
    expect(reply.body.error.param).toBe(param);
  });

  test('refuses a base currency that is among them', async () => {
    await setCurrencies([{ currency: 'EUR', prices: 'rate' }]);
    const reply = await stoa.send('PATCH', '/v1/store', { key: keys.secret_key, body: { currency: 'EUR' } });
    expect(reply.status).toBe(400);
    expect(reply.body.error.param).toBe('currency');
    expect((await setCurrencies([], { currency: 'EUR' })).status).toBe(200);
  });
});
