// Counts the orders from before the reports, once.
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import { ordersAfter } from '#services/order/transaction.ts';
import { lockSums, recount } from './recount.ts';
import { saveBackfill, takeBackfill } from './table/progress.ts';

const ORDERS_PER_STEP = 200;
const PAUSE_MS = 20;
const RETRY_MS = 1_000;

const countNext = async (tx: Transaction): Promise<boolean> => {
  const progress = await takeBackfill(tx.sql);
  if (progress === null || progress.finished) return false;
  const next = await ordersAfter(tx.sql, progress, ORDERS_PER_STEP);
  const last = next.at(-1);
  const first = next[0];
  if (!first || !last) {
    await saveBackfill(tx.sql, { ...progress, finished: true });
    return false;
  }
  const own = next.filter(({ store, environment }) => store === first.store && environment === first.environment);
  const tenant = { store: first.store, environment: first.environment };
  const stateOf = await enterSandboxes(tx.sql, [tenant]);
  // A sandbox that is being reset loses its orders.
  if (!stateOf(tenant).shut) {
    await lockSums(tx.sql, tenant);
    await recount(
      tx.sql,
      tenant,
      own.map(({ id }) => id),
    );
  }
  await saveBackfill(tx.sql, { ...own.at(-1)!, finished: false });
  return true;
};

export const startBackfill = ({ postgres, log }: Runtime): (() => Promise<void>) => {
  let stopped = false;
  const running = (async () => {
    for (let more = true; more && !stopped; ) {
      try {
        more = await postgres.transaction(countNext);
        if (more) await Bun.sleep(PAUSE_MS);
      } catch (problem) {
        log.warn({ err: problem }, 'failed to count earlier orders, will retry');
        await Bun.sleep(RETRY_MS);
      }
    }
  })();
  return async () => {
    stopped = true;
    await running;
  };
};
