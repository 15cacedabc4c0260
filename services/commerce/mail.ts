// Outgoing mail: the transaction that causes a mail seals and writes it; the mail domain sends it afterwards.
import { randomUUID } from 'node:crypto';
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';

export type MailKind =
  | 'reset_password'
  | 'magic_link'
  | 'otp'
  | 'return_received'
  | 'return_decided'
  | 'credit_offered'
  | 'order_placed'
  | 'dashboard_invitation'
  | 'dashboard_link';

export interface MailContent {
  readonly subject: string;
  readonly text: string;
  /** Link with a secret in its query parameter `token`. */
  readonly link: string | null;
  readonly code: string | null;
  readonly sender: { readonly name: string; readonly replyTo: string | null };
}

export interface Mail extends MailContent {
  readonly kind: MailKind;
  readonly to: string;
  /** Time in ms after which the mail is no longer sent. */
  readonly usefulMs: number;
  /**
   * True for a mail that is written but never sent, so that a request for an unknown address takes as long as for a
   * known one.
   */
  readonly void: boolean;
}

export const mailContext = ({ store, environment }: Tenant, id: string): string => `mail/${store}/${environment}/${id}`;

export const writeMail = async (tx: Transaction, tenant: Tenant, mail: Mail): Promise<void> => {
  const { kind, to, usefulMs, void: isVoid, subject, text, link, code, sender } = mail;
  const id = randomUUID();
  const content: MailContent = { subject, text, link, code, sender };
  const real = tx.clock.real();
  await tx.sql`
    insert into mail.message (store, environment, id, kind, recipient, content, state, due_at, ends_at, created_at)
    values (${tenant.store}, ${tenant.environment}, ${id}, ${kind}, ${to},
      ${tx.seal.close(JSON.stringify(content), mailContext(tenant, id))}, ${isVoid ? 'void' : 'waiting'},
      ${new Date(real)}, ${new Date(real + usefulMs)}, ${tx.clock.now(tenant)})`;
};
