// Connects to Postgres with bounds on pool waits, connecting, statements, locks and silence. Each connection is a
// client of the library that never reconnects: the library's pool would queue without bound behind a frozen server, and
// continue a transaction on a new connection after a loss.

import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { toFault } from '#runtime/call/fault.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Seal } from '#runtime/process/seal.ts';
import { CommitWatch } from './commit_watch.ts';
import { type DriverOptions, type ParsedOptions, PostgresConnection, type Query, sqlTag } from './connection.ts';
import { ConnectionHeadroom, isLackOfRoom } from './connection_headroom.ts';
import type { Postgres, Session } from './database.ts';
import { Pool } from './pool.ts';
import { retryAfterReset } from './sandbox_lock.ts';
import { postgres } from './sql.ts';
import { quoteTexts } from './text_array.ts';
import { OpenTransaction } from './transaction.ts';
import { runTransaction, type TransactionPool, type TransactionWork } from './transaction_run.ts';
import { WriteState } from './write_state.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly connectionsMax: number;
  readonly name: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  /** Returns the time-out of a new connection in ms, which may be longer while the process starts. */
  readonly connectTimeoutMs?: () => number;
}

const STATEMENT_TIMEOUT_MS = 3_000;
const LOCK_TIMEOUT_MS = 1_000;
const IDLE_IN_TRANSACTION_MS_MAX = 5_000;
/** Time-out of a connection in ms once the process serves, since callers wait for it. */
export const CONNECT_TIMEOUT_MS = 1_500;
/** Added to the server's own time-outs in ms. Only a frozen server or network is silent for longer. */
const SILENCE_SLACK_MS = 500;
/** Longest wait for a connection in ms. Together with a statement's time-out it stays below a call's 5 s. */
const WAIT_MS_MAX = 2_000;
const WAITERS_MAX = 4_096;
const WATCH_MS = 500;
const PROBE_MS = 250;

