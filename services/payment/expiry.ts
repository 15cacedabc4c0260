// Tells of gift cards that pass their expiry, by the clock of their tenant. That they cannot be spent needs no telling.
import type { Tenant } from '#runtime/call/call.ts';
import type { SharedDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type ExpiringCard, expiringCards, holdCard, setExpiryTold, shownCard } from '#services/ledger/index.ts';

const CARDS_AT_ONCE = 200;

/** Sends `gift_card.expired` for each card that is due; how many. What was spent whole ends unsaid. */
export const tellExpired = async ({ postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>): Promise<number> => {
  const due: ExpiringCard[] = [...(await expiringCards(postgres.sql, new Date(clock.real()), null, CARDS_AT_ONCE))];
  for (const tenant of clock.moved())
    due.push(...(await expiringCards(postgres.sql, clock.now(tenant), tenant, CARDS_AT_ONCE)));
  let told = 0;
  for (const { store, environment, id } of due)
    told += await postgres.transaction((tx) => tell(tx, { store, environment }, id));
  return told;
};

const tell = async (tx: Transaction, tenant: Tenant, id: string): Promise<number> => {
  const card = await holdCard(tx.sql, tenant, id);
  if (card === null || !(await setExpiryTold(tx.sql, tenant, id)) || card.balance === 0) return 0;
  const object = { ...shownCard(tx.seal, tenant, card, tx.clock.now(tenant)) };
  await tx.emit(tenant, [{ type: 'gift_card.expired', object }]);
  return 1;
};

/** The same for a sandbox that travels through time. */
export const cardsDue: SharedDue = {
  list: async (sql, tenant, until, max) => {
    const cards = await expiringCards(sql, new Date(until), tenant, max);
    return cards.map(({ id, expires_at }) => ({ id, at: expires_at.getTime() }));
  },
  fire: async (tx, tenant, { id }) => ({ types: (await tell(tx, tenant, id)) > 0 ? ['gift_card.expired'] : [] }),
};
