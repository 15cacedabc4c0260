// Records uses of promotions as an order does, without an order.
import { randomUUID } from 'node:crypto';
import { usePromotions } from '#services/pricing/transaction.ts';
import type { Stoa } from '#test/support/stoa.ts';

export const usedBy = (stoa: Stoa, store: string, customer: { id: string; email: string }, ids: readonly string[]) =>
  stoa.services.runtime.postgres.transaction((tx) =>
    usePromotions(
      tx,
      { store, environment: 'production' },
      {
        order: randomUUID(),
        customer: customer.id,
        emails: [customer.email],
        promotions: ids.map((promotion) => ({ promotion, amount: 1 })),
      },
    ),
  );
