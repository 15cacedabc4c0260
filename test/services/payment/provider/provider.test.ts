// Providers' adapters by themselves: amounts as each counts them, credentials that are refused, and silence.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Outbound } from '#runtime/outbound/outbound.ts';
import { bankAfrica } from '#services/payment/provider/bank_africa.ts';
import { cardCheckout } from '#services/payment/provider/card_checkout.ts';
import { customProvider } from '#services/payment/provider/custom.ts';
import { mobileMoney } from '#services/payment/provider/mobile_money.ts';
import {
  type PaymentOpening,
  type ProviderAccount,
  type ProviderAdapter,
  ProviderDenial,
  ProviderFault,
  ProviderNotReached,
} from '#services/payment/provider/provider.ts';
import { fromStripe, toStripe } from '#services/payment/provider/stripe_report.ts';
import { wallet } from '#services/payment/provider/wallet.ts';
import { currencyOf } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import { startDaraja } from './daraja.ts';
import { startPaypal } from './paypal.ts';
import { startPaystack } from './paystack.ts';
import type { Provider } from './stand_in.ts';
import { startStripe } from './stripe.ts';

const TIMEOUT_MS = 5_000;

let standIns: Record<string, Provider>;
beforeAll(async () => {
  const started = [await startStripe(() => 0), await startPaypal(), await startPaystack(), await startDaraja()];
  standIns = Object.fromEntries(started.map((provider) => [provider.name, provider]));
});
afterAll(async () => {
  for (const { standIn } of Object.values(standIns)) await standIn.stop();
});

const adapterOf = (name: string): ProviderAdapter => {
  const { url } = standIns[name]!.standIn;
  const both = { production: url, sandbox: url };
  if (name === 'card_checkout') return cardCheckout(url);
  if (name === 'wallet') return wallet(both);
  return name === 'bank_africa' ? bankAfrica(url) : mobileMoney(both);
};
const accountOf = (name: string, more: Record<string, string> = {}): ProviderAccount => ({
  environment: 'sandbox',
  credentials: { ...(standIns[name]!.connection.credentials as Record<string, string>), ...more },
  initializeUrl: null,
  verifyUrl: null,
});

let references = 0;
const opening = (code: string, major: number): PaymentOpening => ({
  id: `payment-${++references}`,
  reference: `pay_${references}`,
  provider: '',
  amount: toMinor(major, currencyOf(code))!,
  currency: currencyOf(code),
  isManual: false,
  isElement: false,
  email: 'ada@example.com',
  phone: '254712345678',
  country: null,
  orderId: null,
  orderNumber: '1001',
  metadata: { colour: 'red' },
  successUrl: null,
  cancelUrl: null,
  callbackUrl: null,
  baseUrl: 'https://shop.invalid',
  reportUrl: 'https://shop.invalid/report',
  now: new Date(0),
});
const sentOf = (name: string, path: string): string =>
  standIns[name]!.standIn.asked.filter((asked) => asked.path === path && asked.method === 'POST').at(-1)!.body;

