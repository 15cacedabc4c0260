// The rpc handler that lists a store's payments.
import type { PaymentRpcs } from '#proto/gen/payment.ts';
import { foreignCursor, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { paymentDocument } from './payment.ts';
import { pageOfPayments } from './table/payment.ts';

const LIMIT_DEFAULT = 20;

export const listHandlers: Pick<Handlers<PaymentRpcs>, 'ListPayments'> = {
  ListPayments: query(async (sql, { tenant }, { limit = LIMIT_DEFAULT, cursor, fields: _fields, ...filters }) => {
    const scope = JSON.stringify(['payments', tenantKey(tenant), filters]);
    const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
    if (cursor !== undefined && keys === null) return foreignCursor(cursor);
    const page = await pageOfPayments(sql, tenant, {
      needsReview: filters.needs_review ?? null,
      status: filters.status ?? null,
      order: filters.order_id ?? null,
      before: keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) },
      limit: limit + 1,
    });
    const payments = page.slice(0, limit);
    const last = page.length > limit ? payments.at(-1)! : null;
    const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
    return {
      payments: payments.map((payment) => paymentDocument(tenant, payment)),
      pagination: { limit, has_more: next !== null, next_cursor: next },
    };
  }),
};
