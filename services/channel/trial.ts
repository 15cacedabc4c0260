// The system's own channel, which sandboxes may name whatever its address is: that exact URL and no other.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { TRIAL_CHANNEL_PATH } from '#values/trial_channel.ts';

export const isTrialChannel = (
  url: string,
  { environment }: Pick<Tenant, 'environment'>,
  { publicUrl }: Pick<Runtime['settings'], 'publicUrl'>,
): boolean => environment === 'sandbox' && url === `${publicUrl}${TRIAL_CHANNEL_PATH}`;
