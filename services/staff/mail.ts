// Writes the mails of staff: invitations, and links that sign in.
import { NO_STORE, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type MailContent, type MailKind, writeMail } from '#services/commerce/mail.ts';
import type { StaffRole } from '#services/commerce/staff_role.ts';

export const INVITATION_MS = 7 * 86_400_000;
export const LINK_MS = 15 * 60_000;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const LOOPBACK = /^http:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])(?::\d+)?(?:\/|$)/;

type Settings = Pick<Runtime['settings'], 'publicUrl' | 'mail'>;

/** A store as its mails name it; null for an address without an account. */
interface Sender {
  readonly id: string;
  readonly name: string;
  readonly contact_email: string | null;
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

const content = (sender: Sender | null, subject: string, text: string, link: string): MailContent => ({
  subject,
  text,
  link,
  code: null,
  sender: { name: sender?.name ?? '', replyTo: sender?.contact_email ?? null },
});

export const mailInvitation = async (
  tx: Transaction,
  settings: Settings,
  store: Sender,
  to: string,
  role: StaffRole,
  token: string,
): Promise<void> => {
  const link = invitationLink(settings, token);
  const text = `You are invited to the staff of ${store.name}, with the role ${role}. Open this link to choose a password:\n\n${link}\n\nIt works once, for ${INVITATION_MS / DAY_MS} days. If you do not know ${store.name}, you can ignore this mail.\n`;
  const kind: MailKind = 'dashboard_invitation';
  await writeMail(tx, mailTenant(store.id, settings), {
    ...content(store, `Join the staff of ${store.name}`, text, link),
    kind,
    to,
    usefulMs: INVITATION_MS,
    void: false,
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
  const name = store?.name ?? '';
  const text = `Open this link to sign in to the dashboard of ${name}:\n\n${link}\n\nIt works once, for ${LINK_MS / MINUTE_MS} minutes. If you did not ask for this, you can ignore this mail.\n`;
  await writeMail(tx, mailTenant(store?.id ?? NO_STORE, settings), {
    ...content(store, `Sign in to the dashboard of ${name}`, text, link),
    kind: 'dashboard_link',
    to,
    usefulMs: LINK_MS,
    void: store === null,
  });
};
