// Measures `stoa import` of a Shopify product export of 50,000 rows: four variants for each product, types, collections and
// pictures. Imports the file into an empty store, and once more without a change. ROWS sets another number of rows, VARIANTS
// the number of variants for each product, 1 to 4.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImportReport } from '#services/cli/import/run.ts';
import { processorMs, startStack } from './stack.ts';

const ROWS = Number(process.env.ROWS ?? 50_000);
/** A shop moves in within a minute. */
const ASKED_S = 60;
const SIZES = ['S', 'M', 'L', 'XL'].slice(0, Number(process.env.VARIANTS ?? 4));
const TYPES = ['Jumpers', 'Mugs', 'Lamps', 'Chairs', 'Prints', 'Bowls', 'Rugs', 'Clocks'];
const MAIN = fileURLToPath(import.meta.resolve('#services/cli/main.ts'));

const HEADER =
  'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,' +
  'Variant Inventory Qty,Variant Price,Variant Compare At Price,Image Src,Image Position,Collection';

/** Rows of one product; the first row has the fields of the whole product. */
const rowsOf = (at: number): string[] =>
  SIZES.map((size, variant) => {
    const first = variant === 0;
    const price = ((at * 7) % 9_000) / 100 + 5 + variant;
    const own = first
      ? [
          `Thing ${at}`,
          `"<p>Made by hand, number ${at} of a long row.</p>"`,
          `Maker ${at % 40}`,
          TYPES[at % TYPES.length],
          `"wool, winter ${at % 12}"`,
          'true',
          'Size',
        ]
      : ['', '', '', '', '', '', ''];
    const sold = [
      size,
      `T-${at}-${size}`,
      250 + variant,
      (at + variant) % 30,
      price.toFixed(2),
      (price + 4).toFixed(2),
    ];
    const shown = first ? [`https://pictures.example/${at}.jpg`, 1, `Shelf ${at % 60}`] : ['', '', ''];
    return [`thing-${at}`, ...own, ...sold, ...shown].join(',');
  });

const folder = mkdtempSync(join(tmpdir(), 'stoa-bench-import-'));
const stack = await startStack();
try {
  const edge = await stack.startEdge(128);
  const store = await stack.createStore();
  const file = join(folder, 'products.csv');
  const products = Math.floor(ROWS / SIZES.length);
  writeFileSync(file, `${[HEADER, ...Array.from({ length: products }, (_, at) => rowsOf(at)).flat()].join('\n')}\n`);
  const bring = async (): Promise<ImportReport> => {
    const command = [process.execPath, MAIN, 'import', 'shopify', file, '--json', '--url', edge.url];
    const child = Bun.spawn([...command, '--key', store.secret_key, '--hmac-secret', store.hmac_secret], {
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const text = await new Response(child.stdout).text();
    if ((await child.exited) !== 0) throw new Error(`The import ended with an error: ${text.slice(0, 2_000)}`);
    return JSON.parse(text);
  };
  for (const run of ['new', 'again']) {
    const before = await processorMs(stack.services.pid);
    const from = performance.now();
    const { done, problems } = await bring();
    const seconds = (performance.now() - from) / 1_000;
    if (!done) throw new Error('The import wrote nothing.');
    process.stdout.write(
      `${JSON.stringify({
        bench: 'import',
        case: run,
        rows: products * SIZES.length,
        seconds: Number(seconds.toFixed(1)),
        asked_seconds: ASKED_S,
        rows_per_second: Math.round((products * SIZES.length) / seconds),
        ...done.products,
        reconciles: done.reconciles,
        problems: problems.length,
        services_processor_s: Number((((await processorMs(stack.services.pid)) - before) / 1_000).toFixed(1)),
      })}\n`,
    );
  }
} finally {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}
