// Lists wholesale records of one buyer or of the whole store in pages, newest first.
import type { Pagination } from '#proto/gen/shared.ts';
import { type Call, foreignCursor, type Refusal, tenantKey } from '#runtime/call/call.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';

const LIMIT_DEFAULT = 20;

export interface DealCursor {
  readonly created_at: Date;
  readonly id: string;
}

export interface DealFilter<S extends string> {
  readonly owner: string | null;
  readonly status: S | null;
}

interface ListRequest<S extends string> {
  readonly status?: S;
  readonly customer_id?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export const listPage = async <S extends string, Row extends DealCursor, Shown>(
  name: string,
  { tenant, customer }: Call,
  { status, customer_id, limit = LIMIT_DEFAULT, cursor }: ListRequest<S>,
  read: (filter: DealFilter<S>, before: DealCursor | null, limit: number) => Promise<readonly Row[]>,
  show: (row: Row) => Shown,
): Promise<{ data: Shown[]; pagination: Pagination } | Refusal> => {
  const filter: DealFilter<S> = { owner: customer ?? customer_id?.toLowerCase() ?? null, status: status ?? null };
  const scope = JSON.stringify([name, tenantKey(tenant), filter]);
  const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
  if (cursor !== undefined && keys === null) return foreignCursor(cursor);
  const before = keys && { created_at: new Date(Number(keys[0])), id: String(keys[1]) };
  const found = await read(filter, before, limit + 1);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1)! : null;
  const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
  return { data: rows.map(show), pagination: { limit, has_more: next !== null, next_cursor: next } };
};
