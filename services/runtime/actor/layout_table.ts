// Stores the layout of actor logs in Postgres for all hosts.
import type { Environment } from '#runtime/call/call.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Log } from '#runtime/process/log.ts';
import { actorKey } from './address.ts';
import { Layout, PARTITIONS_MAX } from './layout.ts';
import { tenantOf } from './snapshot.ts';

export interface LayoutStore {
  read(): Promise<Layout>;
  /**
   * Seals a log, whose actors then belong to logs of the current epoch. False: the log is already sealed, or another
   * owner has projected beyond this batch.
   */
  seal(partition: number, batch: number): Promise<boolean>;
  /**
   * Moves some idle actors from the sealed logs' numbers to their new logs' numbers. False: no row is free to move; if
   * no row remains at all, the change is complete.
   */
  reindex(layout: Layout): Promise<boolean>;
}

interface LayoutRow {
  readonly epoch: number;
  readonly partitions: number;
  readonly previous_epoch: number | null;
  readonly previous_partitions: number | null;
  readonly sealed: number[];
}

/**
 * Number of logs of a new deployment. Writers of one log share fsyncs and statements, so one log is fastest on one
 * host: 2,130 cart items/s against 1,440 with four logs (HTTP, 64 callers). More logs serve several hosts.
 */
const PARTITIONS = 1;

const REINDEXED_MAX = 500;

interface ActorRow {
  readonly store: string;
  readonly environment: Environment;
  readonly kind: string;
  readonly id: string;
}

const readLayout = async ({ sql }: Pick<Postgres, 'sql'>): Promise<Layout> => {
  const [row] = await sql<LayoutRow[]>`
    select epoch, partitions, previous_epoch, previous_partitions, array(
      select partition from runtime.partition as log
      where log.sealed_at is not null and log.partition >= layout.previous_epoch * ${PARTITIONS_MAX}
        and log.partition < (layout.previous_epoch + 1) * ${PARTITIONS_MAX}
      order by partition
    ) as sealed
    from runtime.layout as layout`;
  if (!row) throw new Error('The database says nothing of how its actors are laid out.');
  const { epoch, partitions, previous_epoch: before, previous_partitions: logs, sealed } = row;
  const previous = before === null || logs === null ? null : { epoch: before, partitions: logs };
  return new Layout({ epoch, partitions, previous, sealed });
};

export const postgresLayouts = (postgres: Postgres): LayoutStore => ({
  read: () => readLayout(postgres),

  seal: (partition, batch) =>
    postgres.transaction(async ({ sql }) => {
      // Locks the row, so that seals run one after another.
      await sql`select from runtime.layout for update`;
      const { count } = await sql`
        update runtime.partition set sealed_at = now(), sequence = 0
        where partition = ${partition} and batch = ${batch} and sealed_at is null`;
      return count === 1;
    }),

  reindex: (layout) =>
    postgres.transaction(async ({ sql }) => {
      const { epoch, sealed } = layout;
      const rows = await sql<ActorRow[]>`
        select store, environment, kind, id from runtime.actor
        where partition = any(${sealed}::integer[]) and due_at is not null
        limit ${REINDEXED_MAX} for update skip locked`;
      if (rows.length === 0) {
        // Completes the change only if no row is left: rows may be missing above because a projection has locked them.
        await sql`
          update runtime.layout set previous_epoch = null, previous_partitions = null, changed_at = now()
          where epoch = ${epoch} and not exists (
            select from runtime.actor where partition = any(${sealed}::integer[]) and due_at is not null)`;
        return false;
      }
      const numbers = rows.map(({ store, environment, kind, id }) =>
        layout.of(actorKey(kind, tenantOf(store, environment), id)),
      );
      await sql`
        update runtime.actor as actor set partition = filed.partition
        from unnest(${rows.map(({ store }) => store)}::uuid[], ${rows.map(({ environment }) => environment)}::text[],
          ${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ id }) => id)}::text[], ${numbers}::integer[]
        ) as filed (store, environment, kind, id, partition)
        where actor.store = filed.store and actor.environment = filed.environment and actor.kind = filed.kind
          and actor.id = filed.id`;
      return true;
    }),
});

export type LayoutChange =
  | { readonly kind: 'begun' | 'same'; readonly layout: Layout }
  | { readonly kind: 'busy'; readonly layout: Layout };

/** Changes the number of logs. Running hosts carry the change out, or the hosts that start next. */
export const changeLayout = (postgres: Postgres, partitions: number): Promise<LayoutChange> =>
  postgres.transaction(async ({ sql }) => {
    await sql`select from runtime.layout for update`;
    const before = await readLayout({ sql });
    if (before.previous) return { kind: 'busy', layout: before };
    if (before.partitions === partitions) return { kind: 'same', layout: before };
    await sql`
      update runtime.layout set epoch = next_epoch, partitions = ${partitions}, previous_epoch = epoch,
        previous_partitions = partitions, next_epoch = next_epoch + 1, changed_at = now()`;
    const layout = await readLayout({ sql });
    // Inserts rows for the new logs, so that hosts do not trim a new log's first batch before Postgres has it.
    await sql`
      insert into runtime.partition (partition, batch, sequence)
      select number, 0, 0 from unnest(${layout.numbers}::integer[]) as number
      on conflict do nothing`;
    return { kind: 'begun', layout };
  });

export const openLayout = async (postgres: Postgres, log: Log, wanted?: number): Promise<Layout> => {
  await postgres.sql`
    insert into runtime.layout (epoch, partitions, next_epoch) values (0, ${wanted ?? PARTITIONS}, 1)
    on conflict do nothing`;
  const layout = await readLayout(postgres);
  if (wanted !== undefined && wanted !== layout.partitions)
    log.warn(
      { wanted, partitions: layout.partitions },
      'STOA_PARTITIONS counts at the first start alone: `npx stoa partitions set` changes how many logs there are',
    );
  return layout;
};

/**
 * Resets the positions in a restored database, because the new broker's streams number their messages anew. Raises the
 * next epoch by a random number, because epochs started after the backup, and log numbers derived from them, must not
 * be used again.
 */
export const forgetLogs = async ({ sql }: Postgres): Promise<void> => {
  await sql`update runtime.partition set sequence = 0`;
  await sql`update runtime.layout set next_epoch = next_epoch + 1 + floor(random() * 10000)::integer`;
};
