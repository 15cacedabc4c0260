// The page of results that benches write: one file without links, safe for any text in a line.
import { expect, test } from 'vitest';
import { report } from '#bench/report.ts';

const point = (offered: number, p99: number) => ({
  bench: 'curve',
  case: 'search',
  topology: 'split',
  offered_per_second: offered,
  p50_ms: 1,
  p90_ms: 2,
  p99_ms: p99,
  p999_ms: p99 * 2,
});

test('shows a curve for each scenario, its knee, the machine, and every other figure', () => {
  const page = report([
    { bench: 'machine', processor: 'Abacus', commit: 'abc1234' },
    point(100, 3),
    point(200, 30),
    { bench: 'load', case: 'search', topology: 'split', ratio: 0.25, reference: 'B', knee_per_second: 100 },
    { bench: 'load', case: 'cart', topology: 'single', ratio: 0.1, reference: 'A', knee_per_second: 0, edge_mb: 77 },
    { bench: 'ingest', case: 'catalogue', per_second: 2_000 },
  ]);
  expect(page.match(/<svg/g)).toHaveLength(2);
  expect(page.match(/<path/g)).toHaveLength(8);
  // A column a scenario.
  expect(page).toContain('<th>figure</th><th>search split</th><th>cart single</th>');
  expect(page).toContain('<td class="">edge_mb</td><td class=""></td><td class="n">77</td>');
  // The curve's data is in the table, too.
  for (const p99 of [3, 30]) expect(page).toContain(`<td class="n">${p99}</td>`);
  for (const text of ['Abacus', 'abc1234', 'knee 100/s', '0.25 of reference B', '2000']) expect(page).toContain(text);
});

test('fetches nothing, and takes no line for markup', () => {
  const page = report([{ bench: '<script>', case: '"><img src=x>' }]);
  expect(page).not.toMatch(/<script|<img|<link|https?:/);
});
