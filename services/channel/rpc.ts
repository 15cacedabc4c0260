// The rpc handlers of channels.
import { randomUUIDv7 } from 'bun';
import type { ChannelRpcs } from '#proto/gen/channel.ts';
import { foreignCursor, notFound, Refusal, refuse, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { checkUrl } from '#runtime/outbound/outbound.ts';
import { newSigningSecret } from '#runtime/outbound/webhook_signature.ts';
import { lockTenant } from '#runtime/postgres/tenant_lock.ts';
import { isTrialChannel } from '#services/commerce/public_path.ts';
import type { StoreProfiles } from '#services/commerce/store_profile.ts';
import { languageAmong } from '#services/commerce/translation.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { changedChannel, newChannel, resyncedChannel } from './change.ts';
import { channelDocument } from './document.ts';
import { CHANNEL_JOB } from './sync_worker.ts';
import {
  countChannels,
  deleteChannel,
  findChannel,
  insertChannel,
  listChannels,
  saveChannel,
  secretContext,
} from './table/channel.ts';
import { listRejections } from './table/item.ts';

const LIMIT_DEFAULT = 20;
/** Bounds the channels of a store, since each receives every change of the catalogue. */
const CHANNELS_MAX = 50;

export const channelHandlers = (
  { clock, jobs, seal, settings }: Runtime,
  languages: StoreProfiles<readonly string[]>,
): Handlers<ChannelRpcs> => {
  const urlRefusal = (url: string, tenant: Tenant): Refusal | null => {
    if (isTrialChannel(url, tenant, settings)) return null;
    const { environment } = tenant;
    const checked = checkUrl(url, environment, { allowLocal: settings.allowLocal });
    return typeof checked === 'string' ? refuse('invalid_request', checked, { param: 'url' }) : null;
  };

  return {
    ListChannels: query(async (sql, { tenant }, { limit = LIMIT_DEFAULT, cursor }) => {
      const scope = JSON.stringify(['channels', tenantKey(tenant)]);
      const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
      if (cursor !== undefined && keys === null) return foreignCursor(cursor);
      const after = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
      const page = await listChannels(sql, tenant, after, limit + 1);
      const channels = page.slice(0, limit);
      const last = page.length > limit ? channels.at(-1)! : null;
      const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
      return {
        channels: channels.map(channelDocument),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),

    GetChannel: query(async (sql, { tenant }, { id }) => {
      const channel = await findChannel(sql, tenant, id.toLowerCase());
      return channel === null ? notFound('channel') : { channel: channelDocument(channel) };
    }),

    CreateChannel: transaction(async (tx, { tenant }, { provider, name, url, format, language: named }) => {
      const wrong = urlRefusal(url, tenant);
      if (wrong) return wrong;
      const language = languageAmong(named, await languages.get(tenant));
      if (language instanceof Refusal) return language;
      await lockTenant(tx.sql, tenant, 'channels');
      if ((await countChannels(tx.sql, tenant)) >= CHANNELS_MAX)
        return refuse('conflict', `The store already has ${CHANNELS_MAX} channels, the maximum. Delete one first.`);
      const id = randomUUIDv7();
      const now = tx.clock.now(tenant);
      const secret = newSigningSecret();
      const sealed = seal.close(secret, secretContext(tenant, id));
      const channel = newChannel({ id, provider, name, url, format, language, secret: sealed }, now);
      await insertChannel(tx.sql, tenant, channel);
      await tx.emit(tenant, [{ type: 'channel.connected', object: channelDocument(channel) }]);
      tx.afterCommit(() => jobs.wake(CHANNEL_JOB));
      return { channel: { ...channelDocument(channel), signing_secret: secret } };
    }),

    UpdateChannel: transaction(async (tx, { tenant }, { id, language: named, ...change }) => {
      const known = await languages.get(tenant);
      const before = await findChannel(tx.sql, tenant, id.toLowerCase(), true);
      if (before === null) return notFound('channel');
      const wrong = change.url === undefined ? null : urlRefusal(change.url, tenant);
      if (wrong) return wrong;
      const language = named === undefined ? before.language : languageAmong(named, known);
      if (language instanceof Refusal) return language;
      const channel = changedChannel(before, { ...change, language }, clock.now(tenant));
      await saveChannel(tx.sql, tenant, channel);
      tx.afterCommit(() => jobs.wake(CHANNEL_JOB));
      return { channel: channelDocument(channel) };
    }),

    DeleteChannel: transaction(async ({ sql }, { tenant }, input) => {
      const id = input.id.toLowerCase();
      return (await deleteChannel(sql, tenant, id)) ? { deleted: true, id } : notFound('channel');
    }),

    SyncChannel: transaction(async (tx, { tenant }, { id }) => {
      const before = await findChannel(tx.sql, tenant, id.toLowerCase(), true);
      if (before === null) return notFound('channel');
      const channel = resyncedChannel(before, clock.now(tenant));
      await saveChannel(tx.sql, tenant, channel);
      tx.afterCommit(() => jobs.wake(CHANNEL_JOB));
      return { channel: channelDocument(channel) };
    }),

    ListRejections: query(async (sql, { tenant }, { id: named, limit = LIMIT_DEFAULT, cursor }) => {
      const id = named.toLowerCase();
      if ((await findChannel(sql, tenant, id)) === null) return notFound('channel');
      const scope = JSON.stringify(['channel rejections', tenantKey(tenant), id]);
      const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
      if (cursor !== undefined && keys === null) return foreignCursor(cursor);
      const after = keys && { at: new Date(Number(keys[0])), id: String(keys[1]) };
      const page = await listRejections(sql, tenant, id, after, limit + 1);
      const rows = page.slice(0, limit);
      const last = page.length > limit ? rows.at(-1)! : null;
      const next = last && encodeCursor(scope, [last.pushed_at.getTime(), last.product]);
      return {
        rejections: rows.map(({ product, rejection, pushed_at }) => ({
          product_id: product,
          message: rejection,
          rejected_at: pushed_at.toISOString(),
        })),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),
  };
};