describe('an amount', () => {
  test.each([
    ['USD', 26.6, 2_660],
    ['JPY', 500, 500],
    ['KRW', 12_000, 12_000],
    // Three decimals, of which Stripe wants the last to be zero.
    ['KWD', 5.12, 5_120],
    // Without decimals by ISO 4217, with two at Stripe.
    ['UGX', 5_000, 500_000],
    ['ISK', 990, 99_000],
  ])('of %s %d is %d at Stripe, and back', async (code, major, units) => {
    const currency = currencyOf(code);
    const opened = await adapterOf('card_checkout').open(accountOf('card_checkout'), opening(code, major), TIMEOUT_MS);
    expect(opened).not.toBeInstanceOf(ProviderDenial);
    expect(standIns.card_checkout!.amountOf((opened as { sessionId: string }).sessionId)).toBe(units);
    expect(fromStripe(toStripe(toMinor(major, currency)!, currency)!, currency)).toBe(toMinor(major, currency));
  });

  test('refuses a third decimal for Stripe', async () => {
    const opened = await adapterOf('card_checkout').open(accountOf('card_checkout'), opening('KWD', 5.125), TIMEOUT_MS);
    expect(opened).toMatchObject({ reason: 'invalid' });
  });

  test.each([
    ['USD', 26.6, '26.60'],
    ['JPY', 500, '500'],
    ['HUF', 990, '990'],
    ['TWD', 30, '30'],
  ])('of %s %d is "%s" at PayPal', async (code, major, value) => {
    await adapterOf('wallet').open(accountOf('wallet'), opening(code, major), TIMEOUT_MS);
    const [unit] = JSON.parse(sentOf('wallet', '/v2/checkout/orders')).purchase_units;
    expect(unit.amount).toEqual({ currency_code: code, value });
  });

  test('refuses decimals that PayPal does not accept without a request', async () => {
    const opened = await adapterOf('wallet').open(accountOf('wallet'), opening('HUF', 990.5), TIMEOUT_MS);
    expect(opened).toMatchObject({ reason: 'invalid' });
  });

  test.each(['NGN', 'GHS', 'ZAR', 'KES', 'USD'])('converts %s to hundredths for Paystack', async (code) => {
    await adapterOf('bank_africa').open(accountOf('bank_africa'), opening(code, 26.6), TIMEOUT_MS);
    expect(JSON.parse(sentOf('bank_africa', '/transaction/initialize'))).toMatchObject({
      amount: 2_660,
      currency: code,
    });
  });

  test('converts to whole shillings for Daraja, with the phone unchanged', async () => {
    await adapterOf('mobile_money').open(accountOf('mobile_money'), opening('KES', 1_300), TIMEOUT_MS);
    expect(JSON.parse(sentOf('mobile_money', '/mpesa/stkpush/v1/processrequest'))).toMatchObject({
      Amount: 1_300,
      PartyA: '254712345678',
      PartyB: '174379',
      AccountReference: '1001',
    });
    const parts = await adapterOf('mobile_money').open(accountOf('mobile_money'), opening('KES', 1.5), TIMEOUT_MS);
    expect(parts).toMatchObject({ reason: 'invalid' });
  });
});

describe.each([
  ['card_checkout', { secret_key: 'sk_test_of_nobody' }, 'USD'],
  ['wallet', { client_secret: 'of no merchant' }, 'USD'],
  ['bank_africa', { secret_key: 'sk_test_of_nobody' }, 'NGN'],
  ['mobile_money', { consumer_secret: 'of no merchant' }, 'KES'],
])('%s', (name, wrong, code) => {
  test('denies with `credentials` when the provider refuses them', async () => {
    const opened = await adapterOf(name).open(accountOf(name, wrong), opening(code, 100), TIMEOUT_MS);
    expect(opened).toMatchObject({ reason: 'credentials' });
    expect(JSON.stringify(opened)).not.toContain('of no merchant');
  });

  test('fails after the timeout when the provider never answers', async () => {
    const { standIn } = standIns[name]!;
    const adapter = adapterOf(name);
    standIn.mood = 'silent';
    try {
      await expect(adapter.open(accountOf(name), opening(code, 100), 50)).rejects.toBeInstanceOf(ProviderFault);
    } finally {
      standIn.mood = 'well';
    }
  });
});

