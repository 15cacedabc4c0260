// SQL of checkouts whose orders assistants' platforms hear of.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export const insertFollowed = async (
  sql: Sql,
  { store, environment }: Tenant,
  { checkoutIntent, endpoint, at }: { readonly checkoutIntent: string; readonly endpoint: string; readonly at: Date },
): Promise<void> => {
  await sql`
    insert into webhook.followed_checkout (store, environment, checkout_intent, endpoint, created_at)
    values (${store}, ${environment}, ${checkoutIntent}, ${endpoint}, ${at}) on conflict do nothing`;
};
