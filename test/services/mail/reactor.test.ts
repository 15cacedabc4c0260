// Mails that events cause: a table of causes, each with its mail; repeated events; stores that disabled a kind.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { type MailSandbox, openMailSandbox } from './sandbox.ts';

let stoa: Stoa;
let shop: MailSandbox;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openMailSandbox(stoa);
});

const change = (id: string, body: object) => shop.sign('PATCH', `/v1/orders/${id}`, body);

describe('an order', () => {
  test('sends a mail with its lines, its total and its due', async () => {
    const email = shop.newEmail();
    const order = await shop.order(email);
    const mail = await shop.receives(email, 'order_placed');
    expect(mail.subject).toBe(`Your order ${order.order_number} at Lamps & Sons`);
    expect(mail.text).toContain(
      `Lamps & Sons has received your order ${order.order_number}.\n\n2 × Lamp\n\nTotal: 25.00 USD`,
    );
    expect(mail.text).toContain('25.00 USD is due.');
    expect(mail.html).toContain('2 × Lamp</td><td class="amount">25.00 USD');
    expect(mail.html).toContain('Lamps &amp; Sons');
    expect(mail.unsubscribe_url).toBeNull();
  });

  test.each([
    ['a payment', { payment_status: 'paid' }, 'order_paid', 'Your payment for order'],
    [
      'a shipment',
      { order_status: 'shipped', carrier: 'DHL', tracking_number: 'T-1' },
      'order_shipped',
      'is on its way',
    ],
    ['a delivery', { order_status: 'delivered' }, 'order_delivered', 'was delivered'],
    ['a cancellation', { order_status: 'cancelled' }, 'order_cancelled', 'is cancelled'],
  ])('sends a mail about %s, once', async (_cause, body, kind, subject) => {
    const email = shop.newEmail();
    const { id } = await shop.order(email);
    await change(id, body);
    await change(id, { ...body, note: 'Again' });
    const mail = await shop.receives(email, kind, 'order_placed');
    expect(mail.subject).toContain(subject);
    if (kind === 'order_shipped') expect(mail.text).toContain('with DHL.\n\nTracking number: T-1');
  });

  test('sends a mail for each parcel, with its items and its tracking', async () => {
    const email = shop.newEmail();
    const { id, items } = await shop.order(email);
    const parcel = (tracking_number: string) =>
      shop.call('POST', `/v1/orders/${id}/shipments`, {
        carrier: 'DHL',
        tracking_number,
        tracking_url: `https://carrier.example.com/${tracking_number}`,
        items: [{ order_item_id: items[0].id, quantity: 1 }],
      });
    await parcel('P-1');
    await shop.receives(email, 'order_shipped', 'order_placed');
    await parcel('P-2');
    const mail = await shop.receives(email, 'order_shipped', 'order_shipped', 'order_placed');
    expect(mail.text).toContain('a parcel of your order');
    expect(mail.text).toContain('1 × Lamp\n');
    expect((await shop.mailsTo(email)).map(({ text }) => /Track it at (\S+)/.exec(text)?.[1]).sort()).toEqual([
      'https://carrier.example.com/P-1',
      'https://carrier.example.com/P-2',
      undefined,
    ]);
  });

  test('sends a mail for each refund of money', async () => {
    const email = shop.newEmail();
    const { id, items } = await shop.order(email);
    await change(id, { payment_status: 'paid' });
    await shop.call('POST', `/v1/orders/${id}/refunds`, { amount: 5, reason: 'Came <b>late</b>' });
    await shop.call('POST', `/v1/orders/${id}/refunds`, {
      amount: 0,
      items: [{ order_item_id: items[0].id, quantity: 1 }],
    });
    const mail = await shop.receives(email, 'order_refunded', 'order_paid', 'order_placed');
    expect(mail.text).toContain('refunds 5.00 USD of your order');
    expect(mail.html).toContain('Came &lt;b&gt;late&lt;/b&gt;');
  });

  test('sends a mail about a failed payment, with a link to try again', async () => {
    const email = shop.newEmail();
    const order = await shop.order(email);
    const { reference } = await shop.sign('POST', '/v1/payments/initialize', {
      provider: 'card_checkout',
      amount: order.amount_due,
      email,
      order_id: order.id,
    });
    await shop.call('POST', `/v1/sandbox/payments/${reference}`, { outcome: 'fail' });
    const mail = await shop.receives(email, 'payment_failed', 'order_placed');
    expect(mail.text).toContain('The payment of 25.00 USD');
    expect(mail.text).toContain(`Try again at ${stoa.url}/s/${shop.keys.code}/orders/${order.id}`);
  });
});

