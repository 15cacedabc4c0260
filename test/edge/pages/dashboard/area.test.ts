// Every area of the dashboard in a real browser, in an empty store: small at first load, from its own origin alone, as wide as
// the screen.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { openOperator } from '#test/support/marketplace.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const FIRST_LOAD_BYTES_MAX = 150_000;
const AREAS_MIN = { store: 16, marketplace: 5 } as const;

describe.skipIf(!program)('an area', { timeout: 180_000 }, () => {
  let stoa: Stoa;
  let browser: Browser;
  const sizes = new Map<string, number>();
  const { read, shows, signInAs, fits } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const sizeOf = async (url: string): Promise<number> => {
    const known = sizes.get(url);
    if (known !== undefined) return known;
    const size = gzipSync(await (await fetch(url)).text()).length;
    sizes.set(url, size);
    return size;
  };

  beforeAll(async () => {
    stoa = await sharedStoa();
    browser = await openBrowser(program!);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test.each(['store', 'marketplace'] as const)(
    'of a %s loads little, from its own origin, and fits',
    async (employer) => {
      const keys = await stoa.createStore({ wholesale: true });
      const inviting =
        employer === 'store' ? keys : { secret_key: (await openOperator(stoa, [keys.store_id])).operator_key };
      await browser.page.resize(1280, 844);
      await signInAs((await join(stoa, inviting, 'owner')).cookie);
      const areas = await read<string[]>(
        `[...document.querySelectorAll('.side nav[aria-label=Areas] a')].map(({ href }) => href)`,
      );
      expect(areas.length).toBeGreaterThanOrEqual(AREAS_MIN[employer]);
      for (const area of areas) {
        await browser.page.open(area);
        await shows('.frame main h1', /./);
        await eventually(async () => expect(await read(`document.querySelector('main [aria-busy=true]')`)).toBeNull());
        for (const width of [390, 1280]) {
          await browser.page.resize(width, 844);
          await fits();
        }
        const loaded = await read<string[]>(
          `[...new Set(performance.getEntriesByType('resource').map(({ name }) => name))]`,
        );
        expect(loaded.filter((url) => !url.startsWith(`${stoa.url}/`) && !url.startsWith('data:'))).toEqual([]);
        const files = [area, ...loaded.filter((url) => url.includes('/dashboard/file/'))];
        const bytes = (await Promise.all(files.map(sizeOf))).reduce((sum, size) => sum + size, 0);
        expect(bytes, area).toBeLessThan(FIRST_LOAD_BYTES_MAX);
      }
      expect(browser.page.complaints).toEqual([]);
    },
  );
});
