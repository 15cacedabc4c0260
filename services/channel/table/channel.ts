// Channels in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import type { JobRow, JobTable, TenantTime } from '#runtime/job/job.ts';
import { isSandboxOpen } from '#runtime/postgres/sandbox_lock.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Format } from '#services/channel/format/format.ts';

export interface ChannelRecord {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly url: string;
  readonly format: Format;
  /** One of the store's when it was set; null for the default one. */
  readonly language: string | null;
  readonly secret: Uint8Array;
  readonly status: 'connected' | 'failing' | 'paused';
  readonly failures: number;
  readonly last_error: string | null;
  /** Items pushed before this time must be pushed again; null if only changes are pushed. */
  readonly full_sync_since: Date | null;
  readonly items_total: number;
  readonly items_pushed: number;
  readonly items_rejected: number;
  readonly due_at: Date;
  readonly last_sync_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface FoundChannel extends ChannelRecord, JobRow {
  readonly id: string;
  /** Names the claim. */
  readonly worker: string;
}

/** Returns the sealing context: a secret sealed for one channel cannot be opened for another. */
export const secretContext = ({ store, environment }: Tenant, id: string): string =>
  `channel.channel/${store}/${environment}/${id}`;

const columns = (sql: Sql) => sql`
  id, provider, name, url, format, language, secret, status, failures, last_error, full_sync_since, items_total, items_pushed, items_rejected,
  due_at, last_sync_at, created_at, updated_at`;

export const insertChannel = async (
  sql: Sql,
  { store, environment }: Tenant,
  channel: ChannelRecord,
): Promise<void> => {
  await sql`insert into channel.channel ${sql({ store, environment, ...channel })}`;
};

export const countChannels = async (sql: Sql, { store, environment }: Tenant): Promise<number> => {
  const [found] = await sql<{ count: number }[]>`
    select count(*)::integer as count from channel.channel where store = ${store} and environment = ${environment}`;
  return found?.count ?? 0;
};

export const findChannel = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  forUpdate = false,
): Promise<ChannelRecord | null> => {
  const [channel] = await sql<ChannelRecord[]>`
    select ${columns(sql)} from channel.channel
    where store = ${store} and environment = ${environment} and id = ${id} ${forUpdate ? sql`for update` : sql``}`;
  return channel ?? null;
};