test('mails about an order are in the shopper’s language, else in the store’s default one', async () => {
  const other = await openMailSandbox(stoa);
  await other.addLanguages('de', 'pt-BR');
  const subjectsFor = async (language: string | null): Promise<string[]> => {
    const email = other.newEmail();
    const order = await other.order(email, { language });
    expect(order.language).toBe(language === 'PT-br' ? 'pt-BR' : language);
    await other.sign('PATCH', `/v1/orders/${order.id}`, { payment_status: 'paid' });
    await other.sign('PATCH', `/v1/orders/${order.id}`, { order_status: 'delivered' });
    await other.receives(email, 'order_placed', 'order_paid', 'order_delivered');
    return (await other.mailsTo(email)).map(({ subject }) => subject.replace(/\d+/, 'N')).sort();
  };
  expect(await subjectsFor('de-AT')).toEqual([
    'Ihre Bestellung N bei Lamps & Sons',
    'Ihre Bestellung N wurde zugestellt',
    'Ihre Zahlung für Bestellung N',
  ]);
  expect(await subjectsFor('PT-br')).toContain('Seu pedido N foi entregue');
  for (const language of ['fr', null]) expect(await subjectsFor(language)).toContain('Your order N was delivered');
});

test('writes mails about the order of a checkout in the intent’s language, unless the order names one', async () => {
  const other = await openMailSandbox(stoa);
  await other.addLanguages('de', 'fr');
  const subjectFor = async (created: object, changed: object | null, placed: object): Promise<string> => {
    const email = other.newEmail();
    const items = [{ variant_id: await other.variant(), quantity: 1 }];
    const { data } = await other.call('POST', '/v1/agent/checkout-intents', { items, email, ...created });
    if (changed) await other.call('PATCH', `/v1/agent/checkout-intents/${data.id}`, changed);
    await other.sign('POST', '/v1/orders', { checkout_intent_id: data.id, ...placed });
    return (await other.receives(email, 'order_placed')).subject.replace(/\d+/, 'N');
  };
  const [german, french] = ['Ihre Bestellung N bei Lamps & Sons', 'Votre commande N chez Lamps & Sons'];
  expect(await subjectFor({ language: 'DE-at' }, null, {})).toBe(german);
  expect(await subjectFor({ language: 'fr' }, { language: 'de' }, {})).toBe(german);
  expect(await subjectFor({ language: 'de' }, { note: 'Ring twice' }, {})).toBe(german);
  expect(await subjectFor({ language: 'de' }, null, { language: 'fr' })).toBe(french);
  expect(await subjectFor({ language: 'de' }, { language: null }, {})).toBe('Your order N at Lamps & Sons');
  const items = [{ variant_id: await other.variant(), quantity: 1 }];
  const refused = await other.send('POST', '/v1/agent/checkout-intents', { items, language: 'klingon' });
  expect([refused.status, refused.body.error.param]).toEqual([400, 'language']);
});

test('writes mails without an order in the customer’s language, or in that of the request for a mail', async () => {
  const other = await openMailSandbox(stoa);
  await other.addLanguages('de', 'fr');
  const subjectOf = async (customer: object, mail: object, kind: string): Promise<string> => {
    const email = other.newEmail();
    const { customer: made } = await other.call('POST', '/v1/customers', { email, ...customer });
    if (kind === 'gift_card') await other.call('POST', '/v1/gift-cards', { amount: 25, customer_id: made.id });
    else await other.call('POST', '/v1/auth/magic-link', { email, ...mail });
    return (await other.receives(email, kind)).subject;
  };
  expect(await subjectOf({ language: 'de-AT' }, {}, 'magic_link')).toBe('Anmelden bei Lamps & Sons');
  expect(await subjectOf({ language: 'de-AT' }, { language: 'fr' }, 'magic_link')).toBe('Connexion à Lamps & Sons');
  expect(await subjectOf({}, { language: 'sv' }, 'magic_link')).toBe('Sign in to Lamps & Sons');
  expect(await subjectOf({ language: 'fr' }, {}, 'gift_card')).toContain('25,00');
  expect(await subjectOf({}, {}, 'gift_card')).toBe('A gift card of 25.00 USD for Lamps & Sons');
});

