// Keeps the clocks of sandboxes as Postgres says: on every host, after every start.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { keyStatesOf } from '#runtime/postgres/idempotency.ts';
import { patiently } from '#runtime/postgres/patience.ts';
import { claim, findOffset, findOffsets, isReset, lock, noteReset, release, renew, saveOffset } from './table/clock.ts';

const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
/** How long between two tries to let go. */
const LET_GO_MS = 250;
/** How often to look whether a notice was lost. */
const LOOK_MS = 5_000;

const BUSY = refuse('conflict', 'The sandbox is being reset or its clock moved.', { retryAfterS: 1 });

const takenOver = (): Error => new Error('The sandbox was taken over.');

/** Held by the one call that moves the clock or resets the sandbox. */
export interface Tenure {
  /** How far the clock was ahead when it began, in ms. */
  readonly offsetMs: number;
  /** Whether this command has reset the sandbox before. */
  isReset(commandId: string): Promise<boolean>;
  /** To be asked first in a transaction: until that is over no other takes the sandbox. Throws where another has. */
  lock(tx: Transaction): Promise<void>;
  /** Within the locked transaction that clears the sandbox: its clock is at the real time, by this command. */
  noteReset(tx: Transaction, commandId: string): Promise<void>;
  /** Sets the clock for good and lets go: within the caller's transaction, heard everywhere once it is committed. */
  set(tx: Transaction, offsetMs: number): Promise<void>;
  /**
   * Lets go where it still holds, with the clock as it is written down. It never fails: what cannot be told to Postgres
   * now is told later.
   */
  leave(): Promise<void>;
}

export interface TenureWish<A, T> {
  readonly call: Call;
  /**
   * What it comes to by the sandbox's time, in ms, or is refused for: asked before the sandbox is claimed, so that a refused
   * call leaves nothing behind, and once more by the time that it then has.
   */
  readonly aim: (now: number) => A | Refusal;
  readonly work: (tenure: Tenure, aim: A) => Promise<T>;
}

export interface ClockKeeper {
  /**
   * The tenure lasts while `work` does, and as much longer as a transaction needs that ends it. A problem of the work's
   * ends it at once. Refused where another has it, or had it last for the same request.
   */
  hold<A, T>(wish: TenureWish<A, T>): Promise<T | Refusal>;
  start(): Promise<void>;
  stop(): void;
}

export const openClockKeeper = ({
  postgres,
  clock,
  notices,
  log,
}: Pick<Runtime, 'postgres' | 'clock' | 'notices' | 'log'>): ClockKeeper => {
  const stops: (() => void)[] = [];
  const { sql } = postgres;

  const load = async (only: Tenant | null): Promise<void> => {
    for (const { store, offset_ms } of await findOffsets(sql, only)) {
      const tenant: Tenant = { store, environment: 'sandbox' };
      if (!clock.stands(tenant) && clock.offset(tenant) !== offset_ms) clock.setOffset(tenant, offset_ms);
    }
  };
  const look = (): void => {
    if (postgres.available) load(null).catch((problem) => log.warn({ err: problem }, 'clocks could not be compared'));
  };

  /** Until it is released, or its lease is over. */
  const letGo = async (tenant: Tenant, token: string): Promise<void> => {
    for (const until = performance.now() + LEASE_MS; performance.now() < until; ) {
      await sleep(LET_GO_MS, undefined, { ref: false });
      const gone = release(sql, tenant, token).then(
        () => true,
        () => false,
      );
      if (await gone) return;
    }
  };

  const tenureOf = (tenant: Tenant, token: string, offsetMs: number): Tenure => ({
    offsetMs,
    isReset: (commandId) => isReset(sql, tenant, commandId),
    async lock(tx) {
      if (!(await lock(tx.sql, tenant, token))) throw takenOver();
    },
    noteReset: (tx, commandId) => noteReset(tx.sql, tenant, token, commandId),
    async set(tx, offset) {
      if (!(await saveOffset(tx.sql, tenant, token, offset))) throw takenOver();
      tx.afterCommit(() => {
        clock.setOffset(tenant, offset);
        notices.publish({ kind: 'clock', tenant });
        notices.publish({ kind: 'sessions', tenant, ids: [] });
      });
    },
    async leave() {
      // Another one is written down where a reset came that far, or a commit did whose end is not known.
      clock.setOffset(tenant, await findOffset(sql, tenant).catch(() => offsetMs));
      try {
        await release(sql, tenant, token);
      } catch (problem) {
        log.warn({ err: problem }, 'a sandbox is not let go yet');
        void letGo(tenant, token);
      }
    },
  });

  /** Whether the sandbox's last holder was this very request. */
  const isAnswered = async (call: Call): Promise<boolean> => {
    if (!call.idempotency) return false;
    const [state] = await keyStatesOf(sql, [{ call, now: clock.now(call.tenant) }]);
    return state === 'stored';
  };

  return {
    async hold({ call, aim: aimAt, work }) {
      const { tenant } = call;
      const early = aimAt(clock.real() + (await findOffset(sql, tenant)));
      if (early instanceof Refusal) return early;
      const token = randomUUID();
      const offset = await claim(sql, tenant, token, LEASE_MS).catch((problem) => {
        // It may have been claimed all the same.
        void letGo(tenant, token);
        throw problem;
      });
      if (offset === null) return BUSY;
      // Moved by another host, maybe, of which this one has not heard yet.
      clock.setOffset(tenant, offset);
      const tenure = tenureOf(tenant, token, offset);
      const renewal = setInterval(() => {
        renew(sql, tenant, token, LEASE_MS).catch((problem) => log.debug({ err: problem }, 'a tenure is not renewed'));
      }, RENEW_MS);
      renewal.unref();
      try {
        const aim = (await isAnswered(call)) ? BUSY : aimAt(clock.now(tenant).getTime());
        if (!(aim instanceof Refusal)) return await work(tenure, aim);
        await tenure.leave();
        return aim;
      } catch (problem) {
        await tenure.leave();
        throw problem;
      } finally {
        clearInterval(renewal);
      }
    },
    async start() {
      await patiently(() => load(null), log);
      const looking = setInterval(look, LOOK_MS);
      looking.unref();
      stops.push(
        () => clearInterval(looking),
        notices.pollWhileDisconnected(look),
        notices.listen(({ kind, tenant }) => {
          if (kind !== 'clock') return;
          load(tenant).catch((problem) => log.warn({ err: problem }, 'a moved clock was not followed'));
        }),
      );
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
};
