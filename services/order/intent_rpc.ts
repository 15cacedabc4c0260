// The rpc handler that completes a checkout intent: one transaction places its order and assigns the payment to it.
import type { CreateOrderRequest, OrderResponse } from '#proto/gen/order.ts';
import type { IntentOrderRpcs, PlaceIntentOrderRequest } from '#proto/gen/order_directory.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { type Call, invalid, Refusal, refuse, renamed } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, staged } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { nameBuyer } from '#services/agent/transaction.ts';
import { takePayment } from '#services/payment/transaction.ts';
import { committedOrder, type FollowUps } from './follow_up.ts';
import { mailPlacedOrder } from './mail.ts';
import type { Origins } from './origin.ts';
import { placeOrders } from './placement.ts';
import type { OrderPreparation, PreparedOrder } from './preparation.ts';
import { AUTOMATIC_USED_UP } from './promotion_use.ts';
import { insertUnpaid, PAYMENT_WINDOW_MS } from './unpaid.ts';

interface Parts {
  readonly domainClient: DomainClient;
  readonly origins: Origins;
  readonly preparation: OrderPreparation;
  readonly followUps: FollowUps;
}

interface PreparedCompletion {
  readonly prepared: PreparedOrder;
  readonly payment: string | null;
}

const TOKEN_PAYS_ALL = refuse('invalid_request', 'A payment token pays the whole total. Remove `gift_card_codes`.', {
  param: 'gift_card_codes',
});
const RESERVATION_LOST = refuse(
  'conflict',
  'The reservation of the payment token ended meanwhile. Retry the request.',
  {
    param: 'token',
    retryAfterS: 1,
  },
);

const orderRequestOf = (input: PlaceIntentOrderRequest): CreateOrderRequest => {
  const { checkout_intent_id, email, billing_address, note, gift_card_codes, expected_total } = input;
  return {
    checkout_intent_id,
    ...(email && { email }),
    ...(billing_address && { billing_address }),
    ...(note && { note }),
    ...(expected_total != null && { expected_total }),
    ...(gift_card_codes && { gift_card_codes }),
  };
};

export const intentOrderHandlers = (
  { log }: Pick<Runtime, 'log'>,
  { domainClient: { ask, askDetached }, origins, preparation, followUps }: Parts,
): Handlers<IntentOrderRpcs> => {
  const pay = async (
    call: Call,
    input: PlaceIntentOrderRequest,
    { priced }: PreparedOrder,
  ): Promise<string | null | Refusal> => {
    const { total, currency } = priced;
    const { token, checkout_intent_id } = input;
    if (total === 0 || input.pay_later) return null;
    if ((input.gift_card_codes ?? []).length > 0) return TOKEN_PAYS_ALL;
    if (!token) return invalid('token', `A payment \`token\` is required: ${total} ${currency} is due.`);
    const completion = commandIdOf(call);
    const authorized = await ask('PaymentToken/AuthorizeToken', call, {
      // The id contains the total, because the checkout may change between an interrupted try and its retry.
      payment_id: derivedId(completion, 'payment', `${total} ${currency}`),
      completion,
      token,
      checkout_intent_id,
      amount: total,
      currency,
    });
    return authorized instanceof Refusal ? authorized : authorized.payment_id;
  };

  /** Settles the payment after the commit. Only logs a failure, since the sweep of payments tries again. */
  const settle = async ({ tenant }: Call, payment_id: string): Promise<void> => {
    const settled = await ask('PaymentToken/SettleToken', { tenant }, { payment_id }).catch(
      (problem: unknown) => problem,
    );
    if (settled instanceof Refusal || settled instanceof Error)
      log.debug({ err: settled }, 'a payment by token is settled a little later');
  };

  return {
    PlaceIntentOrder: staged<PlaceIntentOrderRequest, OrderResponse, PreparedCompletion>({
      prepare: async (call, input) => {
        const requested = orderRequestOf(input);
        const origin = await origins.read(call, requested, true);
        if (origin instanceof Refusal) return renamed(origin, intentParam);
        const prepared = await preparation.prepare(call, requested, { ...origin, agent: input.agent ?? null });
        if (prepared instanceof Refusal) return renamed(prepared, intentParam);
        const payment = await pay(call, input, prepared);
        return payment instanceof Refusal ? payment : { prepared, payment };
      },
      run: async (tx, call, input, { prepared, payment }) => {
        const all = await placeOrders(tx, call.tenant, [{ input: orderRequestOf(input), prepared }]);
        if (all instanceof Refusal) return renamed(all, intentParam);
        const placed = all[0]!;
        await nameBuyer(tx, call.tenant, input.checkout_intent_id, input);
        if (payment !== null && !(await takePayment(tx, call.tenant, payment, placed.order))) return RESERVATION_LOST;
        const { id, amount_due, created_at } = placed.order;
        const due = input.pay_later ? amount_due : 0;
        if (due > 0) await insertUnpaid(tx.sql, call.tenant, id, new Date(Date.parse(created_at) + PAYMENT_WINDOW_MS));
        await mailPlacedOrder(tx, call.tenant, placed.order, due);
        followUps.completeAfterCommit(tx, call, [committedOrder(id, prepared)]);
        if (payment !== null) tx.afterCommit(() => settle(call, payment));
        return placed;
      },
      overtaken: (refusal) => refusal === AUTOMATIC_USED_UP,
      undo: async ({ tenant }, { payment }) => {
        if (payment !== null) await askDetached('PaymentToken/ReleaseToken', { tenant }, { payment_id: payment });
      },
    }),
  };
};

const intentParam = (param: string): string => (param === 'checkout_intent_id' ? 'id' : param);
