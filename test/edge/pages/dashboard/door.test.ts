// The page before sign-in, in a real browser: the demo's account opens the dashboard with one click.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join, PASSWORD } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { openOperator } from '#test/support/marketplace.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('the page before sign-in', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let folder: string;
  let browser: Browser;
  const { checkLooks, press, shows } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  beforeAll(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), 'stoa-door-'));
    stoa = await startStoa({ demoFile: joinPath(folder, 'demo.json') });
    browser = await openBrowser(program!);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    await stoa?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('shows no demo’s account where there is none', async () => {
    expect(await (await fetch(`${stoa.url}/dashboard/file/demo.json`)).json()).toEqual({
      demo: null,
      marketplace: null,
    });
  });

  test('opens the demo with one click', async () => {
    const keys = await stoa.createStore();
    const { email } = await join(stoa, keys, 'owner');
    const account = { staff_email: email, staff_password: PASSWORD };
    await writeFile(joinPath(folder, 'demo.json'), JSON.stringify({ ...keys, ...account }));
    await browser.page.open(`${stoa.url}/dashboard`);
    await shows('main', 'This system has a demo store.');
    await checkLooks('door');
    await press('Open the demo');
    await shows('.frame main h1', 'Home');
    expect(browser.page.complaints).toEqual([]);
  });

  test('opens the demo’s marketplace with one click', async () => {
    const keys = await stoa.createStore();
    const { operator_key: secret_key } = await openOperator(stoa, [keys.store_id]);
    const accountOf = async (inviting: { secret_key: string }) => ({
      staff_email: (await join(stoa, inviting, 'owner')).email,
      staff_password: PASSWORD,
    });
    const demo = { ...keys, ...(await accountOf(keys)), marketplace: await accountOf({ secret_key }) };
    await writeFile(joinPath(folder, 'demo.json'), JSON.stringify(demo));
    await press('Sign out');
    await shows('main', 'Use a secret key');
    await browser.page.open(`${stoa.url}/dashboard`);
    await shows('main', 'Open the demo’s marketplace');
    await checkLooks('door-marketplace');
    await press('Open the demo’s marketplace');
    await shows('.frame main h1', 'Home');
    await shows('main', /Merchants that sell: 1/);
    expect(browser.page.complaints).toEqual([]);
  });
});
