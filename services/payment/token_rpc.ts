// The rpc handlers of payment tokens. The sandbox's simulator issues a token, one checkout reserves it, and it is
// settled after the order. transaction.ts links the payment to the order.
import { randomBytes } from 'node:crypto';
import { randomUUIDv7 } from 'bun';
import type { PaymentTokenRpcs } from '#proto/gen/payment_directory.ts';
import { invalid, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { type Handlers, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { badAmount, pastTime, unknownCurrency } from '#services/commerce/shared_refusal.ts';
import { currencyOf, parseCurrency } from '#values/currency.ts';
import { fromMajor, toMajor, toMinor } from '#values/money.ts';
import type { Gateway } from './gateway.ts';
import { type PaymentRecord, paymentStatus } from './payment.ts';
import type { ProviderStatus } from './provider/provider.ts';
import type { Settlement } from './settlement.ts';
import { newReference, type PaymentStarter } from './starter.ts';
import { findPaymentById } from './table/payment.ts';
import { claimToken, insertDelegated, insertToken, isTaken, lockToken, releaseClaim } from './table/token.ts';

const PROVIDER = 'card_checkout';
const TOKEN_BYTES = 24;
/**
 * Time for which the completion of a checkout claims a token; longer than any completion. After a crash the claim expires
 * and the token can be used again.
 */
const CLAIM_MS = 60_000;

const SANDBOX_ONLY = refuse('forbidden', 'This endpoint issues payment tokens in the sandbox only.', {
  hint: 'Use a test key. In production tokens come from the payment provider.',
});
const UNKNOWN_TOKEN = invalid('token', 'The payment token is unknown. Request a new one.');
const TOKEN_EXPIRED = invalid('token', 'The payment token has expired. Request a new one.');
const OTHER_CHECKOUT = invalid('token', 'The payment token was issued for another checkout.');
const NO_CARDS = invalid('token', 'The store takes no cards.');
const TOKENS_UNSUPPORTED = refuse('conflict', 'The store’s card provider does not take payment tokens.', {
  param: 'token',
});
const TOKEN_USED = refuse('conflict', 'The payment token was used already. Request a new one.', { param: 'token' });
const CARD_DECLINED = refuse('payment_declined', 'The card was declined.', { details: 'card_declined' });

const hashOf = (token: string): Buffer => sha256(`payment token ${token}`);

interface TokenSettlement {
  readonly payment: PaymentRecord;
  readonly providerStatus: ProviderStatus;
}

export const tokenHandlers = (
  { clock, postgres }: Pick<Runtime, 'clock' | 'postgres'>,
  { providerFor }: Pick<PaymentStarter, 'providerFor'>,
  gateway: Gateway,
  settlement: Settlement,
): Handlers<PaymentTokenRpcs> => ({
  IssueToken: transaction(async (tx, { tenant }, input) => {
    if (tenant.environment !== 'sandbox') return SANDBOX_ONLY;
    const currency = parseCurrency(input.currency);
    if (currency === null) return unknownCurrency(input.currency);
    const amount = toMinor(input.max_amount, currency);
    if (amount === null) return badAmount('max_amount', input.max_amount, currency);
    const now = clock.now(tenant);
    const expiresAt = new Date(input.expires_at);
    if (expiresAt <= now) return pastTime('expires_at', input.expires_at);
    const token = `vt_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
    await insertToken(tx.sql, tenant, {
      id: randomUUIDv7(),
      hash: hashOf(token),
      intent: input.checkout_intent_id.toLowerCase(),
      currency: currency.code,
      amount_max: amount,
      declines: input.declines === true,
      expires_at: expiresAt,
      created_at: now,
    });
    return { token, created_at: now.toISOString(), expires_at: expiresAt.toISOString() };
  }),

  AuthorizeToken: transaction(async (tx, { tenant }, input) => {
    const account = await providerFor(tenant, PROVIDER);
    if (account instanceof Refusal) return NO_CARDS;
    if (account !== null) return TOKENS_UNSUPPORTED;
    const token = await lockToken(tx.sql, tenant, hashOf(input.token));
    if (token === null) return UNKNOWN_TOKEN;
    const { payment_id, completion } = input;
    if (token.payment !== null && token.payment !== payment_id) {
      // An interrupted try of the same completion may have reserved the token for another total; the order of that try
      // can no longer be placed.
      const isOurs = token.completion === completion;
      const isClaimed = !isOurs && token.claimed_until !== null && token.claimed_until.getTime() > clock.real();
      if (isClaimed || (await isTaken(tx.sql, tenant, token.payment))) return TOKEN_USED;
    }
    if (token.expires_at <= clock.now(tenant)) return TOKEN_EXPIRED;
    if (token.intent !== input.checkout_intent_id.toLowerCase()) return OTHER_CHECKOUT;
    const currency = currencyOf(token.currency);
    const amount = fromMajor(input.amount, currency);
    if (input.currency !== token.currency || amount > token.amount_max)
      return refuse('amount_mismatch', 'The limit of the payment token is below the amount due.', {
        param: 'token',
        details: `${input.amount} ${input.currency} is due, ${toMajor(token.amount_max, currency)} ${token.currency} may be paid`,
      });
    if (token.declines) return CARD_DECLINED;
    const claim = { payment: payment_id, completion, claimed_until: new Date(clock.real() + CLAIM_MS) };
    await claimToken(tx.sql, tenant, token.id, claim);
    await insertDelegated(tx.sql, tenant, {
      id: payment_id,
      reference: newReference(),
      provider: PROVIDER,
      account: null,
      currency: token.currency,
      amount,
      created_at: clock.now(tenant),
    });
    return { payment_id };
  }),

  ReleaseToken: transaction(async (tx, { tenant }, { payment_id }) => {
    await releaseClaim(tx.sql, tenant, payment_id);
    return {};
  }),

  SettleToken: staged({
    prepare: async (call, { payment_id }): Promise<TokenSettlement | Refusal> => {
      const payment = await findPaymentById(postgres.sql, call.tenant, payment_id);
      if (payment === null || !payment.delegated || payment.order_id === null) return notFound('payment');
      return { payment, providerStatus: await gateway.fetchStatus(call, call.tenant, payment) };
    },
    run: async (tx, { tenant }, _input, { payment, providerStatus }: TokenSettlement) => {
      const settled = await settlement.settle(tx, tenant, payment.id, providerStatus);
      return settled instanceof Refusal ? settled : paymentStatus(tenant, settled);
    },
    undo: () => {},
  }),
});
