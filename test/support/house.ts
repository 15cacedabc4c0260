// Lists the repository's files, their imports and the folder that each belongs to, for tests of the house's rules.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const SKIPPED = new Set(['node_modules', '.git', '.stoa', 'gen']);

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesUnder(path);
    return [path];
  });

export const files = filesUnder('.');
export const code = files.filter((path) => /\.(ts|mjs)$/.test(path) && !path.endsWith('.bundle.js'));
export const textOf = (path: string): string => readFileSync(path, 'utf8');

/** Imported paths, as written. */
export const importsOf = (path: string): string[] =>
  [
    ...textOf(path).matchAll(
      /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|^\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm,
    ),
  ].map(([, from, bare, dynamic]) => (from ?? bare ?? dynamic)!);

const ROOTS: Readonly<Record<string, string>> = {
  '#values/': 'services/values/',
  '#runtime/': 'services/runtime/',
  '#services/': 'services/',
  '#proto/': 'proto/',
  '#edge/': 'edge/',
  '#test/': 'test/',
  '#bench/': 'bench/',
};

/** The file of the house that an import means; null for a package. */
export const resolveImport = (path: string, imported: string): string | null => {
  if (imported.startsWith('./')) return path.replace(/[^/]*$/, '') + imported.slice(2);
  const root = Object.keys(ROOTS).find((name) => imported.startsWith(name));
  return root ? ROOTS[root]! + imported.slice(root.length) : null;
};

/** The room that a file lies in: `values`, `proto`, `generate`, `runtime`, `commerce`, `cli`, `edge`, `services`, or a domain. */
export const roomOf = (path: string): string => {
  if (path.startsWith('proto/generate/')) return 'generate';
  const [top, second] = path.split('/');
  return top === 'services' && path.split('/').length > 2 ? second! : top!;
};

const FRAME = ['values', 'proto', 'runtime', 'commerce', 'generate', 'cli', 'edge', 'services', 'test', 'bench'];
export const isDomain = (room: string): boolean => !FRAME.includes(room) && existsSync(`services/${room}`);

/**
 * The one domain that others import. An order, its payments and its refunds are one Postgres transaction, so the ledger is
 * functions over the caller's transaction, behind its index.ts. The ledger itself imports no other domain.
 */
export const SHARED = 'ledger';

/**
 * A domain's functions over the transactions of others: an order, its quote, its purchase order and its stock are one commit.
 */
export const isTransactionModule = (path: string): boolean => /^services\/[^/]+\/transaction\.ts$/.test(path);

/** Rooms that a room may import beside itself. */
export const mayImport = (room: string): readonly string[] | 'all' => {
  if (room === 'values') return [];
  if (room === 'proto') return ['values'];
  if (room === 'generate') return [];
  if (room === 'runtime') return ['values', 'proto'];
  if (room === 'commerce') return ['values', 'proto', 'runtime'];
  if (isDomain(room) && room !== SHARED) return ['values', 'proto', 'runtime', 'commerce', SHARED];
  if (room === SHARED || room === 'edge' || room === 'cli') return ['values', 'proto', 'runtime', 'commerce'];
  return 'all';
};

const COMMERCE = /cart|catalog|promotion|coupon|checkout|shopper|shipping|marketplace|refund|gift|review|sold|stock/i;

/** Whether a file's code says a word of commerce; comments and imports do not count. */
export const namesCommerce = (path: string): boolean =>
  COMMERCE.test(textOf(path).replace(/^import[^;]*;|\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''));

/** Files below the domains that name something of commerce, and why they may. */
export const COMMERCE_BELOW: Readonly<Record<string, string>> = {
  'services/runtime/call/call.ts': 'every code of a refusal',
  'services/runtime/event/envelope.ts': 'the fields that an event of the API has beside its resource',
  'services/runtime/process/setting.ts': 'every setting of a host',
  'services/values/secret.ts': 'the names of fields that hold secrets',
  'services/values/window.ts': 'every limit of a window',
};
