// `stoa export`: writes a store's catalogue and customers in the format that `stoa import json` reads.
import { define, say } from './command.ts';
import { SHOP_OPTIONS, shopAccess } from './import/access.ts';
import { writeLines } from './import/line_file.ts';
import { ImportTarget } from './import/shop.ts';
import { progressBar } from './import/wording.ts';
import { writeStore } from './import/writing.ts';

const { key: KEY, url: URL_OPTION } = SHOP_OPTIONS;

export const exportCommand = define({
  name: 'export',
  description: "Writes a store's products, categories, collections and customers as NDJSON",
  args: {
    out: { type: 'string', description: 'The file to write; standard output by default', valueHint: 'store.ndjson' },
    key: KEY,
    url: URL_OPTION,
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
