// Wraps one connection to Postgres, which opens once, never reconnects, and ends when the server falls silent.
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultCode, isConnectionFault } from '#runtime/call/fault.ts';
import { NumberTable } from '#values/number_table.ts';
import { isLackOfRoom } from './connection_headroom.ts';
import type { Pooled } from './pool.ts';
import { postgres, type Sql } from './sql.ts';

/** A query as the library implements it, beyond the published type: awaiting it sends it to a connection. */
export interface Query extends Promise<unknown> {
  handler: (query: Query) => void;
  resolve: (result: unknown) => void;
  reject: (problem: unknown) => void;
  readonly cursorFn?: unknown;
}

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
      // Disables the library's time-out, which also counts time in which this process is suspended; `watch` bounds
      // connecting.
      connect_timeout: 0,
      socket: (parsed: ParsedOptions) => this.#dial(parsed),
      onclose: () => this.#end(this.#problem ?? lostConnection(undefined)),
    } as DriverOptions);
    this.#execute = (this.#sql.unsafe('') as unknown as Query).handler;
    // Sends a first statement, because the library runs the first one before it has stored the array types that it
    // requests.
    if (!options.fetch_types) return;
    const typesKnown = this.#sql.unsafe('select 1').then(
      () => {},
      (problem) => this.#note(problem),
    );
    this.#opening = this.#bounded(typesKnown);
  }

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
      // A statement after a failed one may report first, so the failed statement's error is reported as the cause.
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

  /** Ends the connection when an answer is overdue and no byte has arrived meanwhile. */
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
    // Closes only after the array types have arrived, because the library fails if ended before.
    void this.#opening.then(() => this.#close());
  }

  #close(): void {
    for (const [, query] of this.#pending.entries()) query.reject(lostConnection(this.#problem));
    const socket = this.#socket;
    if (!this.#opened || socket?.destroyed) {
      socket?.destroy();
      return;
    }
    // Closes gracefully first; then destroys the socket, since a frozen server reads nothing.
    this.#sql.end({ timeout: 0 }).catch(() => {});
    setTimeout(() => socket?.destroy(), TERMINATE_MS).unref();
  }

  #note(problem: unknown): void {
    // A server that refuses sessions for lack of room counts as available.
    if (!isConnectionFault(problem) || isLackOfRoom(problem)) this.#answered = true;
    if (isConnectionFault(problem)) this.#problem ??= problem;
  }

  /** Ends the connection and rejects all pending queries, since the library may drop queued ones. */
  #end(problem: unknown): void {
    if (this.#gone) return;
    this.#gone = true;
    for (const [, query] of this.#pending.entries()) query.reject(problem);
    this.#lost(this, this.#answered, problem);
  }

  /** Opens the socket for the library. Refuses a second call, which would be a reconnect. */
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
