// The lease on a sandbox: the one call that has it moves the clock or resets the sandbox.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, Refusal, refuse, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { keyStatesOf } from '#runtime/postgres/idempotency.ts';
import { LEASE_MS, shutSandbox, takenOver } from './shut.ts';
import { beginGeneration, claim, extend, findOffset, isReset, release, renew, saveOffset } from './table/sandbox.ts';

const RENEW_MS = 3_000;
/** Between two tries to end a lease. */
const END_MS = 250;

const BUSY = refuse('conflict', 'The sandbox is being reset or its clock moved.', { retryAfterS: 1 });

/** Held by the one call that moves the clock or resets the sandbox. */
export interface SandboxLease {
  /** How far the clock was ahead when the lease began, in ms. */
  readonly offsetMs: number;
  /** Whether this command has reset the sandbox before. */
  isReset(commandId: string): Promise<boolean>;
  /** Resolves once its holder alone writes for the sandbox and its events are in the log; throws where that takes too long. */
  shut(withinMs: number): Promise<void>;
  /** Within the transaction that clears the sandbox, before anything is cleared. Throws where another took the sandbox. */
  beginGeneration(tx: Transaction, commandId: string): Promise<void>;
  /** The last statement of that transaction. */
  extend(tx: Transaction): Promise<void>;
  /** Writes the clock down and ends the lease within the caller's transaction; every host follows once it is committed. */
  set(tx: Transaction, offsetMs: number): Promise<void>;
  /** Ends the lease, with the clock as it is written down. Never fails: what Postgres refuses now is tried again. */
  end(): Promise<void>;
}

export interface LeasedWork<A, T> {
  readonly call: Call;
  /**
   * What it comes to by the sandbox's time, in ms, or is refused for: asked before the sandbox is claimed, so that a refused
   * call leaves nothing behind, and once more by the time that it then has.
   */
  readonly aim: (now: number) => A | Refusal;
  readonly work: (lease: SandboxLease, aim: A) => Promise<T>;
}

export interface SandboxLeases {
  /**
   * The lease lasts while `work` does, and until the transaction after it has ended it. A fault of the work ends it at once.
   * Refused where another call has the sandbox, or where one of the same key had it last.
   */
  hold<A, T>(leased: LeasedWork<A, T>): Promise<T | Refusal>;
  /** Whether this host has the sandbox: then the clock here may be ahead of what is written down. */
  has(tenant: Tenant): boolean;
}

export const openSandboxLeases = ({
  postgres,
  clock,
  notices,
  log,
}: Pick<Runtime, 'postgres' | 'clock' | 'notices' | 'log'>): SandboxLeases => {
  const held = new Set<TenantKey>();
  const { sql } = postgres;

  /** Tries until Postgres answers, or the lease has ended by itself. */
  const endLater = async (tenant: Tenant, token: string): Promise<void> => {
    for (const until = performance.now() + LEASE_MS; performance.now() < until; ) {
      await sleep(END_MS, undefined, { ref: false });
      const ended = release(sql, tenant, token).then(
        () => true,
        () => false,
      );
      if (await ended) return;
    }
  };

  const leaseOf = (tenant: Tenant, token: string, offsetMs: number): SandboxLease => ({
    offsetMs,
    isReset: (commandId) => isReset(sql, tenant, commandId),
    shut: (withinMs) => shutSandbox(sql, tenant, token, withinMs),
    async beginGeneration(tx, commandId) {
      if (!(await beginGeneration(tx.sql, tenant, token, commandId))) throw takenOver();
    },
    extend: (tx) => extend(tx.sql, tenant, token, LEASE_MS),
    async set(tx, offset) {
      if (!(await saveOffset(tx.sql, tenant, token, offset))) throw takenOver();
      tx.afterCommit(() => {
        held.delete(tenantKey(tenant));
        clock.setOffset(tenant, offset);
        notices.publish({ kind: 'clock', tenant });
        notices.publish({ kind: 'sessions', tenant, ids: [] });
      });
    },
    async end() {
      // A reset, or a commit whose outcome is unknown, may have written another offset.
      clock.setOffset(tenant, await findOffset(sql, tenant).catch(() => offsetMs));
      held.delete(tenantKey(tenant));
      try {
        await release(sql, tenant, token);
      } catch (problem) {
        log.warn({ err: problem }, 'failed to end the lease on a sandbox');
        void endLater(tenant, token);
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
    has: (tenant) => held.has(tenantKey(tenant)),
    async hold({ call, aim: aimAt, work }) {
      const { tenant } = call;
      const early = aimAt(clock.real() + (await findOffset(sql, tenant)));
      if (early instanceof Refusal) return early;
      const token = randomUUID();
      const offset = await claim(sql, tenant, token, LEASE_MS).catch((problem) => {
        // It may have been claimed all the same.
        void endLater(tenant, token);
        throw problem;
      });
      if (offset === null) return BUSY;
      held.add(tenantKey(tenant));
      // Moved by another host, maybe, of which this one has not heard yet.
      clock.setOffset(tenant, offset);
      const lease = leaseOf(tenant, token, offset);
      const renewal = setInterval(() => {
        renew(sql, tenant, token, LEASE_MS).catch((problem) =>
          log.debug({ err: problem }, 'failed to renew the lease on a sandbox'),
        );
      }, RENEW_MS);
      renewal.unref();
      try {
        const aim = (await isAnswered(call)) ? BUSY : aimAt(clock.now(tenant).getTime());
        if (!(aim instanceof Refusal)) return await work(lease, aim);
        await lease.end();
        return aim;
      } catch (problem) {
        await lease.end();
        throw problem;
      } finally {
        clearInterval(renewal);
      }
    },
  };
};
