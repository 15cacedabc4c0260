// The rpc handlers of checkouts over several merchants, called with an operator's key.
import type {
  CheckoutDirectoryRpcs,
  CheckoutResponse,
  CheckoutRpcs,
  PlaceCheckoutRequest,
} from '#proto/gen/checkout.ts';
import { foreignCursor, notFound, Refusal, tenantKey } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query, staged } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { badAddress, unsendable } from '#services/commerce/address.ts';
import type { OrderClients } from '#services/order/client.ts';
import { committedOrder, type FollowUps } from '#services/order/follow_up.ts';
import { amountDue, canBePaid, isInvoiced } from '#services/order/order.ts';
import type { OrderPreparation } from '#services/order/preparation.ts';
import { AUTOMATIC_USED_UP } from '#services/order/promotion_use.ts';
import { findGroup, pageOfGroups } from '#services/order/table/group.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { openCheckoutDraft, withCodeParam } from './draft.ts';
import { groupDocument, openCheckoutReservation, placeGroup, type ReservedMember } from './placement.ts';

const LIMIT_DEFAULT = 20;

interface Parts {
  readonly clients: OrderClients;
  readonly preparation: OrderPreparation;
  readonly followUps: FollowUps;
}

export const checkoutHandlers = (
  runtime: Pick<Runtime, 'ask' | 'log'>,
  { clients, preparation, followUps }: Parts,
): Handlers<CheckoutRpcs> => {
  const draft = openCheckoutDraft({ domainClient: openDomainClient(runtime), clients, preparation });
  const reservation = openCheckoutReservation(runtime, clients, preparation);

  return {
    PlaceCheckout: staged<PlaceCheckoutRequest, CheckoutResponse, readonly ReservedMember[]>({
      prepare: async (call, input) => {
        const nowhere = unsendable(input.shipping_address) ?? badAddress(input.billing_address, 'billing_address');
        if (nowhere) return nowhere;
        const drafted = await draft(call, input);
        return drafted instanceof Refusal ? drafted : reservation.hold(call, drafted);
      },
      run: async (tx, call, input, members) => {
        const placed = await placeGroup(tx, call, input, members);
        if (placed instanceof Refusal) return withCodeParam(placed, input.promotion_codes);
        for (const { tenant, prepared, order } of placed.orders)
          followUps.completeAfterCommit(tx, { tenant }, [committedOrder(order.id, prepared)]);
        return placed.answer;
      },
      overtaken: (refusal) => refusal === AUTOMATIC_USED_UP,
      ownsPrepared: true,
      undo: (_call, members) => reservation.release(members),
    }),

    ListCheckouts: query(async (sql, { tenant }, { limit = LIMIT_DEFAULT, cursor }) => {
      const scope = JSON.stringify(['checkouts', tenantKey(tenant)]);
      const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['id']);
      if (cursor !== undefined && keys === null) return foreignCursor(cursor);
      const found = await pageOfGroups(sql, tenant, keys && String(keys[0]), limit + 1);
      const groups = found.slice(0, limit);
      const next = found.length > limit ? encodeCursor(scope, [groups.at(-1)!.id]) : null;
      return {
        checkouts: groups.map((group) => groupDocument(group, group.orders)),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),

    GetCheckout: query(async (sql, { tenant }, { group_id }) => {
      const group = await findGroup(sql, tenant, group_id);
      return group === null ? notFound('checkout') : { checkout: groupDocument(group, group.orders) };
    }),
  };
};

export const checkoutDirectoryHandlers: Handlers<CheckoutDirectoryRpcs> = {
  GetPayableCheckout: query(async (sql, { tenant }, { group_id }) => {
    const group = await findGroup(sql, tenant, group_id);
    if (group === null) return notFound('checkout');
    const { id, currency, email, orders } = group;
    const shares = orders.map((order) => ({
      store_id: order.store,
      order_id: order.id,
      order_number: String(order.number),
      amount_due: amountDue(order),
      payable: canBePaid(order.order_status, order.payment_status) && !isInvoiced(order),
      payment_status: order.payment_status,
      generation: order.generation,
    }));
    return { group_id: id, currency, email, shares };
  }),
};
