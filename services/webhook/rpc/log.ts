// Handlers of WebhookLog: merchants read, follow, retry and replay events.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListEventsRequest, ListEventsResponse, WebhookLogRpcs } from '#proto/gen/webhook.ts';
import {
  type Call,
  foreignCursor,
  invalid,
  notFound,
  type Refusal,
  type Tenant,
  tenantKey,
} from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { eventDocuments, isEventType } from '#services/webhook/document.ts';
import { type EventPosition, positionAfter, readPosition, writePosition } from '#services/webhook/position.ts';
import { restartDeliveries, retryDeliveries } from '#services/webhook/table/delivery.ts';
import {
  findEvent,
  followEvents,
  hasEventBefore,
  pageOfEvents,
  positionNow,
  republish,
} from '#services/webhook/table/event.ts';
import { scheduleQueues } from '#services/webhook/table/queue.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';

const LIMIT_DEFAULT = 20;
const PAGE_BYTES_MAX = 2 * 1024 * 1024;
const FOLLOW_NOW = 'now';
const FOLLOW_LOOK_MS = 250;
/** A long poll without events ends this long before the caller's deadline. */
const FOLLOW_MARGIN_MS = 1_000;

export const logHandlers = ({ clock }: Runtime, wake: () => void): Handlers<WebhookLogRpcs> => {
  const list = async (sql: Sql, tenant: Tenant, input: ListEventsRequest): Promise<ListEventsResponse | Refusal> => {
    const { type, cursor, limit = LIMIT_DEFAULT } = input;
    const scope = JSON.stringify(['webhook_events', tenantKey(tenant), type ?? null]);
    const keys = cursor === undefined ? [] : decodeCursor(scope, cursor, ['place']);
    if (keys === null) return foreignCursor(cursor);
    const before = typeof keys[0] === 'number' ? keys[0] : null;
    const events = await pageOfEvents(sql, tenant, { type, before, limit, bytesMax: PAGE_BYTES_MAX });
    const last = events.at(-1);
    const more = last !== undefined && (await hasEventBefore(sql, tenant, { type, sequence: last.sequence }));
    const next = more ? encodeCursor(scope, [last.sequence]) : null;
    return {
      webhook_events: await eventDocuments(sql, tenant, events),
      pagination: { limit, has_more: more, next_cursor: next },
    };
  };

  const follow = async (
    sql: Sql,
    { tenant, deadline, signal }: Call,
    input: ListEventsRequest & { follow: string },
  ): Promise<ListEventsResponse | Refusal> => {
    const { type, limit = LIMIT_DEFAULT, wait_seconds: waitS = 0 } = input;
    const scope = JSON.stringify(['webhook_events.follow', tenantKey(tenant), type ?? null]);
    const answer = async (position: EventPosition, events: Parameters<typeof eventDocuments>[2]) => ({
      webhook_events: await eventDocuments(sql, tenant, events),
      pagination: { limit, has_more: false, next_cursor: null },
      position: writePosition(scope, position),
    });
    if (input.follow === FOLLOW_NOW) return answer(await positionNow(sql), []);
    const after = readPosition(scope, input.follow);
    if (after === null) return invalid('follow', 'The position belongs to another list. Start again with follow=now.');
    const until = Math.min(clock.real() + waitS * 1_000, deadline - FOLLOW_MARGIN_MS);
    const startedAt = performance.now();
    const waitMs = until - clock.real();
    for (;;) {
      const events = await followEvents(sql, tenant, after, { type, limit, bytesMax: PAGE_BYTES_MAX });
      const last = events.at(-1);
      if (last) return answer(positionAfter(last, after), events);
      if (signal.aborted || performance.now() - startedAt >= waitMs) return answer(after, []);
      await sleep(FOLLOW_LOOK_MS);
    }
  };

  return {
    ListEvents: query((sql, call, input) => {
      if (input.type !== undefined && !isEventType(input.type))
        return invalid('type', `The event type ${input.type} does not exist. Use one of the documented types.`);
      if (input.follow === undefined) return list(sql, call.tenant, input);
      if (input.cursor !== undefined) return invalid('cursor', 'Send either `cursor` or `follow`, not both.');
      return follow(sql, call, { ...input, follow: input.follow });
    }),

    GetEvent: query(async (sql, { tenant }, { id }) => {
      const found = await findEvent(sql, tenant, id);
      if (found === null) return notFound('event');
      return { webhook_event: (await eventDocuments(sql, tenant, [found]))[0]! };
    }),

    RetryEvent: transaction(async (tx, { tenant }, { id }) => {
      const found = await findEvent(tx.sql, tenant, id);
      if (found === null) return notFound('event');
      const dueQueues = await retryDeliveries(tx.sql, tenant, id, tx.clock.now(tenant));
      await scheduleQueues(tx.sql, dueQueues);
      await republish(tx.sql, tenant, id);
      tx.afterCommit(wake);
      return { webhook_event: (await eventDocuments(tx.sql, tenant, [found]))[0]! };
    }),

    ReplayEvent: transaction(async (tx, { tenant }, { event_id: id }) => {
      const found = await findEvent(tx.sql, tenant, id);
      if (found === null) return notFound('event', 'event_id');
      const dueQueues = await restartDeliveries(tx.sql, { ...tenant, ...found, at: tx.clock.now(tenant) });
      await scheduleQueues(tx.sql, dueQueues);
      await republish(tx.sql, tenant, id);
      tx.afterCommit(wake);
      return { replayed: dueQueues.length };
    }),
  };
};
