// Suppressed addresses over HTTP: reports of bounces, unsubscription by page and by a mail program, and their effect.
import { beforeAll, describe, expect, test } from 'vitest';
import type { SuppressedAddress } from '#proto/gen/mail_suppression.ts';
import { type MailSandbox, openMailSandbox } from '#test/services/mail/sandbox.ts';
import { type Stoa, sendTo, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let shop: MailSandbox;
let bounces: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openMailSandbox(stoa);
  bounces = await bounceAddressOf(shop);
});

const PATH = '/v1/mail-suppressions';
const bounceAddressOf = async (of: MailSandbox): Promise<string> =>
  new URL((await of.call('POST', '/v1/mail-suppressions/bounce-address', {})).url).pathname;
/** `POST /v1/mail-bounces/:store_id/:environment/:token`. */
const report = (events: unknown, at = bounces) => sendTo(stoa.url, 'POST', at, { body: { events } });
const listed = async (of: MailSandbox, email: string): Promise<SuppressedAddress[]> =>
  (await of.call('GET', `/v1/mail-suppressions?email=${encodeURIComponent(email)}`)).mail_suppressions;

describe('a report of the mail provider', () => {
  test('suppresses hard bounces and complaints, once for all repetitions, and nothing else', async () => {
    const email = shop.newEmail();
    const bounce = { email: email.toUpperCase(), type: 'hard_bounce', details: '550 no such mailbox' };
    const replies = await Promise.all(Array.from({ length: 8 }, () => report([bounce, { email, type: 'delivered' }])));
    expect(replies.map(({ status, body }) => [status, body.accepted])).toEqual(Array(8).fill([200, 1]));
    await report([{ email, type: 'complaint' }]);
    expect((await listed(shop, email)).map(({ email: to, reason, details }) => [to, reason, details])).toEqual([
      [email, 'complaint', null],
      [email, 'hard_bounce', '550 no such mailbox'],
    ]);
  });

  test('stops every mail to the address until it is removed', async () => {
    const email = shop.newEmail();
    await report([{ email, type: 'hard_bounce' }]);
    const { id } = await shop.order(email);
    const witness = shop.newEmail();
    await shop.order(witness);
    await shop.receives(witness, 'order_placed');
    expect(await shop.mailsTo(email)).toEqual([]);
    const [found] = await listed(shop, email);
    expect((await shop.call('DELETE', `/v1/mail-suppressions/${found!.id}`)).deleted).toBe(true);
    expect((await shop.send('DELETE', `/v1/mail-suppressions/${found!.id}`)).status).toBe(404);
    await shop.sign('PATCH', `/v1/orders/${id}`, { payment_status: 'paid' });
    await shop.receives(email, 'order_paid');
  });

  test('needs the current secret, and reaches its own tenant alone', async () => {
    const other = await openMailSandbox(stoa);
    const first = await bounceAddressOf(other);
    const second = await bounceAddressOf(other);
    const email = other.newEmail();
    const events = [{ email, type: 'hard_bounce' }];
    expect((await report(events, first)).status).toBe(404);
    const elsewhere = second.replace('/sandbox/', '/production/');
    expect((await report(events, elsewhere)).status).toBe(404);
    const { store_id } = other.keys;
    const guessed = await stoa.send('POST', `/v1/mail-bounces/${store_id}/sandbox/mb_guessed`, { body: { events } });
    expect(guessed.status).toBe(404);
    expect((await report(events, second.replace(other.keys.store_id, shop.keys.store_id))).status).toBe(404);
    expect((await report(events, second)).status).toBe(200);
    expect(await listed(other, email)).toHaveLength(1);
    expect(await listed(shop, email)).toEqual([]);
  });

  test.each([[[]], [[{ email: 'ada@example.com' }]], [[{ type: 'hard_bounce' }]], ['ada@example.com']])(
    'is refused with the events %j',
    async (events) => expect((await report(events)).status).toBe(400),
  );
});

describe('an unsubscription', () => {
  const cartMail = async () => {
    await shop.call('PUT', '/v1/mail-templates/abandoned_cart', { enabled: true });
    const email = shop.newEmail();
    const account = { email, password: 'correct horse battery' };
    const { customer } = await shop.call('POST', '/v1/auth/register', account);
    const abandon = async () => {
      // The sandbox's clock went on, so an earlier session has expired.
      const { session } = await shop.call('POST', '/v1/auth/login', account);
      const headers = { 'x-auth-token': session.access_token };
      const item = { variant_id: await shop.variant(), quantity: 1, customer_id: customer.id };
      await shop.call('POST', '/v1/cart/items', item, headers);
      await shop.call('POST', '/v1/sandbox/time-travel', { advance_seconds: 2 * 3_600 });
    };
    await abandon();
    const mail = await shop.receives(email, 'abandoned_cart');
    return { email, abandon, page: new URL(mail.unsubscribe_url!).pathname };
  };
  const visit = (path: string, method: 'GET' | 'POST' = 'GET', body?: string) =>
    fetch(`${stoa.url}${path}`, {
      method,
      ...(body && { body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
    });

  test('stops marketing alone, and follows a POST, not a visit of the page', async () => {
    const { email, abandon, page } = await cartMail();
    const shown = await visit(page);
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await shown.text()).toContain('<form method="post">');
    expect(await listed(shop, email)).toEqual([]);
    const done = await visit(page, 'POST', 'List-Unsubscribe=One-Click');
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You are unsubscribed')]);
    await visit(page, 'POST');
    expect((await listed(shop, email)).map(({ reason }) => reason)).toEqual(['unsubscribed']);
    await abandon();
    await shop.order(email);
    await shop.receives(email, 'order_placed', 'abandoned_cart');
  });

  test.each(['x', 'AAAA', `${'A'.repeat(120)}`])('is refused with the token %s', async (token) => {
    for (const method of ['GET', 'POST'] as const)
      expect((await visit(`/mail/unsubscribe/${token}`, method)).status).toBe(404);
  });
});

test('lists addresses page by page, and refuses a cursor of another list', async () => {
  const own = await openMailSandbox(stoa);
  const at = await bounceAddressOf(own);
  const emails = Array.from({ length: 3 }, () => own.newEmail());
  await report(
    emails.map((email) => ({ email, type: 'hard_bounce' })),
    at,
  );
  const first = await own.call('GET', `${PATH}?limit=2`);
  const second = await own.call('GET', `${PATH}?limit=2&cursor=${first.pagination.next_cursor}`);
  const both = [...first.mail_suppressions, ...second.mail_suppressions].map(({ email }: SuppressedAddress) => email);
  expect(both.sort()).toEqual(emails.sort());
  expect(second.pagination.has_more).toBe(false);
  expect((await own.send('GET', `${PATH}?cursor=AAAA`)).status).toBe(400);
});
