// A buyer completes a checkout on the hosted page that an assistant links to, without a key or a script, and with product
// names that could be markup.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';
import { type BuyerShop, begin, EVIL, isSafe, load, openShopOf, ordersOf, READY, submit } from './page.ts';

const MINUTE_MS = 60_000;
const PERSON = { email: 'ada@example.com', 'buyer.first_name': 'Ada' };
const HOME = {
  'shipping_address.line1': '12 Moi Avenue',
  'shipping_address.city': 'Nairobi',
  'shipping_address.country': 'KE',
};

let stoa: Stoa;
let clock: ManualClock;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock });
});
afterAll(() => stoa.stop());

const openShop = (price?: number, currency?: string): Promise<BuyerShop> => openShopOf(stoa, price, currency);

describe('a checkout’s page', () => {
  test('leads a buyer from an empty form to a paid order', async () => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop)}`;
    const first = await load(page);
    expect(first.status, first.html).toBe(200);
    isSafe(first);
    for (const text of ['Mug &lt;img', '20.00 USD', 'Still needed: a delivery address, your e-mail address', 'Sandbox'])
      expect(first.html).toContain(text);
    expect(first.html).not.toContain('test card');
    const saved = await submit(page, { ...PERSON, ...HOME, note: EVIL, do: 'save' });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, page.split('/').at(-1)]);
    const chosen = await submit(page, { shipping_option_id: 'place', do: 'save' });
    expect(chosen.status, chosen.html).toBe(303);
    const ready = await load(page);
    isSafe(ready);
    expect(ready.html).toContain('Pay 25.00 USD with a test card');
    const paid = await submit(page, { do: 'card' });
    expect(paid.status, paid.html).toBe(303);
    const done = await load(page);
    isSafe(done);
    expect(done.html).toContain('Thank you');
    expect(done.html).toContain('<dd>Paid</dd>');
    // The placed order's page shows no personal data.
    expect(done.html).not.toMatch(/ada@|Moi Avenue/);
    const [order, ...others] = await ordersOf(shop);
    expect(others).toEqual([]);
    expect(order).toMatchObject({
      payment_status: 'paid',
      total_amount: 25,
      email: 'ada@example.com',
      note: EVIL,
      agent: null,
    });
  });

  test('asks for a state where the country has them, and takes another billing address', async () => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop)}`;
    const bill = {
      'billing_address.line1': '1 Canal Street',
      'billing_address.city': 'San Francisco',
      'billing_address.country': 'US',
    };
    const stateless = await submit(page, { ...PERSON, ...HOME, ...bill, do: 'save' });
    expect(stateless.status).toBe(400);
    isSafe(stateless);
    expect(stateless.html).toMatch(/name="billing_address.state"[^>]*aria-invalid="true"/);
    expect(stateless.html).toContain('value="1 Canal Street"');
    const wrong = await submit(page, { ...PERSON, ...HOME, 'shipping_address.postal_code': '1', do: 'save' });
    expect(wrong.status).toBe(400);
    expect(wrong.html).toContain('&quot;1&quot; is no postal code of KE.');
    const saved = await submit(page, { ...PERSON, ...HOME, ...bill, 'billing_address.state': 'CA', do: 'save' });
    expect(saved.status, saved.html).toBe(303);
    expect((await load(page)).html).toContain('value="1 Canal Street"');
    await submit(page, { shipping_option_id: 'place', do: 'save' });
    expect((await submit(page, { do: 'card' })).status).toBe(303);
    const [order] = await ordersOf(shop);
    expect(order).toMatchObject({
      shipping_address: { line1: '12 Moi Avenue' },
      billing_address: { line1: '1 Canal Street', state: 'CA', country: 'US' },
    });
  });

  test('preselects the only delivery option', async () => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop)}`;
    await submit(page, { ...PERSON, ...HOME, 'shipping_address.country': 'UG', do: 'save' });
    expect((await load(page)).html).toContain('Pay 27.00 USD');
  });

  test.each(['card_checkout', 'wallet', 'bank_africa'])('pays by %s and comes back to the order', async (provider) => {
    const shop = await openShop();
    const narrowed = await shop.merchant.test('PATCH', '/v1/store', {
      allowed_redirect_origins: ['https://shop.example'],
    });
    expect(narrowed.status, narrowed.text).toBe(200);
    const page = `${shop.base}/checkout/${await begin(shop, READY)}`;
    const going = await submit(page, { do: `pay:${provider}` });
    expect(going.status, going.html).toBe(200);
    isSafe(going);
    const [, url] = /^0; url=(.*)$/.exec(going.headers.get('refresh') ?? '') ?? [];
    expect(url).toMatch(/\/pay\/pay_/);
    const unpaid = await load(page);
    expect(unpaid.html).toContain('Your order is placed');
    expect(unpaid.html).toContain('Pay by');
    const decided = await load(url!, { outcome: 'succeed' });
    expect(decided.headers.get('location')).toMatch(`${page}?paid=1`);
    expect((await load(`${page}?paid=1`)).html).toContain('Thank you');
    expect(await ordersOf(shop)).toMatchObject([{ payment_status: 'paid', amount_due: 0 }]);
  });

  test('holds stock for an unpaid order for one hour', async () => {
    const shop = await openShop();
    const left = async () => {
      const { inventory } = (await shop.merchant.test('GET', `/v1/inventory/${shop.variant}`)).body;
      return [inventory.on_hand, inventory.available];
    };
    const [unpaid, paid] = [await begin(shop, READY), await begin(shop, READY)];
    await submit(`${shop.base}/checkout/${paid}`, { do: 'pay:card_checkout' });
    const late = await submit(`${shop.base}/checkout/${unpaid}`, { do: 'pay:card_checkout' });
    const again = await load(`${shop.base}/checkout/${paid}`, { do: 'pay:card_checkout' });
    await load(/url=(.*)$/.exec(again.headers.get('refresh')!)![1]!, { outcome: 'succeed' });
    await eventually(async () => expect(await left()).toEqual([1, 1]));
    clock.advance(61 * MINUTE_MS);
    await eventually(async () => {
      const orders = await ordersOf(shop);
      const stateOf = (id: string) =>
        orders.find(({ checkout_intent_id }: { checkout_intent_id: string }) => checkout_intent_id === id).order_status;
      expect([stateOf(unpaid), stateOf(paid)]).toEqual(['cancelled', 'confirmed']);
      expect(await left()).toEqual([3, 3]);
    });
    const page = await load(`${shop.base}/checkout/${unpaid}`);
    expect(page.html).toContain('This order is cancelled');
    expect(page.html).not.toContain('Pay by');
    // A buyer who was still at the provider's page gets it back.
    await load(/url=(.*)$/.exec(late.headers.get('refresh')!)![1]!, { outcome: 'succeed' });
    await eventually(async () => {
      const { payments } = (await shop.merchant.test('GET', '/v1/payments')).body;
      expect(payments.map(({ status }: { status: string }) => status)).not.toContain('pending');
      const orders = await ordersOf(shop);
      for (const order of orders.filter(({ order_status }: { order_status: string }) => order_status === 'cancelled'))
        expect(order.amount_paid - order.amount_refunded).toBe(0);
    });
  });

  test('lets a payment that failed be made again, for the one order', async () => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop, READY)}`;
    const [, failing] = /url=(.*)$/.exec((await submit(page, { do: 'pay:card_checkout' })).headers.get('refresh')!)!;
    await load(failing!, { outcome: 'fail' });
    expect((await load(page)).html).toContain('The payment was declined');
    const [, second] = /url=(.*)$/.exec((await load(page, { do: 'pay:card_checkout' })).headers.get('refresh')!)!;
    await load(second!, { outcome: 'succeed' });
    expect(await ordersOf(shop)).toMatchObject([{ payment_status: 'paid' }]);
    const again = await load(page, { do: 'pay:card_checkout' });
    expect(again.status).toBe(303);
  });

  test('sends a phone payment and reloads until it is confirmed', async () => {
    const shop = await openShop(1_000, 'KES');
    const page = `${shop.base}/checkout/${await begin(shop, READY)}`;
    expect((await submit(page, { do: 'pay:mobile_money', payment_phone: '' })).html).toContain('Enter the phone');
    expect(await ordersOf(shop)).toEqual([]);
    const pushed = await submit(page, { do: 'pay:mobile_money', payment_phone: '254712345678' });
    // The sandbox's phone is a page, too.
    const [, phone] = /url=(.*\/pay\/pay_.*)$/.exec(pushed.headers.get('refresh') ?? '') ?? [];
    expect((await load(phone!)).html).toContain('254712345678');
    const waiting = await load(`${page}?paid=1`);
    expect(waiting.headers.get('refresh')).toBe('4; url=?paid=2');
    expect(waiting.html).toContain('Your payment is being processed');
    const [payment] = (await shop.merchant.test('GET', '/v1/payments')).body.payments;
    await shop.merchant.test('POST', `/v1/sandbox/payments/${payment.reference}`, { outcome: 'succeed' });
    expect((await load(`${page}?paid=2`)).html).toContain('Thank you');
  });

  test('places and pays one order when many submit at once', async () => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop, READY)}`;
    const pages = await Promise.all(Array.from({ length: 8 }, () => load(page, { do: 'card', total: '25' })));
    for (const { status } of pages) expect([303, 409]).toContain(status);
    expect(await ordersOf(shop)).toMatchObject([{ payment_status: 'paid', total_amount: 25 }]);
  });

  test.each([
    ['a declined card', { do: 'declined' }, 402, 'The card was declined'],
    ['another total than was shown', { do: 'card', total: '1' }, 400, 'The total has changed'],
    ['no total', { do: 'card', total: '' }, 400, 'The total has changed'],
    ['a total in words', { do: 'card', total: 'all of it' }, 400, 'The total has changed'],
    ['a total that is no plain decimal', { do: 'card', total: '0x19' }, 400, 'The total has changed'],
    [
      'a total beyond what a double keeps',
      { do: 'card', total: '25.00000000000000000001' },
      400,
      'The total has changed',
    ],
    ['a way that there is not', { do: 'pay:nothing' }, 400, 'Choose one of the payment methods'],
    ['a bad address', { do: 'save', email: `ada at ${EVIL}` }, 400, 'Enter an e-mail address'],
    ['no country', { do: 'save', 'shipping_address.country': '' }, 400, 'Choose a country'],
    ['a country that there is not', { do: 'save', 'shipping_address.country': 'XX' }, 400, 'Choose a country'],
    ['a way of delivery that there is not', { do: 'save', shipping_option_id: 'opt:none' }, 400, 'does not deliver'],
    ['a way that takes other money', { do: 'pay:mobile_money' }, 400, 'Choose one of the payment methods'],
    ['a note that is too long', { do: 'save', note: 'x'.repeat(2_001) }, 400, 'note'],
    ['too many codes', { do: 'save', promotion_codes: 'A '.repeat(21) }, 400, 'promotion_codes'],
    ['a form that is too large', { do: 'save', note: 'x'.repeat(20_000) }, 413, 'could not be read'],
  ])('says what is wrong with %s, and nothing was ordered', async (_, typed, status, text) => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop, READY)}`;
    const answer = await submit(page, typed);
    expect([answer.status, answer.html.includes(text)], answer.html).toEqual([status, true]);
    isSafe(answer);
    expect(await ordersOf(shop)).toEqual([]);
  });

  test('keeps typed text without control characters', async () => {
    const shop = await openShop();
    const id = await begin(shop, READY);
    const page = `${shop.base}/checkout/${id}`;
    const typed = { note: ' first\r\nsecond\0 ', 'shipping_address.line1': '\x0012 Moi\x07 Avenue' };
    expect((await submit(page, { ...typed, do: 'save' })).status).toBe(303);
    const { data } = (await shop.merchant.test('GET', `/v1/agent/checkout-intents/${id}`)).body;
    expect([data.note, data.shipping_address.line1]).toEqual(['first\nsecond', '12 Moi Avenue']);
    const json = await fetch(page, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } });
    expect(json.status).toBe(400);
  });

  test('says when a checkout was cancelled or has expired', async () => {
    const shop = await openShop();
    const id = await begin(shop, READY);
    const expiring = await begin(shop, READY);
    await shop.merchant.test('POST', `/v1/agent/checkout-intents/${id}/cancel`);
    expect((await load(`${shop.base}/checkout/${id}`)).html).toContain('This checkout was cancelled');
    clock.advance(31 * MINUTE_MS);
    const late = await load(`${shop.base}/checkout/${expiring}`, { do: 'card', total: '25' });
    expect(late.html).toContain('has expired');
    expect(await ordersOf(shop)).toEqual([]);
  });

  test('offers no simulated card in production', async () => {
    const shop = await openShop();
    const { secret } = shop.merchant;
    const made = await secret('POST', '/v1/products', { name: 'Mug', price: 10, stock: 5 });
    const { body } = await secret('POST', '/v1/agent/checkout-intents', {
      items: [{ variant_id: made.body.variant_id, quantity: 1 }],
      ...READY,
      shipping_option_id: null,
      shipping_address: null,
    });
    const page = `${shop.base}/checkout/${body.data.id}`;
    const { html } = await load(page);
    expect(html).not.toContain('Sandbox');
    expect((await load(page, { do: 'card', total: '10' })).html).not.toContain('Thank you');
  });

  test('limits guesses of gift card codes', async () => {
    const shop = await openShop();
    const page = `${shop.base}/checkout/${await begin(shop, READY)}`;
    const guess = () => submit(page, { gift_card_codes: 'ABCD-EFGH-IJKL-MNOP', do: 'save' });
    const guesses = await Promise.all(Array.from({ length: 20 }, guess));
    const refused = guesses.filter(({ status }) => status !== 400);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, html } of refused) expect([status, html.includes('Too many attempts.')]).toEqual([429, true]);
  });

  test('takes gift cards first, and a provider’s payment for what they leave', async () => {
    const shop = await openShop();
    const card = async (amount: number): Promise<string> =>
      (await shop.merchant.test('POST', '/v1/gift-cards', { amount })).body.gift_card.code;
    const [some, more] = [await card(10), await card(100)];
    const id = await begin(shop, READY);
    const page = `${shop.base}/checkout/${id}`;
    const unknown = await submit(page, { gift_card_codes: 'ABCD-EFGH-IJKL-MNOP', do: 'save' });
    expect([unknown.status, unknown.html.includes('The gift card …MNOP is not known here.')]).toEqual([400, true]);
    const shown = await submit(page, { gift_card_codes: some, do: 'save' });
    isSafe(shown);
    for (const text of [`Gift card …${some.slice(-4)}`, '-10.00 USD', 'Left to pay', '15.00 USD', 'Pay 15.00 USD'])
      expect(shown.html).toContain(text);
    expect(shown.html).not.toContain('test card');
    // A token would pay for all of it.
    expect((await submit(page, { gift_card_codes: some, do: 'card' })).status).toBe(400);
    expect(await ordersOf(shop)).toEqual([]);
    const going = await submit(page, { gift_card_codes: some, do: 'pay:card_checkout' });
    expect(going.status, going.html).toBe(200);
    const [order] = await ordersOf(shop);
    expect(order).toMatchObject({ total_amount: 25, gift_card_total: 10, amount_due: 15, payment_status: 'pending' });
    const [payment] = (await shop.merchant.test('GET', '/v1/payments')).body.payments;
    expect(payment.amount).toBe(15);
    await shop.merchant.test('POST', `/v1/sandbox/payments/${payment.reference}`, { outcome: 'succeed' });
    expect((await load(page)).html).toContain('<dd>Paid</dd>');

    // A card that pays for all of it leaves no payment to be made.
    const other = `${shop.base}/checkout/${await begin(shop, READY)}`;
    const covered = await submit(other, { gift_card_codes: more, do: 'save' });
    expect(covered.html).toContain('Nothing to pay');
    expect((await submit(other, { gift_card_codes: more, do: 'place' })).status).toBe(303);
    const { gift_card: left } = (await shop.merchant.test('GET', `/v1/gift-cards?code=${more}`)).body;
    expect(left.balance).toBe(75);
    expect((await shop.merchant.test('GET', '/v1/payments')).body.payments).toHaveLength(1);
  });

  test('places a free order without a payment', async () => {
    const shop = await openShop(0);
    await shop.merchant.test('PUT', '/v1/shipping/config', { fallback: { rate: { fee: 0 } } });
    const page = `${shop.base}/checkout/${await begin(shop, READY)}`;
    expect((await load(page)).html).toContain('Nothing to pay');
    expect((await submit(page, { do: 'place' })).status).toBe(303);
    expect((await load(page)).html).toContain('Thank you');
  });
});
