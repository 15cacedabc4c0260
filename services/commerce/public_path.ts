// Paths of the edge that services write into mails, answers and events: pictures, unsubscription, the built-in test channel.
import type { Tenant } from '#runtime/call/call.ts';
import type { Settings } from '#runtime/process/setting.ts';

/** The page by which the readers of a mail unsubscribe. */
export const UNSUBSCRIBE_PATH = '/mail/unsubscribe';

/** Names the tenant, so that each picture is looked up within its tenant. `:file` is a rendition, such as `800.webp`. */
export const MEDIA_PATH = '/media/:store/:environment/:id';

export const RENDITION_WIDTHS = [320, 800, 1600] as const;

export const mediaUrl = (publicUrl: string, { store, environment }: Tenant, id: string): string =>
  `${publicUrl}/media/${store}/${environment}/${id}`;

export const renditionUrl = (url: string, file: string): string => `${url}/${file}.webp`;

/** The only local address that a sandbox's sales channel may have. */
export const TRIAL_CHANNEL_PATH = '/sandbox/channel';

export const isTrialChannel = (
  url: string,
  { environment }: Pick<Tenant, 'environment'>,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
): boolean => environment === 'sandbox' && url === `${publicUrl}${TRIAL_CHANNEL_PATH}`;
