// Two merchants with something of everything: the ground of the tests of rules that hold at every endpoint.

import { expect } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { connected } from '#test/services/connect/flow.ts';
import { dashboard, enter, invite, join } from '#test/services/staff/client.ts';
import { plainPng } from '#test/support/picture.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sendTo } from '#test/support/stoa.ts';
import { openOperated } from './operated.ts';
import { type Owner, type Records, requireSuccess } from './owner.ts';
import { exportAndErase } from './privacy.ts';

/** A word of theirs that no answer to another tenant may hold. */
export const FOREIGN_WORD = 'zebrafinch';

/** A store of which every kind of record exists, each called `word`. */
export const openOwner = async (stoa: Stoa, word: string): Promise<Owner> => {
  const keys = await stoa.createStore({ name: word, country: 'TZ', wholesale: true });
  const write = (method: string, path: string, body: unknown) =>
    requireSuccess(sendTo(stoa.url, method, path, { key: keys.secret_key, body }));
  const sign = (method: string, path: string, body: unknown) =>
    requireSuccess(sendTo(stoa.url, method, path, { key: keys.secret_key, signWith: keys.hmac_secret, body }));
  await write('PATCH', '/v1/store', { description: word, feeds: { llms_enabled: true, products_enabled: true } });
  await write('PUT', '/v1/store/policies/terms', { title: word, body: word, publish: true });
  const { category } = await write('POST', '/v1/categories', { name: word });
  await write('PUT', '/v1/exchange-rates/EUR', { rate: 0.92 });
  const product = await write('POST', '/v1/products', {
    name: word,
    brand: word,
    category_id: category.id,
    specifications: [{ name: word, value: word }],
    shipping_info: { requires_shipping: false },
    variants: [
      { price: 10, stock: 50, variant_attributes: { size: 'M' } },
      { price: 12, stock: 5, variant_attributes: { size: 'L' } },
    ],
  });
  const gone = await write('POST', '/v1/products', { name: word, price: 10, stock: 0 });
  const { collection } = await write('POST', '/v1/product-collections', { name: word });
  await write('PUT', `/v1/product-collections/${collection.id}/products`, { product_ids: [product.id] });
  const { price_list: list } = await write('POST', '/v1/price-lists', {
    name: word,
    prices: [{ variant_id: product.variants[0].variant_id, price: 9 }],
  });
  const { media } = await write('POST', `/v1/media?name=${word}.png`, plainPng(9, 9));
  const { promotion } = await write('POST', '/v1/promotions', { name: word, type: 'percentage', value: 10 });
  const { tax_rate: taxRate } = await write('POST', '/v1/tax-rates', { name: word, country: 'KE', rate: 0.16 });
  const suppressed = await suppressAddress(stoa, keys, word);
  const story = `told-of-${word}`;
  const { post } = await write('POST', '/v1/blog/posts', {
    title: word,
    body: word,
    slug: story,
    status: 'published',
  });
  const lookbook = await write('POST', '/v1/lookbooks', {
    title: word,
    slug: story,
    status: 'published',
    images: [{ url: 'https://cdn.invalid/look.jpg', hotspots: [{ x: 0.5, y: 0.5, product_id: product.id }] }],
  });
  const { feed } = await write('POST', '/v1/ingestion/feeds', {
    name: word,
    url: 'https://feed.invalid/catalogue.csv',
    format: 'csv',
  });
  await write('PUT', '/v1/shipping/config', {
    locations: [
      {
        name: word,
        latitude: -1.29,
        longitude: 36.79,
        address: { line1: word, city: word, country: 'KE' },
        pickup: true,
      },
    ],
    zones: [{ name: word, kind: 'countries', countries: ['KE'], rate: { fee: 5 } }],
    fallback: { rate: { fee: 20 } },
  });
  const { provider } = await write('POST', '/v1/shipping/providers', {
    kind: 'custom',
    name: word,
    url: 'https://rates.invalid/',
  });
  const pushed = await sign('POST', '/v1/ingestion/push', {
    products: [{ external_id: word, name: word, price: 5 }],
  });
  await waitForJobs(stoa, keys);
  const account = { email: `${keys.code}@example.com`, password: 'correct horse battery' };
  const { customer, session } = await write('POST', '/v1/auth/register', account);
  await write('POST', '/v1/auth/login', account);
  const { sessions } = await write('GET', `/v1/customers/${customer.id}/sessions`, undefined);
  const { product_id } = await write('POST', '/v1/products', { name: word });
  const { review } = await requireSuccess(
    sendTo(stoa.url, 'POST', '/v1/reviews', {
      key: keys.secret_key,
      body: { product_id, rating: 5, title: word, body: word },
      headers: { 'x-auth-token': session.access_token },
    }),
  );
  await write('DELETE', `/v1/products/${product_id}`, undefined);
  const privacy = await exportAndErase(stoa, keys, customer.id);
  const { gift_card: card } = await write('POST', '/v1/gift-cards', { amount: 25, customer_id: customer.id });
  const { thread, message } = await write('POST', '/v1/messaging/threads', {
    customer_id: customer.id,
    subject: word,
    body: word,
  });
  const items = [{ variant_id: product.variants[0].variant_id, quantity: 1 }];
  const { order } = await sign('POST', '/v1/orders', { items, email: `${word}@example.com`, note: word });
  await sign('PATCH', `/v1/orders/${order.id}`, { payment_status: 'paid' });
  const shopper = await signUp(stoa, keys);
  const after = await createReturns(stoa, keys, word, items, sign, shopper);
  const operated = await openOperated(stoa, keys, word, items);
  const { data: quote } = await write('POST', '/v1/agent/quotes', { items });
  const wholesale = await sellWholesale(stoa, keys, word, items, shopper);
  const { data: draft } = await write('POST', '/v1/agent/cart-drafts', { items, email: `${word}@example.com` });
  const { data: intent } = await write('POST', '/v1/agent/checkout-intents', { items });
  const { provider: paymentProvider } = await write('POST', '/v1/payments/providers', {
    provider: 'own_bank',
    name: word,
    custom_provider: true,
    initialize_url: 'https://pay.invalid/initialize',
    verify_url: 'https://pay.invalid/verify',
    signing_secret: 'a-secret-of-both-sides',
  });
  const payment = await initialize(stoa, keys, { email: `${word}@example.com` });
  const authorized = await initialize(stoa, keys, { email: `${word}@example.com`, capture: 'manual' });
  await requireSuccess(
    sendTo(stoa.url, 'POST', `/v1/sandbox/payments/${authorized.reference}`, {
      key: keys.secret_test_key,
      body: { outcome: 'succeed' },
    }),
  );
  const { channel } = await write('POST', '/v1/channels', {
    provider: word.replace(/[^a-z0-9]/g, '_'),
    name: word,
    url: 'https://channel.invalid/push',
    format: 'stoa',
  });
  await write('PATCH', `/v1/channels/${channel.id}`, { status: 'paused' });
  await connected(stoa, keys, { client_name: word });
  const { grants } = await requireSuccess(sendTo(stoa.url, 'GET', '/v1/connect/grants', { key: keys.secret_key }));
  const { key } = await sign('POST', '/v1/keys', {
    name: word,
    type: 'secret',
    environment: 'production',
    scopes: ['catalog:read'],
  });
  const { webhook_endpoint: endpoint } = await write('POST', '/v1/webhook-endpoints', {
    url: 'https://hooks.invalid/',
    events: ['channel.connected'],
    description: word,
  });
  await requireSuccess(
    sendTo(stoa.url, 'POST', '/v1/product-collections', { key: keys.secret_test_key, body: { name: word } }),
  );
  const [event, sandboxEvent] = await Promise.all(
    [keys.secret_key, keys.secret_test_key].map((key) => collectionEvent(stoa, key)),
  );
  const staff = await employ(stoa, keys, word);
  return {
    keys,
    staffCookie: staff.cookie,
    operatorKey: operated.operatorKey,
    operatorTestKey: operated.operatorTestKey,
    customerToken: session.access_token,
    records: {
      key: key.id,
      product: product.id,
      variant: product.variants[0].variant_id,
      emptyProduct: gone.id,
      slug: product.product_slug,
      category: category.id,
      collection: collection.id,
      priceList: list.id,
      media: media.id,
      promotion: promotion.id,
      taxRate: taxRate.id,
      ...suppressed,
      post: post.id,
      lookbook: lookbook.id,
      story,
      feed: feed.id,
      job: pushed.job.id,
      provider: provider.id,
      customer: customer.id,
      ...privacy,
      customerSession: sessions[0].id,
      giftCard: card.id,
      review: review.id,
      thread: thread.id,
      message: message.id,
      order: order.id,
      ...after,
      ...operated.records,
      quote: quote.id,
      ...wholesale,
      draft: draft.id,
      intent: intent.id,
      paymentProvider: paymentProvider.id,
      payment: payment.reference,
      authorizedPayment: authorized.reference,
      channel: channel.id,
      grant: grants[0].id,
      endpoint: endpoint.id,
      event: event!,
      sandboxEvent: sandboxEvent!,
      ...staff.records,
    },
  };
};

