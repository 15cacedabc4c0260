// Stores actors in Postgres: their states as of a batch, with the events and answers up to that batch.

import { auditRowOf, type TenantAudit } from '#runtime/audit/command_audit.ts';
import { type Environment, NO_STORE, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Occurrence } from '#runtime/event/event.ts';
import { insertAudit } from '#runtime/postgres/audit_row.ts';
import type { Postgres, Transaction } from '#runtime/postgres/database.ts';
import { isOutboxLogged } from '#runtime/postgres/outbox_row.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Address } from './address.ts';
import { formatOf } from './kind.ts';

export interface LogPosition {
  readonly batch: number;
  readonly sequence: number;
  /** Distinguishes the batch from a batch of the same number in another log; absent before the first batch. */
  readonly nonce?: string;
}

interface PositionRow {
  readonly batch: number;
  readonly sequence: number;
  readonly nonce: string | null;
}

const positionOf = ({ nonce, ...position }: PositionRow): LogPosition =>
  nonce === null ? position : { ...position, nonce };

export interface SavedActor {
  readonly address: Address;
  readonly durable: unknown;
  /** JSON in one line; null: delete the row. */
  readonly state: string | null;
  readonly dueAt: number | null;
  readonly expiresAt: number | null;
}

export interface SavedAnswer {
  readonly store: string;
  readonly environment: Environment;
  readonly hash: string;
  readonly fingerprint: string;
  readonly answer: Uint8Array;
  readonly expiresAt: number;
  /** Whether `answer` is the whole response, or the data that a response is rendered from. */
  readonly rendered: boolean;
}

export interface Projected {
  readonly from: LogPosition;
  readonly to: LogPosition;
  readonly actors: readonly SavedActor[];
  readonly events: readonly Occurrence[];
  readonly audits: readonly TenantAudit[];
  readonly answers: readonly SavedAnswer[];
}

export interface AnswerQuestion {
  readonly tenant: Tenant;
  readonly hash: string;
  readonly now: number;
}

export interface DueActor {
  readonly kind: string;
  readonly tenant: Tenant;
  readonly id: string;
  readonly dueAt: number;
}

export interface SnapshotKey {
  readonly kind: string;
  readonly id: string;
}

export interface DueQuery {
  readonly partitions: readonly number[];
  readonly kinds: readonly string[];
  readonly until: number;
  readonly max: number;
  readonly tenant?: Tenant;
}

export interface Snapshots {
  position(partition: number): Promise<LogPosition>;
  /** When data of the partition was last lost, in real ms; null: never. */
  lostAt(partition: number): Promise<number | null>;
  noteLoss(partition: number, atMs: number): Promise<void>;
  positions(): Promise<ReadonlyMap<number, LogPosition>>;
  load(actors: readonly Address[]): Promise<(string | null)[]>;
  findAnswers(questions: readonly AnswerQuestion[]): Promise<(SavedAnswer | null)[]>;
  /**
   * Writes everything or nothing. False: the partition's position is not `from`, because another host has projected it.
   */
  project(partition: number, projected: Projected): Promise<boolean>;
  keep(answers: readonly SavedAnswer[]): Promise<void>;
  all(kinds: readonly string[], tenant: Tenant): Promise<readonly SnapshotKey[]>;
  due(query: DueQuery): Promise<DueActor[]>;
}

interface Moved {
  readonly is_outbox_logged: boolean;
}

const ROWS_MAX = 1_000;

const storeOf = (tenant: Tenant): string => tenant.store || NO_STORE;
export const tenantOf = (store: string, environment: Environment): Tenant => ({
  store: store === NO_STORE ? '' : store,
  environment,
});

function* chunks<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += ROWS_MAX) yield items.slice(at, at + ROWS_MAX);
}

const columns = (addresses: readonly Address[]) => ({
  stores: addresses.map(({ tenant }) => storeOf(tenant)),
  environments: addresses.map(({ tenant }) => tenant.environment),
  kinds: addresses.map(({ kind }) => kind.name),
  ids: addresses.map(({ id }) => id),
});

/**
 * Saves states as lines of one text, because Postgres escapes and parses arrays of long texts character by character.
 */
const save = async (sql: Sql, partition: number, actors: readonly SavedActor[]): Promise<void> => {
  const { stores, environments, kinds, ids } = columns(actors.map(({ address }) => address));
  await sql`
    insert into runtime.actor (store, environment, kind, id, partition, due_at, expires_at, format, state)
    select store, environment, kind, id, ${partition}, due_at, expires_at, format, state
    from rows from (
      unnest(${stores}::uuid[], ${environments}::text[], ${kinds}::text[], ${ids}::text[],
        ${actors.map(({ dueAt }) => dueAt)}::bigint[], ${actors.map(({ expiresAt }) => expiresAt)}::bigint[],
        ${actors.map(({ address }) => formatOf(address.kind))}::smallint[]),
      string_to_table(${actors.map(({ state }) => state).join('\n')}::text, chr(10))
    ) as changed (store, environment, kind, id, due_at, expires_at, format, state)
    on conflict (store, environment, kind, id) do update
      set due_at = excluded.due_at, expires_at = excluded.expires_at, format = excluded.format, state = excluded.state,
        partition = excluded.partition, changed_at = now()`;
};

