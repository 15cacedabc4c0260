// The system's own sales channel, which sandboxes may name whatever its address is: that exact URL and no other.
import type { Tenant } from '#runtime/call/call.ts';
import type { Settings } from '#runtime/process/setting.ts';

/** Where it takes the pushes of sandboxes. */
export const TRIAL_CHANNEL_PATH = '/sandbox/channel';

export const isTrialChannel = (
  url: string,
  { environment }: Pick<Tenant, 'environment'>,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
): boolean => environment === 'sandbox' && url === `${publicUrl}${TRIAL_CHANNEL_PATH}`;
