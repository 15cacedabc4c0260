// How a process is, on its internal port: for what restarts it, and for what sends to it.
import { afterEach, expect, test } from 'vitest';
import { type Health, type InternalServer, serveInternal } from '#runtime/process/internal_port.ts';
import { testLog } from '#test/support/server.ts';

const WELL: Health = { ready: true, components: { postgres: 'ok' } };

const open: InternalServer[] = [];
afterEach(async () => {
  for (const internal of open.splice(0)) await internal.close();
});

const serve = async (health: () => Health = () => WELL) => {
  const internal = await serveInternal({ port: 0, health, log: testLog() });
  open.push(internal);
  const url = `http://127.0.0.1:${internal.port}`;
  const read = async (path: string) => {
    const answer = await fetch(`${url}${path}`);
    return [answer.status, await answer.json()];
  };
  return { internal, url, read };
};

test('measures are read there', async () => {
  const { url } = await serve();
  const answer = await fetch(`${url}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
});

test('a process that serves is alive and ready, and degraded where one part is not as it should be', async () => {
  const { read } = await serve();
  for (const path of ['/healthz', '/readyz'])
    expect(await read(path)).toEqual([200, { ok: true, status: 'ok', components: WELL.components }]);
  const down = { postgres: 'down' };
  const ailing = await serve(() => ({ ready: true, components: down }));
  for (const path of ['/healthz', '/readyz'])
    expect(await ailing.read(path)).toEqual([200, { ok: true, status: 'degraded', components: down }]);
});

test('one that cannot serve is alive, and not ready', async () => {
  const components = { services: 'down' };
  const { read } = await serve(() => ({ ready: false, components }));
  expect(await read('/healthz')).toEqual([200, { ok: true, status: 'degraded', components }]);
  expect(await read('/readyz')).toEqual([503, { ok: false, status: 'degraded', components }]);
});

test('one that is about to end says so in both', async () => {
  const { internal, read } = await serve();
  internal.drain();
  for (const path of ['/healthz', '/readyz'])
    expect(await read(path)).toEqual([503, { ok: false, status: 'draining', components: WELL.components }]);
});

test('health that cannot be told is 500, anything else 404', async () => {
  const { url } = await serve(() => {
    throw new Error('broken');
  });
  expect((await fetch(`${url}/healthz`)).status).toBe(500);
  expect((await fetch(`${url}/`)).status).toBe(404);
});

test('a port that is taken is a fault at the start', async () => {
  const { internal } = await serve();
  const second = serveInternal({ port: internal.port, health: () => WELL, log: testLog() });
  await expect(second).rejects.toThrow();
});
