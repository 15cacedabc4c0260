// SQL of messages: writes them, lists those of sandboxes, claims due ones for the sender, and deletes old ones.

import type { Environment, Tenant } from '#runtime/call/call.ts';
import { inSlices } from '#runtime/flow/slice.ts';
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

/** Claims due mails until the lease ends, gives up those that have expired, and drops those to suppressed addresses. */
export const claimDueMail = async (
  sql: Sql,
  environments: readonly Environment[],
  now: Date,
  leaseMs: number,
  limit: number,
): Promise<DueMail[]> => {
  await sql`
    update mail.message
    set state = 'given_up', content = case environment when 'sandbox' then content end
    where environment = any(${environments as string[]}) and state in ('due', 'waiting') and due_at <= ${now} and ends_at <= ${now}`;
  await sql`
    update mail.message as message
    set state = 'suppressed', content = case environment when 'sandbox' then content end
    where environment = any(${environments as string[]}) and state in ('due', 'waiting') and due_at <= ${now}
      and exists (
        select from mail.suppression as one
        where one.store = message.store and one.environment = message.environment and one.email = lower(message.recipient)
          and (one.reason <> 'unsubscribed' or message.kind = any(${MARKETING_KINDS as string[]})))`;
  return sql<DueMail[]>`
    update mail.message set attempts = attempts + 1, due_at = ${new Date(now.getTime() + leaseMs)}
    where (store, environment, id) in (
      select store, environment, id from mail.message
      where environment = any(${environments as string[]}) and state in ('due', 'waiting') and due_at <= ${now}
      order by due_at limit ${limit} for update skip locked)
    returning ${columns(sql)}, attempts`;
};

/** Sets the final state. Erases the text of production mails; sandboxes keep it for their outbox page. */
export const finishMail = async (sql: Sql, mail: MailRow, state: 'sent' | 'given_up'): Promise<void> => {
  await sql`
    update mail.message set state = ${state}, content = case environment when 'sandbox' then content end
    where store = ${mail.store} and environment = ${mail.environment} and id = ${mail.id}`;
};

export const postponeMail = async (sql: Sql, mail: MailRow, until: Date): Promise<void> => {
  await sql`
    update mail.message set due_at = ${until}
    where store = ${mail.store} and environment = ${mail.environment} and id = ${mail.id} and state in ('due', 'waiting')`;
};

export const deleteOldMail = (sql: Sql, before: Date): Promise<number> =>
  inSlices(async (limit) => {
    const gone = await sql`
      delete from mail.message where ctid = any(array(
        select ctid from mail.message where due_at < ${before} limit ${limit}))`;
    return gone.count;
  });
