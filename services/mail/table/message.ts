// SQL of messages: writes them, lists those of sandboxes, names those to send, and deletes old ones.

import type { Environment, Tenant } from '#runtime/call/call.ts';
import type { JobTable } from '#runtime/job/job.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { KINDS, MAIL_KINDS, type MailGroup, type MailKind } from '#services/mail/kind.ts';
import { isSuppressed } from './suppression.ts';

export interface MailRow {
  readonly store: string;
  readonly environment: Environment;
  readonly id: string;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly content: Uint8Array;
  readonly created_at: Date;
}

const MARKETING_KINDS = MAIL_KINDS.filter((kind) => KINDS[kind].group === 'marketing');

export interface DueMail extends MailRow {
  readonly attempts: number;
  readonly ends_at: Date;
  /** Whether the address was suppressed after the mail was written. */
  readonly suppressed: boolean;
}

export interface NewMail {
  readonly id: string;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly content: Uint8Array;
  readonly isVoid: boolean;
  readonly dueAt: Date;
  readonly endsAt: Date;
  readonly createdAt: Date;
}

export interface WriteRule {
  readonly group: MailGroup;
  readonly enabledByDefault: boolean;
}

/** Writes the message, unless its kind is disabled or it exists. */
export const writeMessage = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, kind, recipient, content, isVoid, dueAt, endsAt, createdAt }: NewMail,
  { group, enabledByDefault }: WriteRule,
): Promise<void> => {
  await sql`
    insert into mail.message (store, environment, id, kind, recipient, content, state, due_at, ends_at, created_at)
    select ${store}, ${environment}, ${id}, ${kind}, ${recipient}, ${content},
      case when ${isVoid}::boolean then 'void'
        when ${isSuppressed(sql, { store, environment }, sql`${recipient}`, group === 'marketing')} then 'suppressed'
        else 'due' end,
      ${dueAt}, ${endsAt}, ${createdAt}
    where coalesce(
      (select enabled from mail.setting where store = ${store} and environment = ${environment} and kind = ${kind}),
      ${enabledByDefault})
    on conflict do nothing`;
};

const columns = (sql: Sql) => sql`store, environment, id, kind, recipient, content, created_at`;

export const newestMail = (sql: Sql, { store, environment }: Tenant, recipient: string | null, limit: number) => sql<
  MailRow[]
>`
  select ${columns(sql)} from mail.message
  where store = ${store} and environment = ${environment} and state not in ('void', 'suppressed') and content is not null
    and (${recipient}::text is null or lower(recipient) = lower(${recipient}))
  order by sequence desc limit ${limit}`;

export const mailJobs = (environments: readonly Environment[]): JobTable => ({
  table: 'mail.message',
  due: 'due_at',
  lease: 'due_at',
  only: (sql) => sql`job.environment = any(${environments as string[]}) and job.state = 'due'`,
  claimed: (sql) => sql`attempts = job.attempts + 1`,
  columns: (sql) => sql`${columns(sql)}, attempts, ends_at, exists (
    select from mail.suppression as one
    where one.store = job.store and one.environment = job.environment and one.email = lower(job.recipient)
      and (one.reason <> 'unsubscribed' or job.kind = any(${MARKETING_KINDS as string[]}))) as suppressed`,
});

/** Sets the final state. Erases the text of production mails; sandboxes keep it for their outbox page. */
export const finishMail = async (sql: Sql, mail: MailRow, state: 'sent' | 'given_up' | 'suppressed'): Promise<void> => {
  await sql`
    update mail.message set state = ${state}, content = case environment when 'sandbox' then content end
    where store = ${mail.store} and environment = ${mail.environment} and id = ${mail.id}`;
};

export const deleteOldMail = async (sql: Sql, before: Date, limit: number, store: string | null): Promise<number> => {
  const gone = await sql`
    delete from mail.message where ctid = any(array(
      select ctid from mail.message
      where due_at < ${before} ${store === null ? sql`` : sql`and store = ${store}`} limit ${limit}))`;
  return gone.count;
};
