// `stoa import …` imports another shop's export into a store; `stoa export` writes a file for `stoa import json`.
import { readFileSync } from 'node:fs';
import { defineCommand } from 'citty';
import type { GetStoreResponse } from '#proto/gen/store.ts';
import { define, exit, JSON_OPTION, print, say } from './command.ts';
import { SHOP_OPTIONS, shopAccess } from './import/access.ts';
import type { ImportedCatalogue } from './import/catalogue.ts';
import { readGoogle } from './import/google.ts';
import { writeLines } from './import/line_file.ts';
import { readMedusa } from './import/medusa.ts';
import { readOwn } from './import/own.ts';
import { runImport } from './import/run.ts';
import { ImportTarget, type ShopAccess } from './import/shop.ts';
import { readShopify } from './import/shopify.ts';
import { decodeSource } from './import/source.ts';
import { readWooCommerce } from './import/woocommerce.ts';
import { isEmpty, progressBar, reportWords } from './import/wording.ts';
import { writeStore } from './import/writing.ts';
import { SetupError } from './local/child.ts';

export const exportCommand = define({
  name: 'export',
  description: "Writes a store's products, categories, collections and customers as NDJSON",
  args: {
    out: { type: 'string', description: 'The file to write; standard output by default', valueHint: 'store.ndjson' },
    key: SHOP_OPTIONS.key,
    url: SHOP_OPTIONS.url,
  },
  run: async ({ out, key, url }) => {
    const shop = new ImportTarget(shopAccess({ key, url }, false));
    const bar = progressBar(process.stderr);
    const written = await writeLines(out, (write) =>
      writeStore(shop, write, (done) => bar.onProgress('products', done, done)),
    ).finally(bar.clear);
    const { products, categories, collections, customers } = written;
    say(`${products} products, ${categories} categories, ${collections} collections, ${customers} customers.`);
    process.exit(0);
  },
});

const bytesOf = (file: string): Uint8Array => {
  try {
    return readFileSync(file);
  } catch (fault) {
    throw new SetupError(`${file} cannot be read: ${(fault as Error).message}`);
  }
};

/** Used in dry runs, which call the store only if the file has amounts in several currencies. */
const NO_STORE: ShopAccess = { baseUrl: '', key: '', hmacSecret: '', shown: null };

const currencyOf = async (access: ShopAccess): Promise<string> =>
  (await new ImportTarget(access).get<GetStoreResponse>('/v1/store')).store.currency;

const importer = (
  name: string,
  description: string,
  read: (source: string, currency: string) => ImportedCatalogue,
  inCurrency = false,
) =>
  define({
    name,
    description,
    args: {
      file: { type: 'positional', description: 'The exported file', required: true },
      'dry-run': { type: 'boolean', description: 'Reads and checks the file without writing' },
      'copy-pictures': {
        type: 'boolean',
        description: 'Copies the pictures into the store, so that they stay when the former shop closes',
      },
      ...SHOP_OPTIONS,
      json: JSON_OPTION,
    },
    run: async ({
      file,
      'dry-run': dryRun,
      'copy-pictures': copiesPictures,
      key,
      'hmac-secret': hmacSecret,
      url,
      json,
    }) => {
      const source = decodeSource(bytesOf(file));
      const given = { key, hmacSecret, url };
      const currency = inCurrency ? await currencyOf(shopAccess(given, false)) : '';
      const found = read(source.text, currency);
      const catalogue = { ...found, problems: [...source.problems, ...found.problems] };
      const access = dryRun ? NO_STORE : shopAccess(given, catalogue.products.length > 0);
      const bar = progressBar(process.stderr);
      const report = await runImport({
        file,
        catalogue,
        access,
        dryRun: dryRun === true,
        copiesPictures: copiesPictures === true,
        onProgress: bar.onProgress,
      }).finally(bar.clear);
      print(json, report, () => reportWords(report));
      const isDamaged = report.problems.some(({ damaged }) => damaged);
      await exit(isDamaged || isEmpty(report.found) || report.done?.reconciles === false ? 1 : 0);
    },
  });

export const importCommand = defineCommand({
  meta: { name: 'import', description: "Imports another shop's catalogue and customers into a store" },
  subCommands: {
    shopify: importer('shopify', "Imports Shopify's export of products or customers (CSV)", readShopify),
    woocommerce: importer('woocommerce', "Imports WooCommerce's export of products (CSV)", readWooCommerce),
    medusa: importer(
      'medusa',
      "Imports Medusa's products, exported (CSV) or from its admin API (JSON)",
      readMedusa,
      true,
    ),
    google: importer('google', "Imports a feed for Google's product listings (XML)", readGoogle, true),
    json: importer('json', 'Imports what `stoa export` wrote (JSON or NDJSON)', readOwn),
  },
});
