// Metrics in the text format of Prometheus.
import { afterAll, expect, test } from 'vitest';
import { counter, gauge, measureProcess, registry, rpcMetric } from '#runtime/process/metric.ts';

afterAll(() => registry.setDefaultLabels({}));

test('exports calls by outcome, counters, and process metrics', async () => {
  measureProcess('test');
  rpcMetric('Catalog/ShowMetric', 'ok', 1.2);
  rpcMetric('Catalog/ShowMetric', 'ok', 300);
  rpcMetric('Catalog/ShowMetric', 'not_found', 0.1);
  counter('things_total', 'Things.', ['kind']).inc({ kind: 'a' }, 3);
  let level = 1;
  gauge('level', 'A level.', () => level);
  level = 7;
  const text = await registry.metrics();
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