/** Parses an int8; throws beyond 2^53, where a number would lose digits. */
const parseInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} is too large for a number.`);
  return value;
};

const parsedBy = (driver: postgres.Sql): ParsedOptions => driver.options as unknown as ParsedOptions;

/**
 * Creates a client that builds statements and parses the address, and never connects. Connections share its type
 * tables.
 */
const openDriver = (options: PostgresOptions, statementTimeoutMs: number): postgres.Sql => {
  const driver = postgres(options.url, {
    max: 1,
    max_lifetime: null,
    onnotice: () => {},
    types: { bigint: { to: 20, from: [20], parse: parseInteger, serialize: String } },
    connection: {
      application_name: options.name,
      statement_timeout: statementTimeoutMs,
      lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: Math.max(IDLE_IN_TRANSACTION_MS_MAX, statementTimeoutMs),
      // Compiling costs more than it saves for small statements.
      jit: 'off',
    },
  } as DriverOptions);
  quoteTexts(parsedBy(driver).serializers);
  return driver;
};

const openPool = (
  driver: postgres.Sql,
  options: PostgresOptions,
  room: ConnectionHeadroom,
): Pool<PostgresConnection> => {
  const { connectionsMax, log, connectTimeoutMs = () => CONNECT_TIMEOUT_MS } = options;
  const parsed = parsedBy(driver);
  let hostAt = 0;
  const pool = new Pool<PostgresConnection>({
    open: () => {
      const typesKnown = Object.keys(parsed.shared.typeArrayMap).length > 0;
      const at = hostAt % parsed.host.length;
      const host = {
        host: parsed.host.slice(at, at + 1),
        port: parsed.port.slice(at, at + 1),
        // Skips standbys: after a promotion the primary is another server.
        ...(parsed.host.length > 1 && { target_session_attrs: 'primary' }),
      };
      return new PostgresConnection(
        { ...parsed, ...host, fetch_types: !typesKnown } as unknown as DriverOptions,
        connectTimeoutMs(),
        (connection, reachable, problem) => {
          if (isLackOfRoom(problem)) room.refused(problem);
          if (!reachable) {
            hostAt++;
            pool.suspect(problem);
          }
          pool.discard(connection);
        },
      );
    },
    sizeMax: connectionsMax,
    waitMsMax: WAIT_MS_MAX,
    waitersMax: WAITERS_MAX,
    probeMs: PROBE_MS,
    changed: (available) =>
      available ? log.info('the database answers again') : log.warn('the database does not answer'),
  });
  return pool;
};

const watchSilence = (pool: Pool<PostgresConnection>, silenceMsMax: number): (() => void) => {
  let watchedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const late = Math.max(0, now - watchedAt - WATCH_MS);
    watchedAt = now;
    for (const connection of pool.members) {
      connection.forgive(late);
      connection.watch(now, silenceMsMax);
    }
  }, WATCH_MS);
  timer.unref();
  return () => clearInterval(timer);
};

const rejectAsFault = (query: Query, writes: WriteState): void => {
  const { reject } = query;
  query.reject = (problem) => {
    writes.failed(problem);
    reject(toFault(problem));
  };
};

export const connectPostgres = (options: PostgresOptions): Postgres => {
  const { log, clock, seal, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const listeners = new Set<(urgent: boolean) => void>();
  const driver = openDriver(options, statementTimeoutMs);
  const room = new ConnectionHeadroom(log);
  const writes = new WriteState(log);
  const pool = openPool(driver, options, room);
  const stopWatch = watchSilence(pool, statementTimeoutMs + SILENCE_SLACK_MS);

  const sql = sqlTag(driver, (query) => {
    rejectAsFault(query, writes);
    pool.acquire().then(
      (connection) => connection.run(query, () => pool.release(connection)),
      (problem) => query.reject(problem),
    );
  });

  const commits = new CommitWatch(sql, () => pool.available);

  const transactions: TransactionPool<PostgresConnection> = {
    acquire: () => pool.acquire('transaction'),
    release: (connection) => pool.release(connection),
    open: (connection, isOver) =>
      new OpenTransaction(
        sqlTag(driver, (query) =>
          isOver() ? query.reject(new Error('This transaction is over.')) : connection.run(query),
        ),
        clock,
        seal,
      ),
  };

  const transaction = async <T>(run: TransactionWork<T>, tenant?: Tenant, atOnce = false): Promise<T> => {
    const once = () =>
      runTransaction(transactions, run, tenant).catch((problem) => {
        writes.failed(problem);
        throw problem;
      });
    const { value, tx } = await (atOnce ? once() : retryAfterReset(sql, once));
    if (value instanceof Refusal) return value;
    if (tx.emitted) {
      // Committed events are rows, so the server has accepted a write; a transaction without events may only have read.
      writes.taken();
      for (const hear of listeners) hear(tx.hasMarker);
    }
    await tx.committed(log);
    return value;
  };

  const session = async (): Promise<Session> => {
    const connection = await pool.acquire();
    return {
      sql: sqlTag(driver, (query) => {
        rejectAsFault(query, writes);
        connection.run(query);
      }),
      get gone() {
        return connection.gone;
      },
      release: () => pool.release(connection),
      close: () => pool.discard(connection),
    };
  };

  return {
    sql,
    transaction,
    session,
    get available() {
      return pool.available;
    },
    get lacksConnections() {
      return room.lacking;
    },
    get refusesWrites() {
      return writes.refusing;
    },
    probeWrite: async () => {
      await transaction((tx) => tx.sql`create temporary table write_trial on commit drop as select 1 as one`);
      writes.taken();
    },
    get load() {
      return { connections: pool.size, busy: pool.busy, waiting: pool.waiting };
    },
    ping: async () => {
      await sql`select 1`;
    },
    commits,
    onEmit: (hear) => {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    close: async () => {
      commits.stop();
      stopWatch();
      pool.close();
      await driver.end({ timeout: 0 });
    },
  };
};
