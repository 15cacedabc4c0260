// Moves a sandbox's clock ahead without performing its due work, like a host that follows another host's advance.
import type { Runtime } from '#runtime/domain/runtime.ts';

/** Stores the offset too, because each host sets its clocks to the stored offsets. */
export const moveSandboxClock = async (
  { postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>,
  store: string,
  offsetMs: number,
): Promise<void> => {
  await postgres.sql`
    insert into runtime.sandbox (store, offset_ms) values (${store}, ${offsetMs})
    on conflict (store, environment) do update set offset_ms = excluded.offset_ms`;
  clock.setOffset({ store, environment: 'sandbox' }, offsetMs);
};
