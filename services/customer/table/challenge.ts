// SQL of links and codes that were mailed.

import type { Tenant } from '#runtime/call/call.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type Challenge, type LinkKind, TRIES_MAX } from '#services/customer/challenge.ts';

/** `customer` is null where the address has no account. */
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

/** Whose link this is, while it lives. */
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

/** Whom a challenge was for, and the hash of the address that it was mailed to. */
export interface Addressee {
  readonly customer: string | null;
  readonly account: Uint8Array;
}

/** Takes a living link away and answers whose it was; of many at once one is told. */
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

export interface LivingCode extends Addressee {
  readonly id: string;
  readonly code: Uint8Array;
}

/** The account's code that can still be tried; it is kept from everybody else until the transaction ends. */
export const lockCode = async (
  sql: Sql,
  tenant: Tenant,
  account: Uint8Array,
  now: Date,
): Promise<LivingCode | null> => {
  const [code] = await sql<LivingCode[]>`
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

/** Ends the account's codes: a new one comes, or one was right. */
export const deleteCodes = async (sql: Sql, tenant: Tenant, account: Uint8Array): Promise<void> => {
  await sql`
    delete from customer.challenge
    where store = ${tenant.store} and environment = ${tenant.environment} and account = ${account} and kind = 'otp'`;
};

/** Nothing that was mailed to the customer before is good for anything. */
export const deleteChallenges = async (sql: Sql, tenant: Tenant, customer: string): Promise<void> => {
  await sql`
    delete from customer.challenge
    where store = ${tenant.store} and environment = ${tenant.environment} and customer = ${customer}`;
};

/** Deletes what is over for all (a sandbox's time is never behind the real one); returns how many. */
export const sweepChallenges = (sql: Sql, real: Date): Promise<number> =>
  inSlices(async (limit) => {
    const gone = await sql`
      delete from customer.challenge where ctid = any(array(
        select ctid from customer.challenge where expires_at < ${real} limit ${limit}))`;
    return gone.count;
  });
