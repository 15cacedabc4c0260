// SQL of the keys that sign a store's messages to assistants' platforms.
import type { Environment, Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface SigningKeyRecord {
  readonly kid: string;
  readonly x: string;
  readonly y: string;
  /** The sealed private key, a JWK. */
  readonly secret: Uint8Array;
  readonly created_at: Date;
}

export const keyContext = (store: string, environment: Environment, kid: string): string =>
  `webhook.signing_key/${store}/${environment}/${kid}`;

export const signingKeysOf = (sql: Sql, { store, environment }: Tenant): Promise<SigningKeyRecord[]> =>
  sql<SigningKeyRecord[]>`
    select kid, x, y, secret, created_at from webhook.signing_key
    where store = ${store} and environment = ${environment} order by created_at desc, kid desc`;

export const insertSigningKey = async (
  sql: Sql,
  { store, environment }: Tenant,
  { kid, x, y, secret, created_at }: SigningKeyRecord,
): Promise<void> => {
  await sql`
    insert into webhook.signing_key (store, environment, kid, x, y, secret, created_at)
    values (${store}, ${environment}, ${kid}, ${x}, ${y}, ${secret}, ${created_at})`;
};

export const deleteSigningKeys = async (
  sql: Sql,
  { store, environment }: Tenant,
  kids: readonly string[],
): Promise<void> => {
  await sql`
    delete from webhook.signing_key
    where store = ${store} and environment = ${environment} and kid = any(${kids as string[]}::text[])`;
};