const remove = async (sql: Sql, addresses: readonly Address[]): Promise<void> => {
  const { stores, environments, kinds, ids } = columns(addresses);
  await sql`
    delete from runtime.actor as actor
    using unnest(${stores}::uuid[], ${environments}::text[], ${kinds}::text[], ${ids}::text[])
      as gone (store, environment, kind, id)
    where actor.store = gone.store and actor.environment = gone.environment
      and actor.kind = gone.kind and actor.id = gone.id`;
};

const projectKinds = async (tx: Transaction, actors: readonly SavedActor[]): Promise<void> => {
  const kinds = new Set(actors.flatMap(({ address }) => (address.kind.project ? address.kind : [])));
  for (const kind of kinds) {
    const own = actors.filter(({ address }) => address.kind === kind);
    for (const some of chunks(own))
      await kind.project?.(
        tx,
        some.map(({ address, durable }) => ({ tenant: address.tenant, id: address.id, state: durable })),
      );
  }
};

/** Saves answers. A rendered response replaces an unrendered answer of the same request, never the reverse. */
const saveAnswers = async (sql: Sql, answers: readonly SavedAnswer[]): Promise<void> => {
  await sql`
    insert into runtime.idempotency as stored (store, environment, key, fingerprint, answer, expires_at, rendered)
    select store, environment, decode(hash, 'hex'), fingerprint, decode(answer, 'base64'),
      to_timestamp(expires_at / 1000.0), rendered::boolean
    from unnest(${answers.map(({ store }) => store || NO_STORE)}::uuid[],
      ${answers.map(({ environment }) => environment)}::text[], ${answers.map(({ hash }) => hash)}::text[],
      ${answers.map(({ fingerprint }) => fingerprint)}::text[],
      ${answers.map(({ answer }) => Buffer.from(answer).toString('base64'))}::text[],
      ${answers.map(({ expiresAt }) => expiresAt)}::bigint[], ${answers.map(({ rendered }) => String(rendered))}::text[]
    ) as written (store, environment, hash, fingerprint, answer, expires_at, rendered)
    on conflict (store, environment, key) do update
      set fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at,
        rendered = excluded.rendered
      where stored.expires_at < excluded.expires_at
        or (excluded.rendered and not stored.rendered and stored.fingerprint = excluded.fingerprint)`;
};

const findSavedAnswers = async (sql: Sql, questions: Parameters<Snapshots['findAnswers']>[0]) => {
  const answers = new Array<SavedAnswer | null>(questions.length).fill(null);
  const rows = await sql<{ place: number; fingerprint: string; answer: Buffer; expires_at: Date; rendered: boolean }[]>`
    select asked.place, found.fingerprint, found.answer, found.expires_at, found.rendered
    from unnest(${questions.map(({ tenant }) => storeOf(tenant))}::uuid[],
      ${questions.map(({ tenant }) => tenant.environment)}::text[], ${questions.map(({ hash }) => hash)}::text[],
      ${questions.map(({ now }) => now)}::bigint[]
    ) with ordinality as asked (store, environment, hash, now, place)
    cross join lateral (
      select * from runtime.idempotency as saved
      where saved.store = asked.store and saved.environment = asked.environment
        and saved.key = decode(asked.hash, 'hex') and saved.expires_at > to_timestamp(asked.now / 1000.0)
      limit 1
    ) as found`;
  for (const { place, fingerprint, answer, expires_at, rendered } of rows) {
    const question = questions[place - 1];
    if (!question) continue;
    answers[place - 1] = {
      store: question.tenant.store,
      environment: question.tenant.environment,
      hash: question.hash,
      fingerprint,
      answer,
      expiresAt: expires_at.getTime(),
      rendered,
    };
  }
  return answers;
};

const advance = async (sql: Sql, partition: number, from: LogPosition, to: LogPosition): Promise<Moved | undefined> => {
  // This statement must be the transaction's first: a concurrent writer waits here, sees the new position, and writes
  // nothing.
  const [moved] =
    from.batch === 0
      ? await sql<Moved[]>`
          insert into runtime.partition (partition, batch, sequence, nonce)
          values (${partition}, ${to.batch}, ${to.sequence}, ${to.nonce ?? null})
          on conflict (partition) do update
            set batch = excluded.batch, sequence = excluded.sequence, nonce = excluded.nonce, projected_at = now()
            where partition.batch = 0 and partition.sealed_at is null
          returning ${isOutboxLogged(sql)} as is_outbox_logged`
      : await sql<Moved[]>`
          update runtime.partition
          set batch = ${to.batch}, sequence = ${to.sequence}, nonce = ${to.nonce ?? null}, projected_at = now()
          where partition = ${partition} and batch = ${from.batch} and sealed_at is null
          returning ${isOutboxLogged(sql)} as is_outbox_logged`;
  return moved;
};

