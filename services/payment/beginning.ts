// Beginning a payment, whatever it pays: claimed first, then begun with its provider while no connection is held, then
// answered in one transaction. A crash anywhere in between leaves a claim that a retry under the same key takes over, so
// that the provider hears the same name again.
import { randomBytes } from 'node:crypto';
import type { InitializePaymentResponse } from '#proto/gen/payment.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { type Call, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import { holdPaying, isReleased } from '#services/ledger/index.ts';
import type { Gateway } from './gateway.ts';
import type { PaymentRecord } from './payment.ts';
import { pollAfterMs } from './poll.ts';
import type { Adapters } from './provider/directory.ts';
import { isBuiltIn, type Opened } from './provider/provider.ts';
import type { RequestedAmount } from './requirement.ts';
import type { PaidOrder } from './share.ts';
import type { Superseding } from './supersede.ts';
import { claimPayment, endOpening, insertPayment, openPayment } from './table/payment.ts';
import { findConnected, type PaymentProviderRecord } from './table/provider.ts';

/** Longer than any provider is waited for; the simulator is at hand. */
const CLAIM_MS = 15_000;
const CLAIM_SIMULATED_MS = 1_000;
/** Payments that one key may begin: one each time its answer was forgotten or its provider said no. */
const PAYMENTS_A_KEY_MAX = 16;
const REFERENCE_BYTES = 18;

const NO_PROVIDER = refuse('invalid_request', 'There is no such payment provider.', { param: 'provider' });
const CANCELLED = refuse('conflict', 'The order is cancelled, so that nothing can be paid for it.', {
  param: 'order_id',
});
const NOT_CONNECTED = refuse('invalid_request', 'This payment provider is not connected.', { param: 'provider' });

export const newReference = (): string =>
  `pay_${randomBytes(REFERENCE_BYTES).toString('base64url').replace(/[-_]/g, 'x')}`;

/** What is to be begun. */
export interface PaymentRequest
  extends Pick<PaymentRecord, 'order_id' | 'order_number' | 'checkout_group_id' | 'shares' | 'metadata'> {
  readonly provider: string;
  /** Who takes it: a connected account, or null for the simulator. */
  readonly account: PaymentProviderRecord | null;
  readonly requested: RequestedAmount;
  readonly email: string | null;
  readonly phone: string | null;
  readonly country: string | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly callbackUrl: string | null;
  /** Orders that wait for a payment after one that failed. */
  readonly waiting: readonly PaidOrder[];
}

export interface Begun {
  readonly payment: PaymentRecord;
  readonly opened: Opened;
  readonly waiting: readonly PaidOrder[];
}

export interface PaymentBeginning {
  /** Who takes a payment of this provider: a connected account, or null for the simulator. */
  providerFor(tenant: Tenant, name: string): Promise<PaymentProviderRecord | null | Refusal>;
  begin(call: Call, wish: PaymentRequest): Promise<Begun | Refusal>;
  answer(tx: Transaction, tenant: Tenant, begun: Begun): Promise<InitializePaymentResponse | Refusal>;
  /** The claim ends by itself; what the provider has begun costs the shopper nothing. */
  undo(tenant: Tenant, begun: Begun): Promise<void>;
}

const shownBegun = (
  { environment }: Tenant,
  { provider, type, reference }: PaymentRecord,
  { checkoutUrl, sessionId, expiresAt }: Opened,
): InitializePaymentResponse => ({
  success: true,
  provider,
  type,
  reference,
  checkout_url: checkoutUrl,
  session_id: sessionId,
  environment,
  expires_at: expiresAt.toISOString(),
});

