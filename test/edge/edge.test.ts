// Edges side by side over the same services.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await startStoa();
  keys = await stoa.createStore();
});
afterAll(() => stoa.stop());

describe('two edges', () => {
  test('learn within a second what the other one wrote', async () => {
    const second = stoa.anotherEdge();
    const read = async () =>
      (
        await fetch(`${second.url}/v1/store`, { headers: { Authorization: `Bearer ${keys.publishable_key}` } })
      ).json() as Promise<{ store: { description: string } }>;
    await eventually(async () => expect((await read()).store).toBeDefined());
    await stoa.send('PATCH', '/v1/store', { key: keys.secret_key, body: { description: 'from the first' } });
    await eventually(async () => expect((await read()).store.description).toBe('from the first'));
  });
});

describe('an edge that is about to end', () => {
  const authorized = (key: string) => ({ Authorization: `Bearer ${key}` });

  test('says so in its health, serves on, and closes each connection with its answer', async () => {
    const edge = stoa.anotherEdge();
    const send = async (path: string, method = 'GET'): Promise<[number, string, string | null]> => {
      const answer = await fetch(`${edge.url}${path}`, { method, headers: authorized(keys.publishable_key) });
      const text = (await answer.text()).replace(/req_[\w-]+/, '').slice(0, 200);
      return [answer.status, text, answer.headers.get('connection')];
    };
    await eventually(async () => expect((await send('/v1/health'))[0]).toBe(200));
    const paths = ['/v1/store', '/v1/products/by-slug/a%20%C3%A4', '/v1/products?limit=0', '/nowhere', '/openapi.json'];
    const before = await Promise.all(paths.map((path) => send(path)));
    expect(before.map(([, , connection]) => connection)).not.toContain('close');
    edge.drain();
    const health = await fetch(`${edge.url}/v1/health`);
    expect([health.status, health.headers.get('retry-after'), health.headers.get('connection')]).toEqual([
      503,
      '1',
      'close',
    ]);
    const body = await health.json();
    expect(body).toMatchObject({ status: 'degraded', components: { edge: 'draining', services: 'ok' } });
    const after = await Promise.all(paths.map((path) => send(path)));
    expect(after).toEqual(before.map(([status, text]) => [status, text, 'close']));
    expect((await send('/v1/store', 'DELETE'))[0]).toBe(405);
  });

  test('answers what is under way, long polls at once, and then takes nothing more', async () => {
    const edge = stoa.anotherEdge();
    const read = async (path: string) => {
      const answer = await fetch(`${edge.url}${path}`, { headers: authorized(keys.secret_key) });
      return { status: answer.status, body: (await answer.json()) as { position: string } };
    };
    const { body } = await eventually(async () => {
      const told = await read('/v1/webhook-events?follow=now&type=payment.failed');
      expect(told.status).toBe(200);
      return told;
    });
    const startedAt = performance.now();
    const waiting = read(
      `/v1/webhook-events?follow=${encodeURIComponent(body.position)}&type=payment.failed&wait_seconds=8`,
    );
    await eventually(() => expect(stoa.services.host.running).toBeGreaterThan(0));
    await edge.stop();
    expect((await waiting).status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(6_000);
    await expect(fetch(`${edge.url}/v1/health`)).rejects.toThrow();
  });
});
