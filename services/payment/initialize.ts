// Beginning a payment: claimed first, then begun with its provider while no connection is held, then answered in one
// transaction. A crash anywhere in between leaves a claim that a retry under the same key takes over, so that the provider
// hears the same name again.
import { randomBytes } from 'node:crypto';
import type { InitializePaymentRequest, InitializePaymentResponse, PaymentRpcs } from '#proto/gen/payment.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { type Call, Refusal, refuse, type Tenant } from '#runtime/call.ts';
import { failpoint } from '#runtime/failpoint.ts';
import { Unavailable } from '#runtime/fault.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { type Handlers, staged } from '#runtime/rpc.ts';
import { holdPaying } from '#services/ledger/index.ts';
import { majorText } from '#values/money.ts';
import { derivedId } from './derived_id.ts';
import type { Gateway } from './gateway.ts';
import { lookAfterMs } from './look.ts';
import type { PaymentRecord } from './payment.ts';
import type { Adapters } from './provider/directory.ts';
import { isBuiltIn, type Opened } from './provider/provider.ts';
import { refuseReturn, storeCurrency } from './shop.ts';
import type { Supersede } from './supersede.ts';
import { claimPayment, endOpening, insertPayment, openPayment } from './table/payment.ts';
import { findConnected, type ProviderRecord } from './table/provider.ts';
import { refuseShilling, type Terms, termsOf } from './term.ts';

/** Longer than any provider is waited for; the simulator is at hand. */
const CLAIM_MS = 15_000;
const CLAIM_SIMULATED_MS = 1_000;
/** Payments that one key may begin: one each time its answer was forgotten or its provider said no. */
const PAYMENTS_A_KEY_MAX = 16;
const REFERENCE_BYTES = 18;

const invalid = (param: string, message: string): Refusal => refuse('invalid_request', message, { param });

/** Where the shopper goes afterwards: each provider takes its own fields, and no other's. */
const returnsOf = ({ provider, success_url, cancel_url, callback_url }: InitializePaymentRequest) => {
  if (provider === 'card_checkout') return { success: success_url, cancel: cancel_url };
  return provider === 'bank_africa' ? { success: callback_url, cancel: callback_url } : {};
};

const newReference = (): string => `pay_${randomBytes(REFERENCE_BYTES).toString('base64url').replace(/[-_]/g, 'x')}`;

/** What orders answer (OrderDirectory/GetPayable). */
interface GetPayableResponse {
  readonly order_id: string;
  readonly order_number: string;
  readonly currency: string;
  /** In the currency's smallest unit. */
  readonly amount_due: number;
  readonly payable: boolean;
  readonly email: string;
  readonly order_status: string;
  readonly payment_status: string;
}

interface Begun {
  readonly payment: PaymentRecord;
  readonly opened: Opened;
  /** The order waits for a payment after one that failed. */
  readonly orderToNote: string | null;
}