export const listChannels = (
  sql: Sql,
  { store, environment }: Tenant,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<ChannelRecord[]> => sql<ChannelRecord[]>`
  select ${columns(sql)} from channel.channel
  where store = ${store} and environment = ${environment}
    and ${after === null ? sql`true` : sql`(created_at, id) < (${after.createdAt}, ${after.id}::uuid)`}
  order by created_at desc, id desc limit ${limit}`;

export const saveChannel = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, name, url, format, language, status, failures, last_error, full_sync_since, due_at, updated_at }: ChannelRecord,
): Promise<void> => {
  const change = {
    name,
    url,
    format,
    language,
    status,
    failures,
    last_error,
    full_sync_since: full_sync_since,
    due_at,
    updated_at,
  };
  await sql`
    update channel.channel set ${sql(change)}
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

export const deleteChannel = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<boolean> => {
  const gone = await sql`
    delete from channel.channel where store = ${store} and environment = ${environment} and id = ${id}`;
  return gone.count > 0;
};

export const hasChannels = async (sql: Sql, { store, environment }: Tenant): Promise<boolean> => {
  const [found] = await sql`
    select 1 from channel.channel where store = ${store} and environment = ${environment} and status <> 'paused' limit 1`;
  return found !== undefined;
};

export const isAnySyncing = async (sql: Sql, { store, environment }: Tenant, real: Date): Promise<boolean> => {
  const [found] = await sql`
    select 1 from channel.channel
    where store = ${store} and environment = ${environment} and worker is not null and leased_until >= ${real} limit 1`;
  return found !== undefined;
};

export const firstRetry = async (sql: Sql, { store, environment }: Tenant, until: Date): Promise<Date | null> => {
  const [found] = await sql<{ at: Date | null }[]>`
    select min(due_at) as at from channel.channel
    where store = ${store} and environment = ${environment} and status <> 'paused'
      and (failures > 0 or full_sync_since is not null) and due_at <= ${until}`;
  return found?.at ?? null;
};

/**
 * Makes the channels of changed catalogues due, except those waiting to retry. A channel that is being synced becomes
 * due again, since its sync may have read the former state. Returns whether there are any.
 */
export const markChannelsDue = async (sql: Sql, changes: readonly TenantTime[]): Promise<boolean> => {
  const named = changes.map(({ tenant: { store, environment }, now }) => ({
    store,
    environment,
    at: now.toISOString(),
  }));
  const { count } = await sql`
    update channel.channel as c set due_at = changed.at
    from jsonb_to_recordset(${sql.json(named)}) as changed (store uuid, environment text, at timestamptz)
    where c.store = changed.store and c.environment = changed.environment and status <> 'paused'
      and (worker is not null or (status = 'connected' and due_at > changed.at)) and ${isSandboxOpen(sql, 'c')}`;
  return count > 0;
};

export const channelsToSync: JobTable = {
  table: 'channel.channel',
  due: 'due_at',
  lease: 'leased_until',
  only: (sql) => sql`job.status <> 'paused'`,
  claimed: (sql) => sql`worker = gen_random_uuid()`,
  columns: (sql) => sql`${columns(sql)}, worker, failures + 1 as attempts`,
};

export interface SyncProgress {
  readonly total: number;
  readonly pushed: number;
  readonly rejected: number;
}

const isUnchanged = (sql: Sql, { store, environment, id, url, format, language, worker }: FoundChannel) => sql`
  store = ${store} and environment = ${environment} and id = ${id} and worker = ${worker}
  and url = ${url} and format = ${format} and language is not distinct from ${language}::text and status <> 'paused'`;

/** Returns false if another process has claimed the channel, or it was changed. */
export const saveProgress = async (
  sql: Sql,
  channel: FoundChannel,
  { total, pushed, rejected }: SyncProgress,
): Promise<boolean> => {
  const { count } = await sql`
    update channel.channel set items_total = ${total}, items_pushed = ${pushed}, items_rejected = ${rejected}
    where ${isUnchanged(sql, channel)}`;
  return count > 0;
};

/** Returns null if the channel was changed or needs another sync. */
export const finishSync = async (
  sql: Sql,
  channel: FoundChannel,
  change: {
    readonly failures: number;
    readonly last_error: string | null;
    readonly status: 'connected' | 'failing';
    readonly full_sync_since: Date | null;
    readonly next: Date;
    readonly last_sync_at: Date | null;
  },
): Promise<ChannelRecord | null> => {
  const { next, last_sync_at, ...outcome } = change;
  const { due_at, failures, full_sync_since } = channel;
  const [finished] = await sql<ChannelRecord[]>`
    update channel.channel
    set ${sql(outcome)}, last_sync_at = coalesce(${last_sync_at}, last_sync_at), worker = null, leased_until = null,
      due_at = case when due_at = ${due_at} or ${change.last_error !== null} then ${next}::timestamptz else due_at end
    where ${isUnchanged(sql, channel)} and full_sync_since is not distinct from ${full_sync_since}
      ${change.last_error === null ? sql`` : sql`and failures = ${failures}`}
    returning ${columns(sql)}`;
  if (finished) return finished;
  await releaseChannel(sql, channel);
  return null;
};

export const releaseChannel = async (
  sql: Sql,
  { store, environment, id, worker }: Pick<FoundChannel, 'store' | 'environment' | 'id' | 'worker'>,
): Promise<void> => {
  await sql`
    update channel.channel set worker = null, leased_until = null
    where store = ${store} and environment = ${environment} and id = ${id} and worker = ${worker}`;
};
