// Latencies as Prometheus reads them: cumulative buckets, a sum in seconds, a count.
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { LatencyTable } from '#runtime/process/latency.ts';

test('a note falls into every bucket that holds it, and into the sum and the count', async () => {
  const registry = new Registry();
  const table = new LatencyTable(registry, 'stoa_test_seconds', 'A test.', ['endpoint', 'status']);
  for (const ms of [0.2, 0.5, 3, 99_000]) table.labels('GET /', '200').observe(ms);
  table.labels('GET /', '500').observe(1);
  const text = await registry.metrics();
  expect(text).toContain('# TYPE stoa_test_seconds histogram');
  expect(text).toContain('stoa_test_seconds_bucket{le="0.0005",endpoint="GET /",status="200"} 2');
  expect(text).toContain('stoa_test_seconds_bucket{le="0.005",endpoint="GET /",status="200"} 3');
  expect(text).toContain('stoa_test_seconds_bucket{le="10",endpoint="GET /",status="200"} 3');
  expect(text).toContain('stoa_test_seconds_bucket{le="+Inf",endpoint="GET /",status="200"} 4');
  expect(text).toContain('stoa_test_seconds_count{endpoint="GET /",status="200"} 4');
  expect(text).toMatch(/stoa_test_seconds_sum\{endpoint="GET \/",status="200"\} 99\.0037/);
  expect(text).toContain('stoa_test_seconds_count{endpoint="GET /",status="500"} 1');
});

test('a series is the same however often it is asked for', () => {
  const table = new LatencyTable(new Registry(), 'stoa_test_seconds', 'A test.', ['rpc']);
  expect(table.labels('a')).toBe(table.labels('a'));
  expect(table.labels('a')).not.toBe(table.labels('b'));
});
