// The way to Postgres, with a bound on everything: waiting for a connection, connecting, a statement, a lock, silence.
//
// Each connection is a client of its own that never reconnects. The library's pool would queue for ever while a server
// is frozen, and would run the rest of a transaction on a fresh connection, outside of it, once the first one is lost.

import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { asFault, faultCode, isConnectionFault } from '#runtime/call/fault.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Seal } from '#runtime/process/seal.ts';
import { NumberTable } from '#values/number_table.ts';
import { attempted, type SessionPool, type TransactionWork } from './attempt.ts';
import type { Postgres, Session } from './database.ts';
import { Pool, type Pooled } from './pool.ts';
import { outsideReset } from './renewal.ts';
import type { Sql } from './sql.ts';
import { postgres } from './sql.ts';
import { quoteTexts } from './text_array.ts';
import { OpenTransaction } from './transaction.ts';

export { isUniqueViolation } from '#runtime/call/fault.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly connectionsMax: number;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  /** How long the server may take to give a connection, asked at each: who starts has more time than who serves. */
  readonly connectTimeoutMs?: () => number;
}

const STATEMENT_TIMEOUT_MS = 3_000;
const LOCK_TIMEOUT_MS = 1_000;
const IDLE_IN_TRANSACTION_MS_MAX = 5_000;
/** While serving: callers wait meanwhile. */
export const CONNECT_TIMEOUT_MS = 1_500;
/** Beyond the server's own time-out: only a server or network that stands still is silent for longer. */
const SILENCE_SLACK_MS = 500;
/** Together with a statement's own limit it stays within the 5 s of a call. */
const WAIT_MS_MAX = 2_000;
const WAITERS_MAX = 4_096;
const WATCH_MS = 100;
const PROBE_MS = 250;
const CONNECTION_AGE_MS_MAX = 30 * 60_000;
const FAREWELL_MS = 500;
const TOO_MANY_CONNECTIONS = '53300';

/** What the library's query is beneath its published type: it is handed to a connection when it is awaited. */
interface Query extends Promise<unknown> {
  handler: (query: Query) => void;
  resolve: (result: unknown) => void;
  reject: (problem: unknown) => void;
  readonly cursorFn?: unknown;
}

type Options = postgres.Options<Record<string, postgres.PostgresType>>;

/** An address once the library has read it. */
interface Parsed {
  readonly host: string[];
  readonly port: number[];
  readonly path: string | false;
  readonly shared: { readonly typeArrayMap: Record<string, number> };
  readonly serializers: Record<number, (value: unknown) => unknown>;
}

