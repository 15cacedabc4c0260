// Responses of content: cacheable documents, and list pages with the visible statuses and a cursor.
import type { Pagination } from '#proto/gen/shared.ts';
import { type Call, foreignCursor, type Refusal, Rendered, refuse, tenantKey } from '#runtime/call/call.ts';
import { madeFrom, shownOf } from '#services/commerce/dependency.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import type { ContentStatus } from './publication.ts';

const encoder = new TextEncoder();

/** Renders a response that edges may copy: of a post or lookbook, or of many; `shown` are products and collections. */
export const rendered = (
  answer: object,
  revision: number,
  id: string | null,
  shown: ReadonlySet<string> = new Set(),
): Rendered => {
  const catalogue = shown.size === 0 ? [] : [shownOf('catalog', shown)];
  return new Rendered(encoder.encode(JSON.stringify(answer)), madeFrom('content', revision, id, catalogue));
};

export const LIMIT_DEFAULT = 20;

export interface PagePosition {
  readonly at: Date;
  readonly id: string;
}

export const seesEverything = ({ keyType }: Pick<Call, 'keyType'>): boolean =>
  keyType === 'secret' || keyType === 'internal';

interface ListInput<S extends ContentStatus> {
  readonly status?: S | undefined;
  readonly cursor?: string | undefined;
}

interface ListView<S extends ContentStatus> {
  readonly status: S | null;
  readonly after: PagePosition | null;
  readonly scope: string;
}

/** Reads a list request. A cursor is valid only with the `filters` for which it was created. */
export const readListInput = <S extends ContentStatus>(
  list: string,
  call: Call,
  { status, cursor }: ListInput<S | 'published'>,
  filters: readonly (string | null)[] = [],
): ListView<S | 'published'> | Refusal => {
  const everything = seesEverything(call);
  if (!everything && status !== undefined) {
    const hint = 'Call from your server with a secret key.';
    return refuse('forbidden', 'Filtering by `status` needs a secret key.', { hint, param: 'status' });
  }
  const seen = everything ? (status ?? null) : 'published';
  const scope = JSON.stringify([list, tenantKey(call.tenant), everything, seen, ...filters]);
  const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
  if (cursor !== undefined && keys === null) {
    return foreignCursor(cursor);
  }
  return { status: seen, after: keys && { at: new Date(Number(keys[0])), id: String(keys[1]) }, scope };
};

interface Row {
  readonly id: string;
  readonly published_at: Date | null;
  readonly created_at: Date;
}

export const pageOf = <R extends Row>(
  found: readonly R[],
  limit: number,
  { status, scope }: Pick<ListView<ContentStatus>, 'status' | 'scope'>,
): { readonly rows: readonly R[]; readonly pagination: Pagination } => {
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows[limit - 1] : undefined;
  const at = last && (status === 'published' ? (last.published_at ?? last.created_at) : last.created_at);
  const next = last && at ? encodeCursor(scope, [at.getTime(), last.id]) : null;
  return { rows, pagination: { limit, has_more: next !== null, next_cursor: next } };
};
