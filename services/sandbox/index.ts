// The sandbox's tools: its clock is moved, its data begins anew.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { openClockKeeper } from './clock_keeper.ts';
import { forgetAll } from './reset.ts';
import { sandboxHandlers } from './rpc.ts';
import { openAbandoned } from './table/reset.ts';

/** How often to look whether a host left a sandbox shut. */
const LOOK_MS = 5_000;

export const sandbox = (runtime: Runtime): Domain => {
  const { notices, postgres, log } = runtime;
  const keeper = openClockKeeper(runtime);
  const stops: (() => void)[] = [];
  return {
    name: 'sandbox',
    services: { Sandbox: sandboxHandlers(runtime, keeper) },
    reset: { tables: { 'sandbox.clock': 'kept', 'sandbox.lease': 'kept' } },
    start: async () => {
      await keeper.start();
      stops.push(
        // Of another host: this one has forgotten before it told.
        notices.listen(({ kind, tenant }) => {
          if (kind === 'reset') void forgetAll(runtime, tenant);
        }),
        repeatedly({
          everyMs: LOOK_MS,
          able: () => postgres.available,
          work: async () => {
            for (const store of await openAbandoned(postgres.sql))
              log.warn({ store }, 'a sandbox is open again whose reset did not end');
          },
          failed: (problem) => log.warn({ err: problem }, 'it is not known whether a sandbox was left shut'),
        }),
      );
    },
    stop: async () => {
      for (const stop of stops.splice(0)) stop();
      keeper.stop();
    },
  };
};