test('a gift card is mailed to its customer, with its code and its last day in the store’s time zone', async () => {
  const email = shop.newEmail();
  const { customer } = await shop.call('POST', '/v1/customers', { email });
  const { gift_card: card } = await shop.call('POST', '/v1/gift-cards', {
    amount: 25,
    customer_id: customer.id,
    expires_at: '2099-03-05T22:30:00Z',
  });
  await shop.call('POST', '/v1/gift-cards', { amount: 25 });
  const mail = await shop.receives(email, 'gift_card');
  expect(mail.text).toContain(card.code);
  expect(mail.text).toContain('It is valid until March 5, 2099.');
});

test('a cart is mailed to its customer only in stores that chose it, with an address that unsubscribes', async () => {
  const other = await openMailSandbox(stoa);
  for (const chosen of [false, true]) {
    if (chosen) await other.call('PUT', '/v1/mail-templates/abandoned_cart', { enabled: true });
    const email = other.newEmail();
    const account = { email, password: 'correct horse battery' };
    const { customer, session } = await other.call('POST', '/v1/auth/register', account);
    const item = { variant_id: await other.variant(), quantity: 2, customer_id: customer.id };
    await other.call('POST', '/v1/cart/items', item, { 'x-auth-token': session.access_token });
    await other.call('POST', '/v1/sandbox/time-travel', { advance_seconds: 2 * 3_600 });
    if (!chosen) {
      // The order's event comes after the cart's, so its mail shows that the cart's had none.
      await other.order(email);
      await other.receives(email, 'order_placed');
      continue;
    }
    const mail = await other.receives(email, 'abandoned_cart');
    expect(mail.text).toContain('2 × Lamp');
    expect(mail.unsubscribe_url).toContain('/mail/unsubscribe/');
    expect(mail.html).toContain(mail.unsubscribe_url!);
    expect(mail.text).toContain(mail.unsubscribe_url!);
  }
});

test('a disabled kind is not sent, the others are', async () => {
  const other = await openMailSandbox(stoa);
  await other.call('PUT', '/v1/mail-templates/order_placed', { enabled: false });
  const email = other.newEmail();
  const { id } = await other.order(email);
  await other.sign('PATCH', `/v1/orders/${id}`, { payment_status: 'paid' });
  await other.receives(email, 'order_paid');
});

test('an event that arrives again, after the record of its handling was lost, sends no second mail', async () => {
  const email = shop.newEmail();
  const order = await shop.order(email);
  await shop.receives(email, 'order_placed');
  const { sql } = stoa.services.runtime.postgres;
  const tenant = { store: shop.keys.store_id, environment: 'sandbox' };
  const [event] = await sql<{ id: string; sequence: string }[]>`
    select id, sequence from runtime.event
    where store = ${tenant.store} and environment = 'sandbox' and type = 'order.created'
      and payload like ${`%"${order.id}"%`}`;
  const forget = () => sql`delete from runtime.inbox where consumer = 'mail' and event = ${event!.id}`;
  expect((await forget()).count).toBe(1);
  await sql`
    insert into runtime.outbox (store, environment, heads, positions)
    values (${tenant.store}, 'sandbox', ${`order.created ${event!.id}`}, array[${event!.sequence}::bigint])`;
  await change(order.id, { note: 'Wakes the publisher' });
  // The event was handled again once its record is back.
  await eventually(async () => expect((await forget()).count).toBe(1));
  await shop.receives(email, 'order_placed');
});

test('no mail of a store shows in another one', async () => {
  const email = `${randomUUID()}@example.com`;
  const other = await openMailSandbox(stoa);
  await shop.order(email);
  await shop.receives(email, 'order_placed');
  expect(await other.mailsTo(email)).toEqual([]);
});
