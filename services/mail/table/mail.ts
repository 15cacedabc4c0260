// SQL of mails: lists those of sandboxes, claims due ones for the sender, and deletes old ones.

import type { Environment, Tenant } from '#runtime/call/call.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { MailKind } from '#services/commerce/mail.ts';

export interface MailRow {
  readonly store: string;
  readonly environment: Environment;
  readonly id: string;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly content: Uint8Array;
  readonly created_at: Date;
}

export interface DueMail extends MailRow {
  readonly attempts: number;
}

const columns = (sql: Sql) => sql`store, environment, id, kind, recipient, content, created_at`;

export const newestMail = (sql: Sql, { store, environment }: Tenant, recipient: string | null, limit: number) => sql<
  MailRow[]
>`
  select ${columns(sql)} from mail.message
  where store = ${store} and environment = ${environment} and state <> 'void' and content is not null
    and (${recipient}::text is null or lower(recipient) = lower(${recipient}))
  order by sequence desc limit ${limit}`;

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
    where environment = any(${environments as string[]}) and state = 'waiting' and due_at <= ${now} and ends_at <= ${now}`;
  return sql<DueMail[]>`
    update mail.message set attempts = attempts + 1, due_at = ${new Date(now.getTime() + leaseMs)}
    where (store, environment, id) in (
      select store, environment, id from mail.message
      where environment = any(${environments as string[]}) and state = 'waiting' and due_at <= ${now}
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
    where store = ${mail.store} and environment = ${mail.environment} and id = ${mail.id} and state = 'waiting'`;
};

export const deleteOldMail = (sql: Sql, before: Date): Promise<number> =>
  inSlices(async (limit) => {
    const gone = await sql`
      delete from mail.message where ctid = any(array(
        select ctid from mail.message where due_at < ${before} limit ${limit}))`;
    return gone.count;
  });
