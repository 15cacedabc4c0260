// The trial balance: checks that postings sum to zero, account balances equal their entries and lie within bounds.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface TrialBalance {
  readonly tenant: Tenant;
  readonly currency: string;
  readonly postings: number;
  readonly entries: number;
  /** Sum of all entries; zero if the ledger is correct. */
  readonly sum: number;
  readonly turnover: number;
  /**
   * Numbers of postings whose entries do not sum to zero, and of accounts whose balance differs from the sum of their
   * entries.
   */
  readonly uneven: number;
  readonly astray: number;
  readonly accounts: Readonly<Record<string, number>>;
}

export const isBalanced = ({ sum, uneven, astray }: TrialBalance): boolean => sum === 0 && uneven === 0 && astray === 0;

export const trialBalance = async (sql: Sql, tenant: Tenant): Promise<readonly TrialBalance[]> => {
  const { store, environment } = tenant;
  const rows = await sql<Omit<TrialBalance, 'tenant'>[]>`
    with entry as (
      select kind, subject, currency, posting, amount from ledger.entry
      where store = ${store} and environment = ${environment}
    ), uneven as (
      select currency, count(*) as postings, count(*) filter (where sum <> 0) as uneven
      from (select currency, posting, sum(amount) as sum from entry group by currency, posting) as each
      group by currency
    ), held as (
      select kind, subject, currency, sum(amount) as amount from entry group by kind, subject, currency
    ), astray as (
      select coalesce(a.currency, h.currency) as currency, count(*) as astray
      from (select * from ledger.account where store = ${store} and environment = ${environment}) a
      full join (select * from held where kind not in (
        'gift_card_issue', 'store_credit_issue', 'gift_card_exchange', 'store_credit_exchange', 'exchange'
      )) h
        using (kind, subject, currency)
      where coalesce(a.balance, 0) <> coalesce(h.amount, 0)
      group by 1
    ), kinds as (
      select currency, jsonb_object_agg(kind, amount) as accounts
      from (select currency, kind, sum(amount) as amount from held group by currency, kind) as each group by currency
    )
    select e.currency, u.postings::int as postings, count(*)::int as entries, sum(e.amount)::bigint as sum,
      sum(greatest(e.amount, 0))::bigint as turnover, u.uneven::int as uneven,
      coalesce((select a.astray from astray a where a.currency = e.currency), 0)::int as astray, k.accounts
    from entry e join uneven u using (currency) join kinds k using (currency)
    group by e.currency, u.postings, u.uneven, k.accounts order by e.currency`;
  return rows.map((row) => ({ ...row, tenant }));
};

export const ledgerTenants = (sql: Sql, store: string | null): Promise<readonly Tenant[]> => sql<Tenant[]>`
  with recursive tenant as (
    (select store, environment from ledger.posting
      where ${store === null ? sql`true` : sql`store = ${store}`} order by store, environment limit 1)
    union all
    select next.store, next.environment from tenant,
      lateral (select p.store, p.environment from ledger.posting p
        where (p.store, p.environment) > (tenant.store, tenant.environment)
          and ${store === null ? sql`true` : sql`p.store = ${store}`}
        order by p.store, p.environment limit 1) as next
  )
  select store, environment from tenant`;
