// The sandbox domain: advances a sandbox's clock and resets its data.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { openClockFollower } from './clock_follower.ts';
import { openSandboxLeases } from './lease.ts';
import { dropCachedState } from './reset.ts';
import { sandboxHandlers } from './rpc.ts';

export const sandbox = (runtime: Runtime): Domain => {
  const leases = openSandboxLeases(runtime);
  const clocks = openClockFollower(runtime, leases);
  let stop = (): void => {};
  return {
    name: 'sandbox',
    services: { Sandbox: sandboxHandlers(runtime, leases) },
    onNotice: {
      clock: ({ tenant }) => clocks.load(tenant),
      // Drops cached data after another host's reset; the host that resets drops its own before it publishes the notice.
      reset: ({ tenant }) => dropCachedState(runtime, tenant),
    },
    start: async () => {
      stop = await clocks.follow();
    },
    stop: async () => stop(),
  };
};
