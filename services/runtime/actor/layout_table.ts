// The layout as Postgres keeps it, for all hosts.
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Log } from '#runtime/process/log.ts';
import { Layout, PARTITIONS_MAX } from './layout.ts';

export interface Layouts {
  read(): Promise<Layout>;
}

interface LayoutRow {
  readonly epoch: number;
  readonly partitions: number;
  readonly previous_epoch: number | null;
  readonly previous_partitions: number | null;
  readonly sealed: number[];
}

/**
 * What one host writes into one log shares its fsyncs, and its statements: a machine alone is fastest with a single one
 * (carts over HTTP, 64 callers: 1,440 items/s with four, 2,130 with one). Several are for several hosts.
 */
const PARTITIONS = 1;

export const postgresLayouts = ({ sql }: Postgres): Layouts => ({
  async read() {
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
  },
});

/** As the deployment has it; one without any begins with as many logs as are wanted. */
export const openLayout = async (postgres: Postgres, log: Log, wanted?: number): Promise<Layout> => {
  // A release that knew of one layout alone wrote how many logs there are beside each of them.
  await postgres.sql`
    insert into runtime.layout (epoch, partitions, next_epoch)
    select 0, coalesce((select total from runtime.partition limit 1), ${wanted ?? PARTITIONS}), 1
    on conflict do nothing`;
  const layout = await postgresLayouts(postgres).read();
  if (wanted !== undefined && wanted !== layout.partitions)
    log.warn(
      { wanted, partitions: layout.partitions },
      'STOA_PARTITIONS counts at the first start alone: `npx stoa partitions set` changes how many logs there are',
    );
  return layout;
};

/**
 * In a database from a backup: the streams that it counted by are not those that it meets. A host begins after what it
 * has, whatever they hold, and takes empty ones for what they are instead of for a loss. What was made after the backup
 * has taken some numbers: the next change begins far beyond them.
 */
export const forgetLogs = async ({ sql }: Postgres): Promise<void> => {
  await sql`update runtime.partition set sequence = 0`;
  // An earlier release wrote the backup: its logs were never changed.
  const [{ known }] = await sql<[{ known: boolean }]>`select to_regclass('runtime.layout') is not null as known`;
  if (known) await sql`update runtime.layout set next_epoch = next_epoch + 1 + floor(random() * 10000)::integer`;
};
