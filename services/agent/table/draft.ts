// SQL of cart drafts.
import type { AgentBuyer } from '#proto/gen/agent.ts';
import type { OrderItemRequest } from '#proto/gen/order.ts';
import type { AddressInput, AgentName } from '#proto/gen/shared.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { IntentOffer } from '#services/agent/offer.ts';

export interface DraftRecord {
  readonly id: string;
  readonly items: readonly OrderItemRequest[];
  readonly email: string | null;
  readonly shipping_address: AddressInput | null;
  readonly billing_address: AddressInput | null;
  readonly promotion_codes: readonly string[];
  readonly converted: boolean;
  readonly intent: string | null;
  readonly cancelled: boolean;
  readonly agent: AgentName | null;
  readonly buyer: AgentBuyer | null;
  readonly offer: IntentOffer | null;
  readonly expires_at: Date;
  readonly created_at: Date;
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

export const saveDraft = async (sql: Sql, { store, environment }: Tenant, draft: DraftRecord): Promise<void> => {
  await sql`
    insert into agent.draft (store, environment, id, items, email, shipping_address, billing_address, promotion_codes,
      converted, intent, cancelled, agent, buyer, offer, expires_at, created_at)
    values (${store}, ${environment}, ${draft.id}, ${JSON.stringify(draft.items)}::text::json, ${draft.email},
      ${json(draft.shipping_address)}::text::json, ${json(draft.billing_address)}::text::json, ${JSON.stringify(draft.promotion_codes)}::text::json,
      ${draft.converted}, ${draft.intent}, ${draft.cancelled}, ${json(draft.agent)}::text::json, ${json(draft.buyer)}::text::json,
      ${json(draft.offer)}::text::json, ${draft.expires_at}, ${draft.created_at})
    on conflict (store, environment, id) do update set items = excluded.items, email = excluded.email,
      shipping_address = excluded.shipping_address, billing_address = excluded.billing_address, promotion_codes = excluded.promotion_codes,
      converted = excluded.converted, intent = excluded.intent,
      cancelled = excluded.cancelled, buyer = excluded.buyer, offer = excluded.offer`;
};

const drafts = (sql: Sql, { store, environment }: Tenant, id: string) => sql`
  select id, items, email, shipping_address, billing_address, promotion_codes, converted, intent, cancelled, agent,
    buyer, offer, expires_at, created_at from agent.draft
  where store = ${store} and environment = ${environment} and id = ${id}`;

export const findDraft = async (sql: Sql, tenant: Tenant, id: string): Promise<DraftRecord | null> => {
  const [row] = await sql<DraftRecord[]>`${drafts(sql, tenant, id)}`;
  return row ?? null;
};

export const holdDraft = async (sql: Sql, tenant: Tenant, id: string): Promise<DraftRecord | null> => {
  const [row] = await sql<DraftRecord[]>`${drafts(sql, tenant, id)} for no key update`;
  return row ?? null;
};
