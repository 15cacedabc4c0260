// What Prometheus reads, on the internal port.
import { afterAll, afterEach, expect, test } from 'vitest';
import {
  counter,
  gauge,
  type Health,
  type Internal,
  measureProcess,
  registry,
  rpcMetric,
  serveInternal,
} from '#runtime/metric.ts';
import { testLog } from '#test/support/server.ts';

const open: Internal[] = [];
afterEach(async () => {
  for (const internal of open.splice(0)) await internal.close();
});

afterAll(() => registry.setDefaultLabels({}));

const serve = async (health: () => Health = () => ({ ok: true, components: {} })): Promise<string> => {
  const internal = await serveInternal({ port: 0, health, log: testLog() });
  open.push(internal);
  return `http://127.0.0.1:${internal.port}`;
};

test('shows calls by their outcome, what was counted, and the process itself', async () => {
  measureProcess('test');
  // Of a name that nobody calls: what other files of this process have called is counted, too.
  rpcMetric('Catalog/ShowMetric', 'ok', 1.2);
  rpcMetric('Catalog/ShowMetric', 'ok', 300);
  rpcMetric('Catalog/ShowMetric', 'not_found', 0.1);
  counter('things_total', 'Things.', ['kind']).inc({ kind: 'a' }, 3);
  let level = 1;
  gauge('level', 'A level.', () => level);
  level = 7;
  const answer = await fetch(`${await serve()}/metrics`);
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toContain('text/plain');
  for (const line of [
    'stoa_rpc_seconds_bucket{le="0.0025",rpc="Catalog/ShowMetric",outcome="ok",process="test"} 1',
    'stoa_rpc_seconds_bucket{le="+Inf",rpc="Catalog/ShowMetric",outcome="ok",process="test"} 2',
    'stoa_rpc_seconds_count{rpc="Catalog/ShowMetric",outcome="not_found",process="test"} 1',
    'stoa_things_total{kind="a",process="test"} 3',
    'stoa_level{process="test"} 7',
  ])
    expect(text).toContain(line);
  expect(text).toMatch(/process_resident_memory_bytes\{.*\} \d{6,}/);
  expect(text).toMatch(/process_cpu_seconds_total\{.*\} \d/);
});

test.each([
  [true, 200],
  [false, 503],
])('healthy %s answers %i', async (ok, status) => {
  const answer = await fetch(`${await serve(() => ({ ok, components: { postgres: 'down' } }))}/healthz`);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toEqual({ ok, status: 'degraded', components: { postgres: 'down' } });
});

test('health that cannot be told is 500, anything else 404', async () => {
  const url = await serve(() => {
    throw new Error('broken');
  });
  expect((await fetch(`${url}/healthz`)).status).toBe(500);
  expect((await fetch(`${url}/`)).status).toBe(404);
});

test('a port that is taken is a fault at the start', async () => {
  const url = new URL(await serve());
  const second = serveInternal({
    port: Number(url.port),
    health: () => ({ ok: true, components: {} }),
    log: testLog(),
  });
  await expect(second).rejects.toThrow();
});
