// The lease on a sandbox. A call must hold it to advance the sandbox's clock or to reset its data; only one call can.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, Refusal, refuse, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { keyStatesOf } from '#runtime/postgres/idempotency.ts';
import { LEASE_MS, lostLeaseError, shutSandbox } from './shut.ts';
import {
  beginGeneration,
  claim,
  extendLease,
  findOffset,
  isReset,
  release,
  renew,
  saveOffset,
} from './table/sandbox.ts';

const RENEW_MS = 3_000;
const END_RETRY_MS = 250;

const BUSY = refuse('conflict', 'Another call is resetting the sandbox or advancing its clock. Retry after 1 second.', {
  retryAfterS: 1,
});

export interface SandboxLease {
  readonly offsetMs: number;
  isReset(commandId: string): Promise<boolean>;
  /**
   * Blocks all other writers. Resolves once none is left and their events are in the log; throws after the time limit.
   */
  shut(withinMs: number): Promise<void>;
  /**
   * Must be called in the transaction that clears the sandbox, before it deletes rows. Throws if another call has taken
   * the lease.
   */
  beginGeneration(tx: Transaction, commandId: string): Promise<void>;
  extend(tx: Transaction): Promise<void>;
  /**
   * Saves the clock's offset and ends the lease within the given transaction; hosts apply the offset after the commit.
   */
  set(tx: Transaction, offsetMs: number): Promise<void>;
  /** Ends the lease and restores the saved offset. Never throws: an error of Postgres is retried in the background. */
  end(): Promise<void>;
}

export interface LeasedWork<A, T> {
  readonly call: Call;
  /**
   * Computes the target from the sandbox's time in ms, or refuses. Called twice: before the claim, so that a refused
   * call changes nothing, and after it, when the time is final.
   */
  readonly targetAt: (now: number) => A | Refusal;
  readonly work: (lease: SandboxLease, target: A) => Promise<T>;
}

export interface SandboxLeases {
  /**
   * Claims the lease and runs `work`. The transaction that follows ends the lease; an error in `work` ends it at once.
   * Refuses while another call holds the lease, or if the call's idempotency key has a stored answer.
   */
  hold<A, T>(leased: LeasedWork<A, T>): Promise<T | Refusal>;
  /** Returns whether a call on this host holds the lease; this host's clock may then be ahead of the saved one. */
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

  const endLater = async (tenant: Tenant, token: string): Promise<void> => {
    for (const until = performance.now() + LEASE_MS; performance.now() < until; ) {
      await sleep(END_RETRY_MS, undefined, { ref: false });
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
      if (!(await beginGeneration(tx.sql, tenant, token, commandId))) throw lostLeaseError();
    },
    extend: (tx) => extendLease(tx.sql, tenant, token, LEASE_MS),
    async set(tx, offset) {
      if (!(await saveOffset(tx.sql, tenant, token, offset))) throw lostLeaseError();
      tx.afterCommit(() => {
        held.delete(tenantKey(tenant));
        clock.setOffset(tenant, offset);
        notices.publish({ kind: 'clock', tenant });
        notices.publish({ kind: 'sessions', tenant, ids: [] });
      });
    },
    async end() {
      // A reset, or a commit whose outcome is unknown, may have saved another offset.
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

  const isAnswered = async (call: Call): Promise<boolean> => {
    if (!call.idempotency) return false;
    const [state] = await keyStatesOf(sql, [{ call, now: clock.now(call.tenant) }]);
    return state === 'stored';
  };

  return {
    has: (tenant) => held.has(tenantKey(tenant)),
    async hold({ call, targetAt: aimAt, work }) {
      const { tenant } = call;
      const early = aimAt(clock.real() + (await findOffset(sql, tenant)));
      if (early instanceof Refusal) return early;
      const token = randomUUID();
      const offset = await claim(sql, tenant, token, LEASE_MS).catch((problem) => {
        // The claim may have been committed despite the error.
        void endLater(tenant, token);
        throw problem;
      });
      if (offset === null) return BUSY;
      held.add(tenantKey(tenant));
      // Takes the stored offset, because another host may have changed the clock and its notice may still be on the way.
      clock.setOffset(tenant, offset);
      const lease = leaseOf(tenant, token, offset);
      const renewal = setInterval(() => {
        renew(sql, tenant, token, LEASE_MS).catch((problem) =>
          log.debug({ err: problem }, 'failed to renew the lease on a sandbox'),
        );
      }, RENEW_MS);
      renewal.unref();
      try {
        const target = (await isAnswered(call)) ? BUSY : aimAt(clock.now(tenant).getTime());
        if (!(target instanceof Refusal)) return await work(lease, target);
        await lease.end();
        return target;
      } catch (problem) {
        await lease.end();
        throw problem;
      } finally {
        clearInterval(renewal);
      }
    },
  };
};
