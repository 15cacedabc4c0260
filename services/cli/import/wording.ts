// Prints an import's progress bar and its report.
import type { Problem } from './catalogue.ts';
import type { ImportReport } from './run.ts';

const BAR_WIDTH = 30;
const PROBLEMS_SHOWN = 20;

interface Screen {
  readonly isTTY?: boolean;
  readonly write: (text: string) => boolean;
}

export const progressBar = (stream: Screen) => {
  let shown = false;
  return {
    onProgress: (what: string, done: number, total: number): void => {
      if (!stream.isTTY) return;
      const full = Math.floor((done / total) * BAR_WIDTH);
      stream.write(`\r\x1b[K${what} ${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${done} of ${total}`);
      shown = true;
    },
    clear: (): void => void (shown && stream.write('\r\x1b[K')),
  };
};

const sentence = ({ row, id, param, message, whole }: Problem): string => {
  const place = [row === null ? null : `row ${row}`, id, param].filter(Boolean).join(' ');
  return `  ${place}${place && ': '}${message}${whole ? ' Left behind.' : ''}`;
};

const made = ({ created, changed, unchanged }: { created: number; changed: number; unchanged: number }): string =>
  `${created} created, ${changed} changed, ${unchanged} unchanged`;

export const isEmpty = (found: ImportReport['found']): boolean => Object.values(found).every((count) => count === 0);

const problemLines = ({ found, problems, problem_file }: ImportReport): string[] => {
  if (problems.length === 0) return isEmpty(found) ? [] : ['Everything could be brought.'];
  const left = problems.length - PROBLEMS_SHOWN;
  return [
    `${problems.length} problem${problems.length === 1 ? '' : 's'}${problem_file ? `, all in ${problem_file}` : ''}:`,
    ...problems.slice(0, PROBLEMS_SHOWN).map(sentence),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
};

const foundWords = ({ products, variants, categories, collections, customers }: ImportReport['found']): string => {
  const parts = [
    [products, `products with ${variants} variants`],
    [categories, 'categories'],
    [collections, 'collections'],
    [customers, 'customers'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`);
  return said.length === 0 ? 'nothing' : said.join(', ');
};

type Done = NonNullable<ImportReport['done']>;

const sumLines = ({ file, store, currency, reconciles, differing }: Done): string[] => {
  const row = (name: string, field: keyof typeof file): string =>
    `  ${name.padEnd(14)}${String(file[field]).padStart(16)}${String(store[field]).padStart(16)}`;
  return [
    `  ${''.padEnd(14)}${'the file'.padStart(16)}${'the store'.padStart(16)}`,
    row('products', 'products'),
    row('variants', 'variants'),
    row(`prices in ${currency}`, 'price'),
    row('stock', 'stock'),
    reconciles
      ? 'Counts and sums agree.'
      : `Counts and sums differ in ${differing.length}: ${differing.slice(0, 10).join(', ')}.`,
  ];
};

export const reportWords = (report: ImportReport): string => {
  const { found, done } = report;
  const head = foundWords(found);
  if (done === null)
    return [
      isEmpty(found) ? 'Nothing of the file can be brought.' : `Can be brought: ${head}.`,
      ...problemLines(report),
      'Nothing was written.',
    ].join('\n');
  const { pictures, products, categories, collections, customers, redirects } = done;
  const { created, updated, unchanged, failed } = products;
  const surroundings = [
    ['Categories named by themselves', categories],
    ['Collections', collections],
    ['Customers', customers],
  ] as const;
  return [
    `Found: ${head}.`,
    ...(found.products > 0
      ? [`Products: ${created} created, ${updated} changed, ${unchanged} unchanged, ${failed} refused.`]
      : []),
    ...(pictures
      ? [`Pictures: ${pictures.copied} copied, ${pictures.known} known, ${pictures.left} left at their former address.`]
      : []),
    ...surroundings
      .filter(([, counts]) => counts.created + counts.changed + counts.unchanged > 0)
      .map(([name, counts]) => `${name}: ${made(counts)}.`),
    ...problemLines(report),
    ...(found.products > 0 ? sumLines(done) : []),
    ...(done.shown && found.products > 0 ? [`To be seen at ${done.shown}`] : []),
    ...(redirects ? [`Old handles and their product_slug are in ${redirects}.`] : []),
  ].join('\n');
};
