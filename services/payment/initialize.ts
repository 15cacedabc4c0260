// The rpc handler that initializes a payment of a store, for an order or without one.
import type { GetPayableResponse } from '#proto/gen/order_directory.ts';
import type { InitializePaymentRequest, InitializePaymentResponse, PaymentRpcs } from '#proto/gen/payment.ts';
import { type Call, invalid, Refusal, refuse } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, staged } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { currencyOf } from '#values/currency.ts';
import { majorText } from '#values/money.ts';
import { currencyObstacle, type RequestedAmount, readAmount, refuseShilling } from './requirement.ts';
import type { PaymentStarter, StartedPayment } from './starter.ts';
import { isOwnPage, refuseReturn, storeCurrency } from './store_check.ts';

const noManualCapture = (provider: string): Refusal =>
  invalid('capture', `\`${provider}\` cannot authorise a payment and capture it later. Leave \`capture\` out.`);

const noElement = (provider: string): Refusal =>
  invalid('presentation', `\`${provider}\` has no card fields for the shop's page. Leave \`presentation\` out.`);

/**
 * Returns the addresses to which the provider sends the shopper back. Each provider has its own fields for them. Pages
 * of this service may be named in `success_url` and `cancel_url` with any provider.
 */
const returnsOf = (input: InitializePaymentRequest, publicUrl: string) => {
  const { provider, success_url, cancel_url, callback_url } = input;
  if (isOwnPage(publicUrl, success_url)) return { success: success_url, cancel: cancel_url };
  if (provider === 'card_checkout') return { success: success_url, cancel: cancel_url };
  return provider === 'bank_africa' ? { success: callback_url, cancel: callback_url } : {};
};

export const initializeHandler = (
  runtime: Pick<Runtime, 'ask' | 'settings'>,
  starter: PaymentStarter,
): Handlers<PaymentRpcs>['InitializePayment'] => {
  const domainClient = openDomainClient(runtime);

  const namedOrder = async (
    call: Call,
    order_id: string | null | undefined,
  ): Promise<GetPayableResponse | null | Refusal> => {
    if (!order_id) return null;
    const { tenant, deadline, requestId, trace } = call;
    const whose = { tenant, deadline, requestId, trace };
    return domainClient.ask('OrderDirectory/GetPayable', whose, { order_id: order_id.toLowerCase() });
  };

  /** Returns why this payment cannot be one of the order; null if it can. */
  const orderObstacle = (order: GetPayableResponse, { currency, amount }: RequestedAmount): Refusal | null => {
    const nothingToPay = refuse(
      'conflict',
      `The order is ${order.order_status}, its payment ${order.payment_status}: it takes no other payment.`,
      {
        param: 'order_id',
        details: `It is ${order.order_status}, its payment ${order.payment_status}.`,
      },
    );
    // Checked before the amount, because a cancelled order explains the refusal better than an amount due of 0.
    if (order.order_status === 'cancelled') return nothingToPay;
    if (currency.code !== order.currency) return invalid('currency', `The order is in ${order.currency}.`);
    if (amount !== order.amount_due)
      return refuse(
        'amount_mismatch',
        `\`amount\` must be the amount due of the order, not ${majorText(amount, currency)}.`,
        {
          param: 'amount',
          details: `The amount due is ${majorText(order.amount_due, currency)} ${currency.code}.`,
        },
      );
    return order.payable ? null : nothingToPay;
  };

  return staged<InitializePaymentRequest, InitializePaymentResponse, StartedPayment>({
    prepare: async (call, input) => {
      const { tenant } = call;
      const [shop, account, order] = await Promise.all([
        storeCurrency(runtime.ask, tenant),
        starter.providerFor(tenant, input.provider),
        namedOrder(call, input.order_id),
      ]);
      if (account instanceof Refusal) return account;
      const payable = order instanceof Refusal ? null : order;
      const shilling = payable && refuseShilling(input.provider, payable.currency);
      if (shilling) return shilling;
      const requested = readAmount(input, payable ? currencyOf(payable.currency) : shop);
      if (requested instanceof Refusal) return requested;
      const astray = await refuseReturn(runtime, tenant, input);
      if (astray) return astray;
      if (order instanceof Refusal) return order;
      const wrong = order === null ? refuseShilling(input.provider, shop.code) : orderObstacle(order, requested);
      if (wrong) return wrong;
      const adapter = starter.adapterOf(input.provider, account);
      const untaken = currencyObstacle(
        input.provider,
        adapter.currencies,
        requested.currency,
        input.currency ? 'currency' : 'provider',
      );
      if (untaken) return untaken;
      const capture = input.capture ?? 'automatic';
      if (capture === 'manual' && !adapter.authorizations) return noManualCapture(input.provider);
      const isElement = input.presentation === 'element';
      const element = isElement ? starter.elementOf(tenant, input.provider, account) : null;
      if (element instanceof Refusal) return element;
      if (isElement && !element) return noElement(input.provider);
      const back = returnsOf(input, runtime.settings.publicUrl);
      return starter.start(call, {
        provider: input.provider,
        account,
        requested,
        capture,
        isElement,
        email: input.email ?? order?.email ?? null,
        phone: input.phone ?? null,
        country: input.country?.toUpperCase() ?? null,
        order_id: order?.order_id ?? null,
        order_number: order?.order_number ?? null,
        checkout_group_id: null,
        shares: null,
        books: order?.books ?? null,
        metadata: input.metadata ?? {},
        successUrl: back.success ?? null,
        cancelUrl: back.cancel ?? null,
        callbackUrl: input.callback_url ?? null,
        failedOrders:
          order?.payment_status === 'failed' || order?.payment_status === 'voided'
            ? [{ tenant, order: order.order_id }]
            : [],
      });
    },
    run: (tx, { tenant }, _input, started) => starter.answer(tx, tenant, started),
    undo: ({ tenant }, started) => starter.releaseClaim(tenant, started),
  });
};
