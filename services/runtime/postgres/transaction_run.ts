// Runs a transaction: begins, commits or rolls back, and repeats once after a conflict.
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { isConnectionFault, isContention, toFault, Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { Transaction } from './database.ts';
import type { OpenTransaction } from './transaction.ts';

const PAUSE_MS_MAX = 50;

export interface TransactionConnection {
  readonly gone: boolean;
  do(text: string): Promise<{ readonly command: string }>;
  kill(why: string): void;
}

export interface TransactionPool<C extends TransactionConnection> {
  acquire(): Promise<C>;
  release(connection: C): void;
  open(connection: C, isOver: () => boolean): OpenTransaction;
}

/** Result of a transaction: if `value` is a refusal, the transaction was rolled back; otherwise it was committed. */
export interface TransactionOutcome<T> {
  readonly value: T;
  readonly tx: OpenTransaction;
}

export type TransactionWork<T> = (tx: Transaction) => Promise<T> | T;

const rollBack = async (connection: TransactionConnection): Promise<void> => {
  if (connection.gone) return;
  try {
    await connection.do('rollback');
  } catch {
    connection.kill('A rollback failed.');
  }
};

const commit = async (connection: TransactionConnection): Promise<void> => {
  // The commit was never sent, so the server has rolled back.
  if (connection.gone) throw new Unavailable('The database connection was lost.');
  let done: { readonly command: string };
  try {
    done = await connection.do('commit');
  } catch (problem) {
    if (isConnectionFault(problem))
      throw new UnknownOutcome('The connection was lost in a commit.', { cause: problem });
    throw problem;
  }
  if (done.command !== 'COMMIT') throw new Error('A statement failed and its transaction went on: rolled back.');
};

const runOnce = async <C extends TransactionConnection, T>(
  pool: TransactionPool<C>,
  run: TransactionWork<T>,
  tenant: Tenant | undefined,
): Promise<TransactionOutcome<T>> => {
  const connection = await pool.acquire();
  let over = false;
  const tx = pool.open(connection, () => over);
  try {
    let value: T;
    try {
      await connection.do('begin');
      if (tenant) await tx.enter(tenant);
      value = await run(tx);
      if (!(value instanceof Refusal)) await tx.conclude();
    } catch (problem) {
      over = true;
      await rollBack(connection);
      throw problem;
    }
    over = true;
    if (value instanceof Refusal) await rollBack(connection);
    else await commit(connection);
    return { value, tx };
  } finally {
    pool.release(connection);
  }
};

export const runTransaction = async <C extends TransactionConnection, T>(
  pool: TransactionPool<C>,
  run: TransactionWork<T>,
  tenant?: Tenant,
): Promise<TransactionOutcome<T>> => {
  for (let tries = 1; ; tries++) {
    try {
      return await runOnce(pool, run, tenant);
    } catch (problem) {
      if (tries > 1 || !isContention(problem)) throw toFault(problem);
      // Pauses for a random time, so that the two transactions do not conflict again.
      await sleep(Math.random() * PAUSE_MS_MAX);
    }
  }
};
