// The frame in which the dashboard shows a mail: only the dashboard may frame it, and no script of a mail may run. In a
// real browser a mail has its styles.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

test('allows its own script alone, and framing by this origin', async () => {
  const reply = await fetch(`${stoa.url}/dashboard/mail-preview`);
  expect(reply.status).toBe(200);
  const policy = reply.headers.get('content-security-policy')!;
  expect(policy).toMatch(/script-src 'sha256-[^']+'(;|$)/);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/style-src|unsafe/);
  expect(policy).toContain("frame-ancestors 'self'");
  expect(reply.headers.get('x-frame-options')).toBe('SAMEORIGIN');
});

test('lets the dashboard frame pages of this origin alone', async () => {
  const reply = await fetch(`${stoa.url}/dashboard`);
  expect(reply.headers.get('content-security-policy')).toContain("frame-src 'self'");
});

const MAIL = `<!doctype html><html lang="en"><head><style>p { color: rgb(1, 2, 3) }</style>
<style media="print">p { margin: 0 }</style></head><body style="margin: 7px">
<p style="padding: 4px">Hello</p><script>window.ran = 1</script><img src="data:," onerror="window.ran = 1"></body></html>`;

const program = chromiumProgram();
describe.skipIf(program === null)('in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(program!);
  });
  afterAll(() => browser?.close());

  test('shows a mail in its styles, runs none of its scripts, and shows the next mail without them', async () => {
    const { page } = browser;
    const styleOf = (element: string, name: string): Promise<string> =>
      page.read(`getComputedStyle(document.querySelector('${element}')).${name}`);
    await page.open(`${stoa.url}/dashboard/mail-preview`);
    await page.read(`postMessage(${JSON.stringify(MAIL)}, '*')`);
    await eventually(async () => expect(await page.read('document.body.innerText')).toContain('Hello'));
    expect(await styleOf('p', 'color')).toBe('rgb(1, 2, 3)');
    expect(await styleOf('p', 'padding')).toBe('4px');
    expect(await styleOf('p', 'marginTop')).toBe('16px');
    expect(await styleOf('body', 'margin')).toBe('7px');
    expect(await page.read('document.documentElement.lang')).toBe('en');
    expect(await page.read("'ran' in window")).toBe(false);
    expect(page.complaints.filter((text) => text.includes('inline style'))).toEqual([]);
    await page.read(`postMessage('<p>Next</p>', '*')`);
    await eventually(async () => expect(await page.read('document.body.innerText')).toBe('Next'));
    expect(await styleOf('p', 'color')).toBe('rgb(0, 0, 0)');
  });
});
