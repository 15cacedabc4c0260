// Keeps the clocks of sandboxes as Postgres says: on every host, after every start.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Foundation } from '#runtime/door/foundation.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { patiently } from '#runtime/postgres/patience.ts';
import { claim, findOffsets, release, renew, saveOffset } from './table/clock.ts';

const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
/** How long between two tries to let go. */
const LET_GO_MS = 250;
/** How often to look whether a notice was lost. */
const LOOK_MS = 5_000;

const BUSY = refuse('conflict', 'The sandbox is being reset or its clock moved.', { retryAfterS: 1 });

/** Held by the one call that moves the clock or resets the sandbox. */
export interface Tenure {
  /** Sets the clock for good and lets go: within the caller's transaction, heard everywhere once it is committed. */
  set(tx: Transaction, offsetMs: number): Promise<void>;
  /** Lets go, with the clock as it was. It never fails: what cannot be told to Postgres now is told later. */
  leave(): Promise<void>;
}

export interface ClockKeeper {
  /**
   * The tenure lasts while `work` does, and as much longer as a transaction needs that ends it. A problem of the work's
   * ends it at once.
   */
  hold<T>(tenant: Tenant, work: (tenure: Tenure) => Promise<T>): Promise<T | Refusal>;
  start(): Promise<void>;
  stop(): void;
}

export const openClockKeeper = ({
  postgres,
  clock,
  notices,
  log,
}: Pick<Foundation, 'postgres' | 'clock' | 'notices' | 'log'>): ClockKeeper => {
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

  const tenureOf = (tenant: Tenant, token: string): Tenure => {
    const before = clock.offset(tenant);
    return {
      async set(tx, offsetMs) {
        if (!(await saveOffset(tx.sql, tenant, token, offsetMs))) throw new Error('The sandbox was taken over.');
        tx.afterCommit(() => {
          clock.setOffset(tenant, offsetMs);
          notices.publish({ kind: 'clock', tenant });
          notices.publish({ kind: 'sessions', tenant, ids: [] });
        });
      },
      async leave() {
        clock.setOffset(tenant, before);
        try {
          await release(sql, tenant, token);
          // It was set where a reset came that far.
          await load(tenant);
        } catch (problem) {
          log.warn({ err: problem }, 'a sandbox is not let go yet');
          void letGo(tenant, token);
        }
      },
    };
  };

  return {
    async hold(tenant, work) {
      const token = randomUUID();
      if (!(await claim(sql, tenant, token, LEASE_MS))) return BUSY;
      const tenure = tenureOf(tenant, token);
      const renewal = setInterval(() => {
        renew(sql, tenant, token, LEASE_MS).catch((problem) => log.debug({ err: problem }, 'a tenure is not renewed'));
      }, RENEW_MS);
      renewal.unref();
      try {
        return await work(tenure);
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
