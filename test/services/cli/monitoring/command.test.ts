// Alarms and the dashboard ask for metrics that there are, and name sections of the runbook that there are.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureProcess, registry } from '#runtime/process/metric.ts';
import { MONITORING_FILES } from '#services/cli/monitoring/command.ts';
import { sharedStoa } from '#test/support/stoa.ts';
import '#services/payment/sweep.ts';

beforeAll(async () => {
  await sharedStoa();
  measureProcess('test');
});
afterAll(async () => {
  registry.setDefaultLabels({});
});

const textOf = (name: string): string =>
  readFileSync(fileURLToPath(import.meta.resolve(`#services/cli/monitoring/${name}`)), 'utf8');
/** Metrics that a separate process reports from its start. */
const OWN = ['stoa_postgres_up', 'stoa_nats_up', 'stoa_edge_limit_adrift_total'];

test.each(MONITORING_FILES)('%s asks for metrics that there are', async (name) => {
  const known = new Set([...(await registry.getMetricsAsJSON()).map((metric) => metric.name), ...OWN]);
  const asked = [...new Set(textOf(name).match(/\b(stoa|process|nodejs)_[a-z0-9_]+/g))];
  expect(asked.length).toBeGreaterThan(10);
  const missing = asked.filter((each) => !known.has(each) && !known.has(each.replace(/_(bucket|count|sum)$/, '')));
  expect(missing).toEqual([]);
});

test('every counter is named so', async () => {
  const counters = (await registry.getMetricsAsJSON()).filter(
    ({ name, type }) => String(type) === 'counter' && name.startsWith('stoa_'),
  );
  expect(counters.length).toBeGreaterThan(5);
  expect(counters.map(({ name }) => name).filter((name) => !name.endsWith('_total'))).toEqual([]);
});

test('each alarm is whole, and leads to a section of the runbook where one is named', () => {
  const { groups } = Bun.YAML.parse(textOf('alerts.yaml')) as {
    groups: {
      rules: {
        alert: string;
        expr: string;
        labels: { severity: string };
        annotations: { summary: string; runbook_url?: string };
      }[];
    }[];
  };
  const runbook = readFileSync(fileURLToPath(import.meta.resolve('#edge/pages/guide/runbook.md')), 'utf8');
  const sections = [...runbook.matchAll(/^## (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
  for (const { alert, expr, labels, annotations } of groups.flatMap(({ rules }) => rules)) {
    expect([expr, annotations.summary], alert).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    expect(['page', 'ticket'], alert).toContain(labels.severity);
    const [, section] = annotations.runbook_url?.split('#') ?? [];
    if (section) expect(sections, alert).toContain(section);
  }
});

test('the dashboard has panels that lie side by side', () => {
  const { panels } = JSON.parse(textOf('dashboard.json')) as {
    panels: { id: number; title: string; gridPos: { x: number; y: number } }[];
  };
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
});