/**
 * Look-ups by key use lateral joins, because a plan that was cached while a table was small would scan all of it later.
 */
export const postgresSnapshots = (postgres: Postgres): Snapshots => {
  const { sql } = postgres;
  return {
    async position(partition) {
      const [row] = await sql<
        PositionRow[]
      >`select batch, sequence, nonce from runtime.partition where partition = ${partition}`;
      return row ? positionOf(row) : { batch: 0, sequence: 0 };
    },

    async lostAt(partition) {
      const [row] = await sql<
        { lost_at: Date | null }[]
      >`select lost_at from runtime.partition where partition = ${partition}`;
      return row?.lost_at?.getTime() ?? null;
    },

    async noteLoss(partition, atMs) {
      await sql`update runtime.partition set lost_at = ${new Date(atMs)} where partition = ${partition}`;
    },

    async positions() {
      const rows = await sql<(PositionRow & { partition: number })[]>`
        select partition, batch, sequence, nonce from runtime.partition where sealed_at is null`;
      return new Map(rows.map(({ partition, ...row }) => [partition, positionOf(row)]));
    },

    async load(actors) {
      const { stores, environments, kinds, ids } = columns(actors);
      const states = new Array<string | null>(actors.length).fill(null);
      const rows = await sql<{ place: number; format: number; state: string }[]>`
        select wanted.place, actor.format, actor.state
        from unnest(${stores}::uuid[], ${environments}::text[], ${kinds}::text[], ${ids}::text[])
          with ordinality as wanted (store, environment, kind, id, place)
        cross join lateral (
          select format, state from runtime.actor as saved
          where saved.store = wanted.store and saved.environment = wanted.environment
            and saved.kind = wanted.kind and saved.id = wanted.id
          limit 1
        ) as actor`;
      for (const { place, format, state } of rows) {
        const { kind } = actors[place - 1]!;
        if (format > formatOf(kind))
          throw new Unavailable(
            `A snapshot of the kind ${kind.name} is of format ${format}, which a later release wrote.`,
          );
        states[place - 1] = state;
      }
      return states;
    },

    findAnswers: (questions) => findSavedAnswers(sql, questions),

    project: (partition, { from, to, actors, events, audits, answers }) =>
      postgres.transaction(async (tx) => {
        const moved = await advance(tx.sql, partition, from, to);
        if (!moved) return false;
        for (const some of chunks(actors.filter(({ state }) => state !== null))) await save(tx.sql, partition, some);
        const over = actors.filter(({ state }) => state === null).map(({ address }) => address);
        for (const some of chunks(over)) await remove(tx.sql, some);
        for (const some of chunks(answers)) await saveAnswers(tx.sql, some);
        for (const some of chunks(events))
          await tx.emitAll(some, { isOutboxLogged: moved.is_outbox_logged, skipsShutSandboxes: true });
        for (const some of chunks(audits))
          await insertAudit(
            tx.sql,
            some.map((each) => auditRowOf(each, tx.clock.real())),
          );
        await projectKinds(tx, actors);
        return true;
      }),

    async keep(answers) {
      for (const some of chunks(answers)) await saveAnswers(sql, some);
    },

    all: (kinds, tenant) => sql<SnapshotKey[]>`
      select kind, id from runtime.actor
      where store = ${storeOf(tenant)} and environment = ${tenant.environment} and kind = any(${kinds}::text[])
      order by kind, id`,

    async due({ partitions: owned, kinds, until, max, tenant }) {
      const rows = await sql<{ kind: string; store: string; environment: Environment; id: string; due_at: number }[]>`
        select kind, store, environment, id, due_at from runtime.actor
        where partition = any(${owned}::integer[]) and due_at <= ${until} and kind = any(${kinds}::text[])
          ${tenant ? sql`and store = ${storeOf(tenant)} and environment = ${tenant.environment}` : sql``}
        order by due_at limit ${max}`;
      return rows.map(({ kind, store, environment, id, due_at }) => ({
        kind,
        tenant: tenantOf(store, environment),
        id,
        dueAt: due_at,
      }));
    },
  };
};

const EXPIRED_ROWS_MAX = 5_000;
const CLOCK_DIFFERENCE_MS_MAX = 60_000;

/**
 * Deletes expired actors and skips locked rows, so that callers never wait for a sweep. Returns how many were deleted.
 */
export const sweepExpired = async ({ sql }: Postgres, nowMs: number): Promise<number> => {
  for (let gone = 0; ; ) {
    const { count } = await sql`
      delete from runtime.actor where ctid = any(array(
        select ctid from runtime.actor where expires_at <= ${nowMs - CLOCK_DIFFERENCE_MS_MAX}
        order by expires_at limit ${EXPIRED_ROWS_MAX} for update skip locked))`;
    gone += count;
    if (count < EXPIRED_ROWS_MAX) return gone;
  }
};
