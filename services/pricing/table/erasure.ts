// Replaces a person's addresses by which uses of promotions are counted, so that limits per customer still count these uses.
import { type ErasureRule, erasedEmail, erasure } from '#runtime/domain/personal_data.ts';

export const pricingErasures: readonly ErasureRule[] = [
  erasure('uses of promotions', async ({ sql }, { tenant, id, emails }, limit) => {
    const rows = await sql<{ order: string }[]>`
      with gone as (
        delete from pricing.redemption_identity where ctid = any(array(
          select ctid from pricing.redemption_identity
          where store = ${tenant.store} and environment = ${tenant.environment}
            and identity = any(${emails as string[]}::text[])
          limit ${limit}))
        returning store, environment, promotion, "order"
      ), made as (
        insert into pricing.redemption_identity (store, environment, promotion, identity, "order")
        select distinct store, environment, promotion, ${erasedEmail(id)}, "order" from gone on conflict do nothing
      )
      select "order" from gone`;
    return rows.map(({ order }) => order);
  }),
];
