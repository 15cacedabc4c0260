// Lends a bounded number of connections. Refuses callers that wait too long, and at once those that arrive while the
// server is unavailable.
import { Unavailable } from '#runtime/call/fault.ts';

/** Idle time in ms after which a connection is closed, since each takes about 10 MB on the server. */
export const IDLE_MS_MAX = 30_000;

/** Share of connections reserved for single statements: one in this many. */
const SHARE_OF_STATEMENTS = 5;

export interface Pooled {
  readonly dead: boolean;
  check(): Promise<void>;
  close(): void;
}

export interface PoolOptions<C> {
  readonly open: () => C;
  readonly sizeMax: number;
  readonly waitMsMax: number;
  readonly waitersMax: number;
  readonly probeMs: number;
  readonly changed: (available: boolean) => void;
}

interface Idle<C> {
  readonly connection: C;
  readonly sinceMs: number;
}

/**
 * The use of a lent connection. Transactions never get all connections: one may need a statement on another
 * connection, and all would then wait for each other.
 */
export type LentFor = 'statement' | 'transaction';

interface Waiter<C> {
  readonly lentFor: LentFor;
  resolve(connection: C): void;
  reject(problem: Unavailable): void;
  timer: ReturnType<typeof setTimeout>;
}

export class Pool<C extends Pooled> {
  readonly #options: PoolOptions<C>;
  readonly #all = new Set<C>();
  /** A stack: the connection released last is lent first, so that superfluous ones become idle. */
  readonly #idle: Idle<C>[] = [];
  readonly #waiters = new Set<Waiter<C>>();
  readonly #statements = new Set<Waiter<C>>();
  readonly #inTransaction = new Set<C>();
  #available = true;
  #why: unknown;
  #closed = false;
  #probe: ReturnType<typeof setTimeout> | null = null;
  #asking: C | null = null;

  constructor(options: PoolOptions<C>) {
    this.#options = options;
  }

  get available(): boolean {
    return this.#available;
  }

  get size(): number {
    return this.#all.size;
  }

  get busy(): number {
    return this.#all.size - this.#idle.length;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  get members(): Iterable<C> {
    return this.#asking ? [...this.#all, this.#asking] : this.#all;
  }

  async acquire(lentFor: LentFor = 'statement'): Promise<C> {
    if (this.#closed) throw new Unavailable('The database connection is closed.');
    if (!this.#available) throw this.#away();
    const connection = this.#take(lentFor);
    if (connection) return connection;
    if (this.#waiters.size >= this.#options.waitersMax)
      throw new Unavailable('Too many callers wait for the database.');
    return new Promise<C>((resolve, reject) => {
      const waiter: Waiter<C> = {
        lentFor,
        resolve,
        reject,
        timer: setTimeout(() => {
          this.#waiters.delete(waiter);
          this.#statements.delete(waiter);
          reject(new Unavailable('All database connections are busy.'));
        }, this.#options.waitMsMax),
      };
      this.#waiters.add(waiter);
      if (lentFor === 'statement') this.#statements.add(waiter);
    });
  }

  release(connection: C): void {
    if (connection.dead || this.#closed) {
      this.discard(connection);
      return;
    }
    this.#inTransaction.delete(connection);
    const waiter = this.#next();
    if (waiter) this.#lend(connection, waiter);
    else this.#keep(connection);
  }

  discard(connection: C): void {
    if (!this.#all.delete(connection)) return;
    this.#inTransaction.delete(connection);
    const at = this.#idle.findIndex((idle) => idle.connection === connection);
    if (at >= 0) this.#idle.splice(at, 1);
    connection.close();
    if (!this.#available || this.#closed) return;
    const waiter = this.#next();
    if (waiter) this.#lend(this.#open(), waiter);
  }

  /** Marks the server unavailable, rejects all waiters, and probes with one connection at a time. */
  suspect(why?: unknown): void {
    if (!this.#available || this.#closed) return;
    this.#available = false;
    this.#why = why;
    for (const waiter of this.#waiters) {
      clearTimeout(waiter.timer);
      waiter.reject(this.#away());
    }
    this.#waiters.clear();
    this.#statements.clear();
    this.#options.changed(false);
    this.#probe = setTimeout(() => this.#ask(), 0);
  }

  close(): void {
    this.#closed = true;
    if (this.#probe) clearTimeout(this.#probe);
    this.#asking?.close();
    for (const waiter of this.#waiters) {
      clearTimeout(waiter.timer);
      waiter.reject(new Unavailable('The database connection is closed.'));
    }
    this.#waiters.clear();
    this.#statements.clear();
    for (const connection of [...this.#all]) this.discard(connection);
  }

  #away(): Unavailable {
    const why = this.#why instanceof Error ? this.#why.message : '';
    const message = why ? `The database cannot do this now: ${why}` : 'The database does not answer.';
    return new Unavailable(message, { cause: this.#why });
  }

  #take(lentFor: LentFor): C | undefined {
    if (lentFor === 'transaction' && this.#isFullOfTransactions()) return;
    const connection = this.#spare();
    if (connection && lentFor === 'transaction') this.#inTransaction.add(connection);
    return connection;
  }

  #spare(): C | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.connection.dead) return idle.connection;
      this.discard(idle.connection);
    }
    return this.#all.size < this.#options.sizeMax ? this.#open() : undefined;
  }

  #isFullOfTransactions(): boolean {
    const { sizeMax } = this.#options;
    return this.#inTransaction.size >= sizeMax - Math.floor(sizeMax / SHARE_OF_STATEMENTS);
  }

  #next(): Waiter<C> | undefined {
    const [first] = this.#isFullOfTransactions() ? this.#statements : this.#waiters;
    return first;
  }

  #lend(connection: C, waiter: Waiter<C>): void {
    this.#waiters.delete(waiter);
    this.#statements.delete(waiter);
    clearTimeout(waiter.timer);
    if (waiter.lentFor === 'transaction') this.#inTransaction.add(connection);
    waiter.resolve(connection);
  }

  #keep(connection: C): void {
    const nowMs = performance.now();
    this.#idle.push({ connection, sinceMs: nowMs });
    for (let [first] = this.#idle; first && nowMs - first.sinceMs > IDLE_MS_MAX; [first] = this.#idle)
      this.discard(first.connection);
  }

  #open(): C {
    const connection = this.#options.open();
    this.#all.add(connection);
    return connection;
  }

  async #ask(): Promise<void> {
    const connection = this.#options.open();
    this.#asking = connection;
    const answers = await connection.check().then(
      () => true,
      (problem) => {
        this.#why = problem;
        return false;
      },
    );
    this.#asking = null;
    if (!answers) {
      connection.close();
      if (!this.#closed) this.#probe = setTimeout(() => this.#ask(), this.#options.probeMs);
      return;
    }
    this.#probe = null;
    if (this.#closed) return connection.close();
    // Discards idle connections, which may be dead after an outage.
    for (const { connection: idle } of [...this.#idle]) this.discard(idle);
    this.#available = true;
    this.#options.changed(true);
    if (this.#all.size >= this.#options.sizeMax) return connection.close();
    this.#all.add(connection);
    this.release(connection);
  }
}
