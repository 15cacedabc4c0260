// The rpc handler that pays a checkout over several merchants: one payment with a share for each merchant.
import type { CheckoutPaymentRpcs, GetPayableCheckoutResponse, PayCheckoutRequest } from '#proto/gen/checkout.ts';
import type { InitializePaymentResponse } from '#proto/gen/payment.ts';
import { type Call, Refusal, refuse, renamed } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, staged } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import { currencyObstacle, readAmount, refuseShilling } from './requirement.ts';
import type { PaymentRequest, PaymentStarter, StartedPayment } from './starter.ts';

const NOTHING_DUE = refuse('conflict', 'This checkout has no amount due.', { param: 'group_id' });

const returnsOf = ({ provider, success_url: success, cancel_url: cancel }: PayCheckoutRequest) => ({
  successUrl: provider === 'card_checkout' || provider === 'bank_africa' ? (success ?? null) : null,
  cancelUrl: provider === 'card_checkout' || provider === 'bank_africa' ? (cancel ?? success ?? null) : null,
  callbackUrl: provider === 'bank_africa' ? (success ?? null) : null,
});

export const checkoutPaymentHandler = (
  runtime: Pick<Runtime, 'ask'>,
  starter: PaymentStarter,
): Handlers<CheckoutPaymentRpcs>['PayCheckout'] => {
  const { ask } = openDomainClient(runtime);

  const paymentRequestOf = async (call: Call, input: PayCheckoutRequest, group: GetPayableCheckoutResponse) => {
    const account = await starter.providerFor(call.tenant, input.provider);
    if (account instanceof Refusal) return account;
    const due = group.shares.filter(({ amount_due, payable }) => payable && amount_due > 0);
    if (due.length === 0) return NOTHING_DUE;
    const wrong = refuseShilling(input.provider, group.currency);
    if (wrong) return wrong;
    const currency = currencyOf(group.currency);
    const email = input.email ?? group.email;
    const amount = toMajor(
      due.reduce((sum, { amount_due }) => sum + amount_due, 0),
      currency,
    );
    const requested = readAmount({ ...input, email, amount, currency: currency.code }, currency);
    if (requested instanceof Refusal) return renamed(requested, (param) => (param === 'amount' ? 'provider' : param));
    const { currencies } = starter.adapterOf(input.provider, account);
    const untaken = currencyObstacle(input.provider, currencies, currency, 'provider');
    if (untaken) return untaken;
    const { environment } = call.tenant;
    const request: PaymentRequest = {
      provider: input.provider,
      account,
      requested,
      capture: 'automatic',
      isElement: false,
      email,
      phone: input.phone ?? null,
      country: null,
      order_id: null,
      order_number: null,
      checkout_group_id: group.group_id,
      shares: due.map(({ store_id: store, order_id, order_number, amount_due, generation }) => ({
        store,
        order_id,
        order_number,
        amount: amount_due,
        generation,
      })),
      books: null,
      metadata: { checkout_group_id: group.group_id },
      ...returnsOf(input),
      failedOrders: due
        .filter(({ payment_status }) => payment_status === 'failed')
        .map(({ store_id: store, order_id: order }) => ({ tenant: { store, environment }, order })),
    };
    return request;
  };

  return staged<PayCheckoutRequest, InitializePaymentResponse, StartedPayment>({
    prepare: async (call, input) => {
      const group_id = input.group_id.toLowerCase();
      const group = await ask('CheckoutDirectory/GetPayableCheckout', call, { group_id });
      if (group instanceof Refusal) return group;
      const request = await paymentRequestOf(call, input, group);
      return request instanceof Refusal ? request : starter.start(call, request);
    },
    run: (tx, { tenant }, _input, started) => starter.answer(tx, tenant, started),
    undo: ({ tenant }, started) => starter.releaseClaim(tenant, started),
  });
};
