// SQL of the platforms that started or completed a checkout, and of the endpoints that receive the checkout's order.
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

export interface CheckoutPlatform {
  readonly checkoutIntent: string;
  readonly profile: string;
}

export const insertCheckoutPlatform = async (
  sql: Sql,
  { store, environment }: Tenant,
  { checkoutIntent, profile }: CheckoutPlatform,
  at: Date,
): Promise<void> => {
  await sql`
    insert into webhook.checkout_platform (store, environment, checkout_intent, profile, created_at)
    values (${store}, ${environment}, ${checkoutIntent}, ${profile}, ${at}) on conflict do nothing`;
};

export const isCheckoutPlatform = async (
  sql: Sql,
  { store, environment }: Tenant,
  { checkoutIntent, profile }: CheckoutPlatform,
): Promise<boolean> => {
  const found = await sql`
    select 1 from webhook.checkout_platform
    where store = ${store} and environment = ${environment} and checkout_intent = ${checkoutIntent}
      and profile = ${profile}`;
  return found.length > 0;
};
