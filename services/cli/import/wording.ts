// What an import tells a person: while it runs a bar, where someone sees it, and what came of it at the end.
import type { Problem } from './catalogue.ts';
import type { ImportReport } from './run.ts';

const BAR_WIDTH = 30;
const PROBLEMS_SHOWN = 20;

interface Screen {
  readonly isTTY?: boolean;
  readonly write: (text: string) => boolean;
}

/** A bar on a terminal; nothing in a file or a pipe. */
export const progressBar = (stream: Screen) => {
  let shown = false;
  return {
    told: (what: string, done: number, total: number): void => {
      if (!stream.isTTY) return;
      const full = Math.floor((done / total) * BAR_WIDTH);
      stream.write(`\r\x1b[K${what} ${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${done} of ${total}`);
      shown = true;
    },
    clear: (): void => void (shown && stream.write('\r\x1b[K')),
  };
};

const sentence = ({ row, id, param, message, whole }: Problem): string =>
  `  ${row === null ? '' : `row ${row} `}${id ?? ''}${param ? ` ${param}` : ''}: ${message}${whole ? ' Left behind.' : ''}`;

const made = ({ created, changed, unchanged }: { created: number; changed: number; unchanged: number }): string =>
  `${created} created, ${changed} changed, ${unchanged} unchanged`;

const problemLines = ({ problems, problem_file }: ImportReport): string[] => {
  if (problems.length === 0) return ['Everything could be brought.'];
  const left = problems.length - PROBLEMS_SHOWN;
  return [
    `${problems.length} problem${problems.length === 1 ? '' : 's'}${problem_file ? `, all in ${problem_file}` : ''}:`,
    ...problems.slice(0, PROBLEMS_SHOWN).map(sentence),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
};

export const reportWords = (report: ImportReport): string => {
  const { found, done } = report;
  const head = `${found.products} products with ${found.variants} variants, ${found.categories} categories, ${found.collections} collections, ${found.customers} customers`;
  if (done === null) return [`Can be brought: ${head}.`, ...problemLines(report), 'Nothing was written.'].join('\n');
  const { products, categories, collections, customers, file, store, reconciles, differing, redirects } = done;
  const row = (name: string, field: keyof typeof file): string =>
    `  ${name.padEnd(14)}${String(file[field]).padStart(16)}${String(store[field]).padStart(16)}`;
  return [
    `Found: ${head}.`,
    `Products: ${products.created} created, ${products.updated} changed, ${products.unchanged} unchanged, ${products.failed} refused.`,
    `Categories named by themselves: ${made(categories)}.`,
    `Collections: ${made(collections)}.`,
    `Customers: ${made(customers)}.`,
    ...problemLines(report),
    `  ${''.padEnd(14)}${'the file'.padStart(16)}${'the store'.padStart(16)}`,
    row('products', 'products'),
    row('variants', 'variants'),
    row('sum of prices', 'price'),
    row('sum of stock', 'stock'),
    reconciles
      ? 'Counts and sums agree.'
      : `Counts and sums differ in ${differing.length}: ${differing.slice(0, 10).join(', ')}.`,
    ...(redirects ? [`Old handles and their product_slug are in ${redirects}.`] : []),
  ].join('\n');
};
