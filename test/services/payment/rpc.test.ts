// Payments over HTTP with the simulator: required fields of each provider, one settlement and one event for each
// payment.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import type { Reply } from '#test/support/stoa.ts';
import { errorOf, type PaymentSystem, startPaymentSystem } from './payment_system.ts';

let shop: PaymentSystem;
beforeAll(async () => {
  shop = await startPaymentSystem();
});
afterAll(() => shop.close());

const CARD = { provider: 'card_checkout', amount: 26.6, currency: 'usd', email: 'ada@example.com' };

/** Optional fields as null, as clients serialize missing values. */
const UNSAID = { currency: null, email: null, phone: null, country: null, order_id: null, success_url: null };

const initialize = (body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  shop.send('POST', '/v1/payments/initialize', {
    key: shop.keys.secret_test_key,
    signWith: shop.keys.hmac_test_secret,
    body,
    headers,
  });
const startPayment = async (
  body: unknown = CARD,
): Promise<{ reference: string; provider: string; session_id: string }> => {
  const { status, body: started, text } = await initialize(body);
  expect(status, text).toBe(200);
  return started;
};
const verify = (provider: string, reference: string, key = shop.keys.secret_test_key): Promise<Reply> =>
  shop.send('POST', '/v1/payments/verify', { key, body: { provider, reference } });
const decide = (reference: string, outcome: string, key = shop.keys.secret_test_key): Promise<Reply> =>
  shop.send('POST', `/v1/sandbox/payments/${reference}`, { key, body: { outcome } });
const eventsOf = async (reference: string) =>
  (
    await shop.recordedEvents(shop.keys.store_id, 'sandbox', [
      'payment.succeeded',
      'payment.failed',
      'payment.refunded',
    ])
  )
    .filter(({ object }) => object.reference === reference)
    .map(({ type, object }) => [type, object.status]);

describe('initializing', () => {
  test('answers the address to pay at, and repeats the answer under the same key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await initialize(CARD, headers);
    expect([first.status, first.body]).toEqual([
      200,
      {
        success: true,
        provider: 'card_checkout',
        type: 'redirect',
        reference: expect.stringMatching(/^pay_[0-9A-Za-z]{24}$/),
        checkout_url: `${shop.stoa.url}/pay/${first.body.reference}`,
        session_id: expect.stringMatching(/^sim_/),
        environment: 'sandbox',
        expires_at: new Date(shop.clock.real() + 30 * 60_000).toISOString(),
        element: null,
      },
    ]);
    const again = await initialize(CARD, headers);
    expect([again.status, again.body]).toEqual([200, { ...first.body, idempotent: true }]);
    expect((await initialize({ ...CARD, amount: 27 }, headers)).body.error.code).toBe('idempotency_conflict');
  });

  test('starts one payment for eight concurrent requests under one key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const replies = await Promise.all(Array.from({ length: 8 }, () => initialize(CARD, headers)));
    const references = new Set(replies.filter(({ status }) => status === 200).map(({ body }) => body.reference));
    expect(references.size).toBe(1);
    for (const { status, body } of replies)
      if (status !== 200) expect([status, body.error.code]).toEqual([409, 'conflict']);
  });

  test.each<[string, unknown, string]>([
    ['no such provider', { ...CARD, provider: 'piggy_bank' }, 'provider'],
    ['no amount', { ...CARD, amount: undefined }, 'amount'],
    ['nothing', { ...CARD, amount: 0 }, 'amount'],
    ['too many decimals', { ...CARD, amount: 1.005 }, 'amount'],
    ['parts of a yen', { ...CARD, amount: 1.5, currency: 'JPY' }, 'amount'],
    ['no currency of this world', { ...CARD, currency: 'ABC' }, 'currency'],
    ['card checkout without an e-mail address', { ...CARD, email: undefined }, 'email'],
    ['bank-africa without a currency', { provider: 'bank_africa', amount: 5, email: 'a@b.example' }, 'currency'],
    ['bank-africa with none', { provider: 'bank_africa', amount: 5, email: 'a@b.example', currency: null }, 'currency'],
    ['bank-africa in euros', { provider: 'bank_africa', amount: 5, currency: 'EUR', email: 'a@b.example' }, 'currency'],
    ['bank-africa without an e-mail address', { provider: 'bank_africa', amount: 5, currency: 'NGN' }, 'email'],
    ['mobile money without a phone', { provider: 'mobile_money', amount: 5 }, 'phone'],
    ['mobile money of another country', { provider: 'mobile_money', amount: 5, phone: '255700000000' }, 'phone'],
    ['mobile money with a plus', { provider: 'mobile_money', amount: 5, phone: '+254700000000' }, 'phone'],
    ['parts of a shilling', { provider: 'mobile_money', amount: 5.5, phone: '254700000000' }, 'amount'],
    ['mobile money in a dollar store', { provider: 'mobile_money', amount: 5, phone: '254700000000' }, 'provider'],
    ['a page that is none', { ...CARD, success_url: 'javascript:alert(1)' }, 'success_url'],
  ])('refuses %s', async (_name, body, param) => {
    expect(errorOf(await initialize(body))).toEqual([400, 'invalid_request', param]);
  });

  test.each<[string, unknown, string]>([
    ['wallet in the store’s currency', { provider: 'wallet', amount: 5 }, 'USD'],
    ['card checkout in the store’s currency', { ...CARD, currency: undefined }, 'USD'],
    ['null for what is left out', { provider: 'wallet', amount: 5, ...UNSAID }, 'USD'],
    ['bank-africa in naira', { provider: 'bank_africa', amount: 5, currency: 'ngn', email: 'a@b.example' }, 'NGN'],
  ])('takes %s', async (_name, body, currency) => {
    const { provider, reference } = await startPayment(body);
    expect((await verify(provider, reference)).body).toMatchObject({ status: 'pending', currency });
  });

  test('pushes to the phone in shillings, whatever currency the body has', async () => {
    const kenyan = await shop.stoa.createStore({ currency: 'KES' });
    const { status, body } = await shop.send('POST', '/v1/payments/initialize', {
      key: kenyan.secret_test_key,
      signWith: kenyan.hmac_test_secret,
      body: { provider: 'mobile_money', amount: 500, currency: 'USD', phone: '254700000000' },
    });
    expect([status, body.type]).toEqual([200, 'push']);
    expect((await verify('mobile_money', body.reference, kenyan.secret_test_key)).body).toMatchObject({
      amount: 500,
      currency: 'KES',
    });
  });

  test('restricts return addresses to the store’s allowed origins once it has some', async () => {
    const other = await shop.stoa.createStore();
    const initializeWith = async (more: Record<string, unknown>) => {
      const reply = await shop.send('POST', '/v1/payments/initialize', {
        key: other.secret_test_key,
        signWith: other.hmac_test_secret,
        body: { ...CARD, ...more },
      });
      return [reply.status, reply.body.error?.param];
    };
    const elsewhere = { success_url: 'https://elsewhere.example/thanks', cancel_url: 'https://shop.example/cart' };
    expect(await initializeWith(elsewhere)).toEqual([200, undefined]);
    const restricted = await shop.send('PATCH', '/v1/store', {
      key: other.secret_test_key,
      body: { allowed_redirect_origins: ['https://shop.example'] },
    });
    expect(restricted.status, restricted.text).toBe(200);
    expect(await initializeWith(elsewhere)).toEqual([400, 'success_url']);
    expect(await initializeWith({ success_url: 'https://shop.example.evil.example/' })).toEqual([400, 'success_url']);
    expect(await initializeWith({ success_url: 'https://shop.example/thanks' })).toEqual([200, undefined]);
    expect(await initializeWith({})).toEqual([200, undefined]);
  });

  test('refuses a provider that is not connected in production', async () => {
    const reply = await shop.send('POST', '/v1/payments/initialize', { signWith: shop.keys.hmac_secret, body: CARD });
    expect(errorOf(reply)).toEqual([400, 'invalid_request', 'provider']);
  });

  test('answers 404 for an unknown order', async () => {
    expect(errorOf(await initialize({ ...CARD, order_id: randomUUID() }))).toEqual([404, 'not_found', 'order_id']);
  });
});

