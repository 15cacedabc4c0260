// Every cause of a mail: one mail, in the reader's language, as HTML and as text; none more when the cause is handled again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SentMessage } from '#proto/gen/mail.ts';
import { MAIL_KINDS, type MailKind } from '#services/mail/kind.ts';
import { dashboard, invite, join } from '#test/services/staff/client.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';
import { type MailSandbox, openMailSandbox } from './sandbox.ts';

const PASSWORD = 'correct horse battery';
/** The store writes English and German. */
const LANGUAGE = 'de-AT';

let stoa: Stoa;
let shop: MailSandbox;
beforeAll(async () => {
  stoa = await startStoa({ trustedProxies: '127.0.0.1' });
  shop = await openMailSandbox(stoa);
  await shop.addLanguages('de');
  await shop.call('PUT', '/v1/mail-templates/abandoned_cart', { enabled: true });
});

afterAll(() => stoa?.stop());

let networks = 0;
/** Each call comes from another network, since those of one network are limited. */
const network = () => ({ 'X-Shopper-IP': `2001:db8:1:${(++networks).toString(16)}::1` });

const register = async () => {
  const email = shop.newEmail();
  const account = { email, password: PASSWORD, language: LANGUAGE };
  const { customer, session } = await shop.call('POST', '/v1/auth/register', account, network());
  expect(customer.language).toBe(LANGUAGE);
  return { email, id: customer.id, headers: { 'x-auth-token': session.access_token } };
};

const change = (id: string, body: object) => shop.sign('PATCH', `/v1/orders/${id}`, body);
const PAID = { payment_status: 'paid' };
const DELIVERED = { order_status: 'delivered' };

const order = async (...changes: readonly object[]) => {
  const email = shop.newEmail();
  const placed = await shop.order(email, { language: LANGUAGE });
  for (const each of changes) await change(placed.id, each);
  return { email, order: placed };
};
const orderMail =
  (...changes: readonly object[]) =>
  async (): Promise<string> =>
    (await order(...changes)).email;

const delivered = async () => {
  const buyer = await register();
  const { id } = await shop.order(buyer.email, { customer_id: buyer.id, language: LANGUAGE });
  await change(id, PAID);
  await change(id, DELIVERED);
  return { ...buyer, order: id };
};

const returned =
  (...decisions: readonly object[]) =>
  async (): Promise<string> => {
    const { email, headers, order: id } = await delivered();
    const { data } = await shop.call('POST', `/v1/orders/${id}/returns`, { reason_code: 'wrong_size' }, headers);
    for (const decision of decisions) await shop.call('PATCH', `/v1/returns/${data.id}`, decision);
    return email;
  };

const disputed =
  (...decisions: readonly object[]) =>
  async (): Promise<string> => {
    const { email, headers, order: order_id } = await delivered();
    const claim = { order_id, reason_code: 'item_not_received', description: 'The parcel never arrived.' };
    const { data } = await shop.call('POST', '/v1/disputes', claim, headers);
    for (const decision of decisions) await shop.call('PATCH', `/v1/disputes/${data.id}`, decision);
    return email;
  };

const refund = async (): Promise<string> => {
  const { email, order: placed } = await order(PAID);
  await shop.call('POST', `/v1/orders/${placed.id}/refunds`, { amount: 5, reason: 'Late' });
  return email;
};

const failPayment = async (): Promise<string> => {
  const { email, order: placed } = await order();
  const { reference } = await shop.sign('POST', '/v1/payments/initialize', {
    provider: 'card_checkout',
    amount: placed.amount_due,
    email,
    order_id: placed.id,
  });
  await shop.call('POST', `/v1/sandbox/payments/${reference}`, { outcome: 'fail' });
  return email;
};

const giveCard = async (): Promise<string> => {
  const email = shop.newEmail();
  const { customer } = await shop.call('POST', '/v1/customers', { email, language: LANGUAGE });
  await shop.call('POST', '/v1/gift-cards', { amount: 25, customer_id: customer.id });
  return email;
};

const restock = async (): Promise<string> => {
  const email = shop.newEmail();
  const { id, variant_id } = await shop.call('POST', '/v1/products', { name: 'Lamp', price: 12.5, stock: 0 });
  await shop.call('POST', `/v1/products/${id}/back-in-stock`, { email, language: LANGUAGE }, network());
  await shop.call('POST', '/v1/inventory/adjustments', { variant_id, on_hand: 5, reason: 'Delivery' });
  return email;
};

const abandonCart = async (): Promise<string> => {
  const { email, id: customer_id, headers } = await register();
  await shop.call('POST', '/v1/cart/items', { variant_id: await shop.variant(), customer_id }, headers);
  await shop.call('POST', '/v1/sandbox/time-travel', { advance_seconds: 2 * 3_600 });
  return email;
};

const enter = (path: string) => async (): Promise<string> => {
  const { email } = await register();
  await shop.call('POST', path, { email }, network());
  return email;
};

const inviteStaff = async (): Promise<string> => {
  const email = shop.newEmail();
  expect((await invite(stoa, shop.keys, { email, role: 'orders' })).status).toBe(201);
  return email;
};

const linkStaff = async (): Promise<string> => {
  const { email } = await join(stoa, shop.keys, 'orders', shop.newEmail());
  const { status, text } = await dashboard(stoa, 'POST', '/v1/staff/session/link', { body: { email } });
  expect(status, text).toBeLessThan(300);
  return email;
};

/** Staff read the store's own language. */
const STAFF = new Set<MailKind>(['dashboard_invitation', 'dashboard_link']);

