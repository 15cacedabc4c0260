// Opens a sandbox store with calls for tests of channels.
import { expect } from 'vitest';
import type { Channel } from '#test/services/channel/receiver.ts';
import { eventually } from '#test/support/server.ts';
import type { Keys, Stoa } from '#test/support/stoa.ts';

export interface Shop {
  readonly keys: Keys;
  send(method: string, path: string, body?: unknown): ReturnType<Stoa['send']>;
  product(name: string, more?: object): Promise<string>;
  connect(channel: Channel, more?: object): Promise<{ id: string; signing_secret: string }>;
  read(id: string): Promise<Record<string, unknown>>;
  events(type: string): Promise<Record<string, unknown>[]>;
}

export const openShop = async (stoa: Stoa): Promise<Shop> => {
  const keys = await stoa.createStore({ plan: 'enterprise' });
  const send: Shop['send'] = (method, path, body) => stoa.send(method, path, { key: keys.secret_test_key, body });
  const done = async (method: string, path: string, body?: unknown) => {
    const reply = await send(method, path, body);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  return {
    keys,
    send,
    product: async (name, more = {}) => (await done('POST', '/v1/products', { name, price: 10, stock: 3, ...more })).id,
    connect: async (channel, more = {}) =>
      (
        await done('POST', '/v1/channels', {
          provider: 'compass',
          name: 'Compass',
          url: channel.url,
          format: 'stoa',
          ...more,
        })
      ).channel,
    read: async (id) => (await done('GET', `/v1/channels/${id}`)).channel,
    events: async (type) => {
      const { webhook_events } = await done('GET', `/v1/webhook-events?type=${type}`);
      return webhook_events.map((event: { data: { object: unknown } }) => event.data.object);
    },
  };
};

/** Waits for this many completed syncs. */
export const synced = (shop: Shop, id: string, times = 1) =>
  eventually(async () => {
    expect(
      (await shop.events('channel.sync.completed')).filter((sync) => sync.id === id).length,
    ).toBeGreaterThanOrEqual(times);
    const channel = await shop.read(id);
    expect(channel.status).toBe('connected');
    return channel;
  });