describe('a simulated payment', () => {
  test.each([
    ['succeed', 'succeeded', 'payment.succeeded', true],
    ['fail', 'failed', 'payment.failed', false],
    ['expire', 'expired', 'payment.failed', false],
  ])('settles by the outcome %s as %s with one event', async (outcome, status, event, success) => {
    const { provider, reference } = await startPayment();
    const decided = await decide(reference, outcome);
    const expectedState = {
      success,
      provider,
      reference,
      status,
      amount: 26.6,
      currency: 'USD',
      paid_at: success ? expect.any(String) : null,
      order_id: null,
      environment: 'sandbox',
      needs_review: false,
      capture: 'automatic',
      amount_authorized: null,
      authorized_at: null,
      capture_before: null,
      in_progress: null,
    };
    expect([decided.status, decided.body]).toEqual([200, expectedState]);
    expect(errorOf(await decide(reference, outcome))).toEqual([409, 'conflict', 'outcome']);
    expect((await verify(provider, reference)).body).toEqual(decided.body);
    expect(await eventsOf(reference)).toEqual([[event, status]]);
  });

  test.each([
    ['fail', 'succeed'],
    ['fail', 'expire'],
    ['expire', 'succeed'],
    ['expire', 'fail'],
    ['succeed', 'fail'],
    ['succeed', 'expire'],
  ] as const)('keeps the outcome %s when its page or a test requests %s', async (first, then) => {
    const { reference, provider } = await startPayment();
    const { body } = await decide(reference, first);
    expect(errorOf(await decide(reference, then))).toEqual([409, 'conflict', 'outcome']);
    const page = shop.stoa.services.runtime.ask('PaymentSimulator/DecideSimulated', NO_TENANT, {
      reference,
      outcome: then,
    });
    expect(await page).toMatchObject({ code: 'conflict' });
    expect((await verify(provider, reference)).body).toEqual(body);
    expect(await eventsOf(reference)).toHaveLength(1);
  });

  test('succeeds once for six concurrent outcomes', async () => {
    const { reference } = await startPayment();
    const replies = await Promise.all(Array.from({ length: 6 }, () => decide(reference, 'succeed')));
    expect(replies.map(({ status }) => status)).toContain(200);
    for (const { status } of replies) expect([200, 409]).toContain(status);
    expect(await eventsOf(reference)).toEqual([['payment.succeeded', 'succeeded']]);
  });

  test('expires after half an hour of the tenant’s clock', async () => {
    const { provider, reference } = await startPayment();
    shop.clock.advance(30 * 60_000 - 1);
    expect((await verify(provider, reference)).body.status).toBe('pending');
    shop.clock.advance(1);
    expect((await verify(provider, reference)).body.status).toBe('expired');
    expect((await decide(reference, 'fail')).status).toBe(409);
  });

  test('belongs to its own store alone', async () => {
    const { provider, reference } = await startPayment();
    const outsider = await shop.stoa.createStore();
    expect(errorOf(await verify(provider, reference, outsider.secret_test_key))).toEqual([
      404,
      'not_found',
      'reference',
    ]);
    expect(errorOf(await verify(provider, reference, shop.keys.secret_key))).toEqual([404, 'not_found', 'reference']);
    expect(errorOf(await decide(reference, 'succeed', outsider.secret_test_key))).toEqual([
      404,
      'not_found',
      'reference',
    ]);
    expect(errorOf(await verify('wallet', reference))).toEqual([404, 'not_found', 'reference']);
  });
});