/** Begins a simulated payment of 10. */
const initialize = (stoa: Stoa, keys: Keys, more: object) =>
  requireSuccess(
    sendTo(stoa.url, 'POST', '/v1/payments/initialize', {
      key: keys.secret_test_key,
      signWith: keys.hmac_test_secret,
      body: { provider: 'card_checkout', amount: 10, ...more },
    }),
  );

/** An address that the mail provider reported, at the address for that. */
const suppressAddress = async (
  stoa: Stoa,
  { secret_key: key }: Keys,
  word: string,
): Promise<Pick<Records, 'mailSuppression' | 'bounceToken'>> => {
  const path = '/v1/mail-suppressions';
  const { url } = await requireSuccess(sendTo(stoa.url, 'POST', `${path}/bounce-address`, { key, body: {} }));
  const events = [{ email: `${word}@bounced.example.com`, type: 'hard_bounce', details: word }];
  await requireSuccess(sendTo(stoa.url, 'POST', new URL(url).pathname, { body: { events } }));
  const { mail_suppressions: list } = await requireSuccess(sendTo(stoa.url, 'GET', path, { key }));
  return { mailSuppression: list[0].id, bounceToken: url.split('/').at(-1) };
};

/** An owner with two sessions, an account without one, and an invitation. */
const employ = async (
  stoa: Stoa,
  keys: Keys,
  word: string,
): Promise<{ cookie: string; records: Pick<Records, 'member' | 'invitation' | 'staffSession'> }> => {
  const boss = await join(stoa, keys, 'owner', `boss-${keys.code}@example.com`);
  const member = await join(stoa, keys, 'analyst', `${keys.code}@staff.example.com`);
  await dashboard(stoa, 'DELETE', '/v1/staff/session', { cookie: member.cookie });
  await enter(stoa, boss.email);
  const { body } = await dashboard(stoa, 'GET', '/v1/staff/sessions', { cookie: boss.cookie });
  const other = body.sessions.find(({ is_current }: { is_current: boolean }) => !is_current);
  const invited = await invite(stoa, keys, { email: `guest-${keys.code}@example.com`, name: word, role: 'support' });
  return {
    cookie: boss.cookie,
    records: { member: member.id, invitation: invited.body.invitation.id, staffSession: other.id },
  };
};

