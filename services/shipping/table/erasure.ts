// Deletes the labels of a person's parcels.
import { type ErasureRule, erasure } from '#runtime/domain/personal_data.ts';

export const shippingErasures: readonly ErasureRule[] = [
  erasure('labels', async ({ sql }, { tenant, ids }, limit) => {
    const rows = await sql<{ reference: string }[]>`
      delete from shipping.label where ctid = any(array(
        select ctid from shipping.label
        where store = ${tenant.store} and environment = ${tenant.environment}
          and label ->> 'tracking_number' = any(${ids as string[]}::text[])
        limit ${limit}))
      returning reference`;
    return rows.map(({ reference }) => reference);
  }),
];
