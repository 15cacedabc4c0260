// Replaces the digest of a person's address that stands for a buyer without an account.
import { type ErasureRule, erasedEmail, erasure } from '#runtime/domain/personal_data.ts';
import { buyerOf } from '#services/report/recount.ts';

export const reportErasures: readonly ErasureRule[] = [
  erasure('buyers in reports', async ({ sql }, { tenant, id, emails }, limit) => {
    const digests = emails.map((email) => buyerOf(tenant, { customer_id: null, email }));
    const replacement = buyerOf(tenant, { customer_id: null, email: erasedEmail(id) });
    const rows = await sql<{ order_id: string }[]>`
      update report.counted set buyer = ${replacement}
      where ctid = any(array(
        select ctid from report.counted
        where store = ${tenant.store} and environment = ${tenant.environment} and buyer = any(${digests}::text[])
        limit ${limit}))
      returning order_id`;
    return rows.map(({ order_id }) => order_id);
  }),
];
