// One transaction on one connection: begun, run, committed or rolled back, and once more where two transactions met.
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { asFault, isConnectionFault, isContention, Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { Transaction } from './database.ts';
import type { OpenTransaction } from './transaction.ts';

const PAUSE_MS_MAX = 50;

/** A connection as a transaction needs it. */
export interface Session {
  readonly gone: boolean;
  do(text: string): Promise<{ readonly command: string }>;
  kill(why: string): void;
}

export interface SessionPool<S extends Session> {
  acquire(): Promise<S>;
  release(session: S): void;
  /** The transaction on this connection; its statements are refused once it is over. */
  open(session: S, isOver: () => boolean): OpenTransaction;
}

/** A refusal was rolled back; any other value is committed. */
export interface TransactionOutcome<T> {
  readonly value: T;
  readonly tx: OpenTransaction;
}

export type TransactionWork<T> = (tx: Transaction) => Promise<T> | T;

const rollBack = async (session: Session): Promise<void> => {
  if (session.gone) return;
  try {
    await session.do('rollback');
  } catch {
    session.kill('A rollback failed.');
  }
};

const commit = async (session: Session): Promise<void> => {
  // Nothing was sent yet: the server has rolled back by itself.
  if (session.gone) throw new Unavailable('The database connection was lost.');
  let done: { readonly command: string };
  try {
    done = await session.do('commit');
  } catch (problem) {
    if (isConnectionFault(problem))
      throw new UnknownOutcome('The connection was lost in a commit.', { cause: problem });
    throw problem;
  }
  if (done.command !== 'COMMIT') throw new Error('A statement failed and its transaction went on: rolled back.');
};

const attempt = async <S extends Session, T>(
  sessions: SessionPool<S>,
  run: TransactionWork<T>,
  tenant: Tenant | undefined,
): Promise<TransactionOutcome<T>> => {
  const session = await sessions.acquire();
  let over = false;
  const tx = sessions.open(session, () => over);
  try {
    let value: T;
    try {
      await session.do('begin');
      if (tenant) await tx.enter(tenant);
      value = await run(tx);
      if (!(value instanceof Refusal)) await tx.conclude();
    } catch (problem) {
      over = true;
      await rollBack(session);
      throw problem;
    }
    over = true;
    if (value instanceof Refusal) await rollBack(session);
    else await commit(session);
    return { value, tx };
  } finally {
    sessions.release(session);
  }
};

export const attempted = async <S extends Session, T>(
  sessions: SessionPool<S>,
  run: TransactionWork<T>,
  tenant?: Tenant,
): Promise<TransactionOutcome<T>> => {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(sessions, run, tenant);
    } catch (problem) {
      if (tries > 1 || !isContention(problem)) throw asFault(problem);
      // Both may have lost: in step they would only meet again.
      await sleep(Math.random() * PAUSE_MS_MAX);
    }
  }
};
