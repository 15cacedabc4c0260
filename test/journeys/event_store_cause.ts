// Causes the events of publishing, connections and pulls, clause by clause.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { SandboxAnswer } from '#services/cli/trigger/sandbox.ts';
import { customer, name, product, travel } from '#services/cli/trigger/sandbox.ts';
import { accepting, startChannel } from '#test/services/channel/receiver.ts';
import { tokenOf } from './event_cause.ts';
import { type EventCause, momentAfter, type Scene } from './event_scene.ts';

const HOUR_MS = 3_600_000;
const PICTURE = 'https://pictures.example.com/one.jpg';

const collection = async ({ sandbox }: Scene): Promise<SandboxAnswer> =>
  (await sandbox.post('/v1/product-collections', { name: 'Spring' })).collection;

const changedCollection = (what: string, change: Record<string, unknown>, was: Record<string, unknown>): EventCause => [
  'collection.updated',
  `${what} changes`,
  async (scene) => {
    const { id } = await collection(scene);
    await scene.sandbox.patch(`/v1/product-collections/${id}`, change);
    return { object: { id, ...change }, was };
  },
];

/** Published at once, by a PATCH, and, where it can be scheduled, by the clock. */
const publications = (
  type: string,
  path: string,
  envelope: (made: SandboxAnswer) => SandboxAnswer,
  { scheduled, ...more }: { readonly scheduled: boolean; readonly images?: readonly object[] },
): EventCause[] => {
  const make = async ({ sandbox }: Scene, status: object): Promise<string> =>
    envelope(await sandbox.post(path, { title: name('Title'), ...more, ...status })).id;
  const rows: EventCause[] = [
    [type, 'published at once', async (scene) => ({ object: { id: await make(scene, { status: 'published' }) } })],
    [
      type,
      'published, a draft before',
      async (scene) => {
        const id = await make(scene, { status: 'draft' });
        await scene.sandbox.patch(`${path}/${id}`, { status: 'published' });
        return { object: { id, status: 'published' } };
      },
    ],
  ];
  const timed: EventCause = [
    type,
    'published by time',
    async (scene) => {
      const id = await make(scene, { status: 'scheduled', published_at: await momentAfter(scene, HOUR_MS) });
      await travel(scene.sandbox, 2 * HOUR_MS);
      return { object: { id, status: 'published' } };
    },
  ];
  return scheduled ? [...rows, timed] : rows;
};

/** A feature of a store whose first product comes, and goes again. */
const crossing = (status: 'available' | 'awaiting_data', previous_status: string): EventCause => [
  'feature.status_changed',
  `capability crosses from ${previous_status} to ${status}`,
  async (scene) => {
    const sandbox = await scene.anotherStore();
    const { id } = await product(sandbox);
    const { store } = await sandbox.get('/v1/store');
    if (status === 'awaiting_data') {
      // The event shows the state when it is written: the test waits for it before it deletes the product.
      await expect.poll(async () => statusOf(await sandbox.get('/v1/features')), { timeout: 30_000 }).toBe('available');
      await sandbox.delete(`/v1/products/${id}`);
    }
    return { object: { feature: 'catalogue', status, previous_status }, store: store.id };
  },
];
const statusOf = ({ features }: SandboxAnswer): string =>
  features.find(({ feature }: SandboxAnswer) => feature === 'catalogue').status;

const pulled = (when: string, url: (scene: Scene) => string, expected: Record<string, unknown>): EventCause => [
  'feed.sync.completed',
  when,
  async (scene) => {
    const { feed } = await scene.sandbox.post('/v1/ingestion/feeds', { url: url(scene), format: 'csv' });
    await scene.sandbox.post(`/v1/ingestion/feeds/${feed.id}/sync`);
    return { object: { id: feed.id, ...expected } };
  },
];

/** A channel of a store with two products, of which it takes one. */
const connected = (type: string, when: string, expected: Record<string, unknown>): EventCause => [
  type,
  when,
  async (scene) => {
    const sandbox = await scene.anotherStore();
    const { store } = await sandbox.get('/v1/store');
    const { id: refused } = await product(sandbox);
    await product(sandbox);
    const receiver = await startChannel();
    scene.atEnd(receiver.close);
    receiver.answer = accepting(({ product_id }) => (product_id === refused ? 'The image is too small.' : null));
    const body = { provider: 'price_compass', name: 'Price Compass', url: receiver.url, format: 'stoa' };
    const { channel } = await sandbox.post('/v1/channels', body);
    return { object: { id: channel.id, provider: 'price_compass', ...expected }, store: store.id };
  },
];

export const STORE_ROWS: readonly EventCause[] = [
  [
    'collection.created',
    'collection created',
    async (scene) => ({ object: { id: (await collection(scene)).id, name: 'Spring' } }),
  ],
  changedCollection('name', { name: 'Summer' }, { name: 'Spring' }),
  changedCollection('banner image', { image: PICTURE }, { image: null }),
  changedCollection('homepage placement', { show_on_homepage: true }, { show_on_homepage: false }),
  changedCollection('display order', { display_priority: 3 }, { display_priority: 0 }),
  ...publications('post.published', '/v1/blog/posts', ({ post }) => post, { scheduled: true }),
  ...publications('lookbook.published', '/v1/lookbooks', ({ lookbook, ...bare }) => lookbook ?? bare, {
    scheduled: false,
    images: [{ url: PICTURE, hotspots: [] }],
  }),
  [
    'review.approved',
    'review passes moderation',
    async ({ sandbox }) => {
      const { id: product_id } = await product(sandbox);
      const written = { product_id, rating: 5, title: 'Bright', body: 'Lights the whole room.' };
      const { review } = await sandbox.post('/v1/reviews', written, tokenOf(await customer(sandbox)));
      await sandbox.patch(`/v1/reviews/${review.id}`, { status: 'approved' });
      return { object: { id: review.id, product_id, rating: 5, verified_purchase: false } };
    },
  ],
  [
    'payment_provider.connected',
    'provider connected; carries provider',
    async ({ sandbox, provider }) => {
      const own = `bank_${randomUUID().slice(0, 8)}`;
      await sandbox.post('/v1/payments/providers', { ...provider.connection, provider: own });
      return { object: { provider: own } };
    },
  ],
  [
    'shipping_provider.connected',
    'provider connected; carries provider',
    async ({ sandbox, carrier }) => {
      const own = name('Carrier');
      const { provider } = await sandbox.post('/v1/shipping/providers', {
        kind: 'custom',
        name: own,
        url: carrier.url,
      });
      await sandbox.delete(`/v1/shipping/providers/${provider.id}`);
      return { object: { id: provider.id, provider: own } };
    },
  ],
  connected('channel.connected', 'provider connected; carries provider', { status: 'connected' }),
  // "catalogue push to a sales channel finishes; carries provider, status, items_total, items_pushed, items_rejected"
  connected('channel.sync.completed', 'catalogue push to a sales channel finishes', {
    status: 'completed_with_rejections',
    items_total: 2,
    items_rejected: 1,
    items_pushed: 1,
  }),
  crossing('available', 'awaiting_data'),
  crossing('awaiting_data', 'available'),
  pulled('inbound feed pull finishes, with a row that failed', ({ feedUrl }) => feedUrl, {
    status: 'completed',
    rows_created: 1,
    rows_updated: 0,
    rows_failed: 1,
    errors: [expect.objectContaining({ external_id: 'B', param: 'price' })],
  }),
  pulled('inbound feed pull fails', ({ carrier }) => `${carrier.url}/nothing.csv`, {
    status: 'failed',
    rows_created: 0,
  }),
];