export const openBeginning = (
  { postgres, clock, ask, log, settings }: Runtime,
  adapters: Adapters,
  gateway: Gateway,
  superseding: Superseding,
): PaymentBeginning => {
  /** The payment that this call is to begin: a new one, or one that a lost try of it had begun with. */
  const claim = async (call: Call, wish: PaymentRequest): Promise<PaymentRecord | Refusal> => {
    const { tenant } = call;
    const { provider, account, requested } = wish;
    const command = commandIdOf(call);
    const now = new Date(clock.real());
    const until = new Date(clock.real() + (account === null ? CLAIM_SIMULATED_MS : CLAIM_MS));
    for (let count = 1; count <= PAYMENTS_A_KEY_MAX; count++) {
      const id = derivedId('payment', command, `${count}`);
      const made = await insertPayment(
        postgres.sql,
        tenant,
        {
          id,
          reference: newReference(),
          provider,
          account: account?.id ?? null,
          type: account?.custom ? 'redirect' : adapters.of(provider, false).type,
          currency: requested.currency.code,
          amount: requested.amount,
          order_id: wish.order_id,
          order_number: wish.order_number,
          phone: provider === 'mobile_money' ? wish.phone : null,
          metadata: wish.metadata,
          success_url: wish.successUrl,
          cancel_url: wish.cancelUrl,
          checkout_group_id: wish.checkout_group_id,
          shares: wish.shares,
          created_at: clock.now(tenant),
        },
        until,
      );
      if (made !== null) return made;
      const before = await claimPayment(postgres.sql, tenant, id, now, until);
      if (before === null)
        return refuse('conflict', 'A request with this Idempotency-Key is still running.', { retryAfterS: 1 });
      if (before.session_id === null && before.status !== 'refused') return before;
    }
    return refuse('conflict', 'This Idempotency-Key has begun too many payments.');
  };

  const open = async (call: Call, wish: PaymentRequest, payment: PaymentRecord): Promise<Opened | Refusal> => {
    const { tenant } = call;
    const base = settings.publicUrl;
    try {
      return await gateway.open(call, wish.account, {
        id: payment.id,
        reference: payment.reference,
        provider: payment.provider,
        amount: payment.amount,
        currency: wish.requested.currency,
        email: wish.email,
        phone: wish.phone,
        country: wish.country,
        orderId: payment.order_id,
        orderNumber: payment.order_number,
        metadata: payment.metadata,
        successUrl: payment.success_url,
        cancelUrl: payment.cancel_url,
        callbackUrl: wish.callbackUrl,
        baseUrl: base,
        reportUrl: `${base}/v1/payments/callbacks/${payment.provider}/${tenant.store}/${tenant.environment}`,
        now: clock.now(tenant),
      });
    } catch (problem) {
      // What the provider did is not known: the next try under this key asks it under the same name.
      await endOpening(postgres.sql, tenant, payment.id, false).catch(() => {});
      throw problem;
    }
  };

  const noteWaiting = async ({ tenant, order }: PaidOrder): Promise<void> => {
    const noted = await ask('OrderDirectory/NotePayment', tenant, { order_id: order, status: 'pending' });
    if (noted instanceof Refusal) log.warn({ order_id: order }, 'an order was not told of a new payment');
  };

  return {
    providerFor: async (tenant, name) => {
      const connected = await findConnected(postgres.sql, tenant, name);
      if (connected !== null) return connected;
      if (!isBuiltIn(name)) return NO_PROVIDER;
      return tenant.environment === 'sandbox' ? null : NOT_CONNECTED;
    },

    begin: async (call, wish) => {
      const payment = await claim(call, wish);
      if (payment instanceof Refusal) return payment;
      const opened = await open(call, wish, payment);
      if (opened instanceof Refusal) {
        await endOpening(postgres.sql, call.tenant, payment.id, true);
        return opened;
      }
      failpoint('provider', call.tenant.store);
      return { payment, opened, waiting: wish.waiting };
    },

    answer: async (tx, tenant, { payment, opened, waiting }) => {
      // Of two that are begun at once the second to come here ends the first.
      const paidFor = payment.order_id ?? payment.checkout_group_id;
      if (paidFor !== null) await holdPaying(tx, tenant, paidFor);
      // The order was cancelled while the provider began the payment; a success of it is given back.
      if (payment.order_id !== null && (await isReleased(tx.sql, tenant, payment.order_id))) return CANCELLED;
      const begun = await openPayment(tx.sql, tenant, payment.id, opened, new Date(clock.real() + pollAfterMs(0)));
      if (begun === null) return refuse('conflict', 'Another request has begun this payment.', { retryAfterS: 1 });
      await superseding.replace(tx, tenant, begun);
      for (const order of waiting) tx.afterCommit(() => noteWaiting(order));
      return shownBegun(tenant, begun, opened);
    },

    undo: (tenant, { payment }) => endOpening(postgres.sql, tenant, payment.id, false),
  };
};