interface SignedUp {
  readonly customer: string;
  readonly headers: Readonly<Record<string, string>>;
}

const signUp = async (stoa: Stoa, keys: Keys): Promise<SignedUp> => {
  const { customer, session } = await requireSuccess(
    sendTo(stoa.url, 'POST', '/v1/auth/register', {
      key: keys.secret_key,
      body: { email: `shopper-${keys.code}@example.com`, password: 'correct horse battery' },
    }),
  );
  return { customer: customer.id, headers: { 'x-auth-token': session.access_token } };
};

/** A return and a dispute: only a shopper begins them. */
const createReturns = async (
  stoa: Stoa,
  keys: Keys,
  word: string,
  items: unknown,
  sign: (method: string, path: string, body: unknown) => ReturnType<typeof requireSuccess>,
  { customer, headers }: SignedUp,
): Promise<Pick<Records, 'orderReturn' | 'dispute'>> => {
  const shopper = (path: string, body: unknown) =>
    requireSuccess(
      sendTo(stoa.url, 'POST', path, {
        key: keys.publishable_key,
        headers,
        body,
      }),
    );
  const { order } = await sign('POST', '/v1/orders', { items, customer_id: customer });
  await sign('PATCH', `/v1/orders/${order.id}`, { payment_status: 'paid', order_status: 'shipped' });
  const asked = await shopper(`/v1/orders/${order.id}/returns`, { reason_code: 'other', reason_detail: word });
  const disputed = await shopper('/v1/disputes', {
    order_id: order.id,
    reason_code: 'other',
    description: `Not what I ordered: ${word}`,
  });
  return { orderReturn: asked.data.id, dispute: disputed.data.id };
};

