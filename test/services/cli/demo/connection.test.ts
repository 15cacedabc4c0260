// Seeding connects the demo shop's apps and channel once, with the given data.
import { beforeAll, expect, test } from 'vitest';
import type { ChannelRejection, StoreChannel } from '#proto/gen/channel.ts';
import type { ConnectGrant } from '#proto/gen/connect.ts';
import { seedCatalogue, seedStore } from '#services/cli/demo/catalogue.ts';
import { Client } from '#services/cli/demo/client.ts';
import { APPS, CHANNEL, relocateChannel, seedConnections } from '#services/cli/demo/connection.ts';
import { PRODUCTS } from '#services/cli/demo/data.ts';
import { DEMO_STORE, RETAIL_SHOP } from '#services/cli/demo/retail.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
let sandbox: Client;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore(DEMO_STORE);
  sandbox = new Client(stoa.url, keys.secret_test_key, keys.hmac_test_secret);
  await seedStore(new Client(stoa.url, keys.secret_key), RETAIL_SHOP, `${stoa.url}/demo/pictures`);
  await seedCatalogue(sandbox, RETAIL_SHOP, `${stoa.url}/demo/pictures`);
  await seedConnections(sandbox, stoa.url);
});

const read = async (path: string, key = keys.secret_test_key) => (await stoa.send('GET', path, { key })).body;

test('two apps were let into the sandbox, one of which has worked there, and a channel has its catalogue', async () => {
  const { grants } = await read('/v1/connect/grants');
  expect(grants.map(({ client_name, scopes }: ConnectGrant) => ({ client_name, scopes }))).toEqual(
    APPS.map(({ client_name, scopes }) => ({ client_name, scopes })).reverse(),
  );
  await eventually(async () => {
    const used = (await read('/v1/connect/grants')).grants.map((grant: ConnectGrant) => grant.last_used_at !== null);
    expect(used).toEqual(APPS.map(({ looks }) => looks !== null).reverse());
  });
  const own = await eventually(async () => {
    const [channel] = (await read('/v1/channels')).channels as StoreChannel[];
    expect(channel).toMatchObject({ ...CHANNEL, status: 'connected', last_sync_at: expect.any(String) });
    return channel!;
  });
  const { rejections } = await read(`/v1/channels/${own.id}/rejections`);
  expect(rejections.length).toBeGreaterThan(2);
  expect(rejections.length).toBeLessThan(PRODUCTS.length / 4);
  expect(new Set(rejections.map(({ message }: ChannelRejection) => message)).size).toBe(2);
  expect((await read('/v1/connect/grants', keys.secret_key)).grants).toEqual([]);
  expect((await read('/v1/channels', keys.secret_key)).channels).toEqual([]);
});

test('seeding again adds nothing; the channel goes where the system is served', async () => {
  await seedConnections(sandbox, stoa.url);
  expect((await read('/v1/connect/grants')).grants).toHaveLength(APPS.length);
  const [channel] = (await read('/v1/channels')).channels;
  expect(channel.url).toBe(`${stoa.url}/sandbox/channel`);
  await stoa.services.runtime.postgres.sql`
    update channel.channel set url = 'http://127.0.0.1:1/sandbox/channel' where id = ${channel.id}`;
  await relocateChannel(sandbox);
  expect((await read('/v1/channels')).channels).toMatchObject([{ id: channel.id, url: channel.url }]);
});
