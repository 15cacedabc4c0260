// Lighthouse on the demo shop’s pages, with its telephone profile. Performance is printed: it depends on the machine’s load.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_PICTURES } from '#services/cli/demo_store.ts';
import { chromiumProgram } from '#test/support/browser.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const CHROME_FLAGS = '--headless --no-sandbox --disable-gpu --disable-dev-shm-usage';

interface Report {
  readonly categories: Readonly<
    Record<string, { readonly score: number; readonly auditRefs: readonly { id: string; weight: number }[] }>
  >;
  readonly audits: Readonly<Record<string, { readonly score: number | null }>>;
}

describe.skipIf(!program)('Lighthouse', { timeout: 300_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let folder: string;
  let slug: string;

  const write = async (path: string, body: object) => {
    const { status, text, body: answer } = await stoa.send('POST', path, { key: keys.secret_test_key, body });
    expect(status, text).toBeLessThan(300);
    return answer;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stoa-lighthouse-'));
    const demoFile = join(folder, 'demo.json');
    stoa = await startStoa({ demoFile, demoPictures: DEMO_PICTURES });
    keys = await stoa.createStore({ name: 'Kiosk on the Quay' });
    await writeFile(demoFile, JSON.stringify(keys));
    const { category } = await write('/v1/categories', { name: 'Mugs', description: 'For tea.' });
    for (const name of ['Blue mug', 'Red mug', 'Green mug']) {
      const image = { type: 'image', url: `${stoa.url}/demo/pictures/mark.svg` };
      const product = {
        name,
        description: 'Holds tea.',
        price: 12.5,
        stock: 5,
        category_id: category.id,
        media: [image],
      };
      slug = (await write('/v1/products', product)).product_slug;
    }
  });
  afterAll(async () => {
    await stoa?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const reportOn = async (path: string): Promise<Report> => {
    const file = join(folder, 'report.json');
    const args = [
      resolve('node_modules/.bin/lighthouse'),
      stoa.url + path,
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      `--only-categories=${CATEGORIES.join(',')}`,
      `--chrome-flags=${CHROME_FLAGS}`,
    ];
    const child = spawn('node', args, { stdio: 'inherit', env: { ...process.env, CHROME_PATH: program! } });
    const code = await new Promise((ended) => child.on('exit', ended));
    expect(code).toBe(0);
    return JSON.parse(await readFile(file, 'utf8'));
  };

  test.each([
    ['the first page', () => '/shop'],
    ['a category', () => '/shop/categories/mugs'],
    ['a product', () => `/shop/products/${slug}`],
  ])('finds no fault in accessibility, practices and SEO of %s', async (name, path) => {
    const { categories, audits } = await reportOn(path());
    console.log(`Lighthouse’s performance of ${name}: ${Math.round(categories.performance!.score * 100)}`);
    const faults = CATEGORIES.slice(1).flatMap((category) =>
      categories[category]!.auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1).map(
        ({ id }) => id,
      ),
    );
    expect(faults).toEqual([]);
    for (const category of CATEGORIES.slice(1)) expect(categories[category]!.score, category).toBe(1);
  });
});
