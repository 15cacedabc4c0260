// Writes the mails of staff: invitations, and links that sign in.
import { NO_STORE, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { StaffRole } from '#services/commerce/staff_role.ts';
import { writeMail } from '#services/mail/transaction.ts';

export const INVITATION_MS = 7 * 86_400_000;
export const LINK_MS = 15 * 60_000;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const LOOPBACK = /^http:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])(?::\d+)?(?:\/|$)/;

type Settings = Pick<Runtime['settings'], 'publicUrl' | 'mail'>;

interface Sender {
  readonly id: string;
}

/**
 * Returns the tenant whose mail it is. On a machine of one's own that sends no mail, the sandbox's outbox shows it; anywhere
 * else a test key would open accounts of production.
 */
const mailTenant = (store: string, { publicUrl, mail }: Settings): Tenant => ({
  store,
  environment: mail.production === null && LOOPBACK.test(publicUrl) ? 'sandbox' : 'production',
});

export const invitationLink = ({ publicUrl }: Settings, token: string): string =>
  `${publicUrl}/dashboard/invitation?token=${token}`;

const signInLink = ({ publicUrl }: Settings, token: string): string => `${publicUrl}/dashboard/sign-in?token=${token}`;

export const mailInvitation = async (
  tx: Transaction,
  settings: Settings,
  store: Sender,
  to: string,
  role: StaffRole,
  token: string,
): Promise<void> => {
  const link = invitationLink(settings, token);
  await writeMail(tx, mailTenant(store.id, settings), {
    kind: 'dashboard_invitation',
    data: { link, role, lifetime_days: INVITATION_MS / DAY_MS },
    to,
    cause: null,
    link,
    usefulMs: INVITATION_MS,
  });
};

/** Without a store the same row is written and never sent, so that timing does not reveal whether an account exists. */
export const mailLink = async (
  tx: Transaction,
  settings: Settings,
  store: Sender | null,
  to: string,
  token: string,
): Promise<void> => {
  const link = signInLink(settings, token);
  await writeMail(tx, mailTenant(store?.id ?? NO_STORE, settings), {
    kind: 'dashboard_link',
    data: { link, lifetime_minutes: LINK_MS / MINUTE_MS },
    to,
    cause: null,
    link,
    usefulMs: LINK_MS,
    void: store === null,
  });
};
