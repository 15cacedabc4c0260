// The rpc handler that lists what holds a variant's units, for the store's staff.

import type { HoldingIntent } from '#proto/gen/agent_directory.ts';
import type { InventoryHoldRpcs, InventoryUnitHold, ListHoldsRequest } from '#proto/gen/inventory.ts';
import { foreignCursor, notFound, Refusal, tenantKey } from '#runtime/call/call.ts';
import { rethrowRetryable } from '#runtime/call/fault.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import type { StockKind } from './actor.ts';
import type { StockCatalogue } from './catalogue.ts';
import type { Hold } from './hold.ts';

const LIMIT_DEFAULT = 20;

const holdOf = ({ id, quantity, until }: Hold, intent: HoldingIntent | undefined): InventoryUnitHold => {
  const isPlaced = (intent?.order_id ?? null) !== null;
  return {
    id,
    quantity,
    type: isPlaced ? 'order' : intent ? 'checkout' : 'request',
    checkout_intent_id: intent?.checkout_intent_id ?? null,
    order_id: intent?.order_id ?? null,
    agent: intent?.agent ?? null,
    created_at: intent?.created_at ?? null,
    expires_at: isPlaced ? null : new Date(until).toISOString(),
  };
};

export const holdListHandlers = (
  kind: StockKind,
  { actors, ask }: Pick<Runtime, 'actors' | 'ask'>,
  catalogue: StockCatalogue,
): Handlers<InventoryHoldRpcs> => {
  const { askOrThrow } = openDomainClient({ ask });
  return {
    ListHolds: read(async (call, { variant_id, limit = LIMIT_DEFAULT, cursor }: ListHoldsRequest) => {
      const { tenant, deadline, trace } = call;
      const variant = variant_id.toLowerCase();
      const scope = JSON.stringify(['holds', tenantKey(tenant), variant]);
      const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
      if (cursor !== undefined && keys === null) return foreignCursor(cursor);
      if (!(await catalogue.levels(call, [variant])).has(variant)) return notFound('variant');
      const after = keys && { until: Number(keys[0]), id: String(keys[1]) };
      const listed = await actors
        .tell(kind, tenant, variant, { type: 'ListHolds', after, limit: limit + 1 }, { commandId: '', deadline, trace })
        .catch(rethrowRetryable);
      if (listed instanceof Refusal) return listed;
      const found = listed.holds ?? [];
      const holds = found.slice(0, limit);
      const { intents } = holds.length
        ? await askOrThrow('AgentDirectory/IntentsOfHolds', call, { hold_ids: holds.map(({ id }) => id) })
        : { intents: [] };
      const intentOf = new Map(intents.map((intent) => [intent.hold_id, intent]));
      const last = found.length > limit ? holds.at(-1)! : null;
      const next = last && encodeCursor(scope, [last.until, last.id]);
      return {
        holds: holds.map((hold) => holdOf(hold, intentOf.get(hold.id))),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),
  };
};
