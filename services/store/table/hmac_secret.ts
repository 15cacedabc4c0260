// SQL of the HMAC secrets of an environment: the one that signs, and during a rotation the one before.
import type { Environment } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface HmacSecrets {
  readonly hmac_secret: Uint8Array;
  readonly previous_hmac_secret: Uint8Array | null;
  /** Real time until which the previous secret is accepted. */
  readonly previous_hmac_until: Date | null;
}

const select = (sql: Sql, store: string, environment: Environment) => sql`
  select hmac_secret, previous_hmac_secret, previous_hmac_until from store.environment
  where store = ${store} and environment = ${environment}`;

export const findHmacSecrets = async (
  sql: Sql,
  store: string,
  environment: Environment,
): Promise<HmacSecrets | null> => {
  const [found] = await sql<HmacSecrets[]>`${select(sql, store, environment)}`;
  return found ?? null;
};

export const lockHmacSecrets = async (
  sql: Sql,
  store: string,
  environment: Environment,
): Promise<HmacSecrets | null> => {
  const [found] = await sql<HmacSecrets[]>`${select(sql, store, environment)} for no key update`;
  return found ?? null;
};

export const saveHmacSecrets = async (
  sql: Sql,
  store: string,
  environment: Environment,
  { hmac_secret, previous_hmac_secret, previous_hmac_until }: HmacSecrets,
): Promise<void> => {
  await sql`
    update store.environment set hmac_secret = ${hmac_secret}, previous_hmac_secret = ${previous_hmac_secret},
      previous_hmac_until = ${previous_hmac_until}
    where store = ${store} and environment = ${environment}`;
};
