// Handlers of Webhook: merchants create, change, test and delete endpoints.

import { randomUUIDv7 } from 'bun';
import type { CreateEndpointRequest, TestEndpointResponse, WebhookRpcs } from '#proto/gen/webhook.ts';
import { foreignCursor, invalid, notFound, Refusal, refuse, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { checkUrl } from '#runtime/outbound/outbound.ts';
import { newSigningSecret } from '#runtime/outbound/webhook_signature.ts';
import { lockTenant } from '#runtime/postgres/tenant_lock.ts';
import type { Sender } from '#services/webhook/attempt.ts';
import { ALL_EVENTS, endpointDocument, isEventType, publishableEndpointDocument } from '#services/webhook/document.ts';
import { ensureKey, rotateKey } from '#services/webhook/signing_key.ts';
import { countDeliveries } from '#services/webhook/table/delivery.ts';
import {
  countEndpoints,
  deleteEndpoint,
  type EndpointRecord,
  findEndpoint,
  insertEndpoint,
  lockEndpoint,
  pageOfEndpoints,
  saveEndpoint,
  secretContext,
} from '#services/webhook/table/endpoint.ts';
import { deleteQueue, insertQueue, pauseQueue } from '#services/webhook/table/queue.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { openTrial, type TrialRequest } from './test_event.ts';

const LIMIT_DEFAULT = 50;
/** Maximum number of endpoints per tenant; each event is matched against all of them. */
const ENDPOINTS_MAX = 250;
const BOTH_SECRETS_SIGN_MS = 24 * 3_600_000;
const NO_SECRET = new Uint8Array();

export interface EndpointActions {
  readonly sender: Sender;
  readonly wake: () => void;
}

const readEvents = (events: readonly string[]): readonly string[] | Refusal => {
  const at = events.findIndex((type) => type !== ALL_EVENTS && !isEventType(type));
  if (at >= 0)
    return invalid(
      `events[${at}]`,
      `The event type ${events[at]} does not exist. Use one of the documented types or *.`,
    );
  return [...new Set(events)];
};

type NewEndpoint = Pick<CreateEndpointRequest, 'url' | 'description' | 'enabled'> &
  Pick<EndpointRecord, 'id' | 'events' | 'format' | 'secret'>;

const newEndpoint = (
  { id, url, description = null, events, enabled = true, format, secret }: NewEndpoint,
  now: Date,
): EndpointRecord => ({
  id,
  url,
  description,
  events,
  enabled,
  format,
  found_at: null,
  secret,
  previous_secret: null,
  previous_until: null,
  created_at: now,
  updated_at: now,
});

export const endpointHandlers = (runtime: Runtime, { sender, wake }: EndpointActions): Handlers<WebhookRpcs> => {
  const { seal } = runtime;

  const wrongUrl = (url: string, { environment }: Tenant): Refusal | null => {
    const checked = checkUrl(url, environment, sender.outbound);
    return typeof checked === 'string' ? invalid('url', checked) : null;
  };

  const sealed = ({ store, environment }: Tenant, id: string, secret: string): Uint8Array =>
    seal.close(secret, secretContext(store, environment, id));

  return {
    ListEndpoints: query(async (sql, { tenant, keyType }, { limit = LIMIT_DEFAULT, cursor }) => {
      const scope = JSON.stringify(['webhook_endpoints', tenantKey(tenant)]);
      const keys = cursor === undefined ? [] : decodeCursor(scope, cursor, ['time', 'place']);
      if (keys === null) return foreignCursor(cursor);
      const page = await pageOfEndpoints(sql, tenant, typeof keys[1] === 'number' ? keys[1] : null, limit + 1);
      const shown = page.slice(0, limit);
      const last = shown.at(-1);
      const next = last && page.length > limit ? encodeCursor(scope, [last.created_at.getTime(), last.sequence]) : null;
      return {
        webhook_endpoints: shown.map(keyType === 'publishable' ? publishableEndpointDocument : endpointDocument),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),

    CreateEndpoint: transaction(async (tx, { tenant }, input) => {
      const events = readEvents(input.events);
      if (events instanceof Refusal) return events;
      const wrong = wrongUrl(input.url, tenant);
      if (wrong) return wrong;
      await lockTenant(tx.sql, tenant, 'webhook endpoints');
      if ((await countEndpoints(tx.sql, tenant, 'merchant')) >= ENDPOINTS_MAX)
        return refuse(
          'conflict',
          `The store already has ${ENDPOINTS_MAX} webhook endpoints, the maximum. Delete one first.`,
        );
      const now = tx.clock.now(tenant);
      const id = randomUUIDv7();
      const format = input.format ?? 'stoa';
      const secret = format === 'ucp' ? null : newSigningSecret();
      const closed = secret === null ? NO_SECRET : sealed(tenant, id, secret);
      const endpoint = newEndpoint({ ...input, id, events, format, secret: closed }, now);
      await insertEndpoint(tx.sql, tenant, endpoint);
      await insertQueue(tx.sql, tenant, id, !endpoint.enabled);
      if (secret === null) {
        await ensureKey(tx, runtime, tenant, now);
        return { webhook_endpoint: endpointDocument(endpoint) };
      }
      return { webhook_endpoint: { ...endpointDocument(endpoint), signing_secret: secret } };
    }),

    GetEndpoint: query(async (sql, { tenant }, input) => {
      const id = input.id.toLowerCase();
      const found = await findEndpoint(sql, tenant, id);
      if (found === null) return notFound('webhook endpoint');
      return { webhook_endpoint: { ...endpointDocument(found), statistics: await countDeliveries(sql, tenant, id) } };
    }),

    UpdateEndpoint: transaction(async (tx, { tenant }, input) => {
      const events = input.events === undefined ? undefined : readEvents(input.events);
      if (events instanceof Refusal) return events;
      const wrong = input.url === undefined ? null : wrongUrl(input.url, tenant);
      if (wrong) return wrong;
      const found = await lockEndpoint(tx.sql, tenant, input.id.toLowerCase());
      if (found === null) return notFound('webhook endpoint');
      if (found.found_at !== null && input.url !== undefined)
        return invalid('url', 'The url of a platform’s endpoint comes from its profile and cannot be changed here.');
      const endpoint: EndpointRecord = {
        ...found,
        url: input.url ?? found.url,
        description: input.description === undefined ? found.description : input.description,
        events: events ?? found.events,
        enabled: input.enabled ?? found.enabled,
        updated_at: tx.clock.now(tenant),
      };
      await saveEndpoint(tx.sql, tenant, endpoint);
      if (endpoint.enabled !== found.enabled) {
        await pauseQueue(tx.sql, tenant, found.id, !endpoint.enabled);
        tx.afterCommit(wake);
      }
      return { webhook_endpoint: endpointDocument(endpoint) };
    }),

    DeleteEndpoint: transaction(async (tx, { tenant }, input) => {
      const id = input.id.toLowerCase();
      if (!(await deleteEndpoint(tx.sql, tenant, id, tx.clock.now(tenant)))) return notFound('webhook endpoint');
      await deleteQueue(tx.sql, tenant, id);
      return { deleted: true, id };
    }),

    // Sends the test event in `prepare`, before a database connection is taken, and once per idempotency key.
    TestEndpoint: staged<TrialRequest, TestEndpointResponse, TestEndpointResponse>({
      prepare: openTrial(runtime, sender),
      run: (_tx, _call, _input, result) => result,
      undo: () => {},
    }),

    RotateSecret: transaction(async (tx, { tenant }, input) => {
      const found = await lockEndpoint(tx.sql, tenant, input.id.toLowerCase());
      if (found === null) return notFound('webhook endpoint');
      const now = tx.clock.now(tenant);
      if (found.format === 'ucp') {
        await rotateKey(tx, runtime, tenant, now);
        return { webhook_endpoint: endpointDocument(found) };
      }
      const secret = newSigningSecret();
      const endpoint: EndpointRecord = {
        ...found,
        secret: sealed(tenant, found.id, secret),
        previous_secret: found.secret,
        previous_until: new Date(now.getTime() + BOTH_SECRETS_SIGN_MS),
        updated_at: now,
      };
      await saveEndpoint(tx.sql, tenant, endpoint);
      return { webhook_endpoint: { ...endpointDocument(endpoint), signing_secret: secret } };
    }),
  };
};
