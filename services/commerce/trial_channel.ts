// The URL of the sales channel for trials, which sandboxes may name although its address is local.
import type { Tenant } from '#runtime/call/call.ts';
import type { Settings } from '#runtime/process/setting.ts';

export const TRIAL_CHANNEL_PATH = '/sandbox/channel';

export const isTrialChannel = (
  url: string,
  { environment }: Pick<Tenant, 'environment'>,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
): boolean => environment === 'sandbox' && url === `${publicUrl}${TRIAL_CHANNEL_PATH}`;
