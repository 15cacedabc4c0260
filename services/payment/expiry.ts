// Tells of gift cards that pass their expiry, by the clock of their tenant. That they cannot be spent needs no telling.
import type { Tenant } from '#runtime/call.ts';
import { type Due, oneByOne } from '#runtime/due.ts';
import type { Foundation } from '#runtime/foundation.ts';
import type { Postgres } from '#runtime/postgres.ts';
import { type ExpiringCard, expiringCards, holdCard, setExpiryTold, shownCard } from '#services/ledger/index.ts';

const CARDS_AT_ONCE = 200;

/** Sends `gift_card.expired` for each card that is due; how many. What was spent whole ends unsaid. */
export const tellExpired = async ({ postgres, clock }: Pick<Foundation, 'postgres' | 'clock'>): Promise<number> => {
  const due: ExpiringCard[] = [...(await expiringCards(postgres.sql, new Date(clock.real()), null, CARDS_AT_ONCE))];
  for (const tenant of clock.moved())
    due.push(...(await expiringCards(postgres.sql, clock.now(tenant), tenant, CARDS_AT_ONCE)));
  let told = 0;
  for (const { store, environment, id } of due) told += await tell(postgres, { store, environment }, id);
  return told;
};

const tell = (postgres: Postgres, tenant: Tenant, id: string): Promise<number> =>
  postgres.transaction(async (tx) => {
    const card = await holdCard(tx.sql, tenant, id);
    if (card === null || !(await setExpiryTold(tx.sql, tenant, id)) || card.balance === 0) return 0;
    const object = { ...shownCard(tx.seal, tenant, card, tx.clock.now(tenant)) };
    await tx.emit(tenant, [{ type: 'gift_card.expired', object }]);
    return 1;
  });

/** The same for a sandbox that travels through time. */
export const cardsDue = ({ postgres, clock }: Pick<Foundation, 'postgres' | 'clock'>): Due =>
  oneByOne(clock, {
    first: async (tenant, { target }) => {
      const [card] = await expiringCards(postgres.sql, new Date(target), tenant, 1);
      return card ? { id: card.id, at: card.expires_at.getTime() } : null;
    },
    fire: async (tenant, { id }) => ((await tell(postgres, tenant, id)) > 0 ? ['gift_card.expired'] : []),
  });
