// What the edge says of itself.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await startStoa();
});
afterAll(() => stoa.stop());

describe('who is there and how it is', () => {
  test('GET / names the service and its documentation', async () => {
    const { body } = await stoa.send('GET', '/');
    expect(body).toEqual({ name: 'Stoa', version: '1.0.0', documentation_url: `${stoa.url}/docs` });
  });

  test('GET /v1/health tells how each part is', async () => {
    const { status, body } = await stoa.send('GET', '/v1/health');
    expect([status, body.status]).toEqual([200, 'ok']);
    expect(body.components).toMatchObject({ edge: 'ok', services: 'ok', postgres: 'ok', nats: 'ok' });
  });
});
