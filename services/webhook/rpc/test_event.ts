// Sends an example event to an endpoint, once, without logging it.
import type { EventType } from '#proto/gen/event_map.ts';
import type { TestEndpointResponse } from '#proto/gen/webhook.ts';
import { type Call, notFound, type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { eventId } from '#runtime/event/event.ts';
import { attempt, type Sender } from '#services/webhook/attempt.ts';
import { exampleObject, isEventType } from '#services/webhook/document.ts';
import { findEndpoint } from '#services/webhook/table/endpoint.ts';

/** The attempt must end before the caller's deadline. */
const ATTEMPT_MS_MAX = 8_000;
const MARGIN_MS = 1_000;
const TYPE_DEFAULT = 'order.created';

export interface TrialRequest {
  readonly id: string;
  readonly event_type?: string;
}

const isOfOrder = (type: string): boolean => type.startsWith('order.');

const exampleOf = (tenant: Tenant, type: EventType, now: Date): { id: string; payload: string } => {
  const id = eventId(now.getTime());
  const envelope = {
    id,
    type,
    created_at: now.toISOString(),
    store_id: tenant.store,
    api_version: 'v1',
    data: { object: exampleObject(type) },
    sequence: 0,
  };
  return { id, payload: JSON.stringify(envelope) };
};

const wrongType = (message: string): Refusal => refuse('invalid_request', message, { param: 'event_type' });

export const openTrial =
  ({ postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>, sender: Sender) =>
  async (call: Call, { id, event_type: type }: TrialRequest): Promise<TestEndpointResponse | Refusal> => {
    const { tenant } = call;
    if (type !== undefined && !isEventType(type))
      return wrongType(`The event type ${type} does not exist. Use one of the documented types.`);
    const found = await findEndpoint(postgres.sql, tenant, id.toLowerCase());
    if (found === null) return notFound('webhook endpoint');
    const now = clock.now(tenant);
    const subscribed = found.events.filter(isEventType).filter((each) => found.format === 'stoa' || isOfOrder(each));
    if (type !== undefined && found.format !== 'stoa' && !isOfOrder(type))
      return wrongType(`This endpoint receives events of orders only, not ${type}. Use a type that starts with order.`);
    const message = exampleOf(tenant, type ?? subscribed[0] ?? TYPE_DEFAULT, now);
    const timeoutMs = Math.max(1, Math.min(ATTEMPT_MS_MAX, call.deadline - clock.real() - MARGIN_MS));
    const result = await attempt(sender, { ...tenant, ...found, endpoint: found.id }, message, { now, timeoutMs });
    return { success: result.success, status_code: result.status };
  };
