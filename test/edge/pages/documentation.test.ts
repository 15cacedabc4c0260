// The interactive API reference in a real browser: bearer tokens are preselected, and no other host is called.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
if (!program)
  console.warn('No Chromium is installed (Debian: apt-get install chromium): the documentation is not tried in one.');

describe.skipIf(!program)('the documentation', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let browser: Browser;
  beforeAll(async () => {
    stoa = await sharedStoa();
    browser = await openBrowser(program!);
  });
  afterAll(async () => {
    await browser?.close();
  });

  test('renders without other hosts, with its introduction and a field for a bearer token', async () => {
    await browser.page.open(`${stoa.url}/docs`);
    await eventually(async () => {
      const text = await browser.page.read<string>('document.body.innerText');
      expect(text).toContain('Signing and idempotency');
      expect(text).toContain('SecretKey');
      expect(text).toContain('Bearer Token');
    });
    const foreign = await browser.page.read<string[]>(
      'performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => !name.startsWith(location.origin) && !/^(data|blob):/.test(name))',
    );
    expect(foreign).toEqual([]);
    // A style of the reference's program, and the one that it writes by its theme.
    const styleOf = (element: string, name: string): Promise<string> =>
      browser.page.read(`getComputedStyle(document.querySelector('${element}')).getPropertyValue('${name}')`);
    expect(await styleOf('.references-layout', 'display')).toBe('grid');
    expect(await styleOf('.scalar-app', '--scalar-color-1')).not.toBe('');
    if (process.env.STOA_PICTURES)
      await Bun.write(`${process.env.STOA_PICTURES}/docs.png`, Buffer.from(await browser.page.picture(), 'base64'));
    expect(browser.page.complaints).toEqual([]);
  });
});
