// Lists returns and disputes: a shopper's own, or those of the whole store.
import type { Pagination } from '#proto/gen/shared.ts';
import { type Call, foreignCursor, type Refusal, refuse, tenantKey } from '#runtime/call/call.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';

const LIMIT_DEFAULT = 20;

export interface ClaimFilter<S extends string> {
  readonly customer: string | null;
  readonly order: string | null;
  readonly status: S | null;
  readonly before: { readonly createdAt: Date; readonly id: string } | null;
  readonly limit: number;
}

interface ClaimQuery<S extends string> {
  readonly status?: S;
  readonly order_id?: string;
  readonly customer_id?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

interface Claim {
  readonly id: string;
  readonly created_at: Date;
}

export const listClaims = async <S extends string, T extends Claim, O>(
  name: string,
  { tenant, customer }: Pick<Call, 'tenant' | 'customer'>,
  { status, order_id, customer_id, limit = LIMIT_DEFAULT, cursor }: ClaimQuery<S>,
  find: (filter: ClaimFilter<S>) => PromiseLike<readonly T[]>,
  show: (claim: T) => O,
): Promise<{ readonly data: readonly O[]; readonly pagination: Pagination } | Refusal> => {
  const named = customer_id?.toLowerCase() ?? null;
  if (customer !== null && named !== null && named !== customer)
    return refuse('forbidden', `A customer session lists only the shopper’s own ${name}.`, {
      hint: 'Omit `customer_id`, or use a secret key without a customer session.',
    });
  const filter = { customer: customer ?? named, order: order_id ?? null, status: status ?? null };
  const scope = JSON.stringify([name, tenantKey(tenant), filter]);
  const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
  if (cursor !== undefined && keys === null) return foreignCursor(cursor);
  const before = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
  const page = await find({ ...filter, before, limit: limit + 1 });
  const shown = page.slice(0, limit);
  const last = page.length > limit ? shown.at(-1)! : null;
  const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
  return { data: shown.map(show), pagination: { limit, has_more: next !== null, next_cursor: next } };
};
