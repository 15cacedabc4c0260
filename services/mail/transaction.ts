// Writes mails in the transaction that causes them; the mail domain renders and sends them afterwards. Other domains import
// this module.
import { randomUUID } from 'node:crypto';
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { KINDS, type MailDataOf, type MailKind } from './kind.ts';
import { type NewMail, writeMessage } from './table/message.ts';

interface MailOf<K extends MailKind> {
  readonly kind: K;
  readonly data: MailDataOf[K];
  readonly to: string;
  /**
   * Names the mail's cause within its kind, such as an order's id: one cause sends at most one mail. Null: each call
   * writes a mail.
   */
  readonly cause: string | null;
  /** Link with a secret in its query parameter `token`, for the sandbox's outbox; null where there is none. */
  readonly link?: string | null;
  readonly code?: string | null;
  /** BCP 47 tag of the reader's language; absent: the store's. */
  readonly language?: string | null;
  /** Time in ms after which the mail is no longer sent. */
  readonly usefulMs?: number;
  /**
   * True for a mail that is written but never sent, so that a request for an unknown address takes as long as for a
   * known one.
   */
  readonly void?: boolean;
}

export type Mail = { readonly [K in MailKind]: MailOf<K> }[MailKind];

/** The sealed content of a message. */
export interface MailContent {
  readonly data: object;
  readonly link: string | null;
  readonly code: string | null;
  readonly language: string | null;
}

export const mailContext = ({ store, environment }: Tenant, id: string): string => `mail/${store}/${environment}/${id}`;

const USEFUL_MS = 7 * 86_400_000;

/**
 * Writes nothing if the store disabled the kind, or if the cause already has its mail. A suppressed address gets a row that
 * is never sent.
 */
export const writeMail = async (tx: Transaction, tenant: Tenant, mail: Mail): Promise<void> => {
  const { kind, to, cause, data, link = null, code = null, language = null } = mail;
  const id = cause === null ? randomUUID() : derivedId('mail', tenant.store, tenant.environment, kind, cause);
  const content: MailContent = { data, link, code, language };
  const real = tx.clock.real();
  const row: NewMail = {
    id,
    kind,
    recipient: to,
    content: tx.seal.close(JSON.stringify(content), mailContext(tenant, id)),
    isVoid: mail.void ?? false,
    dueAt: new Date(real),
    endsAt: new Date(real + (mail.usefulMs ?? USEFUL_MS)),
    createdAt: tx.clock.now(tenant),
  };
  await writeMessage(tx.sql, tenant, row, KINDS[kind]);
};