/** int8 beyond 2^53 would lose its last digits silently. */
const parseInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} is too large for a number.`);
  return value;
};

const fault = (why: string, code: string, cause?: unknown): Error => Object.assign(new Error(why, { cause }), { code });
const lostConnection = (cause: unknown): Error => fault('The connection was lost.', 'CONNECTION_CLOSED', cause);

class Connection implements Pooled {
  readonly #sql: postgres.Sql;
  readonly #execute: (query: Query) => void;
  readonly #lost: (connection: Connection, reachable: boolean) => void;
  readonly #connectTimeoutMs: number;
  readonly #retireAt = Date.now() + CONNECTION_AGE_MS_MAX * (0.75 + Math.random() / 4);
  #opening: Promise<void> = Promise.resolve();
  #opened = false;
  #socket: net.Socket | null = null;
  #gone = false;
  #answered = false;
  readonly #pending = new NumberTable<Query>();
  #sent = 0;
  #problem: unknown;
  #bytesSeen = 0;
  #quietSince = 0;

  constructor(options: Options, connectTimeoutMs: number, lost: (connection: Connection, reachable: boolean) => void) {
    this.#lost = lost;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#sql = postgres({
      ...options,
      max: 1,
      // Its timer would count the time in which this process stands still: `watch` looks after who connects, too.
      connect_timeout: 0,
      socket: (parsed: Parsed) => this.#dial(parsed),
      onclose: () => this.#end(this.#problem ?? lostConnection(undefined)),
    } as Options);
    this.#execute = (this.#sql.unsafe('') as unknown as Query).handler;
    // The library runs a connection's first statement before it has noted the array types that it asked for.
    if (!options.fetch_types) return;
    const typesKnown = this.#sql.unsafe('select 1').then(
      () => {},
      (problem) => this.#note(problem),
    );
    this.#opening = this.#bounded(typesKnown);
  }

  /** Over with the work, or when it has taken as long as connecting may. */
  #bounded(work: Promise<unknown>): Promise<void> {
    const over = work.then(
      () => {},
      () => {},
    );
    return Promise.race([over, sleep(this.#connectTimeoutMs, undefined, { ref: false })]);
  }

  get gone(): boolean {
    return this.#gone;
  }

  get dead(): boolean {
    return this.#gone || Date.now() > this.#retireAt;
  }

  /** Hands a statement to the server; `settled` is called once it was answered, or never will be. */
  run(query: Query, settled?: () => void): void {
    const { resolve, reject } = query;
    const number = ++this.#sent;
    const finish = (): void => {
      if (this.#pending.take(number)) settled?.();
    };
    if (this.#pending.size === 0) this.#quietSince = performance.now();
    this.#pending.set(number, query);
    query.resolve = (result) => {
      this.#opened = true;
      this.#answered = true;
      finish();
      resolve(result);
    };
    query.reject = (problem) => {
      finish();
      reject(problem);
      this.#note(problem);
      if (isConnectionFault(problem)) this.#end(problem);
    };
    if (this.#gone) query.reject(lostConnection(this.#problem));
    else if (query.cursorFn) query.reject(new Error('Cursors are not supported: read pages by key.'));
    else this.#execute(query);
  }

  do(text: string): Promise<postgres.RowList<postgres.Row[]>> {
    const query = this.#sql.unsafe(text);
    (query as unknown as Query).handler = (made) => this.run(made);
    return query;
  }

  check(): Promise<void> {
    const checked = this.do('select 1').then(() => {});
    this.#opening = this.#bounded(checked);
    return checked;
  }

  /** Ends the connection if its server owes an answer, or the connection itself, and sent no byte for too long. */
  watch(now: number, answerMsMax: number): void {
    if (this.#pending.size === 0 || this.#gone) return;
    const bytes = this.#socket?.bytesRead ?? 0;
    if (bytes !== this.#bytesSeen) {
      this.#bytesSeen = bytes;
      this.#quietSince = now;
      return;
    }
    const silenceMsMax = this.#opened ? answerMsMax : this.#connectTimeoutMs;
    if (now - this.#quietSince > silenceMsMax)
      this.kill(this.#opened ? 'The database fell silent.' : 'The database does not answer.');
  }

  /** The time that this process itself stood still is not the server's silence. */
  forgive(ms: number): void {
    this.#quietSince += ms;
  }

  kill(why: string): void {
    this.#answered = false;
    const problem = fault(why, 'CONNECTION_SILENT');
    this.#socket?.destroy(problem);
    this.#end(problem);
  }

  close(): void {
    this.#gone = true;
    // Not while it opens: the library asks for array types then, and fails where it is not heard if it is ended.
    void this.#opening.then(() => this.#close());
  }

  #close(): void {
    for (const [, query] of this.#pending.entries()) query.reject(lostConnection(this.#problem));
    const socket = this.#socket;
    if (!this.#opened || socket?.destroyed) {
      socket?.destroy();
      return;
    }
    // Sends the server a farewell; a frozen one will not read it.
    this.#sql.end({ timeout: 0 }).catch(() => {});
    setTimeout(() => socket?.destroy(), FAREWELL_MS).unref();
  }

  #note(problem: unknown): void {
    // A server with no room for one more session is there all the same.
    if (!isConnectionFault(problem) || faultCode(problem) === TOO_MANY_CONNECTIONS) this.#answered = true;
    else this.#problem ??= problem;
  }

  /** Nothing more comes from here. The library may forget statements that it has queued: all are told by us. */
  #end(problem: unknown): void {
    if (this.#gone) return;
    this.#gone = true;
    for (const [, query] of this.#pending.entries()) query.reject(problem);
    this.#lost(this, this.#answered);
  }

  /** Called by the library once it wants to connect. A second time would be a reconnect, which is never wanted. */
  #dial({ host, port, path }: Parsed): net.Socket {
    if (this.#socket || this.#gone) {
      const problem = lostConnection(this.#problem);
      this.#end(problem);
      throw problem;
    }
    const socket = path ? net.connect({ path }) : net.connect({ host: host[0] ?? 'localhost', port: port[0] ?? 5432 });
    if (!path) socket.setNoDelay(true);
    socket.on('error', (problem) => {
      this.#problem ??= problem;
    });
    this.#socket = Object.assign(socket, { host: host[0] });
    return socket;
  }
}

/** A tag whose statements go where `dispatch` sends them, once they are awaited. */
const tag = (root: postgres.Sql, dispatch: (query: Query) => void): Sql => {
  const bind = <T>(made: T): T => {
    if (made instanceof Promise) (made as unknown as Query).handler = dispatch;
    return made;
  };
  const make = root as unknown as (...input: unknown[]) => unknown;
  return Object.assign((...input: unknown[]) => bind(make(...input)), {
    types: root.types,
    typed: root.typed,
    json: root.json,
    array: root.array,
    unsafe: (...input: Parameters<Sql['unsafe']>) => bind(root.unsafe(...input)),
  }) as unknown as Sql;
};

export const connectPostgres = (options: PostgresOptions): Postgres => {
  const { log, clock, seal } = options;
  const statementTimeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const connectTimeoutMs = options.connectTimeoutMs ?? (() => CONNECT_TIMEOUT_MS);
  const hearers = new Set<(urgent: boolean) => void>();

  // Never connects: it writes statements and reads the address; connections share its tables of types.
  const root = postgres(options.url, {
    max: 1,
    max_lifetime: null,
    onnotice: () => {},
    types: { bigint: { to: 20, from: [20], parse: parseInteger, serialize: String } },
    connection: {
      application_name: options.name,
      statement_timeout: statementTimeoutMs,
      lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: Math.max(IDLE_IN_TRANSACTION_MS_MAX, statementTimeoutMs),
      // Compiling a plan costs more than it saves on statements of this size.
      jit: 'off',
    },
  } as Options);
  const parsed = root.options as unknown as Parsed;
  quoteTexts(parsed.serializers);
  // An address may name several hosts: the next one is tried when one does not answer.
  let hostAt = 0;

  const pool = new Pool<Connection>({
    open: () => {
      const typesKnown = Object.keys(parsed.shared.typeArrayMap).length > 0;
      const at = hostAt % parsed.host.length;
      const host = { host: parsed.host.slice(at, at + 1), port: parsed.port.slice(at, at + 1) };
      return new Connection(
        { ...parsed, ...host, fetch_types: !typesKnown } as unknown as Options,
        connectTimeoutMs(),
        (connection, reachable) => {
          if (!reachable) {
            hostAt++;
            pool.suspect();
          }
          pool.discard(connection);
        },
      );
    },
    sizeMax: options.connectionsMax,
    waitMsMax: WAIT_MS_MAX,
    waitersMax: WAITERS_MAX,
    probeMs: PROBE_MS,
    changed: (available) =>
      available ? log.info('the database answers again') : log.warn('the database does not answer'),
  });

  let watchedAt = performance.now();
  const watch = setInterval(() => {
    const now = performance.now();
    const late = Math.max(0, now - watchedAt - WATCH_MS);
    watchedAt = now;
    for (const connection of pool.members) {
      connection.forgive(late);
      connection.watch(now, statementTimeoutMs + SILENCE_SLACK_MS);
    }
  }, WATCH_MS);
  watch.unref();

  const sql = tag(root, (query) => {
    const { reject } = query;
    query.reject = (problem) => reject(asFault(problem));
    pool.acquire().then(
      (connection) => connection.run(query, () => pool.release(connection)),
      (problem) => query.reject(problem),
    );
  });

  const sessions: SessionPool<Connection> = {
    acquire: () => pool.acquire(),
    release: (connection) => pool.release(connection),
    open: (connection, isOver) =>
      new OpenTransaction(
        tag(root, (query) => (isOver() ? query.reject(new Error('This transaction is over.')) : connection.run(query))),
        clock,
        seal,
      ),
  };

  const transaction = async <T>(run: TransactionWork<T>, tenant?: Tenant): Promise<T> => {
    const { value, tx } = await outsideReset(sql, () => attempted(sessions, run, tenant));
    if (value instanceof Refusal) return value;
    if (tx.emitted) for (const hear of hearers) hear(tx.marked);
    await tx.committed(log);
    return value;
  };

  const session = async (): Promise<Session> => {
    const connection = await pool.acquire();
    return {
      sql: tag(root, (query) => {
        const { reject } = query;
        query.reject = (problem) => reject(asFault(problem));
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
    get load() {
      return { connections: pool.size, busy: pool.busy, waiting: pool.waiting };
    },
    ping: async () => {
      await sql`select 1`;
    },
    onEmit: (hear) => {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
    close: async () => {
      clearInterval(watch);
      pool.close();
      await root.end({ timeout: 0 });
    },
  };
};