describe.each([
  ['card_checkout', 'USD'],
  ['wallet', 'USD'],
  ['bank_africa', 'NGN'],
  ['mobile_money', 'KES'],
])('%s that cannot answer now', (name, code) => {
  /** Opens one payment while it is well, so that a token is known, and another while it is as `change` makes it. */
  const openWhile = async (change: (standIn: Provider['standIn']) => void): Promise<unknown> => {
    const { standIn } = standIns[name]!;
    const adapter = adapterOf(name);
    await adapter.open(accountOf(name), opening(code, 100), TIMEOUT_MS);
    change(standIn);
    try {
      return await adapter.open(accountOf(name), opening(code, 100), TIMEOUT_MS).catch((problem: unknown) => problem);
    } finally {
      standIn.mood = 'well';
      standIn.twist = (said) => said;
    }
  };

  test('throws a fault instead of a denial for status 429', async () => {
    const came = await openWhile((standIn) => {
      standIn.mood = 'busy';
    });
    expect(came).toBeInstanceOf(ProviderFault);
  });

  test.each(['{}', '[]', '{"object":7}'])('throws a fault for the answer %s', async (text) => {
    const came = await openWhile((standIn) => {
      standIn.twist = () => text;
    });
    expect(came).toBeInstanceOf(ProviderFault);
  });

  test.skipIf(name === 'mobile_money')('throws a fault for a checkout address that is not HTTP', async () => {
    const came = await openWhile((standIn) => {
      standIn.twist = (said) => said.replaceAll(/"https?:[^"]*"/g, '"javascript:alert(1)"');
    });
    expect(came).toBeInstanceOf(ProviderFault);
  });
});

describe('a checkout address of a merchant’s own provider', () => {
  const openAt = async (address: string): Promise<unknown> => {
    const send: Outbound['send'] = async () => ({
      status: 200,
      headers: {},
      truncated: false,
      body: Buffer.from(JSON.stringify({ session_id: 'till', checkout_url: address })),
    });
    const account = { ...accountOf('bank_africa'), initializeUrl: 'https://till.invalid/initialize' };
    return customProvider({ send } as Outbound, Date.now).open(account, opening('USD', 5), TIMEOUT_MS);
  };

  test('keeps a long query', async () => {
    const address = `https://till.invalid/pay?token=${'a'.repeat(1_500)}`;
    expect(await openAt(address)).toMatchObject({ checkoutUrl: address });
  });

  test.each(['javascript:alert(1)', '/pay', `https://till.invalid/${'a'.repeat(3_000)}`])(
    'becomes null when it is %s',
    async (address) => expect(await openAt(address)).toMatchObject({ checkoutUrl: null }),
  );
});

describe('Daraja', () => {
  test('receives a new token after it rejected the cached one', async () => {
    const { standIn } = standIns.mobile_money!;
    const adapter = adapterOf('mobile_money');
    const account = accountOf('mobile_money');
    const open = () => adapter.open(account, opening('KES', 100), TIMEOUT_MS);
    await open();
    const tokens = () => standIn.asked.filter(({ path }) => path === '/oauth/v1/generate').length;
    const before = tokens();
    standIn.mood = 'locked';
    standIn.twist = (said) => said.replace('404.001.03', '');
    try {
      await expect(open()).rejects.toBeInstanceOf(ProviderNotReached);
    } finally {
      standIn.mood = 'well';
      standIn.twist = (said) => said;
    }
    expect(await open()).not.toBeInstanceOf(ProviderDenial);
    expect(tokens()).toBe(before + 1);
  });

  test('reports paid, declined and pending payments', async () => {
    const adapter = adapterOf('mobile_money');
    const account = accountOf('mobile_money');
    const statusAfter = async (change: (session: string) => void, needsReview = false) => {
      const { sessionId } = (await adapter.open(account, opening('KES', 100), TIMEOUT_MS)) as { sessionId: string };
      change(sessionId);
      const { id, reference, amount, currency, now } = opening('KES', 100);
      const payment = { id, reference, sessionId, chargeId: null, amount, currency, isManual: false };
      const asked = { ...payment, expiresAt: now, now, needsReview };
      return adapter.fetchStatus(account, asked, TIMEOUT_MS);
    };
    expect(await statusAfter(() => {})).toEqual({ status: 'pending' });
    // The query tells no amount: it is the one that was pushed, unless a report has told another.
    const paying = (session: string) => standIns.mobile_money!.pay(session);
    expect(await statusAfter(paying)).toEqual({ status: 'succeeded', amount: 10_000, currency: 'KES' });
    expect(await statusAfter(paying, true)).toEqual({ status: 'succeeded' });
    expect(await statusAfter((session) => standIns.mobile_money!.decline(session))).toEqual({
      status: 'failed',
      failure: '1032',
    });
  });
});
