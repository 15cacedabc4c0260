// Tests the edge's name and health endpoints.
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

describe('who is there and how it is', () => {
  test('GET / names the service and its documentation', async () => {
    const { body } = await stoa.send('GET', '/');
    expect(body).toEqual({ name: 'Stoa', version: '1.0.0', documentation_url: `${stoa.url}/docs` });
  });

  test('GET /v1/health tells how each part is', async () => {
    const { status, body } = await stoa.send('GET', '/v1/health');
    expect([status, body.status]).toEqual([200, 'ok']);
    const components = { edge: 'ok', services: 'ok', postgres: 'ok', nats: 'ok', actor_log: 'ok', projection: 'ok' };
    expect(body.components).toEqual(components);
  });

  test('GET /v1/health is degraded, and still 200, where an actor log has a gap', async () => {
    const keys = await stoa.createStore();
    const made = await stoa.send('POST', '/v1/products', {
      key: keys.secret_key,
      body: { name: 'Cup', price: 3, stock: 5 },
    });
    const add = () =>
      stoa.send('POST', '/v1/cart/items', {
        key: keys.publishable_key,
        headers: { 'X-Session-Id': 'visit-1' },
        body: { variant_id: made.body.variant_id, quantity: 1 },
      });
    await add();
    const { sql } = stoa.services.runtime.postgres;
    // Simulates a database restored from another day than the streams.
    await sql`update runtime.partition set batch = batch + 5, sequence = sequence + 1000`;
    await eventually(async () => {
      // The owner sees it as soon as it writes something down.
      await add();
      const { status, body } = await stoa.send('GET', '/v1/health');
      expect([status, body.status, body.components.actor_log]).toEqual([200, 'degraded', 'degraded']);
    });
  });
});
