// URL of the built-in test channel, the only local address that a sandbox's sales channel may have.
import type { Tenant } from '#runtime/call/call.ts';
import type { Settings } from '#runtime/process/setting.ts';

export const TRIAL_CHANNEL_PATH = '/sandbox/channel';

export const isTrialChannel = (
  url: string,
  { environment }: Pick<Tenant, 'environment'>,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
): boolean => environment === 'sandbox' && url === `${publicUrl}${TRIAL_CHANNEL_PATH}`;