describe('a report', () => {
  test.each([
    ['of a provider that the store has not', () => `card_checkout/${shop.keys.store_id}/production`],
    ['to an unknown store', () => `card_checkout/${randomUUID()}/production`],
    ['of an unknown provider', () => `piggy_bank/${shop.keys.store_id}/sandbox`],
  ])('%s is refused', async (_name, path) => {
    const reply = await shop.stoa.send('POST', `/v1/payments/callbacks/${path()}`, { body: { id: 'evt_1' } });
    expect(errorOf(reply)).toEqual([401, 'unauthorized', undefined]);
  });
});

describe('providers', () => {
  const connect = (body: unknown, key = shop.keys.secret_key) =>
    shop.send('POST', '/v1/payments/providers', { key, body });
  const STRIPE = {
    provider: 'card_checkout',
    credentials: { secret_key: 'sk_live_abcdefgh12345678', webhook_secret: 'whsec_abcdefgh12345678' },
  };
  const OWN = {
    provider: 'corner_bank',
    name: 'Corner bank',
    custom_provider: true,
    initialize_url: 'https://pay.example.com/initialize',
    verify_url: 'https://pay.example.com/verify',
    signing_secret: 'a secret of both sides',
  };

  test('connect, list without secrets and delete', async () => {
    const { store_id: store, secret_key: key, publishable_key } = await shop.stoa.createStore();
    const connected = await connect(STRIPE, key);
    const own = await connect(OWN, key);
    expect([connected.status, own.status]).toEqual([201, 201]);
    const listed = await shop.send('GET', '/v1/payments/providers', { key });
    expect(listed.body.providers).toEqual([connected.body.provider, own.body.provider]);
    const first = await shop.send('GET', '/v1/payments/providers?limit=1&fields=id', { key });
    expect([first.body.providers, first.body.pagination.has_more]).toEqual([
      [{ id: connected.body.provider.id }],
      true,
    ]);
    const rest = `/v1/payments/providers?cursor=${first.body.pagination.next_cursor}`;
    expect((await shop.send('GET', rest, { key })).body).toEqual({
      providers: [own.body.provider],
      pagination: { limit: 20, has_more: false, next_cursor: null },
    });
    const foreign = await shop.send('GET', rest, { key: shop.keys.secret_key });
    expect(errorOf(foreign)).toEqual([400, 'invalid_request', 'cursor']);
    for (const secret of ['sk_live_abcdefgh', 'whsec_abcdefgh', 'a secret of both'])
      for (const { text } of [connected, own, listed]) expect(text).not.toContain(secret);
    const methods = await shop.send('GET', '/v1/payments/methods', { key: publishable_key });
    expect(
      methods.body.methods.map(({ provider, custom_provider }: Record<string, unknown>) => [provider, custom_provider]),
    ).toEqual([
      ['card_checkout', false],
      ['corner_bank', true],
    ]);
    const events = await shop.recordedEvents(store, 'production', ['payment_provider.connected']);
    expect(events.map(({ object }) => object.provider)).toEqual(['card_checkout', 'corner_bank']);
    expect(JSON.stringify(events)).not.toMatch(/sk_live|whsec|both sides/);

    const gone = await shop.send('DELETE', `/v1/payments/providers/${connected.body.provider.id}`, { key });
    expect([gone.status, gone.body]).toEqual([200, { deleted: true, id: connected.body.provider.id }]);
    expect((await shop.send('DELETE', `/v1/payments/providers/${connected.body.provider.id}`, { key })).status).toBe(
      404,
    );
    expect((await shop.send('GET', '/v1/payments/methods', { key })).body.methods).toHaveLength(1);
  });

  test('appear in the sandbox without a connection', async () => {
    const { body } = await shop.send('GET', '/v1/payments/methods', { key: shop.keys.publishable_test_key });
    expect(body.methods.map(({ provider }: { provider: string }) => provider)).toEqual([
      'card_checkout',
      'wallet',
      'bank_africa',
      'mobile_money',
    ]);
  });

  test.each<[string, unknown, string]>([
    ['an unknown one without addresses', { provider: 'corner_bank', credentials: {} }, 'provider'],
    ['a built-in one without its secrets', { provider: 'card_checkout', credentials: {} }, 'credentials.secret_key'],
    [
      'a test key in production',
      { ...STRIPE, credentials: { ...STRIPE.credentials, secret_key: 'sk_test_abcdefgh12345678' } },
      'credentials.secret_key',
    ],
    ['its own under a built-in name', { ...OWN, provider: 'wallet' }, 'provider'],
    ['its own without a secret', { ...OWN, signing_secret: undefined }, 'signing_secret'],
    ['its own at a private address', { ...OWN, initialize_url: 'https://10.0.0.1/pay' }, 'initialize_url'],
    ['its own without TLS', { ...OWN, verify_url: 'http://pay.example.com/verify' }, 'verify_url'],
  ])('refuse %s', async (_name, body, param) => {
    expect(errorOf(await connect(body))).toEqual([400, 'invalid_request', param]);
  });

  test('keep their secrets where no caller reads them', async () => {
    const { store_id: store, secret_key: key } = await shop.stoa.createStore();
    await connect(STRIPE, key);
    const { sql } = shop.stoa.services.runtime.postgres;
    const [row] = await sql`select p::text as text from payment.provider p where store = ${store}`;
    for (const { secret } of [{ secret: 'sk_live_abcdefgh12345678' }, { secret: 'whsec_abcdefgh12345678' }])
      for (const form of [secret, Buffer.from(secret).toString('hex')]) expect(row!.text).not.toContain(form);
  });
});
