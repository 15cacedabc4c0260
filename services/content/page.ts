// Pages of content lists: which of them a caller may see, in what order, and from where on.
import type { Pagination } from '#proto/gen/shared.ts';
import { type Call, type Refusal, refuse, tenantKey } from '#runtime/call/call.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import type { ContentStatus } from './publication.ts';

export const LIMIT_DEFAULT = 20;

/** The last one shown: when it was published or written, and its id. */
export interface After {
  readonly at: Date;
  readonly id: string;
}

/** Whether the caller sees what is not published. */
export const seesEverything = ({ keyType }: Pick<Call, 'keyType'>): boolean =>
  keyType === 'secret' || keyType === 'internal';

interface Asked<S extends ContentStatus> {
  readonly status?: S | undefined;
  readonly cursor?: string | undefined;
}

interface View<S extends ContentStatus> {
  /** Null: any. */
  readonly status: S | null;
  readonly after: After | null;
  readonly scope: string;
}

/** `filters` are whatever else picks the list. */
export const viewOf = <S extends ContentStatus>(
  list: string,
  call: Call,
  { status, cursor }: Asked<S | 'published'>,
  filters: readonly (string | null)[] = [],
): View<S | 'published'> | Refusal => {
  const everything = seesEverything(call);
  if (!everything && status !== undefined) {
    const hint = 'Call from your server with a secret key.';
    return refuse('forbidden', 'Filtering by `status` needs a secret key.', { hint, param: 'status' });
  }
  const seen = everything ? (status ?? null) : 'published';
  const scope = JSON.stringify([list, tenantKey(call.tenant), everything, seen, ...filters]);
  const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
  if (cursor !== undefined && keys === null) {
    return refuse('invalid_request', 'The cursor is not one of this list.', { param: 'cursor' });
  }
  return { status: seen, after: keys && { at: new Date(Number(keys[0])), id: String(keys[1]) }, scope };
};

interface Row {
  readonly id: string;
  readonly published_at: Date | null;
  readonly created_at: Date;
}

/** Of one row more than fits: those of the page, and where the next one begins. */
export const pageOf = <R extends Row>(
  found: readonly R[],
  limit: number,
  { status, scope }: Pick<View<ContentStatus>, 'status' | 'scope'>,
): { readonly rows: readonly R[]; readonly pagination: Pagination } => {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows[limit - 1] : undefined;
  const at = last && (status === 'published' ? (last.published_at ?? last.created_at) : last.created_at);
  const next = last && at ? encodeCursor(scope, [at.getTime(), last.id]) : null;
  return { rows, pagination: { limit, has_more: next !== null, next_cursor: next } };
};
