// Publishes `gift_card.expired` for cards past their expiry by the tenant's clock. Whether a card has expired does not
// depend on this job.
import type { Tenant } from '#runtime/call/call.ts';
import type { SharedDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type ExpiringCard, expiringCards, lockCard, markExpiryPublished, shownCard } from '#services/ledger/index.ts';

const BATCH_MAX = 200;

/** Returns the number of events published. A card with balance 0 expires without an event. */
export const publishExpiredCards = async ({
  postgres,
  clock,
}: Pick<Runtime, 'postgres' | 'clock'>): Promise<number> => {
  const due: ExpiringCard[] = [...(await expiringCards(postgres.sql, new Date(clock.real()), null, BATCH_MAX))];
  for (const tenant of clock.moved())
    due.push(...(await expiringCards(postgres.sql, clock.now(tenant), tenant, BATCH_MAX)));
  let published = 0;
  for (const { store, environment, id } of due)
    published += await postgres.transaction((tx) => publishExpiry(tx, { store, environment }, id));
  return published;
};

const publishExpiry = async (tx: Transaction, tenant: Tenant, id: string): Promise<number> => {
  const card = await lockCard(tx.sql, tenant, id);
  if (card === null || !(await markExpiryPublished(tx.sql, tenant, id)) || card.balance === 0) return 0;
  const object = { ...shownCard(tx.seal, tenant, card, tx.clock.now(tenant)) };
  await tx.emit(tenant, [{ type: 'gift_card.expired', object }]);
  return 1;
};

export const cardsDue: SharedDue = {
  list: async (sql, tenant, until, max) => {
    const cards = await expiringCards(sql, new Date(until), tenant, max);
    return cards.map(({ id, expires_at }) => ({ id, at: expires_at.getTime() }));
  },
  fire: async (tx, tenant, { id }) => ({
    types: (await publishExpiry(tx, tenant, id)) > 0 ? ['gift_card.expired'] : [],
  }),
};
