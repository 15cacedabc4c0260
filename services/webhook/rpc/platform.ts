// Handlers of PlatformWebhook, for the edge: which assistants' platforms receive an order's events, and the keys that
// verify them.
import { randomUUIDv7 } from 'bun';
import type {
  FindPlatformRequest,
  FindPlatformResponse,
  FollowCheckoutRequest,
  FollowCheckoutResponse,
  ListSigningKeysRequest,
  ListSigningKeysResponse,
  NotePlatformRequest,
  NotePlatformResponse,
  PlatformWebhookRpcs,
  SignAnswerRequest,
  SignAnswerResponse,
} from '#proto/gen/webhook_platform.ts';
import type { Environment, Tenant } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { messageSignature } from '#runtime/outbound/message_signature.ts';
import { checkUrl, type Outbound } from '#runtime/outbound/outbound.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { lockTenant } from '#runtime/postgres/tenant_lock.ts';
import { ALL_EVENTS } from '#services/webhook/document.ts';
import { ensureKey, openSigner, publishedKeys } from '#services/webhook/signing_key.ts';
import {
  insertCheckoutPlatform,
  insertFollowed,
  isCheckoutPlatform,
} from '#services/webhook/table/checkout_platform.ts';
import { countEndpoints, findPlatformEndpoint, insertEndpoint } from '#services/webhook/table/endpoint.ts';
import { insertQueue } from '#services/webhook/table/queue.ts';
import { signingKeysOf } from '#services/webhook/table/signing_key.ts';

/** Maximum number of platforms per tenant, because any caller can add one. */
const PLATFORMS_MAX = 250;
const ENVIRONMENTS: readonly Environment[] = ['production', 'sandbox'];

type PlatformRuntime = Pick<Runtime, 'clock' | 'log' | 'notices' | 'seal'>;

const findOrCreateEndpoint = async (
  sql: Sql,
  tenant: Tenant,
  { url, found_at, platform }: FollowCheckoutRequest,
  now: Date,
): Promise<string | null> => {
  await lockTenant(sql, tenant, 'platforms');
  const found = await findPlatformEndpoint(sql, tenant, url, found_at);
  if (found !== null) return found;
  if ((await countEndpoints(sql, tenant, 'platform')) >= PLATFORMS_MAX) return null;
  const id = randomUUIDv7();
  const isNew = await insertEndpoint(sql, tenant, {
    id,
    url,
    description: `Orders of the assistant ${platform}`,
    events: [ALL_EVENTS],
    enabled: true,
    format: 'ucp',
    found_at,
    secret: new Uint8Array(),
    previous_secret: null,
    previous_until: null,
    created_at: now,
    updated_at: now,
  });
  if (!isNew) return findPlatformEndpoint(sql, tenant, url, found_at);
  await insertQueue(sql, tenant, id, false);
  return id;
};

export const platformHandlers = (runtime: PlatformRuntime, outbound: Outbound): Handlers<PlatformWebhookRpcs> => ({
  FollowCheckout: transaction<FollowCheckoutRequest, FollowCheckoutResponse>(async (tx, { tenant }, input) => {
    const { url, found_at, checkout_intent_id } = input;
    const refuseToFollow = (reason: string): FollowCheckoutResponse => {
      runtime.log.warn(
        { ...tenant, reason, host: URL.parse(url)?.hostname },
        'refused to send a platform events of orders',
      );
      return { followed: false };
    };
    const wrong = checkUrl(url, tenant.environment, outbound);
    if (typeof wrong === 'string') return refuseToFollow(wrong);
    const now = runtime.clock.now(tenant);
    const endpoint =
      (await findPlatformEndpoint(tx.sql, tenant, url, found_at)) ??
      (await findOrCreateEndpoint(tx.sql, tenant, input, now));
    if (endpoint === null) return refuseToFollow(`a store sends events to at most ${PLATFORMS_MAX} platforms`);
    await ensureKey(tx, runtime, tenant, now);
    await insertFollowed(tx.sql, tenant, { checkoutIntent: checkout_intent_id, endpoint, at: now });
    return { followed: true };
  }),

  NotePlatform: transaction<NotePlatformRequest, NotePlatformResponse>(async (tx, { tenant }, input) => {
    const { checkout_intent_id: checkoutIntent, profile } = input;
    await insertCheckoutPlatform(tx.sql, tenant, { checkoutIntent, profile }, runtime.clock.now(tenant));
    return {};
  }),

  FindPlatform: query<FindPlatformRequest, FindPlatformResponse>(async (sql, { tenant }, input) => {
    const { checkout_intent_id: checkoutIntent, profile } = input;
    return { found: await isCheckoutPlatform(sql, tenant, { checkoutIntent, profile }) };
  }),

  ListSigningKeys: query<ListSigningKeysRequest, ListSigningKeysResponse>(async (sql, { tenant: { store } }) => {
    const all = await Promise.all(
      ENVIRONMENTS.map(async (environment) => {
        const tenant = { store, environment };
        return publishedKeys(await signingKeysOf(sql, tenant), runtime.clock.now(tenant));
      }),
    );
    return { keys: all.flat().map(({ kid, x, y }) => ({ kid, x, y })) };
  }),

  SignAnswer: transaction<SignAnswerRequest, SignAnswerResponse>(async (tx, { tenant }, input) => {
    const { clock, seal } = runtime;
    const now = clock.now(tenant);
    await ensureKey(tx, runtime, tenant, now);
    const signed = messageSignature(
      [
        ['@status', String(input.status)],
        ['content-digest', input.content_digest],
        ['content-type', input.content_type],
      ],
      await openSigner(tx.sql, seal, tenant, now),
      clock.real(),
    );
    return { signature_input: signed['signature-input'], signature: signed.signature };
  }),
});
