// SQL of how far a tenant's events and the orders from before the reports are counted.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { OrderPlaceMark } from '#services/order/transaction.ts';

export const COUNTED_EVENTS = [
  'order.created',
  'order.paid',
  'order.fulfilled',
  'order.cancelled',
  'order.updated',
  'order.refunded',
  'payment.refunded',
] as const;

export interface CountProgress {
  readonly sequence: number;
  readonly countedAt: Date;
}

export const saveProgress = async (
  sql: Sql,
  { store, environment }: Tenant,
  { sequence, countedAt }: CountProgress,
): Promise<void> => {
  await sql`
    insert into report.progress as known (store, environment, sequence, counted_at)
    values (${store}, ${environment}, ${sequence}, ${countedAt})
    on conflict (store, environment) do update set sequence = excluded.sequence, counted_at = excluded.counted_at
    where known.sequence < excluded.sequence`;
};

export const lastCounted = async (sql: Sql, { store, environment }: Tenant): Promise<Date | null> => {
  const [row] = await sql<{ counted_at: Date }[]>`
    select counted_at from report.progress where store = ${store} and environment = ${environment}`;
  return row?.counted_at ?? null;
};

export interface BackfillProgress extends OrderPlaceMark {
  readonly finished: boolean;
}

const FIRST: BackfillProgress = {
  store: '00000000-0000-0000-0000-000000000000',
  environment: 'production',
  id: '00000000-0000-0000-0000-000000000000',
  finished: false,
};

/** Locks the progress until the transaction ends; null if another process has it. */
export const takeBackfill = async (sql: Sql): Promise<BackfillProgress | null> => {
  await sql`
    insert into report.backfill (after_store, after_environment, after_order)
    values (${FIRST.store}, ${FIRST.environment}, ${FIRST.id}) on conflict (only_row) do nothing`;
  const [row] = await sql<BackfillProgress[]>`
    select after_store as store, after_environment as environment, after_order as id, finished_at is not null as finished
    from report.backfill for update skip locked`;
  return row ?? null;
};

export const saveBackfill = async (sql: Sql, { store, environment, id, finished }: BackfillProgress): Promise<void> => {
  await sql`
    update report.backfill set after_store = ${store}, after_environment = ${environment}, after_order = ${id},
      finished_at = ${finished ? sql`now()` : null}`;
};
