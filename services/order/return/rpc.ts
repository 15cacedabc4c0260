// The rpc handlers of returns.
import type {
  ListReturnReasonsRequest,
  ListReturnReasonsResponse,
  OrderReturn,
  ReturnResponse,
  ReturnRpcs,
  UpdateReturnRequest,
} from '#proto/gen/order_return.ts';
import { notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, query, read, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { storeCreditObstacle } from '#services/order/change.ts';
import { listClaims } from '#services/order/claim_list.ts';
import type { OrderClients } from '#services/order/client.ts';
import type { WholeOrder } from '#services/order/order.ts';
import { recordRefund, sendToProviders } from '#services/order/refund.ts';
import { lockOrder } from '#services/order/table/order.ts';
import { claimsOn, findReturn, pageOfReturns, saveReturn } from '#services/order/table/return.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import { decideReturn, type ReturnContext } from './decision.ts';
import { requestReturn } from './request.ts';
import { REASONS, type ReturnRecord, returnObstacle, withOfferWithdrawn } from './return.ts';

const returnDocument = (given: ReturnRecord): OrderReturn => {
  const currency = currencyOf(given.currency);
  const { offer_status, offer_amount, refund_amount } = given;
  return {
    id: given.id,
    order_id: given.order_id,
    customer_id: given.customer_id,
    status: given.status,
    reason_code: given.reason_code,
    reason_detail: given.reason_detail,
    contact_phone: given.contact_phone,
    resolution: given.resolution,
    items: given.items.map(({ order_item_id, quantity }) => ({ order_item_id, quantity })),
    refund_amount: refund_amount === null ? null : toMajor(refund_amount, currency),
    currency: currency.code,
    credit_offer: offer_status === null ? null : { status: offer_status, amount: toMajor(offer_amount!, currency) },
    exchange_order_id: given.exchange_order_id,
    note: given.note,
    created_at: given.created_at.toISOString(),
    updated_at: given.updated_at.toISOString(),
  };
};

const lockReturn = async (
  tx: Transaction,
  tenant: Tenant,
  id: string,
  customer: string | null,
): Promise<{ readonly given: ReturnRecord; readonly order: WholeOrder } | Refusal> => {
  const found = await findReturn(tx.sql, tenant, id, customer);
  if (found === null) return notFound('return');
  const order = await lockOrder(tx.sql, tenant, found.order_id);
  const given = await findReturn(tx.sql, tenant, id, customer);
  return order === null || given === null ? notFound('return') : { given, order };
};

export const returnHandlers = (
  { postgres }: Pick<Runtime, 'postgres'>,
  clients: Pick<OrderClients, 'findCustomer' | 'refundPayments' | 'settleStockLevels'>,
): Handlers<ReturnRpcs> => {
  return {
    ListReturnReasons: read<ListReturnReasonsRequest, ListReturnReasonsResponse>(() => ({ data: REASONS })),

    CreateReturn: transaction(async (tx, { tenant, customer }, input) => {
      const order = await lockOrder(tx.sql, tenant, input.id);
      if (order === null || customer === null || order.customer_id !== customer) return notFound('order');
      const made = await requestReturn(tx, tenant, order, customer, input);
      return made instanceof Refusal ? made : { data: returnDocument(made) };
    }),

    ListReturns: query((sql, call, input) =>
      listClaims('returns', call, input, (filter) => pageOfReturns(sql, call.tenant, filter), returnDocument),
    ),

    GetReturn: query(async (sql, { tenant, customer }, { id }) => {
      const found = await findReturn(sql, tenant, id, customer);
      return found === null ? notFound('return') : { data: returnDocument(found) };
    }),

    UpdateReturn: staged<UpdateReturnRequest, ReturnResponse, ReturnContext>({
      prepare: async (call, { id, credit_offer: offer }) => {
        const found = offer ? await findReturn(postgres.sql, call.tenant, id, null) : null;
        const creditObstacle = found && (await storeCreditObstacle(clients, call, found.customer_id, 'credit_offer'));
        return { creditObstacle };
      },
      run: async (tx, call, input, asked) => {
        const { tenant } = call;
        const held = await lockReturn(tx, tenant, input.id, null);
        if (held instanceof Refusal) return held;
        const decided = await decideReturn(tx, tenant, held.order, held.given, input, asked);
        if (decided instanceof Refusal) return decided;
        if (decided.refund) sendToProviders(tx, call, clients, held.order.id, decided.refund);
        if (decided.restocked) tx.afterCommit(() => clients.settleStockLevels(call));
        return { data: returnDocument(decided.changed) };
      },
      undo: () => {},
    }),

    CancelReturn: transaction(async (tx, { tenant, customer }, { id }) => {
      const held = await lockReturn(tx, tenant, id, customer);
      if (held instanceof Refusal) return held;
      const obstacle = returnObstacle(held.given.status, 'cancelled');
      if (obstacle) return obstacle;
      const changed: ReturnRecord = {
        ...withOfferWithdrawn(held.given),
        status: 'cancelled',
        updated_at: tx.clock.now(tenant),
      };
      await saveReturn(tx.sql, tenant, changed);
      return { data: returnDocument(changed) };
    }),

    AcceptCredit: transaction(async (tx, { tenant, customer, keyType }, { id }) => {
      const held = await lockReturn(tx, tenant, id, customer);
      if (held instanceof Refusal) return held;
      const { given, order } = held;
      // An operator's key may never accept an offer, even for an order placed at the merchant directly.
      if (given.offer_status !== 'pending' || keyType === 'operator')
        return refuse('conflict', 'The return has no pending store-credit offer.');
      const amount = given.offer_amount!;
      const { reserved } = await claimsOn(tx.sql, tenant, order.id, given.id);
      const made = await recordRefund(tx, tenant, order, {
        amount,
        reason: `Return: ${given.reason_code}`,
        returned: [],
        reserved,
        creditTo: given.customer_id,
      });
      if (made instanceof Refusal) return made;
      await saveReturn(tx.sql, tenant, {
        ...given,
        status: 'credited',
        offer_status: 'accepted',
        updated_at: tx.clock.now(tenant),
      });
      return { data: { store_credit_id: made.storeCreditId!, amount: toMajor(amount, currencyOf(given.currency)) } };
    }),
  };
};
