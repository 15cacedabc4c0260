// Counts checkouts that began, a moment after the transaction that began them, so that no checkout waits for another's.
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import { lockSums } from './recount.ts';
import { quarterOf } from './sale.ts';
import { takeStartedCheckouts, tenantsWithCheckouts } from './table/started_checkout.ts';
import { addSteps } from './table/sum.ts';

const SWEEP_MS = 500;
const TENANTS_PER_ROUND = 50;
const CHECKOUTS_PER_STEP = 1_000;

const countCheckouts = async ({ postgres }: Pick<Runtime, 'postgres'>): Promise<void> => {
  for (const { store, environment } of await tenantsWithCheckouts(postgres.sql, TENANTS_PER_ROUND)) {
    const tenant = { store, environment };
    await postgres.transaction(async ({ sql }) => {
      const stateOf = await enterSandboxes(sql, [tenant]);
      if (stateOf(tenant).shut) return;
      await lockSums(sql, tenant);
      const started = await takeStartedCheckouts(sql, tenant, CHECKOUTS_PER_STEP);
      await addSteps(
        sql,
        tenant,
        started.map((at) => ({ step: 'checkout', quarter: quarterOf(at.getTime()), count: 1 })),
      );
    });
  }
};

export const startCheckoutCount = (runtime: Runtime): (() => void) => {
  const { postgres, clock, log } = runtime;
  return repeatedly({
    everyMs: SWEEP_MS,
    able: () => postgres.available,
    work: () => countCheckouts(runtime),
    failed: (problem) => log.warn({ err: problem }, 'failed to count started checkouts'),
    resting: { postgres, clock },
  });
};
