// Wraps Stripe's SDK for the card checkout: clients for accounts, verified webhook events, meanings of errors.
import Stripe from 'stripe';
import { readBounded } from '#runtime/outbound/response_body.ts';
import { exactNumerals, parseExact } from '#values/numeral.ts';
import { ANSWER_BYTES_MAX } from './http.ts';
import { type PaymentOpening, type ProviderAccount, ProviderDenial, ProviderFault } from './provider.ts';

export const CARD_CHECKOUT = 'card_checkout';
const TOLERANCE_S = 300;

const METADATA_MAX = 50;
/** Returns as much of a payment's metadata as Stripe takes beside `own`. */
export const metadataWith = (
  metadata: PaymentOpening['metadata'],
  own: Readonly<Record<string, string>>,
): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(metadata).slice(0, METADATA_MAX - Object.keys(own).length)),
  ...own,
});

export const denial = (problem: unknown): ProviderDenial => {
  if (problem instanceof ProviderFault) throw problem;
  if (!(problem instanceof Stripe.errors.StripeError)) throw new ProviderFault(CARD_CHECKOUT, 'the client failed');
  const word = problem.code ?? problem.type ?? '';
  // Another request with this idempotency key is in progress.
  if (problem.statusCode === 409) throw new ProviderFault(CARD_CHECKOUT, word);
  const { StripeCardError, StripeAuthenticationError, StripePermissionError, StripeInvalidRequestError } =
    Stripe.errors;
  if (problem instanceof StripeCardError) return new ProviderDenial('declined', 'The card was declined.', word);
  if (problem instanceof StripeAuthenticationError || problem instanceof StripePermissionError)
    return new ProviderDenial('credentials', 'Stripe refuses the credentials of this store.', word);
  if (problem instanceof StripeInvalidRequestError)
    return new ProviderDenial('invalid', 'Stripe does not accept this payment.', word);
  throw new ProviderFault(CARD_CHECKOUT, `${problem.type} ${problem.statusCode ?? ''}`.trim());
};

/** The SDK accepts any JSON as an answer, so this checks for Stripe's `object` field or an error code. */
const isStripes = (ok: boolean, json: string): boolean => {
  const said = parseExact(json) as { readonly object?: unknown; readonly error?: unknown } | null;
  return ok ? typeof said?.object === 'string' : Boolean(said?.error);
};

export interface StripeClients {
  client(account: ProviderAccount, timeoutMs: number): Stripe;
  /** Returns null if the signature or its timestamp is invalid. */
  eventOf(body: string, signature: string, secret: string, nowMs: number): Promise<Stripe.Event | null>;
}

export const stripeClients = (baseUrl: string): StripeClients => {
  const address = new URL(baseUrl);
  // Fetches over a new connection each time, and parses numbers exactly instead of as doubles.
  const alone: typeof fetch = Object.assign(
    async (input: string | URL | Request, init?: RequestInit) => {
      const answer = await fetch(input, { ...init, keepalive: false, redirect: 'manual' });
      const body = await readBounded(answer, ANSWER_BYTES_MAX);
      if (body === null) throw new Error('too long an answer');
      const json = exactNumerals(new TextDecoder().decode(body));
      if (!isStripes(answer.ok, json)) throw new Error(`status ${answer.status}, and not by Stripe`);
      return new Response(json, answer);
    },
    { preconnect: fetch.preconnect },
  );
  const httpClient = Stripe.createFetchHttpClient(alone);
  const cryptoProvider = Stripe.createSubtleCryptoProvider();

  const client: StripeClients['client'] = ({ credentials }, timeoutMs) =>
    new Stripe(credentials.secret_key ?? '', {
      host: address.hostname,
      protocol: address.protocol === 'http:' ? 'http' : 'https',
      ...(address.port ? { port: address.port } : {}),
      httpClient,
      timeout: Math.max(1, timeoutMs),
      maxNetworkRetries: 0,
      telemetry: false,
      appInfo: { name: 'Stoa' },
    });

  const eventOf: StripeClients['eventOf'] = async (body, signature, secret, nowMs) => {
    try {
      const { webhooks } = new Stripe('none', { httpClient });
      await webhooks.constructEventAsync(body, signature, secret, TOLERANCE_S, cryptoProvider, nowMs);
      return parseExact(body) as Stripe.Event;
    } catch (problem) {
      if (problem instanceof Stripe.errors.StripeSignatureVerificationError) return null;
      throw problem;
    }
  };

  return { client, eventOf };
};
