// A person whose every text is marked, at every endpoint that takes text from or about a shopper.
import type { Sql } from '#runtime/postgres/sql.ts';
import { requireSuccess } from '#test/contracts/owner.ts';
import { type Keys, sendTo } from '#test/support/stoa.ts';

export interface MarkedShop {
  readonly url: string;
  readonly keys: Keys;
  /** Key of an operator over the store. */
  readonly operatorKey: string;
  /** Lines of orders, which need no delivery. */
  readonly items: readonly object[];
  readonly product: string;
  /** A product that is not in stock. */
  readonly emptyProduct: string;
}

export interface MarkedPerson {
  readonly id: string;
  /** A customer whom the store added, marked as the person is. */
  readonly added: string;
  /** Requests that were made, such as `POST /v1/orders`. */
  readonly asked: ReadonlySet<string>;
  readonly orders: readonly string[];
  readonly purchaseOrder: string;
  readonly invoice: string;
  readonly review: string;
}

interface Sender {
  readonly write: (method: string, path: string, body?: unknown) => ReturnType<typeof requireSuccess>;
  readonly sign: (method: string, path: string, body: unknown) => ReturnType<typeof requireSuccess>;
  readonly shopper: (method: string, path: string, body?: unknown) => ReturnType<typeof requireSuccess>;
}

const asked = new Set<string>();
let keysUsed = 0;
const nextKey = () => ({ 'Idempotency-Key': `marked-person-${keysUsed++}` });

