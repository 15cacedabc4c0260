// SQL of mailed links and codes, and of the addresses that customers have proved.

import type { Tenant } from '#runtime/call/call.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type Challenge, type LinkKind, TRIES_MAX } from '#services/customer/challenge.ts';
import type { CustomerRecord } from '#services/customer/customer.ts';

type Addressed = Pick<CustomerRecord, 'id' | 'email'>;

/**
 * Records the proof of an address. Locks the proof's row, so that concurrent proofs of one customer run one after the
 * other; to avoid deadlocks only rows of orders may be locked after it.
 */
export const insertProof = async (sql: Sql, tenant: Tenant, { id, email }: Addressed, at: Date): Promise<void> => {
  await sql`
    insert into customer.email_proof as known (store, environment, customer, email, proved_at)
    values (${tenant.store}, ${tenant.environment}, ${id}, ${email}, ${at})
    on conflict (store, environment, customer) do update set email = excluded.email, proved_at = excluded.proved_at
    where known.email <> excluded.email`;
};

export const emailIsProved = async (sql: Sql, tenant: Tenant, { id, email }: Addressed): Promise<boolean> => {
  const found = await sql`
    select 1 from customer.email_proof
    where store = ${tenant.store} and environment = ${tenant.environment} and customer = ${id} and email = ${email}`;
  return found.length > 0;
};

export const insertChallenge = async (
  sql: Sql,
  tenant: Tenant,
  account: Uint8Array,
  customer: string | null,
  { id, kind, hash, code }: Challenge,
  expiresAt: Date,
): Promise<void> => {
  await sql`
    insert into customer.challenge (store, environment, id, kind, customer, account, hash, code, expires_at)
    values (${tenant.store}, ${tenant.environment}, ${id}, ${kind}, ${customer}, ${account}, ${hash}, ${code},
      ${expiresAt})`;
};

export const findLink = async (
  sql: Sql,
  tenant: Tenant,
  kind: LinkKind,
  hash: Uint8Array,
  now: Date,
): Promise<string | null> => {
  const [found] = await sql<{ customer: string | null }[]>`
    select customer from customer.challenge
    where store = ${tenant.store} and environment = ${tenant.environment} and hash = ${hash} and kind = ${kind}
      and expires_at > ${now}`;
  return found?.customer ?? null;
};

export interface Addressee {
  readonly customer: string | null;
  readonly account: Uint8Array;
}

/** Deletes a valid link and returns it; only one of several concurrent callers gets it. */
export const useLink = async (
  sql: Sql,
  tenant: Tenant,
  kind: LinkKind,
  hash: Uint8Array,
  now: Date,
): Promise<Addressee | null> => {
  const [used] = await sql<Addressee[]>`
    delete from customer.challenge
    where store = ${tenant.store} and environment = ${tenant.environment} and hash = ${hash} and kind = ${kind}
      and expires_at > ${now}
    returning customer, account`;
  return used ?? null;
};

export interface ValidCode extends Addressee {
  readonly id: string;
  readonly code: Uint8Array;
}

/** Locks the account's code until the transaction ends, if it has attempts left. */
export const lockCode = async (sql: Sql, tenant: Tenant, account: Uint8Array, now: Date): Promise<ValidCode | null> => {
  const [code] = await sql<ValidCode[]>`
    select id, customer, account, code from customer.challenge
    where store = ${tenant.store} and environment = ${tenant.environment} and account = ${account} and kind = 'otp'
      and expires_at > ${now} and tries < ${TRIES_MAX}
    for update`;
  return code ?? null;
};

export const countTry = async (sql: Sql, tenant: Tenant, id: string): Promise<void> => {
  await sql`
    update customer.challenge set tries = tries + 1
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id}`;
};

export const deleteCodes = async (sql: Sql, tenant: Tenant, account: Uint8Array): Promise<void> => {
  await sql`
    delete from customer.challenge
    where store = ${tenant.store} and environment = ${tenant.environment} and account = ${account} and kind = 'otp'`;
};

export const deleteChallenges = async (sql: Sql, tenant: Tenant, customer: string): Promise<void> => {
  await sql`
    delete from customer.challenge
    where store = ${tenant.store} and environment = ${tenant.environment} and customer = ${customer}`;
};

/** Deletes challenges that have expired by the real clock; no sandbox's clock is behind it. */
export const deleteExpiredChallenges = (sql: Sql, real: Date): Promise<number> =>
  inSlices(async (limit) => {
    const gone = await sql`
      delete from customer.challenge where ctid = any(array(
        select ctid from customer.challenge where expires_at < ${real} limit ${limit}))`;
    return gone.count;
  });
