// Features follow product events, with one event for each change of status.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Feature } from '#proto/gen/store.ts';
import type { CreateStoreResponse } from '#proto/gen/store_admin.ts';
import type { Environment, Tenant } from '#runtime/call/call.ts';
import { type Outbox, startOutbox } from '#runtime/postgres/outbox.ts';
import { anyEvent, subscribeEvents, untyped } from '#test/support/event.ts';
import { eventually } from '#test/support/server.ts';
import { openStoreHost, type StoreHost } from './host.ts';

let host: StoreHost;
let outbox: Outbox;
let events: { tenant: Tenant; object: Record<string, unknown> }[];
let unlisten: () => void;
beforeAll(async () => {
  host = await openStoreHost();
  await host.start();
  outbox = startOutbox(host.runtime);
  unlisten = subscribeEvents(host.runtime, ({ type, data }, tenant) => {
    if (type === 'feature.status_changed') events.push({ tenant, object: untyped(data.object) });
  });
});
afterAll(async () => {
  unlisten();
  await outbox.stop();
  await host.close();
});

let made: CreateStoreResponse;
beforeEach(async () => {
  events = [];
  made = await host.newStore();
});

const statuses = async (environment: Environment): Promise<Record<string, string>> => {
  const { features } = await host.call('Store/ListFeatures', {
    store: made.store_id,
    environment,
    keyType: 'publishable',
  });
  return Object.fromEntries(features.map(({ feature, status }: Feature) => [feature, status]));
};

/** The catalogue has this many active products now, and says so with some events. */
const catalogue = async (environment: Environment, active: number, events = 1): Promise<void> => {
  const tenant: Tenant = { store: made.store_id, environment };
  host.products.set(`${tenant.store}/${tenant.environment}`, { any: active > 0, active: active > 0 });
  const many = Array.from({ length: events }, (_, n) => anyEvent('product.updated', { id: `product ${n}` }));
  await host.postgres.transaction((tx) => tx.emit(tenant, many));
};

const eventsIn = (environment: Environment) =>
  events.filter((event) => event.tenant.environment === environment).map((event) => event.object);

describe('features', () => {
  test('await data in both environments of a new store', async () => {
    for (const environment of ['production', 'sandbox'] as const) {
      expect(await statuses(environment)).toEqual({
        catalogue: 'awaiting_data',
        catalogue_feeds: 'awaiting_data',
        recommendations: 'awaiting_data',
        reviews: 'awaiting_data',
        wholesale: 'not_in_plan',
      });
    }
  });

  test('change to available and back, with one event for each change in its own environment', async () => {
    await catalogue('sandbox', 1, 150);
    await eventually(async () => {
      expect(await statuses('sandbox')).toEqual({
        catalogue: 'available',
        catalogue_feeds: 'available',
        recommendations: 'awaiting_data',
        reviews: 'awaiting_data',
        wholesale: 'not_in_plan',
      });
    });
    expect(await statuses('production')).toEqual({
      catalogue: 'awaiting_data',
      catalogue_feeds: 'awaiting_data',
      recommendations: 'awaiting_data',
      reviews: 'awaiting_data',
      wholesale: 'not_in_plan',
    });
    await catalogue('sandbox', 2, 5);
    await catalogue('sandbox', 0);
    await eventually(async () => {
      expect(await statuses('sandbox')).toEqual({
        catalogue: 'awaiting_data',
        catalogue_feeds: 'awaiting_data',
        recommendations: 'awaiting_data',
        reviews: 'awaiting_data',
        wholesale: 'not_in_plan',
      });
    });
    await eventually(() => expect(eventsIn('sandbox')).toHaveLength(4));
    expect(eventsIn('sandbox')).toEqual([
      { feature: 'catalogue', status: 'available', previous_status: 'awaiting_data' },
      { feature: 'catalogue_feeds', status: 'available', previous_status: 'awaiting_data' },
      { feature: 'catalogue', status: 'awaiting_data', previous_status: 'available' },
      { feature: 'catalogue_feeds', status: 'awaiting_data', previous_status: 'available' },
    ]);
    expect(eventsIn('production')).toEqual([]);
  });

  test('follow the plan', async () => {
    await catalogue('production', 1);
    await eventually(async () => expect((await statuses('production')).catalogue_feeds).toBe('available'));
    await host.call('StoreAdmin/SetLapsed', {}, { store: made.code });
    expect(await statuses('production')).toEqual({
      catalogue: 'available',
      catalogue_feeds: 'not_in_plan',
      recommendations: 'awaiting_data',
      reviews: 'awaiting_data',
      wholesale: 'not_in_plan',
    });
    await host.call('StoreAdmin/SetPlan', {}, { store: made.code, plan: 'growth' });
    expect(await statuses('production')).toEqual({
      catalogue: 'available',
      catalogue_feeds: 'available',
      recommendations: 'awaiting_data',
      reviews: 'awaiting_data',
      wholesale: 'not_in_plan',
    });
    await eventually(() => expect(eventsIn('production')).toHaveLength(4));
    expect(eventsIn('production').slice(2)).toEqual([
      { feature: 'catalogue_feeds', status: 'not_in_plan', previous_status: 'available' },
      { feature: 'catalogue_feeds', status: 'available', previous_status: 'not_in_plan' },
    ]);
  });

  test('show the previous status', async () => {
    await catalogue('production', 1);
    await eventually(async () => expect((await statuses('production')).catalogue).toBe('available'));
    const { features } = await host.call('Store/ListFeatures', { store: made.store_id, keyType: 'publishable' });
    expect(features[0]).toEqual({ feature: 'catalogue', status: 'available', previous_status: 'awaiting_data' });
  });

  test('ignores product events of a deleted store', async () => {
    const outsider: Tenant = { store: '5c5c5c5c-0000-4000-8000-000000000005', environment: 'production' };
    await host.postgres.transaction((tx) => tx.emit(outsider, [anyEvent('product.created', {})]));
    await catalogue('production', 1);
    await eventually(async () => expect((await statuses('production')).catalogue).toBe('available'));
    const [dead] = await host.postgres.sql`select count(*) as n from runtime.dead_event`;
    expect(dead?.n).toBe(0);
  });

  test('reports a change of another domain’s feature once and refuses unknown features', async () => {
    const call = { store: made.store_id, environment: 'sandbox' as const };
    for (const has_data of [true, true, false]) {
      await host.call('StoreDirectory/ReportFeature', call, { feature: 'recommendations', has_data });
    }
    await eventually(async () =>
      expect(eventsIn('sandbox')).toEqual([
        { feature: 'recommendations', status: 'available', previous_status: 'awaiting_data' },
        { feature: 'recommendations', status: 'awaiting_data', previous_status: 'available' },
      ]),
    );
    for (const feature of ['catalogue', 'magic']) {
      const refusal = await host.refused('StoreDirectory/ReportFeature', call, { feature, has_data: true });
      expect(refusal).toMatchObject({ code: 'not_found' });
    }
  });
});
