// The scene of the events' table: one wholesale store's sandbox, the servers around it that stand in for its provider, its
// carrier and its feed, and what most of the table's rows begin with.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { email, product, Sandbox, type SandboxAnswer } from '#services/cli/trigger/sandbox.ts';
import { startMerchant } from '#test/services/payment/provider/merchant.ts';
import type { Provider, Report } from '#test/services/payment/provider/stand_in.ts';
import { openStandIn, type StandIn } from '#test/services/shipping/carrier/stand_in.ts';
import { type Receiver, startReceiver } from '#test/services/webhook/receiver.ts';
import type { Keys, Stoa } from '#test/support/stoa.ts';

/** Expected content of the event: a part of its object, and of its previous fields. */
export interface ExpectedEvent {
  readonly object: Readonly<Record<string, unknown>>;
  readonly was?: Readonly<Record<string, unknown>>;
  /** The store that tells it, where it is not the scene's. */
  readonly store?: string;
}

/** A clause of the table: an event, its documented time, and the calls that cause it. */
export type EventCause = readonly [type: string, when: string, cause: (scene: Scene) => Promise<ExpectedEvent>];

export interface Scene {
  readonly stoa: Stoa;
  readonly keys: Keys;
  readonly sandbox: Sandbox;
  readonly receiver: Receiver;
  /** Secrets of deliveries by the endpoint's store. */
  readonly secrets: Map<string, string>;
  readonly provider: Provider;
  readonly carrier: StandIn;
  /** A file that an inbound feed can pull. */
  readonly feedUrl: string;
  /** Another store, for events that a store sends once. The same receiver gets them. */
  anotherStore(): Promise<Sandbox>;
  /** Sends a provider's callback to Stoa. */
  callback(report: Report): Promise<void>;
  /** Closes a row's resource with the scene. */
  atEnd(close: () => void): void;
  close(): Promise<void>;
}

/** One row that is taken in, and one whose price is none. */
const FEED = 'id,name,price\nA,Shoe,10\nB,Boot,cheap\n';

const serveFeed = async (): Promise<{ url: string; close(): Promise<void> }> => {
  const server = createServer((_request, response) => response.end(FEED));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/catalogue.csv`,
    close: () => new Promise((done) => server.close(() => done())),
  };
};

export const openScene = async (stoa: Stoa): Promise<Scene> => {
  const endings: (() => void)[] = [];
  const secrets = new Map<string, string>();
  const receiver = await startReceiver();
  const provider = await startMerchant(Date.now);
  const carrier = openStandIn();
  const feed = await serveFeed();

  const open = async (keys: Keys): Promise<Sandbox> => {
    const { secret_test_key: key, hmac_test_secret: hmacSecret } = keys;
    const sandbox = new Sandbox({ baseUrl: stoa.url, key, hmacSecret });
    const { webhook_endpoint } = await sandbox.post('/v1/webhook-endpoints', { url: receiver.url, events: ['*'] });
    secrets.set(keys.store_id, webhook_endpoint.signing_secret);
    return sandbox;
  };
  const keys = await stoa.createStore({ wholesale: true, country: 'KE' });
  const sandbox = await open(keys);
  await sandbox.post('/v1/payments/providers', provider.connection);
  return {
    stoa,
    keys,
    sandbox,
    receiver,
    secrets,
    provider,
    carrier,
    feedUrl: feed.url,
    anotherStore: async () => open(await stoa.createStore()),
    callback: async ({ headers, body }) => {
      const path = `/v1/payments/callbacks/${provider.name}/${keys.store_id}/sandbox`;
      const { status, text } = await stoa.send('POST', path, { headers, body });
      if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    },
    atEnd: (end) => void endings.push(end),
    close: async () => {
      for (const end of endings) end();
      await Promise.all([receiver.close(), provider.standIn.stop(), carrier.stop(), feed.close()]);
    },
  };
};

/** An order of one product for 20 that needs no delivery. */
export const order = async ({ sandbox }: Scene, more: object = {}): Promise<SandboxAnswer> => {
  const { variant_id } = await product(sandbox);
  const items = [{ variant_id, quantity: 1 }];
  return (await sandbox.sign('POST', '/v1/orders', { items, email: email(), ...more })).order;
};

/** An order that a PATCH changes. */
export const changedOrder = async (scene: Scene, body: object): Promise<SandboxAnswer> => {
  const { id } = await order(scene);
  return (await scene.sandbox.sign('PATCH', `/v1/orders/${id}`, body)).order;
};

/** A moment of the sandbox's clock, which may be ahead of ours. */
export const momentAfter = async ({ sandbox }: Scene, ms: number): Promise<string> => {
  const { now } = await sandbox.post('/v1/sandbox/time-travel', { advance_seconds: 1 });
  return new Date(Date.parse(now) + ms).toISOString();
};
