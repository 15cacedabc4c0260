// The sandbox domain: advances a sandbox's clock and resets its data.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { followClocks } from './clock_follower.ts';
import { openSandboxLeases } from './lease.ts';
import { dropCachedState } from './reset.ts';
import { sandboxHandlers } from './rpc.ts';

export const sandbox = (runtime: Runtime): Domain => {
  const leases = openSandboxLeases(runtime);
  const stops: (() => void)[] = [];
  return {
    name: 'sandbox',
    services: { Sandbox: sandboxHandlers(runtime, leases) },
    start: async () => {
      stops.push(
        await followClocks(runtime, leases),
        // Drops cached data after another host's reset; the host that resets drops its own before it publishes the
        // notice.
        runtime.notices.listen(({ kind, tenant }) => {
          if (kind === 'reset') void dropCachedState(runtime, tenant);
        }),
      );
    },
    stop: async () => {
      for (const stop of stops.splice(0)) stop();
    },
  };
};