const CAUSES: readonly (readonly [MailKind, string, () => Promise<string>])[] = [
  ['order_placed', 'Ihre Bestellung N bei Lamps & Sons', orderMail()],
  ['order_paid', 'Ihre Zahlung für Bestellung N', orderMail(PAID)],
  ['order_shipped', 'Ihre Bestellung N ist unterwegs', orderMail({ order_status: 'shipped' })],
  ['order_delivered', 'Ihre Bestellung N wurde zugestellt', orderMail(DELIVERED)],
  ['order_cancelled', 'Ihre Bestellung N ist storniert', orderMail({ order_status: 'cancelled' })],
  ['order_refunded', 'Eine Erstattung für Ihre Bestellung N', refund],
  ['payment_failed', 'Die Zahlung Ihrer Bestellung N ist fehlgeschlagen', failPayment],
  ['return_received', 'Ihre Rücksendung zu Bestellung N', returned()],
  ['return_decided', 'Ihre Rücksendung zu Bestellung N ist genehmigt', returned({ status: 'approved' })],
  [
    'return_arrived',
    'Ihre Rücksendung zu Bestellung N ist angekommen',
    returned({ status: 'approved' }, { status: 'received' }),
  ],
  [
    'credit_offered',
    'Lamps & Sons bietet Ihnen ein Guthaben an',
    returned({ status: 'approved' }, { credit_offer: { amount: 5 } }),
  ],
  ['dispute_opened', 'Ihre Beschwerde zu Bestellung N', disputed()],
  ['dispute_changed', 'Ihre Beschwerde zu Bestellung N wird geprüft', disputed({ status: 'under_review' })],
  ['gift_card', 'Ein Gutschein über 25,00 USD für Lamps & Sons', giveCard],
  ['back_in_stock', 'Lamp ist wieder da', restock],
  ['magic_link', 'Anmelden bei Lamps & Sons', enter('/v1/auth/magic-link')],
  ['reset_password', 'Ihr Passwort bei Lamps & Sons', enter('/v1/auth/reset-password')],
  ['otp', 'N ist Ihr Code für Lamps & Sons', enter('/v1/auth/send-otp')],
  ['dashboard_invitation', 'Join the staff of Lamps & Sons', inviteStaff],
  ['dashboard_link', 'Sign in to the dashboard of Lamps & Sons', linkStaff],
  // Moves the sandbox's clock, and so is the last one.
  ['abandoned_cart', 'Ihr Warenkorb bei Lamps & Sons', abandonCart],
];

test('names a cause of every kind of mail', () => {
  expect(CAUSES.map(([kind]) => kind).sort()).toEqual([...MAIL_KINDS].sort());
});

const mailsOf = async (kind: MailKind, email: string): Promise<SentMessage[]> =>
  (await shop.mailsTo(email)).filter((mail) => mail.kind === kind);

const causes: { readonly kind: MailKind; readonly email: string }[] = [];

test.each(CAUSES)('mails %s once, in the language of its reader', async (kind, subject, cause) => {
  const email = await cause();
  causes.push({ kind, email });
  const [mail] = await eventually(async () => {
    const mails = await mailsOf(kind, email);
    expect(mails).toHaveLength(1);
    return mails;
  });
  expect(mail!.subject.replace(/\d{3,}/, 'N')).toBe(subject);
  expect(mail!.html).toContain(`<html lang="${STAFF.has(kind) ? 'en' : 'de'}">`);
  expect(mail!.text).toMatch(/\w{3}/);
  expect(mail!.text).not.toMatch(/<\w+[ >]|{{|{%/);
});

test('mails nothing more when a host is killed after it handled events, and they are handled again', async () => {
  const { sql } = stoa.services.runtime.postgres;
  const store = shop.keys.store_id;
  const events = await sql<{ id: string; type: string; sequence: string }[]>`
    select e.id, e.type, e.sequence from runtime.event e join runtime.inbox i on i.event = e.id and i.consumer = 'mail'
    where e.store = ${store} and e.environment = 'sandbox'`;
  expect(events.length).toBeGreaterThan(causes.length / 2);
  const ids = events.map(({ id }) => id);
  // A kill between the mail and the record of its event would leave this, if one transaction did not write both.
  await sql`delete from runtime.inbox where consumer = 'mail' and event = any(${ids})`;
  for (const { id, type, sequence } of events)
    await sql`
      insert into runtime.outbox (store, environment, heads, positions)
      values (${store}, 'sandbox', ${`${type} ${id}`}, array[${sequence}::bigint])`;
  await order();
  await eventually(async () => {
    const again = await sql`select from runtime.inbox where consumer = 'mail' and event = any(${ids})`;
    expect(again.count).toBe(ids.length);
  });
  for (const { kind, email } of causes) expect(await mailsOf(kind, email), kind).toHaveLength(1);
});

test('mails once when a shopper or a merchant sends a request again', async () => {
  const { email, headers, order: order_id } = await delivered();
  const claim = { order_id, reason_code: 'item_not_received', description: 'The parcel never arrived.' };
  const open = () => shop.call('POST', '/v1/disputes', claim, { ...headers, 'Idempotency-Key': order_id });
  const { data } = await open();
  await open();
  for (let count = 0; count < 2; count++)
    await shop.call('PATCH', `/v1/disputes/${data.id}`, { status: 'under_review' });
  for (const kind of ['dispute_opened', 'dispute_changed'] as const)
    expect(await mailsOf(kind, email), kind).toHaveLength(1);
});