export const initializeHandler = (
  { postgres, clock, ask, log, settings }: Foundation,
  adapters: Adapters,
  gateway: Gateway,
  supersede: Supersede,
): Handlers<PaymentRpcs>['InitializePayment'] => {
  /** Who takes the payment: a connected account, or null for the simulator. */
  const providerFor = async (tenant: Tenant, name: string): Promise<ProviderRecord | null | Refusal> => {
    const connected = await findConnected(postgres.sql, tenant, name);
    if (connected !== null) return connected;
    if (!isBuiltIn(name)) return invalid('provider', 'There is no such payment provider.');
    return tenant.environment === 'sandbox' ? null : invalid('provider', 'This payment provider is not connected.');
  };

  const payableOrder = async (
    call: Call,
    order_id: string,
    provider: string,
    terms: Terms,
  ): Promise<GetPayableResponse | Refusal> => {
    const { deadline, requestId, trace } = call;
    const order = await ask(
      'OrderDirectory/GetPayable',
      call.tenant,
      { order_id },
      {
        deadline,
        requestId,
        trace,
      },
    );
    if (order instanceof Refusal) {
      if (order.code === 'service_unavailable') throw new Unavailable(order.message);
      return order;
    }
    const wrong = refuseShilling(provider, order.currency);
    if (wrong) return wrong;
    const nothingToPay = refuse('conflict', 'Nothing can be paid for this order now.', {
      param: 'order_id',
      details: `It is ${order.order_status}, its payment ${order.payment_status}.`,
    });
    // A cancelled order has nothing due: its state says more than its amount.
    if (order.order_status === 'cancelled') return nothingToPay;
    const { currency, amount } = terms;
    if (currency.code !== order.currency) return invalid('currency', `The order is in ${order.currency}.`);
    if (amount !== order.amount_due)
      return refuse('amount_mismatch', 'The amount is not what is left to pay of the order.', {
        param: 'amount',
        details: `The amount due is ${majorText(order.amount_due, currency)} ${currency.code}.`,
      });
    return order.payable ? order : nothingToPay;
  };

  /** The payment that this call is to begin: a new one, or one that a lost try of it had begun with. */
  const claim = async (
    call: Call,
    input: InitializePaymentRequest,
    record: ProviderRecord | null,
    terms: Terms,
    order: GetPayableResponse | null,
  ): Promise<PaymentRecord | Refusal> => {
    const { tenant } = call;
    const command = commandIdOf(call);
    const now = new Date(clock.real());
    const until = new Date(clock.real() + (record === null ? CLAIM_SIMULATED_MS : CLAIM_MS));
    const back = returnsOf(input);
    for (let count = 1; count <= PAYMENTS_A_KEY_MAX; count++) {
      const id = derivedId('payment', command, `${count}`);
      const made = await insertPayment(
        postgres.sql,
        tenant,
        {
          id,
          reference: newReference(),
          provider: input.provider,
          account: record?.id ?? null,
          type: record?.custom ? 'redirect' : adapters.of(input.provider, false).type,
          currency: terms.currency.code,
          amount: terms.amount,
          order_id: order?.order_id ?? null,
          order_number: order?.order_number ?? null,
          phone: input.provider === 'mobile_money' ? (input.phone ?? null) : null,
          metadata: input.metadata ?? {},
          success_url: back.success ?? null,
          cancel_url: back.cancel ?? null,
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

  return staged<InitializePaymentRequest, InitializePaymentResponse, Begun>({
    prepare: async (call, input) => {
      const { tenant } = call;
      const [shop, record] = await Promise.all([storeCurrency(ask, tenant), providerFor(tenant, input.provider)]);
      if (record instanceof Refusal) return record;
      const terms = termsOf(input, shop);
      if (terms instanceof Refusal) return terms;
      const astray = await refuseReturn(ask, tenant, input);
      if (astray) return astray;
      const named = input.order_id?.toLowerCase();
      const order = named ? await payableOrder(call, named, input.provider, terms) : null;
      if (order instanceof Refusal) return order;
      const wrong = order === null ? refuseShilling(input.provider, shop.code) : null;
      if (wrong) return wrong;

      const payment = await claim(call, input, record, terms, order);
      if (payment instanceof Refusal) return payment;
      const base = settings.publicUrl;
      let opened: Opened | Refusal;
      try {
        opened = await gateway.open(call, record, {
          id: payment.id,
          reference: payment.reference,
          provider: payment.provider,
          amount: payment.amount,
          currency: terms.currency,
          email: input.email ?? order?.email ?? null,
          phone: input.phone ?? null,
          country: input.country?.toUpperCase() ?? null,
          orderId: payment.order_id,
          orderNumber: payment.order_number,
          metadata: payment.metadata,
          successUrl: payment.success_url,
          cancelUrl: payment.cancel_url,
          callbackUrl: input.callback_url ?? null,
          baseUrl: base,
          reportUrl: `${base}/v1/payments/callbacks/${payment.provider}/${tenant.store}/${tenant.environment}`,
          now: clock.now(tenant),
        });
      } catch (problem) {
        // Nobody knows what the provider did: the next try under this key asks it under the same name.
        await endOpening(postgres.sql, tenant, payment.id, false).catch(() => {});
        throw problem;
      }
      if (opened instanceof Refusal) {
        await endOpening(postgres.sql, tenant, payment.id, true);
        return opened;
      }
      failpoint('provider', tenant.store);
      return { payment, opened, orderToNote: order?.payment_status === 'failed' ? order.order_id : null };
    },

    run: async (tx, { tenant }, _input, { payment, opened, orderToNote }) => {
      // Of two that are begun at once the second to come here ends the first.
      if (payment.order_id !== null) await holdPaying(tx, tenant, payment.order_id);
      const begun = await openPayment(tx.sql, tenant, payment.id, opened, new Date(clock.real() + lookAfterMs(0)));
      if (begun === null) return refuse('conflict', 'Another request has begun this payment.', { retryAfterS: 1 });
      await supersede(tx, tenant, begun);
      if (orderToNote !== null)
        tx.afterCommit(async () => {
          const noted = await ask('OrderDirectory/NotePayment', tenant, { order_id: orderToNote, status: 'pending' });
          if (noted instanceof Refusal) log.warn({ order_id: orderToNote }, 'an order was not told of a new payment');
        });
      return {
        success: true,
        provider: begun.provider,
        type: begun.type,
        reference: begun.reference,
        checkout_url: opened.checkoutUrl,
        session_id: opened.sessionId,
        environment: tenant.environment,
        expires_at: opened.expiresAt.toISOString(),
      };
    },

    // The claim ends by itself; what the provider has begun costs nobody anything.
    undo: (call, { payment }) => endOpening(postgres.sql, call.tenant, payment.id, false),
  });
};
