/** Where every system has a sales channel of its own, to try pushes of sandboxes with. */
export const TRIAL_CHANNEL_PATH = '/sandbox/channel';
