// One connection to Postgres: it opens once, never reconnects, and ends when its server falls silent.
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultCode, isConnectionFault } from '#runtime/call/fault.ts';
import { NumberTable } from '#values/number_table.ts';
import { isLackOfRoom } from './connection_headroom.ts';
import type { Pooled } from './pool.ts';
import { postgres, type Sql } from './sql.ts';

/** What the library's query is beneath its published type: it is handed to a connection when it is awaited. */
export interface Query extends Promise<unknown> {
  handler: (query: Query) => void;
  resolve: (result: unknown) => void;
  reject: (problem: unknown) => void;
  readonly cursorFn?: unknown;
}

/** A tag whose statements go where `dispatch` sends them, once they are awaited. */
export const sqlTag = (driver: postgres.Sql, dispatch: (query: Query) => void): Sql => {
  const bind = <T>(made: T): T => {
    if (made instanceof Promise) (made as unknown as Query).handler = dispatch;
    return made;
  };
  const make = driver as unknown as (...input: unknown[]) => unknown;
  return Object.assign((...input: unknown[]) => bind(make(...input)), {
    types: driver.types,
    typed: driver.typed,
    json: driver.json,
    array: driver.array,
    unsafe: (...input: Parameters<Sql['unsafe']>) => bind(driver.unsafe(...input)),
  }) as unknown as Sql;
};

const CONNECTION_AGE_MS_MAX = 30 * 60_000;
const TERMINATE_MS = 500;
const TRANSACTION_ABORTED = '25P02';

export type DriverOptions = postgres.Options<Record<string, postgres.PostgresType>>;

/** The options of a connection once the library has read its address. */
export interface ParsedOptions {
  readonly host: string[];
  readonly port: number[];
  readonly path: string | false;
  readonly shared: { readonly typeArrayMap: Record<string, number> };
  readonly serializers: Record<number, (value: unknown) => unknown>;
}

const fault = (why: string, code: string, cause?: unknown): Error => Object.assign(new Error(why, { cause }), { code });
const lostConnection = (cause: unknown): Error => fault('The connection was lost.', 'CONNECTION_CLOSED', cause);

export class PostgresConnection implements Pooled {
  readonly #sql: postgres.Sql;
  readonly #execute: (query: Query) => void;
  readonly #lost: (connection: PostgresConnection, reachable: boolean, problem: unknown) => void;
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
  /** Why the last statement that failed did. */
  #failed: unknown;
  #bytesSeen = 0;
  #quietSince = 0;

  constructor(
    options: DriverOptions,
    connectTimeoutMs: number,
    lost: (connection: PostgresConnection, reachable: boolean, problem: unknown) => void,
  ) {
    this.#lost = lost;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#sql = postgres({
      ...options,
      max: 1,
      // Its timer would count the time in which this process stands still: `watch` looks after who connects, too.
      connect_timeout: 0,
      socket: (parsed: ParsedOptions) => this.#dial(parsed),
      onclose: () => this.#end(this.#problem ?? lostConnection(undefined)),
    } as DriverOptions);
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
    query.reject = (given) => {
      // Of statements sent at once those behind the one that failed may be heard first: the cause is that one's.
      const problem = faultCode(given) === TRANSACTION_ABORTED ? (this.#failed ?? given) : given;
      this.#failed = problem;
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
    setTimeout(() => socket?.destroy(), TERMINATE_MS).unref();
  }

  #note(problem: unknown): void {
    // A server with no room for one more session is there all the same.
    if (!isConnectionFault(problem) || isLackOfRoom(problem)) this.#answered = true;
    if (isConnectionFault(problem)) this.#problem ??= problem;
  }

  /** Nothing more comes from here. The library may forget statements that it has queued: all are told by us. */
  #end(problem: unknown): void {
    if (this.#gone) return;
    this.#gone = true;
    for (const [, query] of this.#pending.entries()) query.reject(problem);
    this.#lost(this, this.#answered, problem);
  }

  /** Called by the library once it wants to connect. A second time would be a reconnect, which is never wanted. */
  #dial({ host, port, path }: ParsedOptions): net.Socket {
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
