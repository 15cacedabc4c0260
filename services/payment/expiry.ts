// Publishes `gift_card.expired` for cards past their expiry by the tenant's clock. Whether a card has expired does not
// depend on this job.
import type { Tenant } from '#runtime/call/call.ts';
import type { ListedDue } from '#runtime/domain/due.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { expiringCards, lockCard, markExpiryPublished, shownCard } from '#services/ledger/index.ts';

const publishExpiry = async (tx: Transaction, tenant: Tenant, id: string): Promise<number> => {
  const card = await lockCard(tx.sql, tenant, id);
  if (card === null || !(await markExpiryPublished(tx.sql, tenant, id)) || card.balance === 0) return 0;
  const object = { ...shownCard(tx.seal, tenant, card, tx.clock.now(tenant)) };
  await tx.emit(tenant, [{ type: 'gift_card.expired', object }]);
  return 1;
};

export const cardsDue: ListedDue = {
  name: 'gift cards',
  list: expiringCards,
  fire: async (tx, { tenant, id }) => ({
    types: (await publishExpiry(tx, tenant, id)) > 0 ? ['gift_card.expired'] : [],
  }),
};
