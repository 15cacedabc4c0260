// Mail on its way out: written, sealed, in the transaction that causes it, and sent from there by the mail domain.
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
  | 'order_placed';

/** What is read of a mail by its recipient, and by a developer in the sandbox. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  /** Carries its secret in the query parameter `token`. */
  readonly link: string | null;
  readonly code: string | null;
  /** Whose mail it seems to be, and where answers go. */
  readonly sender: { readonly name: string; readonly replyTo: string | null };
}

export interface Mail extends MailContent {
  readonly kind: MailKind;
  readonly to: string;
  /** How long it is of use; it is not sent after that. */
  readonly usefulMs: number;
  /** Written like any other, but never shown and never sent: for an address that must not be learnt to be unknown. */
  readonly void: boolean;
}

/** Binds sealed content to its row. */
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
