// Tells of gift cards that pass their expiry, by the clock of their tenant. That they cannot be spent needs no telling.
import type { Tenant } from '#runtime/call.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { type ExpiringCard, expiringCards, holdCard, setExpiryTold, shownCard } from '#services/ledger/index.ts';

const CARDS_AT_ONCE = 200;

/** Sends `gift_card.expired` for each card that is due; how many. What was spent whole ends unsaid. */
export const tellExpired = async ({ postgres, clock }: Pick<Foundation, 'postgres' | 'clock'>): Promise<number> => {
  const due: ExpiringCard[] = [...(await expiringCards(postgres.sql, new Date(clock.real()), null, CARDS_AT_ONCE))];
  for (const tenant of clock.moved())
    due.push(...(await expiringCards(postgres.sql, clock.now(tenant), tenant, CARDS_AT_ONCE)));
  let told = 0;
  for (const { store, environment, id } of due) {
    const tenant: Tenant = { store, environment };
    told += await postgres.transaction(async (tx) => {
      const card = await holdCard(tx.sql, tenant, id);
      if (card === null || !(await setExpiryTold(tx.sql, tenant, id)) || card.balance === 0) return 0;
      const object = { ...shownCard(tx.seal, tenant, card, tx.clock.now(tenant)) };
      await tx.emit(tenant, [{ type: 'gift_card.expired', object }]);
      return 1;
    });
  }
  return told;
};
