// The owner of a new store, who lists, creates and rolls its keys.
import { expect } from 'vitest';
import { type Keys, type Reply, type SendOptions, type Stoa, sendTo } from '#test/support/stoa.ts';

export const LIVE_SECRET = { name: 'Warehouse', type: 'secret', environment: 'production' } as const;

type Key = Reply['body'];

export interface KeyOwner {
  readonly keys: Keys;
  /** Sends with the store's first live secret key, and signs a POST. */
  send(verb: string, path: string, options?: SendOptions): Promise<Reply>;
  create(body?: object): Promise<Key>;
  list(): Promise<Key[]>;
  listed(id: string): Promise<Key>;
  roll(id: string, overlapHours: number, options?: SendOptions): Promise<Reply>;
  /** Returns the id of the key that this owner sends with. */
  firstKey(): Promise<string>;
}

export const openKeyOwner = async (stoa: Stoa): Promise<KeyOwner> => {
  const keys = await stoa.createStore();
  const send: KeyOwner['send'] = (verb, path, options = {}) =>
    stoa.send(verb, path, {
      key: keys.secret_key,
      ...(verb === 'POST' ? { signWith: keys.hmac_secret } : {}),
      ...options,
    });
  const list = async (): Promise<Key[]> => (await send('GET', '/v1/keys')).body.keys;
  return {
    keys,
    send,
    list,
    create: async (body = {}) => {
      const reply = await send('POST', '/v1/keys', { body: { ...LIVE_SECRET, ...body } });
      expect(reply.status, reply.text).toBe(201);
      return reply.body.key;
    },
    listed: async (id) => (await list()).find((key) => key.id === id),
    roll: (id, overlap_hours, options = {}) =>
      send('POST', `/v1/keys/${id}/roll`, { body: { overlap_hours }, ...options }),
    firstKey: async () =>
      (await list()).find(({ type, environment }) => type === 'secret' && environment === 'production').id,
  };
};

export const statusWith = async (stoa: Stoa, key: string, path = '/v1/store', url = stoa.url): Promise<number> =>
  (await sendTo(url, 'GET', path, { key })).status;

export const errorFields = ({ status, body }: Reply) => [status, body.error?.code, body.error?.param];
