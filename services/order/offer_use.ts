// Quotes and checkout intents that orders use up, within the order's own transaction: agents promise them in functions of
// their schema.
import type { AgentBuyerInput } from '#proto/gen/agent.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { OrderOrigin } from './origin.ts';

export interface UsedBy {
  readonly order: string;
  readonly origin: Pick<OrderOrigin, 'kind' | 'id' | 'version'>;
}

/** False: one of them was used, cancelled, over or changed before. */
export const takeOffers = async (
  tx: Transaction,
  { store, environment }: Tenant,
  uses: readonly UsedBy[],
): Promise<boolean> => {
  const taken = uses.filter(({ origin: { kind } }) => kind === 'quote' || kind === 'intent');
  if (taken.length === 0) return true;
  const [row] = await tx.sql<{ obstacle: string | null }[]>`
    select agent.take(${store}, ${environment}, ${taken.map(({ origin }) => origin.id!)}::uuid[],
      ${taken.map(({ order }) => order)}::uuid[], ${taken.map(({ origin }) => origin.version)}::integer[],
      ${tx.clock.now({ store, environment })}) as obstacle`;
  return row!.obstacle === null;
};

interface SaidBuyer {
  readonly email?: string | null | undefined;
  readonly buyer?: AgentBuyerInput | null | undefined;
}

/** The intent that an order takes shows who bought, where its payment said so. */
export const nameBuyer = async (
  { sql }: Transaction,
  { store, environment }: Tenant,
  intent: string,
  { email = null, buyer = null }: SaidBuyer,
): Promise<void> => {
  if (email === null && buyer === null) return;
  const whole = buyer && {
    first_name: buyer.first_name ?? null,
    last_name: buyer.last_name ?? null,
    phone: buyer.phone ?? null,
  };
  await sql`select agent.name_buyer(${store}, ${environment}, ${intent}, ${email}, ${whole && JSON.stringify(whole)}::text::json)`;
};
