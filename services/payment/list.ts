// The rpc handlers that list payments: a store's, and those of a checkout over several merchants.
import type { CheckoutPaymentRpcs } from '#proto/gen/checkout.ts';
import type { ListPaymentsResponse, PaymentRpcs } from '#proto/gen/payment.ts';
import { foreignCursor, Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { paymentDocument } from './payment.ts';
import { type PaymentFilter, pageOfPayments } from './table/payment.ts';

const LIMIT_DEFAULT = 20;

interface Page {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

const listPayments = async (
  sql: Sql,
  tenant: Tenant,
  filter: Omit<PaymentFilter, 'before' | 'limit'>,
  { limit = LIMIT_DEFAULT, cursor }: Page,
): Promise<ListPaymentsResponse | Refusal> => {
  const scope = JSON.stringify(['payments', tenantKey(tenant), filter]);
  const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
  if (cursor !== undefined && keys === null) return foreignCursor(cursor);
  const before = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
  const page = await pageOfPayments(sql, tenant, { ...filter, before, limit: limit + 1 });
  const payments = page.slice(0, limit);
  const last = page.length > limit ? payments.at(-1)! : null;
  const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
  return {
    payments: payments.map((payment) => paymentDocument(tenant, payment)),
    pagination: { limit, has_more: next !== null, next_cursor: next },
  };
};

export const listHandlers: Pick<Handlers<PaymentRpcs>, 'ListPayments'> = {
  ListPayments: query((sql, { tenant }, { needs_review, status, order_id, ...page }) => {
    const filter = { needsReview: needs_review ?? null, status: status ?? null, order: order_id ?? null, group: null };
    return listPayments(sql, tenant, filter, page);
  }),
};

export const checkoutListHandlers = (
  runtime: Pick<Runtime, 'ask'>,
): Pick<Handlers<CheckoutPaymentRpcs>, 'ListCheckoutPayments'> => {
  const { ask } = openDomainClient(runtime);
  return {
    ListCheckoutPayments: query(async (sql, call, { group_id: given, ...page }) => {
      const group_id = given.toLowerCase();
      const group = await ask('CheckoutDirectory/GetPayableCheckout', call, { group_id });
      if (group instanceof Refusal) return group;
      const filter = { needsReview: null, status: null, order: null, group: group_id };
      return listPayments(sql, call.tenant, filter, page);
    }),
  };
};