const senderOf = ({ url, keys }: MarkedShop, session: Readonly<Record<string, string>>): Sender => {
  const send = (key: string, headers: object) => (method: string, path: string, body?: unknown) => {
    asked.add(`${method} ${path}`);
    return requireSuccess(
      sendTo(url, method, path, {
        key,
        headers: { ...nextKey(), ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    );
  };
  return {
    write: send(keys.secret_key, {}),
    shopper: send(keys.publishable_key, session),
    sign: (method, path, body) => {
      asked.add(`${method} ${path}`);
      return requireSuccess(sendTo(url, method, path, { key: keys.secret_key, signWith: keys.hmac_secret, body }));
    },
  };
};

const addressOf = (mark: string) => ({
  name: mark,
  line1: `${mark} Avenue 12`,
  line2: mark,
  city: mark,
  state: mark,
  phone: mark,
  country: 'KE',
});

/** Orders, with parcels, refunds, returns and disputes. */
const buy = async ({ write, sign, shopper }: Sender, mark: string, customer_id: string, items: readonly object[]) => {
  const address = addressOf(mark);
  const body = {
    items,
    customer_id,
    email: `${mark}@example.com`,
    shipping_address: address,
    billing_address: address,
    note: mark,
    metadata: { [mark]: mark },
  };
  const { order } = await sign('POST', '/v1/orders', body);
  await sign('PATCH', `/v1/orders/${order.id}`, { note: `${mark} again`, metadata: { [mark]: 'once more' } });
  await sign('PATCH', `/v1/orders/${order.id}`, { payment_status: 'paid' });
  await write('POST', `/v1/orders/${order.id}/shipments`, {
    carrier: 'DHL',
    tracking_number: `${mark}-1`,
    tracking_url: `https://track.invalid/${mark}`,
    items: [{ order_item_id: order.items[0].id, quantity: 1 }],
  });
  await sign('POST', `/v1/orders/${order.id}/refunds`, { amount: 1, reason: mark });
  const { data: sent } = await shopper('POST', `/v1/orders/${order.id}/returns`, {
    reason_code: 'other',
    reason_detail: mark,
    contact_phone: mark,
  });
  await write('PATCH', `/v1/returns/${sent.id}`, { status: 'approved', note: mark });
  const { data: dispute } = await shopper('POST', '/v1/disputes', {
    order_id: order.id,
    reason_code: 'other',
    description: `Not what ${mark} ordered`,
    evidence_urls: [`https://proof.invalid/${mark}.jpg`],
  });
  await write('PATCH', `/v1/disputes/${dispute.id}`, { status: 'under_review', note: mark });
  const { order: guests } = await sign('POST', '/v1/orders', {
    items,
    email: `${mark.toUpperCase()}@example.com`,
    shipping_address: address,
    note: mark,
  });
  return { orders: [order.id, guests.id] as string[] };
};

const buyByAssistant = async ({ write, sign }: Sender, mark: string, items: readonly object[]): Promise<string> => {
  const person = {
    email: `${mark}@example.com`,
    shipping_address: addressOf(mark),
    billing_address: addressOf(mark),
    buyer: { first_name: mark, last_name: mark, phone: mark },
  };
  const { data: draft } = await write('POST', '/v1/agent/cart-drafts', { items, ...person });
  await write('PATCH', `/v1/agent/cart-drafts/${draft.id}`, { buyer: { first_name: `${mark}s` } });
  const { data: intent } = await write('POST', '/v1/agent/checkout-intents', { items, ...person, note: mark });
  await write('PATCH', `/v1/agent/checkout-intents/${intent.id}`, { note: `${mark} again` });
  const { data: quote } = await write('POST', '/v1/agent/quotes', { items, shipping_address: addressOf(mark) });
  const { order: quoted } = await sign('POST', '/v1/orders', { quote_id: quote.id, email: `${mark}@example.com` });
  return quoted.id;
};

const buyWholesale = async (
  { write, shopper }: Sender,
  mark: string,
  customer_id: string,
  items: readonly object[],
) => {
  const { data: rfq } = await shopper('POST', '/v1/b2b/rfqs', { items, note: mark });
  const { data: declined } = await write('POST', '/v1/b2b/quotes', {
    customer_id,
    items: items.map((item) => ({ ...item, unit_price: 9 })),
    note: mark,
    shipping_address: addressOf(mark),
  });
  await shopper('POST', `/v1/b2b/quotes/${declined.id}/reject`, { reason: mark });
  const agreed = items.map((item) => ({ ...item, quantity: 2, unit_price: 8 }));
  const { data: quote } = await write('POST', '/v1/b2b/quotes', { rfq_id: rfq.id, items: agreed, note: mark });
  await shopper('POST', `/v1/b2b/quotes/${quote.id}/accept`, { reason: mark });
  const { data: bought } = await shopper('POST', '/v1/b2b/purchase-orders', {
    quote_id: quote.id,
    po_number: mark,
    shipping_address: addressOf(mark),
    billing_address: addressOf(mark),
  });
  const { data: confirmed } = await write('POST', `/v1/b2b/purchase-orders/${bought.id}/confirm`);
  await write('POST', `/v1/b2b/purchase-orders/${bought.id}/fulfill`, {
    carrier: 'DHL',
    tracking_number: `${mark}-2`,
    tracking_url: `https://track.invalid/${mark}/2`,
  });
  const { data: invoice } = await write('POST', '/v1/b2b/invoices', {
    purchase_order_id: bought.id,
    items: [{ item_id: confirmed.items[0].id, quantity: 2 }],
  });
  await write('POST', `/v1/b2b/invoices/${invoice.id}/pay`, { amount: invoice.total, reference: mark });
  return { purchaseOrder: bought.id as string, invoice: invoice.id as string };
};

/** A payment that its provider cannot start. */
const pay = async ({ sign }: Sender, mark: string, { id, total_amount }: { id: string; total_amount: number }) => {
  await sign('POST', '/v1/payments/initialize', {
    provider: 'own_bank',
    order_id: id,
    amount: total_amount,
    email: `${mark}@example.com`,
    phone: '+254700000000',
    metadata: { [mark]: mark },
    success_url: `https://shop.example.com/${mark}`,
  }).catch(() => {});
};

/** A checkout over the merchants of an operator. */
const buyAtOperator = async ({ url, keys, operatorKey: key }: MarkedShop, mark: string, items: readonly object[]) => {
  await requireSuccess(
    sendTo(url, 'POST', '/v1/cart/checkout', {
      key,
      body: {
        lines: items.map((item) => ({ ...item, store_id: keys.store_id })),
        email: `${mark}@example.com`,
        shipping_address: addressOf(mark),
        note: mark,
      },
    }),
  );
};

/** Without mails the person signs in once: a store's shoppers sign in ten times a minute. */
export const openMarkedPerson = async (shop: MarkedShop, mark: string, withMails = true): Promise<MarkedPerson> => {
  const { url, keys, items, product } = shop;
  const email = `${mark}@example.com`;
  const names = { first_name: mark, last_name: mark, phone: mark };
  const account = { email, password: 'correct horse battery' };
  asked.add('POST /v1/auth/register').add('POST /v1/cart/checkout');
  const { customer, session } = await requireSuccess(
    sendTo(url, 'POST', '/v1/auth/register', { key: keys.secret_key, body: { ...account, ...names } }),
  );
  const sender = senderOf(shop, { 'x-auth-token': session.access_token });
  const { write, shopper, sign } = sender;
  const { id } = customer;
  if (withMails) {
    await write('POST', '/v1/auth/login', account);
    for (const path of ['magic-link', 'send-otp', 'reset-password']) await write('POST', `/v1/auth/${path}`, { email });
  }
  await shopper('PATCH', `/v1/customers/${id}`, { ...names, addresses: [addressOf(mark)], metadata: { [mark]: mark } });
  await write('PUT', `/v1/customers/${id}/group`, { group: mark });
  const bought = await buy(sender, mark, id, items);
  const assisted = await buyByAssistant(sender, mark, items);
  const wholesale = await buyWholesale(sender, mark, id, items);
  await buyAtOperator(shop, mark, items);
  const paid = await sign('POST', '/v1/orders', { items, email });
  await pay(sender, mark, paid.order);
  const { thread } = await shopper('POST', '/v1/messaging/threads', { customer_id: id, subject: mark, body: mark });
  await write('POST', `/v1/messaging/threads/${thread.id}/messages`, { body: `Dear ${mark}` });
  const { review } = await shopper('POST', '/v1/reviews', {
    product_id: product,
    rating: 5,
    title: 'Good',
    body: 'Very good',
  });
  await write('PATCH', `/v1/reviews/${review.id}`, { status: 'rejected', rejection_reason: `${mark} wrote it` });
  await write('POST', `/v1/products/${shop.emptyProduct}/back-in-stock`, { email });
  const { customer: added } = await write('POST', '/v1/customers', {
    ...names,
    email: `added.${email}`,
    external_id: mark,
    group: mark,
    addresses: [addressOf(mark)],
    metadata: { [mark]: mark },
  });
  await write('POST', '/v1/store-credit', { customer_id: id, amount: 3, reason: mark });
  await write('POST', '/v1/gift-cards', { amount: 5, customer_id: id });
  await shopper('POST', '/v1/cart/items', { customer_id: id, ...items[0] });
  await shopper('POST', '/v1/wishlist/items', { customer_id: id, product_id: product });
  await write('POST', '/v1/events', { event_type: 'view', product_id: product, session_id: 'one', customer_id: id });
  const { url: bounces } = await write('POST', '/v1/mail-suppressions/bounce-address', {});
  const events = [{ email, type: 'hard_bounce', details: mark }];
  await requireSuccess(sendTo(url, 'POST', new URL(bounces).pathname, { body: { events } }));
  await write('POST', `/v1/customers/${id}/export`);
  return {
    id,
    added: added.id,
    asked,
    orders: [...bought.orders, assisted],
    ...wholesale,
    review: review.id,
  };
};

export const openMarkedShop = async (url: string, keys: Keys, operatorKey: string): Promise<MarkedShop> => {
  const write = (method: string, path: string, body: object) =>
    requireSuccess(sendTo(url, method, path, { key: keys.secret_key, body }));
  await write('PATCH', '/v1/store', {
    country: 'KE',
    wholesale_enabled: true,
    website_url: 'https://shop.example.com',
  });
  const { id, variant_id } = await write('POST', '/v1/products', {
    name: 'Mug',
    price: 10,
    stock: 100,
    shipping_info: { requires_shipping: false },
  });
  await write('POST', '/v1/payments/providers', {
    provider: 'own_bank',
    name: 'Bank',
    custom_provider: true,
    initialize_url: 'https://pay.invalid/initialize',
    verify_url: 'https://pay.invalid/verify',
    signing_secret: 'a-secret-of-both-sides',
  });
  const emptyProduct = await write('POST', '/v1/products', { name: 'Pot', price: 10, stock: 0 });
  return { url, keys, operatorKey, emptyProduct: emptyProduct.id, items: [{ variant_id, quantity: 1 }], product: id };
};

/** Names of the tables with rows that contain the mark in any column; sealed columns are not opened. */
export const tablesWith = async (sql: Sql, mark: string): Promise<string[]> => {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`;
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await sql<{ rows: number }[]>`
      select count(*)::integer as rows from ${sql.unsafe(name)} as one
      where strpos(lower(one::text), ${mark}) > 0 or strpos(one::text, ${Buffer.from(mark).toString('hex')}) > 0`;
    if (row!.rows > 0) found.push(name);
  }
  return found;
};
