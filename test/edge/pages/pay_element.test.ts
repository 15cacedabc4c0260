// The simulator's card fields: the framed page and its script, a declined card, a second try, and payments that ended.
import { beforeAll, expect, test } from 'vitest';
import { openTill, PRICE, type Till } from '#test/services/payment/till.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const GOOD = '4242 4242 4242 4242';
const DECLINED = '4000 0000 0000 0002';

let stoa: Stoa;
let till: Till;
beforeAll(async () => {
  stoa = await sharedStoa();
  const recordedEvents = () => Promise.reject(new Error('a shared system records no events'));
  till = await openTill({ stoa, send: stoa.send, recordedEvents });
});

const begin = async (more: object = {}) => {
  const order = await till.placed();
  const { status, body, text } = await till.initialize(order, {
    ...{ presentation: 'element', capture: 'automatic' },
    ...more,
  });
  expect(status, text).toBe(200);
  return { order, body, frame: `${stoa.url}/pay/${body.reference}/element` };
};
const pay = async (frame: string, number: string) => {
  const reply = await fetch(frame, {
    method: 'POST',
    body: new URLSearchParams({ number, expiry: '12 / 34', cvc: '123' }),
  });
  return { status: reply.status, said: await reply.json() };
};
const statusOf = async (reference: string): Promise<string> =>
  (await till.write('POST', '/v1/payments/verify', { provider: 'card_checkout', reference })).body.status;

test('names a script and a secret of the shape that a page expects', async () => {
  const { body } = await begin();
  expect(body).toMatchObject({
    ...{ type: 'element', checkout_url: null },
    element: { provider: 'simulator', publishable_key: null, script_url: `${stoa.url}/pay/element.js` },
  });
  const script = await fetch(body.element.script_url);
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await script.text()).toContain('window.StoaSimulator');
});

test('shows the fields in a frame of any shop, with no script of elsewhere', async () => {
  const { frame } = await begin();
  const reply = await fetch(frame);
  const policy = reply.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self';/,
  );
  expect(policy).toContain('frame-ancestors https: http:');
  expect(reply.headers.get('x-frame-options')).toBeNull();
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(await reply.text()).toContain('no money moves');
  expect((await fetch(`${stoa.url}/pay/nothing/element`)).status).toBe(404);
});

test('declines one card, and takes the next', async () => {
  const { order, body, frame } = await begin();
  expect(await pay(frame, '4242')).toMatchObject({ status: 400, said: { error: { code: 'invalid_number' } } });
  expect(await pay(frame, DECLINED)).toMatchObject({ status: 402, said: { error: { code: 'card_declined' } } });
  expect(await statusOf(body.reference)).toBe('pending');
  expect(await pay(frame, GOOD)).toEqual({ status: 200, said: { status: 'succeeded' } });
  await eventually(async () =>
    expect(await till.orderOf(order)).toMatchObject({ payment_status: 'paid', amount_paid: PRICE }),
  );
  expect(await pay(frame, DECLINED)).toEqual({ status: 200, said: { status: 'succeeded' } });
});

test('authorises a payment that is captured later', async () => {
  const { body, frame } = await begin({ capture: 'manual' });
  expect(await pay(frame, GOOD)).toEqual({ status: 200, said: { status: 'requires_capture' } });
  expect(await statusOf(body.reference)).toBe('authorized');
});

test('takes no card for a payment that was replaced, or that there is not', async () => {
  const { order, frame } = await begin();
  expect((await till.initialize(order, { presentation: 'element', capture: 'automatic' })).status).toBe(200);
  expect(await pay(frame, GOOD)).toMatchObject({ status: 409, said: { error: { type: 'invalid_request_error' } } });
  expect((await pay(`${stoa.url}/pay/pay_none/element`, GOOD)).status).toBe(409);
  expect((await till.orderOf(order)).payment_status).not.toBe('paid');
});

test('pays an order once for many cards at once', async () => {
  const { order, frame } = await begin();
  const replies = await Promise.all(Array.from({ length: 20 }, () => pay(frame, GOOD)));
  for (const { status } of replies) expect(status).toBe(200);
  await eventually(async () => expect(await till.orderOf(order)).toMatchObject({ amount_paid: PRICE }));
  expect((await till.write('GET', `/v1/payments?order_id=${order.id}`)).body.payments).toHaveLength(1);
});