/** A request for a quote, and two quotes that were accepted and ordered. */
const sellWholesale = async (
  stoa: Stoa,
  keys: Keys,
  word: string,
  items: readonly object[],
  { customer, headers }: SignedUp,
): Promise<Pick<Records, 'rfq' | 'wholesaleQuote' | 'purchaseOrder' | 'confirmedOrder' | 'invoice'>> => {
  const path = '/v1/b2b';
  const buyer = async (what: string, body: unknown) =>
    (await requireSuccess(sendTo(stoa.url, 'POST', `${path}/${what}`, { key: keys.publishable_key, headers, body })))
      .data;
  const seller = async (what: string, body?: unknown) =>
    (await requireSuccess(sendTo(stoa.url, 'POST', `${path}/${what}`, { key: keys.secret_key, body }))).data;
  const rfq = await buyer('rfqs', { items, note: word });
  const order = async (whose: object, po_number: string) => {
    const agreed = items.map((item) => ({ ...item, quantity: 2, unit_price: 8 }));
    const quote = await seller('quotes', { ...whose, items: agreed, note: word });
    await buyer(`quotes/${quote.id}/accept`, {});
    const address = { line1: word, city: word, country: 'KE' };
    return buyer('purchase-orders', { quote_id: quote.id, po_number, shipping_address: address });
  };
  const issued = await order({ rfq_id: rfq.id }, word);
  const confirmed = await order({ customer_id: customer }, `${word} 2`);
  await seller(`purchase-orders/${confirmed.id}/confirm`);
  const billed = [{ item_id: confirmed.items[0].id, quantity: 1 }];
  const invoice = await seller('invoices', { purchase_order_id: confirmed.id, items: billed });
  return {
    rfq: rfq.id,
    wholesaleQuote: issued.quote_id,
    purchaseOrder: issued.id,
    confirmedOrder: confirmed.id,
    invoice: invoice.id,
  };
};

/** The event of the collection that was made, once it is in the log. */
const collectionEvent = (stoa: Stoa, key: string): Promise<string> =>
  eventually(async () => {
    const { webhook_events: events } = await requireSuccess(
      sendTo(stoa.url, 'GET', '/v1/webhook-events?type=collection.created', { key }),
    );
    expect(events).not.toEqual([]);
    return events[0].id;
  });

/** Waits until no job of the store is under way. */
export const waitForJobs = (stoa: Stoa, keys: Keys): Promise<void> =>
  eventually(async () => {
    const { sql } = stoa.services.runtime.postgres;
    const open = await sql`
      select 1 from catalog.ingestion_job where store = ${keys.store_id} and status in ('queued', 'running')
      union all select 1 from privacy.erasure where store = ${keys.store_id} and due_at is not null
      union all select 1 from privacy.export where store = ${keys.store_id} and due_at is not null`;
    expect(open.length).toBe(0);
  });

/** The endpoints that a running system answers; a domain that is not hosted yet is 503. */
export const hostedRoutes = (stoa: Stoa): readonly Route[] =>
  routes.filter(({ rpc }) => rpc.startsWith('Meta/') || stoa.services.host.rpcs.includes(rpc));

/** Waits until the log of the owner's production holds all that the owner's making caused, what follows of it included. */
export const waitForEventLog = async (stoa: Stoa, { keys }: Owner): Promise<void> => {
  const { postgres } = stoa.services.runtime;
  const tenant = { store: keys.store_id, environment: 'production' } as const;
  await eventually(async () => {
    const path = '/v1/webhook-events?type=feature.status_changed';
    expect((await requireSuccess(sendTo(stoa.url, 'GET', path, { key: keys.secret_key }))).webhook_events).not.toEqual(
      [],
    );
  });
  // Events committed before a mark are logged before it.
  const mark = await postgres.transaction((tx) => tx.emitMarker(tenant, 'test.marked'));
  await eventually(async () => {
    const seen = await postgres.sql`select 1 from runtime.inbox where consumer = 'webhook_log' and event = ${mark}`;
    expect(seen.length).toBe(1);
  });
};
