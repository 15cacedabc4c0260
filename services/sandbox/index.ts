// The sandbox's tools: its clock is moved, its data begins anew.
import type { Foundation } from '#runtime/door/foundation.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { openClockKeeper } from './clock_keeper.ts';
import { forgetAll } from './reset.ts';
import { sandboxHandlers } from './rpc.ts';

export const sandbox = (foundation: Foundation): Domain => {
  const keeper = openClockKeeper(foundation);
  let unlisten = (): void => {};
  return {
    name: 'sandbox',
    services: { Sandbox: sandboxHandlers(foundation, keeper) },
    reset: { tables: { 'sandbox.clock': 'kept' } },
    start: async () => {
      await keeper.start();
      // Of another host: this one has forgotten before it told.
      unlisten = foundation.notices.listen(({ kind, tenant }) => {
        if (kind === 'reset') void forgetAll(foundation, tenant);
      });
    },
    stop: async () => {
      unlisten();
      keeper.stop();
    },
  };
};
