// Postings: each moves value between accounts in the caller's transaction, once per reference.
import { randomUUIDv7 } from 'bun';
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Account, LedgerMove } from './account.ts';

export interface Posting {
  readonly kind: string;
  /** Unique in a tenant, for example `payment/<id>`. */
  readonly reference: string;
  readonly currency: string;
  readonly moves: readonly LedgerMove[];
  readonly order?: string | undefined;
  readonly reason?: string | undefined;
}

type Entry = Account & { readonly currency: string; amount: number };

const entriesOf = (moves: readonly LedgerMove[], posted: string): Entry[] => {
  const entries = new Map<string, Entry>();
  const add = ({ kind, subject }: Account, currency: string, amount: number): void => {
    const key = `${kind}/${subject}/${currency}`;
    const entry = entries.get(key) ?? { kind, subject, currency, amount: 0 };
    entry.amount += amount;
    entries.set(key, entry);
  };
  for (const { from, to, amount, currency = posted } of moves) {
    if (!Number.isSafeInteger(amount) || amount <= 0) throw new RangeError(`no amount to post: ${amount}`);
    add(from, currency, -amount);
    add(to, currency, amount);
  }
  return [...entries.values()].filter((entry) => entry.amount !== 0);
};

/** Posts the moves and returns the posting's id. Returns null and writes nothing if the reference was posted before. */
export const post = async (tx: Transaction, tenant: Tenant, posting: Posting): Promise<string | null> => {
  const { store, environment } = tenant;
  const entries = entriesOf(posting.moves, posting.currency);
  if (entries.length === 0) throw new RangeError('a posting moves something');
  const id = randomUUIDv7();
  const [written] = await tx.sql<{ made: boolean }[]>`
    with posted as (
      insert into ledger.posting (store, environment, id, kind, reference, order_id, currency, reason, created_at)
      values (${store}, ${environment}, ${id}, ${posting.kind}, ${posting.reference}, ${posting.order ?? null},
        ${posting.currency}, ${posting.reason ?? null}, ${tx.clock.now(tenant)})
      on conflict (store, environment, reference) do nothing
      returning id
    ), entered as (
      insert into ledger.entry (store, environment, kind, subject, currency, posting, amount)
      select ${store}, ${environment}, kind, subject, currency, posted.id, amount
      from posted, unnest(${entries.map(({ kind }) => kind)}::text[], ${entries.map(({ subject }) => subject)}::uuid[],
        ${entries.map(({ currency }) => currency)}::text[], ${entries.map(({ amount }) => amount)}::bigint[]
      ) as entry (kind, subject, currency, amount)
    )
    select exists (select from posted) as made`;
  return written!.made ? id : null;
};

export const balanceOf = async (sql: Sql, tenant: Tenant, account: Account, currency: string): Promise<number> => {
  const [row] = await sql<{ balance: number }[]>`
    select balance from ledger.account
    where store = ${tenant.store} and environment = ${tenant.environment} and kind = ${account.kind}
      and subject = ${account.subject} and currency = ${currency}`;
  return row?.balance ?? 0;
};

export const lockBalance = async (
  tx: Transaction,
  tenant: Tenant,
  account: Account,
  currency: string,
): Promise<number> => {
  const [row] = await tx.sql<{ balance: number }[]>`
    select balance from ledger.account
    where store = ${tenant.store} and environment = ${tenant.environment} and kind = ${account.kind}
      and subject = ${account.subject} and currency = ${currency}
    for no key update`;
  return row?.balance ?? 0;
};

export interface Movement {
  readonly id: string;
  readonly amount: number;
  readonly reason: string | null;
  readonly order_id: string | null;
  readonly created_at: Date;
}

export const movementsOf = (
  sql: Sql,
  tenant: Tenant,
  account: Account,
  currency: string,
  limit: number,
): Promise<readonly Movement[]> => sql<Movement[]>`
  select p.id, e.amount, p.reason, p.order_id, p.created_at
  from ledger.entry e
  join ledger.posting p on p.store = e.store and p.environment = e.environment and p.id = e.posting
  where e.store = ${tenant.store} and e.environment = ${tenant.environment} and e.kind = ${account.kind}
    and e.subject = ${account.subject} and e.currency = ${currency}
  order by e.posting desc limit ${limit}`;
